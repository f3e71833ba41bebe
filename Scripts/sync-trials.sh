#!/usr/bin/env bash
# Runs seeded schedules of the synchronization protocol against its promise, or removes each rule of the protocol in
# turn and expects that the checker notices. Exit codes: 0 nothing found, 1 a finding, 2 the trial could not run.
# usage: sync-trials.sh simulate|trace|mutations [--seed N] [--schedules N] [--seconds N] [--rule NAME]
#        sync-trials.sh real [--seed N] [--seconds N]   the same promise for processes, networks and disks: see
#                                                       sync-faults.sh; even seeds let promotions lose commits
#        sync-trials.sh hostile [--seed N] [--seconds N] [--wait N]   clients that break the protocol and the rules: see
#                                                       sync-hostile.sh
#   simulate: N schedules with consecutive seeds, 20,000 by default; with --seconds, schedules for N seconds, whose
#   first seed is by default a million times the number of the day, so that each day tries other ones
#   trace: all steps of the schedule of one seed
#   mutations: at least N schedules for each rule, 1,000 by default, up to 40 times as many until one is wrong;
#   --rule, as often as wanted: the rules to remove, all of ProtocolRule by default
#   BINARY=… takes a program that is built already
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/trial-seed.sh
if [ "${1:-}" = real ]; then
  shift
  exec Scripts/sync-faults.sh "$@"
fi
if [ "${1:-}" = hostile ]; then
  shift
  exec Scripts/sync-hostile.sh "$@"
fi
verb="${1:-}"
[ $# -eq 0 ] || shift
seed=
seconds=
options=()
while [ $# -gt 0 ]; do
  case "$1" in
    --seed) seed="${2:?number or day}"; shift ;;
    --seconds) seconds="${2:?number}"; options+=("$1" "$2"); shift ;;
    *) options+=("$1") ;;
  esac
  shift
done
# A schedule has a seed of its own, and a day has fewer than a million of them.
if [ "$seed" = day ] || { [ -z "$seed" ] && [ -n "$seconds" ]; }; then
  seed="$(day)000000"
else
  seed="$(seed_of "$seed" "")"
fi
options+=(--seed "$seed")
again="${BINARY:+BINARY=$BINARY }Scripts/sync-trials.sh $verb ${options[*]}"

if [ -z "${BINARY:-}" ]; then
  if ! command -v swiftc >/dev/null; then
    echo "error: there is no 'swiftc' in PATH; install the Swift 6.3 toolchain first" >&2
    exit 2
  fi
  flags=()
  if [ "$verb" = mutations ]; then flags=(-DSYNC_MUTATIONS); fi

  # Protocol and trials are compiled as one module, which is twice as fast as two: the optimizer specializes generic
  # code. The imports of the module by itself are warnings, which are hidden here; builds of the package show all.
  work="$(mktemp -d)"
  trap 'rm -rf "$work"' EXIT
  find Sources/Server/ObjectBoxSyncProtocol Tests/Trials/SyncTrials -name '*.swift' | sort >"$work/sources"
  if ! swiftc -swift-version 6 -O -whole-module-optimization -enforce-exclusivity=unchecked -suppress-warnings \
    -package-name objectbox ${flags[@]+"${flags[@]}"} -module-name ObjectBoxSyncProtocol \
    "@$work/sources" -o "$work/SyncTrials"; then
    echo "error: the trials could not be compiled" >&2
    exit 2
  fi
  BINARY="$work/SyncTrials"
fi
code=0
if [ "$verb" = simulate ]; then echo "simulate: seed $seed"; fi
"$BINARY" "$verb" "${options[@]}" || code=$?
# A program that ended by a signal has not printed how to repeat its run.
if [ "$code" -gt 2 ]; then echo "again: $again"; fi
exit "$code"
