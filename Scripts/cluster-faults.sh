#!/usr/bin/env bash
# Tests the promises of Documentation/Cluster.md while servers fail. A bank keeps its sums while its connections are
# killed, its server is restarted or killed, and, with root and Patroni, a cluster of three loses its primary. Further
# trials fill the disk, and let clients of one and of two processes change the same few objects.
# Exit codes: 0 nothing found, 1 a promise was broken, 2 a trial could not be run.
# usage: cluster-faults.sh [--seconds N] [--seed N|day] [TRIAL…]
#   --seconds N: the trials together N seconds, as each run of test.sh has them; a trial fails if it has done too
#   little in its share. Without it 60 seconds for each. BINARY=… takes a program that is built already
#   --seed: of the transfers; by default the number of the day
#   TRIAL: crash restart terminate fair disk failover; all by default, without failover if there is a --seconds
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/trial-seed.sh

fail() { echo "cluster-faults.sh: $1" >&2; exit 2; }

seed=
limit=
# The seconds that a call may take beyond the absence of the server. Beside other work a call waits for processors.
bound=1
trials=()
while [ $# -gt 0 ]; do
  case "$1" in
    --seconds) limit="${2:?number}"; bound=5; shift ;;
    --seed) seed="${2:?number or day}"; shift ;;
    terminate | restart | crash | fair | disk | failover) trials+=("$1") ;;
    *) sed -n '2,/^[^#]/s/^# //p' "$0" >&2; exit 2 ;;
  esac
  shift
done
if [ ${#trials[@]} -eq 0 ]; then
  # The time of the first two is known only afterwards.
  trials=(crash restart terminate fair disk)
  [ -n "$limit" ] || trials+=(failover)
fi
if [ -n "$limit" ] && [[ " ${trials[*]} " = *" failover "* ]]; then
  fail "'failover' has no '--seconds': a failover alone takes half a minute"
fi
seed="$(seed_of "$seed" timed)"
prefix="${BINARY:+BINARY=$BINARY }"
if [ -z "${BINARY:-}" ]; then
  swift build -c release --product ClusterFaults || fail "the program could not be built"
  BINARY="$(swift build -c release --show-bin-path)/ClusterFaults"
fi
export BINARY

# Starts a server that syncs commits, unless there is one; $folder is its folder, and $address its address.
folder=
address=
start_server() {
  [ -z "$folder" ] || return 0
  folder="$(mktemp -d)"
  address="$(FSYNC=on Scripts/postgres.sh start "$folder")"
}
stop_server() {
  [ -z "$folder" ] || Scripts/postgres.sh stop "$folder"
  folder=
}
trap stop_server EXIT

# Runs the bank's clients on the given number of connections.
bank() {
  local name="$1" connections="$2" every="$3"
  shift 3
  local faults=() fault
  for fault in "$@"; do faults+=(--fault "${fault//FOLDER/$folder}"); done
  "$BINARY" bank "$address" --name "$name" --connections "$connections" --seconds "$seconds" --every "$every" \
    --seed "$seed" --bound "$bound" "${faults[@]}"
}

fair() { "$BINARY" fair "$address" --seconds "$seconds" --seed "$seed" --processes "$1"; }

# Runs the trial on a tablespace on a disk of 12 MiB. The mount ends with the server.
disk() {
  if ! unshare -m mount -t tmpfs -o size=12m none "$folder" 2>/dev/null; then
    echo "disk: skipped, this process may not mount a disk"
    return
  fi
  export folder address
  Scripts/postgres.sh halt "$folder"
  local code=0
  unshare -m bash -euc '
    mkdir "$folder/small"
    mount -t tmpfs -o size=12m none "$folder/small"
    mkdir "$folder/small/space"
    [ "$(id -u)" != 0 ] || chown -R postgres "$folder/small"
    Scripts/postgres.sh resume "$folder"
    psql -q "$address" -c "CREATE TABLESPACE small LOCATION '"'"'$folder/small/space'"'"'"
    "$BINARY" disk "$address&options=-c%20default_tablespace%3Dsmall"' || code=$?
  stop_server
  return "$code"
}

# Loses the primary of three servers in the given way: crash, cut or isolate. The longest wait has no bound: clients
# detect a silent server only after `silenceLimit`.
failover() {
  # shellcheck disable=SC2016
  Scripts/postgres.sh failover bash -euc '
    lose() {
      echo "n=\$(Scripts/failover-cluster.sh primary) && Scripts/failover-cluster.sh $1 \$n && sleep 40 && Scripts/failover-cluster.sh heal \$n && Scripts/failover-cluster.sh complete"
    }
    "$BINARY" bank "$OBJECTBOX_TEST_FAILOVER" --name "failover, $2" --bound none --seconds 150 --every 5 --seed "$1" --fault "$(lose "$2")"
  ' failover "$seed" "$1"
}

# Each run of a trial, and the number of runs with a selectable time.
runs=()
left=0
for trial in "${trials[@]}"; do
  case "$trial" in
    fair) runs+=("fair 1" "fair 2"); left=$((left + 2)) ;;
    failover) runs+=("failover crash" "failover cut" "failover isolate") ;;
    disk) runs+=(disk) ;;
    *) runs+=("$trial"); left=$((left + 1)) ;;
  esac
done
[ "${trials[*]}" = failover ] || start_server
# The seconds of `disk`, which fills the disk however long that takes: less than twice the time of starting a server.
reserve=0
if [[ " ${trials[*]} " = *" disk "* ]]; then reserve=$((2 * SECONDS + 2)); fi

# The first command that repeats a failure.
again=
seconds=60
every=3
for run in "${runs[@]}"; do
  read -r trial way <<<"$run"
  [ "$trial" = failover ] || start_server
  if [ -n "$limit" ] && [ "$trial" != disk ]; then
    # Without a second for the bank, the last fault and the check.
    seconds=$(((limit - SECONDS - reserve) / left - 1))
    [ "$seconds" -ge 2 ] || seconds=2
    every=1
    left=$((left - 1))
  fi
  echo "$run: seed $seed"
  code=0
  case "$trial" in
    terminate) bank "killed connections" 4 0.5 terminate || code=$? ;;
    restart) bank "restarted server" 2 "$every" "Scripts/postgres.sh restart FOLDER" || code=$? ;;
    crash) bank "killed server" 1 "$every" "Scripts/postgres.sh crash FOLDER" || code=$? ;;
    fair) fair "$way" || code=$? ;;
    disk) disk || code=$? ;;
    failover) failover "$way" || code=$? ;;
  esac
  if [ "$code" -ne 0 ] && [ -z "$again" ]; then
    again="${prefix}Scripts/cluster-faults.sh ${limit:+--seconds $limit }--seed $seed $trial"
  fi
done
if [ -n "$again" ]; then
  echo "again: $again"
  exit 1
fi
