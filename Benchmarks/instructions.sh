#!/usr/bin/env bash
# Counts the processor instructions of one operation of each workload with valgrind's callgrind. Unlike times, these
# counts hardly vary between runs.
# usage: instructions.sh [record|compare|print]      compare (default) fails when a workload takes over 3 % and 10 more than
#   instructions.tsv says; record writes that file. Figures of another toolchain, C library or processor
#   architecture are not compared, which it says.
# environment: COUNT, the number of objects (5000); BINARY, a program that is built already
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
how="${1:-compare}"
command -v valgrind >/dev/null || { echo "instructions.sh needs valgrind; install it" >&2; exit 1; }
if [ -z "${BINARY:-}" ]; then
  swift build -c release --disable-build-manifest-caching --package-path "$here" --product ObjectBoxBenchmarks >&2
  BINARY="$(swift build -c release --package-path "$here" --show-bin-path)/ObjectBoxBenchmarks"
fi
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
source "$here/../Scripts/callgrind.sh"
prepare_counting "$BINARY" "$work/program"
library="$(ldd --version 2>/dev/null | sed -n '1s/.* //p')"
toolchain="$(swift --version 2>/dev/null | sed -n 's/.*\(Swift version [^ ]*\).*/\1/p' | head -n 1)"
conditions="$toolchain, $(uname -s) $(uname -m), C library ${library:-unknown}"
# Each measured run starts its count at 0 and ends with a dump.
valgrind --tool=callgrind --callgrind-out-file="$work/counts" \
  --zero-before='*measuringBegins*' --dump-before='*measuringEnds*' \
  "$work/program" --group 100k --n "${COUNT:-5000}" --reps 1 --clock none --dir "$work" \
  >"$work/operations.tsv" 2>"$work/valgrind.log" || { tail -n 20 "$work/valgrind.log" >&2; exit 1; }
python3 "$here/instructions.py" "$how" "$work" "$here/instructions.tsv" "$conditions"
