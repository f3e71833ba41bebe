#!/usr/bin/env bash
# Compares a cluster with libpq in C on the same rows: runs both in turn, with 1 and 8 connections, and prints a table
# of medians and ratios.
# usage: cluster.sh [ROUNDS]    5 rounds by default
# environment: OBJECTBOX_TEST_POSTGRES, the address of a server; one is made without it. BINARY, a built program
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
if [ -z "${OBJECTBOX_TEST_POSTGRES:-}" ]; then exec "$here/../Scripts/postgres.sh" run "$0" "$@"; fi
rounds="${1:-5}"
build="$here/.build/peers"
make -s -C "$here/Peers" BUILD="$build" "$build/postgres"
if [ -z "${BINARY:-}" ]; then
  swift build -c release --disable-build-manifest-caching --package-path "$here" --product ClusterBenchmark >&2
  BINARY="$(swift build -c release --package-path "$here" --show-bin-path)/ClusterBenchmark"
fi
address="$OBJECTBOX_TEST_POSTGRES"
schema="benchmark$$"
table="$schema.\"Member\""
results="$(mktemp)"
trap 'rm -f "$results"' EXIT

"$BINARY" "$address" "$schema" prepare 1 1
for round in $(seq "$rounds"); do
  for connections in 1 8; do
    for work in get query put; do
      case $work in
        get) count=$((8000 / connections)) ;;
        query) count=$((1600 / connections)) ;;
        put) count=$(((8 + connections - 1) / connections)) ;;
      esac
      run_ours() { echo "$work $connections ours $("$BINARY" "$address" "$schema" "$work" "$connections" "$count")" >>"$results"; }
      # Each run's new rows are deleted, so all runs find the same table.
      run_peer() { echo "$work $connections libpq $("$build/postgres" "$address" "$table" "$work" "$connections" "$count")" >>"$results"; }
      clean() { psql -q -d "$address" -c "DELETE FROM $table WHERE id > 10000" -c "VACUUM ANALYZE $table"; }
      if ((round % 2)); then run_ours; [ $work != put ] || clean; run_peer; else run_peer; [ $work != put ] || clean; run_ours; fi
      [ $work != put ] || clean
    done
  done
done

python3 - "$results" <<'PY'
import statistics, sys
runs = {}
for line in open(sys.argv[1]):
    work, connections, who, time = line.split()
    runs.setdefault((work, int(connections)), {}).setdefault(who, []).append(int(time))
units = {"put": "an object", "get": "a call", "query": "a call, 100 objects"}
goals = {"put": 1.3, "get": 1.2, "query": 1.3}
print("| work | connections | ours | libpq in C | ratio | goal |")
print("|---|---|---|---|---|---|")
for (work, connections), times in sorted(runs.items()):
    ours, peer = statistics.median(times["ours"]), statistics.median(times["libpq"])
    print(f"| {work} | {connections} | {ours / 1000:.1f} µs {units[work]} | {peer / 1000:.1f} µs | {ours / peer:.2f} | {goals[work]} |")
PY
