#!/usr/bin/env bash
# Compares encrypted stores with plain ones, and with SQLCipher and SQLite3 Multiple Ciphers beside the same libraries
# without a key: put of all objects, gets, a scan, opening, durable puts. Prints a table beside goals.
# usage: encryption.sh [--quick]      --quick: 25,000 objects in place of 100,000, 3 rounds in place of 7
# environment: BINARY, a built EncryptionBenchmark; PYTHON, a Python with the packages `sqlcipher3-wheels` and
#   `apsw-sqlite3mc`; without it, a virtual environment gets them from PyPI. PEERS_DATA, a folder on a real disk
# The programs take turns, and the least time of the rounds counts. All answers must be equal.
# Ends with 69 if something is missing.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
build="$here/.build/peers"
data="${PEERS_DATA:-$build/data}/encryption"
lack() { echo "encryption.sh: $1" >&2; exit 69; }
[ "$(uname -s)" = Linux ] || lack "encrypted stores need Linux"
count=100000 rounds=7
if [ "${1:-}" = --quick ]; then count=25000 rounds=3; fi

python="${PYTHON:-$build/venv/bin/python}"
if [ -z "${PYTHON:-}" ] && ! "$python" -c "import apsw, sqlcipher3" 2>/dev/null; then
  python3 -m venv "$build/venv" || lack "there is no venv module; apt-get install python3-venv"
  "$build/venv/bin/pip" install --quiet sqlcipher3-wheels apsw-sqlite3mc \
    || lack "the packages sqlcipher3-wheels and apsw-sqlite3mc cannot be installed"
fi
if [ -z "${BINARY:-}" ]; then
  swift build -c release --disable-build-manifest-caching --package-path "$here" --product EncryptionBenchmark >&2
  BINARY="$(swift build -c release --package-path "$here" --show-bin-path)/EncryptionBenchmark"
fi
rm -rf "$data"
mkdir -p "$data"
trap 'rm -rf "$data"' EXIT
"$python" "$here/Peers/encryption.py" "$BINARY" "$data" "$count" "$rounds"
