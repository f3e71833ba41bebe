#!/usr/bin/env bash
# Compares grouped queries of 1,000,000 objects with SQLite and with DuckDB on one thread: tables beside goals.
# usage: groups.sh [--quick]      --quick: 250,000 objects, 3 rounds
# environment: BINARY, a built GroupBenchmark; PYTHON, a Python with the package `duckdb`; without it, a virtual
#   environment gets it from PyPI. PEERS_DATA, a folder on a real disk for stores and databases
# The programs take turns, and the least time of the rounds counts. All answers must be equal.
# Ends with 69 if something is missing.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
build="$here/.build/peers"
data="${PEERS_DATA:-$build/data}/groups"
lack() { echo "groups.sh: $1" >&2; exit 69; }
count=1000000 rounds=7
if [ "${1:-}" = --quick ]; then count=250000 rounds=3; fi

python="${PYTHON:-$build/venv/bin/python}"
if [ -z "${PYTHON:-}" ] && ! "$python" -c "import duckdb" 2>/dev/null; then
  python3 -m venv "$build/venv" || lack "there is no venv module; apt-get install python3-venv"
  "$build/venv/bin/pip" install --quiet duckdb || lack "the package duckdb cannot be installed"
fi
if [ -z "${BINARY:-}" ]; then
  swift build -c release --disable-build-manifest-caching --package-path "$here" --product GroupBenchmark >&2
  BINARY="$(swift build -c release --package-path "$here" --show-bin-path)/GroupBenchmark"
fi
rm -rf "$data"
mkdir -p "$data"
trap 'rm -rf "$data"' EXIT
"$python" "$here/Peers/groups.py" "$BINARY" "$data" "$count" "$rounds"
