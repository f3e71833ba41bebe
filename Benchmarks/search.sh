#!/usr/bin/env bash
# Compares full-text searches with SQLite's FTS5 and Tantivy: 400,000 texts of Debian's dictionaries, and 1,000,000 short
# ones for the worst put. Checks that FTS5 finds the same objects with the same scores, and prints tables beside goals.
# usage: search.sh [--quick] [--only PART-OF-A-ROW]      --quick: 20,000 and 30,000 texts, and fewer queries
#   --only: only the searches whose row contains the text
# environment: BINARY, a built SearchBenchmark; PYTHON, a Python with the package `tantivy`; without it, a virtual
#   environment gets it from PyPI. PEERS_DATA, a folder on a real disk for texts and databases
# Searches and puts are measured in processor time, and all programs take turns, so another load of the machine hardly
# changes ratios. Ratios of durable puts are by the clock. Ends with 69 if something is missing.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
build="$here/.build/peers"
data="${PEERS_DATA:-$build/data}/search"
lack() { echo "search.sh: $1" >&2; exit 69; }
counts=(400000 1000000)
if [ "${1:-}" = --quick ]; then counts=(20000 30000); fi

python="${PYTHON:-$build/venv/bin/python}"
if [ -z "${PYTHON:-}" ] && ! "$python" -c "import tantivy" 2>/dev/null; then
  python3 -m venv "$build/venv" || lack "there is no venv module; apt-get install python3-venv"
  "$build/venv/bin/pip" install --quiet tantivy || lack "the package tantivy cannot be installed"
fi
make -s -C "$here/Peers" BUILD="$build" "$build/fts5" >&2
if [ -z "${BINARY:-}" ]; then
  swift build -c release --disable-build-manifest-caching --package-path "$here" --product SearchBenchmark >&2
  BINARY="$(swift build -c release --package-path "$here" --show-bin-path)/SearchBenchmark"
fi
rm -rf "$data"
mkdir -p "$data"
trap 'rm -rf "$data"' EXIT
python3 "$here/Peers/search_texts.py" "$data" "${counts[@]}"
"$python" "$here/Peers/search.py" "$@" "$BINARY" "$build/fts5" "$data"
