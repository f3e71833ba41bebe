#!/usr/bin/env bash
# Runs seeded schedules of the synchronization protocol against its promise, or removes each rule of the protocol in
# turn and expects that the checker notices. Exit codes: 0 nothing found, 1 a finding, 2 the trial could not run.
# usage: sync-trials.sh simulate|trace|mutations [--seed N] [--schedules N] [--rule NAME]
#        sync-trials.sh real [--seed N] [--seconds N]   the same promise for processes, networks and disks: see
#                                                       sync-faults.sh; even seeds let promotions lose commits
#   simulate: N schedules from the seed on, 20,000 by default; trace: all steps of the schedule of one seed
#   mutations: at least N schedules for each rule, 1,000 by default, up to 40 times as many until one is wrong;
#   --rule, as often as wanted: the rules to remove, all of ProtocolRule by default
#   BINARY=… takes a program that is built already
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "${1:-}" = real ]; then
  shift
  exec Scripts/sync-faults.sh "$@"
fi
if [ -n "${BINARY:-}" ]; then exec "$BINARY" "$@"; fi
if ! command -v swiftc >/dev/null; then
  echo "error: there is no 'swiftc' in PATH; install the Swift 6.3 toolchain first" >&2
  exit 2
fi
flags=()
if [ "${1:-}" = mutations ]; then flags=(-DSYNC_MUTATIONS); fi

# Protocol and trials are compiled as one module, which is twice as fast as two: the optimizer specializes generic
# code. The imports of the module by itself are warnings, which are hidden here; builds of the package show all.
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
find Sources/ObjectBoxSyncProtocol Tests/SyncTrials -name '*.swift' | sort >"$work/sources"
if ! swiftc -swift-version 6 -O -whole-module-optimization -enforce-exclusivity=unchecked -suppress-warnings \
  -package-name objectbox ${flags[@]+"${flags[@]}"} -module-name ObjectBoxSyncProtocol \
  "@$work/sources" -o "$work/SyncTrials"; then
  echo "error: the trials could not be compiled" >&2
  exit 2
fi
"$work/SyncTrials" "$@"
