#!/usr/bin/env bash
# Tests the promises of Documentation/Reliability.md: with killed processes, histories of concurrent transactions, load,
# losses of power, failing calls, damaged files, and files of other times. Exit codes: 0 nothing found, 1 a promise was
# broken, 2 a trial could not be run. Without options that shorten it, and without TRIAL, the fuzzer and the models of
# races follow.
# usage: reliability.sh [--seconds N] [--seed N|day] [--encrypted] [--known] [--minutes N] [--seeds N] [TRIAL…]
#   --seconds N: all trials but load together N seconds, as each run of test.sh has them; each stops at the end of its
#   share, and fails if it has done too little by then. BINARY=… takes a program that is built already
#   --seed: 1 by default, and with --seconds the number of the day, so that each day tries other cases
#   --seeds N: a run with each of N seeds from there on. `--seeds 4 damage` flips a bit of every byte of the store; each
#   of the four runs, of 100,000 cases, takes every fourth byte
#   --encrypted: with encrypted stores, which need libsodium and Linux
#   --minutes: the time of the load, 10 by default; --known: faults that are known and not cured fail as well
#   TRIAL: crash history load power faults damage ages, and dumps with --encrypted; all by default
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/set-up.sh
source Scripts/trial-seed.sh
options=()
trials=()
seed=
seconds=
is_whole=1
while [ $# -gt 0 ]; do
  case "$1" in
    --seconds) seconds="${2:?number}"; is_whole=; shift ;;
    --seed) seed="${2:?number or day}"; shift ;;
    --known | --encrypted) options+=("$1") ;;
    --minutes | --seeds | --count | --part) options+=("$1" "${2:?value}"); shift ;;
    *) trials+=("$1"); is_whole= ;;
  esac
  shift
done
[ ${#trials[@]} -gt 0 ] || trials=(all)
seed="$(seed_of "$seed" "$seconds")"
options+=(--seed "$seed" ${seconds:+--seconds "$seconds"})

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
if [ -z "${BINARY:-}" ]; then
  swift build -c release --product ReliabilityTool
  BINARY="$(swift build -c release --show-bin-path)/ReliabilityTool"
fi
# Use the clang next to swift, or else the system's compiler.
compiler="$(dirname "$(readlink -f "$(command -v swift)")")/clang"
linker=()
if [ -x "$compiler" ]; then
  if [ "$(uname)" = Linux ]; then linker=(-fuse-ld=lld); fi
else
  compiler=cc
fi
"$compiler" ${linker[@]+"${linker[@]}"} -std=c11 -O1 -Wall -Wextra -Werror -shared -fPIC Tests/Trials/ReliabilityTool/Shim/shim.c -o "$work/shim.so" -ldl
export RELIABILITY_SHIM="$work/shim.so"

# Adds a disk of 2 MiB if this process may mount a disk.
mkdir "$work/disk"
if unshare -m mount -t tmpfs -o size=2m none "$work/disk" 2>/dev/null; then
  export RELIABILITY_SMALL_DISK="$work/disk" BINARY
  unshare -m bash -c 'mount -t tmpfs -o size=2m none "$RELIABILITY_SMALL_DISK" && exec "$BINARY" "$@"' \
    reliability "${trials[@]}" "${options[@]}"
else
  "$BINARY" "${trials[@]}" "${options[@]}"
fi

if [ -n "$is_whole" ]; then
  Scripts/fuzz.sh --minutes 3
  Scripts/models.sh
fi
