#!/usr/bin/env bash
# Runs every reader of untrusted bytes on inputs of libFuzzer, under the address sanitizer: each must return a result or
# an error. An input that ends the process is kept in Tests/Trials/Fuzzing/Corpus, where tests read it.
# usage: fuzz.sh [--seconds N | --minutes N] [--seed N|day] [--c | TARGET…]
#   --seconds: of all targets together; --minutes: of each target, 1 by default
#   --seed: by default the number of the day, so that each day tries other inputs
#   --c: the targets in C alone, which are built in seconds
#   TARGET: pages stores, in C; record schema vectors model annotations templates dump condition search words head log
# Needs the libFuzzer of a Swift toolchain on Linux; elsewhere it says so and ends with 0.
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/set-up.sh
source Scripts/trial-seed.sh
total=
seconds=60
seed=
targets=()
while [ $# -gt 0 ]; do
  case "$1" in
    --seconds) total="${2:?number}"; shift ;;
    --minutes) seconds=$((${2:?number} * 60)); shift ;;
    --seed) seed="${2:?number or day}"; shift ;;
    --c) targets+=(pages stores) ;;
    *) targets+=("$1") ;;
  esac
  shift
done
[ ${#targets[@]} -gt 0 ] || targets=(pages stores record schema vectors model annotations templates dump condition search words head log)
seed="$(seed_of "$seed" timed)"
# At least a second each: libFuzzer takes 0 as no limit.
if [ -n "$total" ]; then seconds=$((total > ${#targets[@]} ? total / ${#targets[@]} : 1)); fi

compiler="$(dirname "$(readlink -f "$(command -v swift)")")/clang"
if [ "$(uname)" != Linux ] || [ ! -x "$compiler" ]; then
  echo "fuzz.sh: left out, since the toolchain has no libFuzzer here"
  exit 0
fi
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

page_program=
build_pages() {
  [ -z "$page_program" ] || return 0
  page_program="$work/pages"
  local flags=(-std=c11 -D_GNU_SOURCE -g -O1 -Wall -Wextra -Werror -fno-omit-frame-pointer -fuse-ld=lld)
  flags+=(-fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all)
  flags+=(-ISources/Store/CObjectBox{Pages,Care}/include -ISources/Store/CObjectBoxPages)
  "$compiler" "${flags[@]}" Sources/Store/CObjectBoxPages/*.c Sources/Store/CObjectBoxCare/{Compact,Salvage}.c \
    Tests/Trials/Fuzzing/PageReader/*.c -llmdb -o "$page_program"
}

swift_program=
build_swift() {
  [ -z "$swift_program" ] || return 0
  export OBJECTBOX_FUZZING=1
  # Optimised, for more inputs per second, but with assertions, which inputs must not violate.
  local options=(-c release -Xswiftc -assert-config -Xswiftc Debug --scratch-path .build/fuzzer --product Fuzzer)
  options+=(-Xswiftc -sanitize=fuzzer,address -Xswiftc -use-ld=lld -Xlinker -z -Xlinker muldefs)
  options+=(-Xcc -fsanitize=fuzzer-no-link,address)
  swift build "${options[@]}"
  swift_program="$(swift build "${options[@]}" --show-bin-path)/Fuzzer"
}

echo "fuzz.sh: seed $seed, $seconds s for each target"
# The first command that repeats a failure.
again=
for target in "${targets[@]}"; do
  # Longer inputs make runs slow, and find little more.
  length=4096
  case "$target" in
    pages) build_pages; program="$page_program"; length=65536 ;;
    stores) build_pages; program="$page_program"; length=16 ;;
    head | log) build_swift; program="$swift_program"; length=20000 ;;
    *) build_swift; program="$swift_program" ;;
  esac
  corpus="Tests/Trials/Fuzzing/Corpus/$target"
  mkdir -p "$corpus" "$work/found-$target"
  export OBJECTBOX_FUZZ_TARGET="$target" TMPDIR="$work" ASAN_OPTIONS=detect_leaks=0
  is_clean=1
  # No leak check: it reports memory that Swift's runtime keeps.
  # No backtraces: Swift would handle the signal before libFuzzer saves the input.
  if ! SWIFT_BACKTRACE=enable=no "$program" -seed="$seed" -max_total_time="$seconds" -max_len="$length" -timeout=60 -rss_limit_mb=4096 -detect_leaks=0 \
    -print_final_stats=1 -verbosity=0 -artifact_prefix="$corpus/crash-" \
    "$work/found-$target" "$corpus" >"$work/output" 2>&1; then
    is_clean=
    tail -n 60 "$work/output"
    echo "fuzz.sh: FINDING in $target; the input is kept in $corpus"
  fi
  executions="$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/output")"
  echo "fuzz.sh: $target: ${executions:-?} executions in $seconds s, $(find "$work/found-$target" -type f | wc -l) new inputs"
  if [ "${executions:-0}" = 0 ]; then
    is_clean=
    echo "fuzz.sh: $target has executed nothing"
  fi
  if [ -z "$is_clean" ] && [ -z "$again" ]; then again="Scripts/fuzz.sh --seconds $seconds --seed $seed $target"; fi
done
if [ -n "$again" ]; then
  echo "again: $again"
  exit 1
fi
