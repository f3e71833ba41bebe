#!/usr/bin/env bash
# Measures synchronization beside its goals, with server, devices and database on this machine, and prints a table.
# usage: sync.sh [ROW…]   all rows by default: triggers failures delta latency matching push fill reset put idle
# environment: OBJECTBOX_TEST_POSTGRES, the address of a server; one is made without it. BINARY, a built program
#   COUNT, objects of the rows delta, fill and reset (1000000); DEVICES, idle devices (1000)
# `push`, `fill` and `latency` are times by the clock, valid on an idle machine only. `yes` and `no` tell whether a
# goal is met; the script fails only when something could not be measured.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
rows=(triggers failures delta latency matching push fill reset put idle)
for row in "$@"; do
  if ! [[ " ${rows[*]} " == *" $row "* ]]; then
    echo "sync.sh: there is no row '$row'; use some of: ${rows[*]}" >&2
    exit 2
  fi
done
if [ -z "${OBJECTBOX_TEST_POSTGRES:-}" ]; then exec "$here/../Scripts/postgres.sh" run "$0" "$@"; fi
if [ -z "${BINARY:-}" ]; then
  options=(-c release --package-path "$here/.." --scratch-path "$here/.build/sync" --product SyncBenchmark)
  OBJECTBOX_BENCHMARKS=1 swift build --disable-build-manifest-caching "${options[@]}" >&2
  BINARY="$(OBJECTBOX_BENCHMARKS=1 swift build "${options[@]}" --show-bin-path)/SyncBenchmark"
fi
# Each device has a connection.
ulimit -Sn "$(ulimit -Hn)" 2>/dev/null || true
echo "| what | goal | result | met |"
echo "|---|---|---|---|"
if [ $# -eq 0 ]; then set -- "${rows[@]}"; fi
for row in "$@"; do "$BINARY" "$OBJECTBOX_TEST_POSTGRES" "$row"; done
