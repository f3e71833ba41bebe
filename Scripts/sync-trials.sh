#!/usr/bin/env bash
# Runs seeded schedules of the synchronization protocol against its promise, or removes each rule of the protocol in
# turn and expects that the checker notices. Exit codes: 0 nothing found, 1 a finding, 2 the trial could not run.
# usage: sync-trials.sh simulate|trace|mutations [--seed N] [--schedules N]
#   simulate: N schedules from the seed on, 20,000 by default; trace: all steps of the schedule of one seed
#   mutations: at least N schedules for each rule, 2,000 by default, up to ten times as many until one is wrong
# The protocol depends on nothing but the standard library: it is compiled here alone, for mutations with
# -DSYNC_MUTATIONS. That condition would compile the whole package anew.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! command -v swiftc >/dev/null; then
  echo "error: there is no 'swiftc' in PATH; install the Swift 6.3 toolchain first" >&2
  exit 2
fi
flags=()
[ "${1:-}" = mutations ] && flags=(-DSYNC_MUTATIONS)

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
compile() {
  swiftc -swift-version 6 -O -whole-module-optimization -package-name objectbox -warnings-as-errors \
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility \
    ${flags[@]+"${flags[@]}"} "$@"
}
if ! {
  find Sources/ObjectBoxSyncProtocol -name '*.swift' -print0 | sort -z >"$work/protocol" &&
    xargs -0 <"$work/protocol" >/dev/null &&
    mapfile -d '' protocol <"$work/protocol" &&
    mapfile -d '' trials < <(find Tests/SyncTrials -name '*.swift' -print0 | sort -z) &&
    (cd "$work" && compile_in="$OLDPWD" && true) &&
    compile -parse-as-library -cross-module-optimization -module-name ObjectBoxSyncProtocol \
      -emit-module -emit-module-path "$work/ObjectBoxSyncProtocol.swiftmodule" \
      -c "${protocol[@]}" -o "$work/ObjectBoxSyncProtocol.o" &&
    compile -cross-module-optimization -module-name SyncTrials -I "$work" "${trials[@]}" \
      "$work/ObjectBoxSyncProtocol.o" -o "$work/SyncTrials"
}; then
  echo "error: the trials could not be compiled" >&2
  exit 2
fi
"$work/SyncTrials" "$@"
