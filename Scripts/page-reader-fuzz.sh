#!/usr/bin/env bash
# Compares the page reader with LMDB's cursors on random stores, verifies and salvages them, then reads, verifies and
# salvages damaged copies of such stores, all under the address and undefined-behaviour sanitizers.
# usage: page-reader-fuzz.sh [SECONDS [FIRST_SEED]]      SECONDS: of each of the two parts, 10 by default
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/set-up.sh
seconds="${1:-10}"
seed="${2:-1}"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# The clang beside swift, which has the sanitizers' libraries; elsewhere the system's.
compiler="$(dirname "$(readlink -f "$(command -v swift)")")/clang"
[ -x "$compiler" ] || compiler=clang
flags=(-std=c11 -D_GNU_SOURCE -g -O1 -Wall -Wextra -Werror)
flags+=(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
libraries=(-llmdb)
if [ "$(uname)" = Linux ]; then libraries+=(-fuse-ld=lld); fi
if command -v brew >/dev/null; then
  flags+=("-I$(brew --prefix)/include")
  libraries+=("-L$(brew --prefix)/lib")
fi
"$compiler" "${flags[@]}" -ISources/CObjectBoxPages/include \
  Sources/CObjectBoxPages/*.c Tests/Fuzz/PageReader/*.c "${libraries[@]}" -o "$work/page-reader-fuzz"
export TMPDIR="$work"
"$work/page-reader-fuzz" compare "$seed" 1000000 "$seconds"
"$work/page-reader-fuzz" damage "$seed" 1000000 "$seconds"
