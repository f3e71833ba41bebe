#!/usr/bin/env bash
# Tests the promises of Documentation/Reliability.md: with killed processes, histories of concurrent transactions, load,
# losses of power, failing calls and damaged files. Exit codes: 0 nothing found, 1 a promise was broken, 2 a trial
# could not be run. Without --short and without TRIAL, the fuzzer and the models of races follow.
# usage: reliability.sh [--short] [--encrypted] [--known] [--minutes N] [--seed N] [TRIAL…]
#   --short: as CI runs it, some three minutes; BINARY=… takes a program that is built already
#   --seed N, 1 by default; --seeds N: a run with each of N seeds from there on. `--seeds 4 damage` flips a bit of
#   every byte of the store; each of the four runs, of 100,000 cases, takes every fourth byte
#   --encrypted: with encrypted stores, which need libsodium and Linux
#   --minutes: the time of the load, 10 by default; --known: faults that are known and not cured fail as well
#   TRIAL: crash history load power faults damage; all by default
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/set-up.sh
options=()
trials=()
is_whole=1
while [ $# -gt 0 ]; do
  case "$1" in
    --short) options+=("$1"); is_whole= ;;
    --known | --encrypted) options+=("$1") ;;
    --minutes | --seed | --seeds | --count | --part) options+=("$1" "$2"); shift ;;
    *) trials+=("$1"); is_whole= ;;
  esac
  shift
done
[ ${#trials[@]} -gt 0 ] || trials=(all)

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
if [ -z "${BINARY:-}" ]; then
  swift build -c release --product ReliabilityTool
  BINARY="$(swift build -c release --show-bin-path)/ReliabilityTool"
fi
# Use the clang beside swift, or else the system's compiler.
compiler="$(dirname "$(readlink -f "$(command -v swift)")")/clang"
linker=()
if [ -x "$compiler" ]; then
  if [ "$(uname)" = Linux ]; then linker=(-fuse-ld=lld); fi
else
  compiler=cc
fi
"$compiler" ${linker[@]+"${linker[@]}"} -std=c11 -O1 -Wall -Wextra -Werror -shared -fPIC Tests/Reliability/Shim/shim.c -o "$work/shim.so" -ldl
export RELIABILITY_SHIM="$work/shim.so"

# Adds a disk of 2 MiB if this process may mount a disk.
mkdir "$work/disk"
if unshare -m mount -t tmpfs -o size=2m none "$work/disk" 2>/dev/null; then
  export RELIABILITY_SMALL_DISK="$work/disk" BINARY
  unshare -m bash -c 'mount -t tmpfs -o size=2m none "$RELIABILITY_SMALL_DISK" && exec "$BINARY" "$@"' \
    reliability "${trials[@]}" "${options[@]+"${options[@]}"}"
else
  "$BINARY" "${trials[@]}" "${options[@]+"${options[@]}"}"
fi

if [ -n "$is_whole" ]; then
  Scripts/fuzz.sh --minutes 3
  Scripts/models.sh
fi
