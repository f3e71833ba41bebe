#!/usr/bin/env bash
# Tests the promises of Documentation/Cluster.md while servers fail. A bank keeps its sums while its connections are
# killed, its server is restarted or killed, and, with root and Patroni, a cluster of three loses its primary. Further
# trials fill the disk, and let clients of one and of two processes change the same few objects.
# Exit codes: 0 nothing found, 1 a promise was broken, 2 a trial could not be run.
# usage: cluster-faults.sh [--short] [TRIAL…]
#   --short: as CI runs it, 8 seconds for each; BINARY=… takes a program that is built already
#   TRIAL: terminate restart crash disk fair failover; all by default, without failover in the short form
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=60
failover_seconds=150
is_short=
trials=()
while [ $# -gt 0 ]; do
  case "$1" in
    --short) seconds=8; failover_seconds=60; is_short=1 ;;
    *) trials+=("$1") ;;
  esac
  shift
done
if [ ${#trials[@]} -eq 0 ]; then
  trials=(terminate restart crash disk fair)
  [ -n "$is_short" ] || trials+=(failover)
fi
if [ -z "${BINARY:-}" ]; then
  swift build -c release --product ClusterFaults
  BINARY="$(swift build -c release --show-bin-path)/ClusterFaults"
fi
export BINARY

# Runs a trial with a new server that syncs commits; $folder is the server's folder, and $address its address.
on_server() {
  local folder address code=0
  folder="$(mktemp -d)"
  address="$(FSYNC=on Scripts/postgres.sh start "$folder")"
  "$@" || code=$?
  Scripts/postgres.sh stop "$folder"
  return $code
}

# Runs the bank's clients on the given number of connections.
bank() {
  local name="$1" connections="$2" every="$3"
  shift 3
  local faults=() fault
  for fault in "$@"; do faults+=(--fault "${fault//FOLDER/$folder}"); done
  "$BINARY" bank "$address" --name "$name" --connections "$connections" --seconds "$seconds" --every "$every" \
    "${faults[@]}"
}

fair() { "$BINARY" fair "$address" --seconds "$seconds" --processes "$1"; }

# Runs the trial on a tablespace on a disk of 24 MiB; the mount ends with the command.
disk() {
  if ! unshare -m mount -t tmpfs -o size=24m none "$folder" 2>/dev/null; then
    echo "disk: skipped, this process may not mount a disk"
    return
  fi
  export folder address
  Scripts/postgres.sh halt "$folder"
  unshare -m bash -euc '
    mkdir "$folder/small"
    mount -t tmpfs -o size=24m none "$folder/small"
    mkdir "$folder/small/space"
    [ "$(id -u)" != 0 ] || chown -R postgres "$folder/small"
    Scripts/postgres.sh resume "$folder"
    psql -q "$address" -c "CREATE TABLESPACE small LOCATION '"'"'$folder/small/space'"'"'"
    code=0
    "$BINARY" disk "$address&options=-c%20default_tablespace%3Dsmall" || code=$?
    Scripts/postgres.sh halt "$folder"
    exit $code'
}

# Loses the primary of three servers in the given way: crash, cut or isolate. The longest wait has no bound: clients
# detect a silent server only after `silenceLimit`.
failover() {
  # shellcheck disable=SC2016
  Scripts/postgres.sh failover bash -euc '
    lose() {
      echo "n=\$(Scripts/failover-cluster.sh primary) && Scripts/failover-cluster.sh $1 \$n && sleep 40 && Scripts/failover-cluster.sh heal \$n && Scripts/failover-cluster.sh complete"
    }
    "$BINARY" bank "$OBJECTBOX_TEST_FAILOVER" --name "failover, $2" --bound none --seconds "$1" --every 5 --fault "$(lose "$2")"
  ' failover "$failover_seconds" "$1"
}

code=0
for trial in "${trials[@]}"; do
  case "$trial" in
    terminate) on_server bank "killed connections" 4 0.5 terminate || code=1 ;;
    restart) on_server bank "restarted server" 2 3 "Scripts/postgres.sh restart FOLDER" || code=1 ;;
    crash) on_server bank "killed server" 1 3 "Scripts/postgres.sh crash FOLDER" || code=1 ;;
    disk) on_server disk || code=1 ;;
    fair) for processes in 1 2; do on_server fair "$processes" || code=1; done ;;
    failover) for loss in crash cut isolate; do failover "$loss" || code=1; done ;;
    *) sed -n '2,/^[^#]/s/^# //p' "$0" >&2; exit 2 ;;
  esac
done
exit $code
