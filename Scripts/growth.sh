#!/usr/bin/env bash
# Counts the processor instructions of operations with inputs of three sizes, by valgrind's callgrind, and fails where
# the cost grows faster than the documentation promises. Counts hardly vary between runs and machines, unlike times.
# usage: growth.sh [--keep FOLDER] [WORD…]   only the operations with one of the words in their names
#   --keep FOLDER: keeps callgrind's files there, numbered in the order of the counts, for callgrind_annotate
# environment: BINARY, a GrowthTool that is built already
# Exit codes: 0 all promises were kept, 1 a promise was broken, 2 an operation could not be run, 69 valgrind is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v valgrind >/dev/null || { echo "growth.sh needs valgrind; install it" >&2; exit 69; }
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
folder="$work"
options=()
lanes=2
if [ "${1:-}" = --keep ]; then
  folder="${2:?folder}"
  mkdir -p "$folder"
  options=(--keep)
  lanes=1
  shift 2
fi
if [ -z "${BINARY:-}" ]; then
  swift build --product GrowthTool
  BINARY="$(swift build --show-bin-path)/GrowthTool"
fi
source Scripts/callgrind.sh
prepare_counting "$BINARY" "$work/program"
# lane NUMBER WORD…: runs every second operation. Instructions are instrumented only while they are counted.
lane() {
  local number="$1"
  shift
  GROWTH_COUNTS="$folder/counts$number" valgrind --tool=callgrind --instr-atstart=no \
    --vgdb=no --callgrind-out-file="$folder/counts$number" "$work/program" ${options[@]+"${options[@]}"} \
    --lane "$number/$lanes" "$@" 2>"$work/valgrind$number.log" || {
    local status=$?
    [ $status = 1 ] || tail -n 20 "$work/valgrind$number.log" >&2
    return $status
  }
}
processes=()
for ((number = 0; number < lanes; number++)); do
  lane "$number" "$@" &
  processes+=($!)
done
result=0
for process in "${processes[@]}"; do
  status=0
  wait "$process" || status=$?
  [ $status -le $result ] || result=$status
done
exit $result
