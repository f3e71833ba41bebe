#!/usr/bin/env bash
# Reads the store fixtures with Python programs that are written from Documentation/FileFormat.md and
# Documentation/EncryptedFormat.md alone.
# Needs the Python package `lmdb`, and tries to install it.
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/set-up.sh

has_lmdb() { "$1" -c 'import lmdb' >/dev/null 2>&1; }

python=python3
if command -v apt-get >/dev/null; then
  # The package is for the system's Python, which may not be first in PATH.
  has_lmdb /usr/bin/python3 || install_packages python3-lmdb || true
  python=/usr/bin/python3
elif command -v python3 >/dev/null && ! has_lmdb python3; then
  work="$(mktemp -d)"
  trap 'rm -rf "$work"' EXIT
  if python3 -m venv "$work" && "$work/bin/python" -m pip install --quiet lmdb; then
    python="$work/bin/python"
  fi
fi

python3 Tests/Store/FormatReader/read_encrypted.py
if ! has_lmdb "$python"; then
  echo "SKIPPED: no Python with the package 'lmdb'; install python3-lmdb, or lmdb with pip"
  exit 0
fi
"$python" Tests/Store/FormatReader/read_store.py
