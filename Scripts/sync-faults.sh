#!/usr/bin/env bash
# Runs devices, sync servers and PostgreSQL with a replica as processes under a seeded schedule of faults: kills,
# pauses, partitions, failovers, full disks, copies of stores and restored older ones. At the end all devices catch
# up, and Tests/Trials/ObjectBoxReliabilitySupport/SyncHistoryCheck.swift checks what they wrote, saw and kept.
# Odd seeds have a synchronous replica. Even seeds have an asynchronous one, whose promotion loses commits.
# Run by `sync-trials.sh real`. Exit codes: 0 nothing found, 1 a finding, 2 the trial could not run.
# usage: sync-faults.sh [--seed N|day] [--seconds N] [--keep FOLDER]
#   --seed: by default the number of the day, so that odd and even seeds alternate
#   --seconds: from the start to the end of the check, 60 by default; BINARY=… takes a program that is built already
#   --keep: copies what the trial left to FOLDER, with the stores and the database's files
# As root each process has a network namespace, and small disks, inside of private namespaces that end with the script.
# Otherwise all use 127.0.0.1, without partitions and full disks.
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/trial-seed.sh

fail() { echo "sync-faults.sh: $1" >&2; exit 2; }

seed=
seconds=60
keep=
while [ $# -gt 0 ]; do
  case "$1" in
    --seed) seed="${2:?number or day}"; shift ;;
    --seconds) seconds="${2:?number}"; shift ;;
    --keep) keep="${2:?folder}"; shift ;;
    *) sed -n '2,/^[^#]/s/^# //p' "$0" >&2; exit 2 ;;
  esac
  shift
done
seed="$(seed_of "$seed" "$seconds")"
again="${BINARY:+BINARY=$BINARY }Scripts/sync-trials.sh real --seed $seed --seconds $seconds"
if [ -z "${BINARY:-}" ]; then
  swift build --product SyncFaults >&2 || fail "the program could not be built"
  BINARY="$(swift build --show-bin-path)/SyncFaults"
fi
export BINARY
for program in psql pgrep; do
  command -v "$program" >/dev/null || fail "no '$program'; install it with 'apt-get install postgresql procps'"
done

if [ -z "${SYNC_FAULTS_FOLDER:-}" ]; then
  SYNC_FAULTS_FOLDER="$(mktemp -d)"
  chmod 755 "$SYNC_FAULTS_FOLDER"
  export SYNC_FAULTS_FOLDER
  arguments=(--seed "$seed" --seconds "$seconds" ${keep:+--keep "$keep"})
  trap 'rm -rf "$SYNC_FAULTS_FOLDER"' EXIT
  echo "real: seed $seed, $seconds s"
  code=0
  if [ "$(id -u)" = 0 ] && command -v ip >/dev/null && unshare --net --mount --pid --fork true 2>/dev/null; then
    # All processes, networks and mounts end with this command.
    SYNC_FAULTS_NAMESPACES=1 unshare --net --mount --pid --fork --kill-child --mount-proc "$0" "${arguments[@]}" || code=$?
  else
    echo "real: no root or no 'ip': without partitions and full disks"
    "$0" "${arguments[@]}" || code=$?
  fi
  if [ "$code" -ne 0 ]; then echo "again: $again"; fi
  exit "$code"
fi

folder="$SYNC_FAULTS_FOLDER"
isolated="${SYNC_FAULTS_NAMESPACES:-}"
replica=sync
if [ $((seed % 2)) = 0 ]; then replica=async; fi
network=10.213.78
teams=(red green blue)
device_count=10
# Between transactions of a device: the check of a trial takes time with the square of their number.
interval="$(awk -v s="$seconds" 'BEGIN { print (s > 180 ? s / 180 : 1) }')"

# MARK: processes and networks

# Runs a command as the named machine.
on() {
  local node="$1"
  shift
  if [ -n "$isolated" ]; then ip netns exec "$node" "$@"; else "$@"; fi
}

# Makes a machine with the last number of its address.
make_node() {
  mkdir -p "$folder/$1"
  [ -n "$isolated" ] || return 0
  ip netns add "$1"
  ip link add "v-$1" type veth peer name eth0 netns "$1"
  ip link set "v-$1" master obx0 up
  ip -n "$1" addr add "$network.$2/24" dev eth0
  ip -n "$1" link set lo up
  ip -n "$1" link set eth0 up
}

cut_off() { ip link set "v-$1" down; }
join_again() { ip link set "v-$1" up; }

# Starts a program of a machine in the background; its process is in the file `pid` of the machine.
launch() {
  local node="$1"
  shift
  if [ -n "$isolated" ]; then
    ip netns exec "$node" "$@" >>"$folder/$node/log" 2>&1 </dev/null &
  else
    "$@" >>"$folder/$node/log" 2>&1 </dev/null &
  fi
  echo $! >"$folder/$node/pid"
  # Otherwise the shell would report each kill.
  disown
}

is_running() {
  local state
  state="$(sed -n 's/^State:\t\(.\).*/\1/p' "/proc/$1/status" 2>/dev/null)" || return 1
  [ -n "$state" ] && [ "$state" != Z ]
}

# Kills a machine's program, and waits until it is gone.
kill_program() {
  local pid attempt
  pid="$(cat "$folder/$1/pid")"
  kill -9 "$pid" 2>/dev/null || true
  for attempt in $(seq 100); do
    is_running "$pid" || return 0
    sleep 0.05
  done
  fail "the process $pid of $1 does not end"
}

send() { kill "-$1" "$(cat "$folder/$2/pid")" 2>/dev/null || true; }

# MARK: database

# The address for servers, and the address of one database for this script.
database_address() {
  if [ -n "$isolated" ]; then
    echo "postgresql://postgres@$network.1,$network.2/postgres?target_session_attrs=read-write"
  else
    echo "postgresql:///postgres?host=$folder/a,$folder/b&user=postgres&target_session_attrs=read-write"
  fi
}
sql() { timeout 20 psql -qAt "postgresql:///postgres?host=$folder/$1&user=postgres" -c "$2"; }
primary() { cat "$folder/primary"; }
other() { if [ "$1" = a ]; then echo b; else echo a; fi; }

start_database() {
  on a Scripts/postgres.sh start "$folder/a" >/dev/null
  cat >>"$folder/a/data/postgresql.conf" <<CONF
synchronous_standby_names = '$([ $replica = async ] || echo '*')'
max_wal_size = 64MB
min_wal_size = 32MB
shared_buffers = 16MB
wal_keep_size = 96MB
wal_receiver_timeout = 5s
wal_sender_timeout = 5s
CONF
  if [ -n "$isolated" ]; then
    echo "listen_addresses = '*'" >>"$folder/a/data/postgresql.conf"
    echo "host all all $network.0/24 trust" >>"$folder/a/data/pg_hba.conf"
  fi
  on a Scripts/postgres.sh restart "$folder/a"
  echo a >"$folder/primary"
  on b Scripts/postgres.sh standby "$folder/b" "$folder/a"
  wait_in_sync
}

# Waits until the replica has everything that the primary shows: promoting a synchronous replica then loses nothing.
wait_in_sync() {
  local attempt now
  for attempt in $(seq 120); do
    if now="$(sql "$(primary)" 'SELECT pg_current_wal_flush_lsn()' 2>/dev/null)" && [ "$(sql "$(primary)" \
      "SELECT count(*) FROM pg_stat_replication WHERE sync_state = '$replica' AND replay_lsn >= '$now'" 2>/dev/null)" = 1 ]; then
      return
    fi
    sleep 0.25
  done
  tail -n 20 "$folder"/[ab]/server.log >&2
  fail "the replica does not follow the primary"
}

# Prints the processes of a database.
database_processes() {
  local first
  first="$(head -n 1 "$folder/$1/data/postmaster.pid" 2>/dev/null)" || return 0
  echo "$first"
  pgrep -P "$first" || true
}

# Loses the primary, promotes the replica, and makes a new replica in place of the lost one. An asynchronous
# replica gets nothing during the seconds before.
fail_over() {
  local old new
  old="$(primary)"
  new="$(other "$old")"
  if [ $replica = async ]; then
    # shellcheck disable=SC2046
    kill -STOP $(sql "$old" 'SELECT pid FROM pg_stat_replication') || true
    sleep "$1"
  fi
  Scripts/postgres.sh kill "$folder/$old"
  if [ $replica = async ]; then entries "$new" >"$folder/kept"; fi
  sql "$new" 'SELECT pg_promote()' >/dev/null
  echo "$new" >"$folder/primary"
  if [ $replica = async ]; then note_undone "$old"; fi
  find "$folder/$old" -mindepth 1 -delete
  on "$old" Scripts/postgres.sh standby "$folder/$old" "$folder/$new"
}

# Prints the entries of a database, once a replica has applied all that it received.
entries() {
  local attempt
  for attempt in $(seq 20); do
    [ "$(sql "$1" 'SELECT pg_is_in_recovery() AND pg_last_wal_replay_lsn() < pg_last_wal_receive_lsn()')" = t ] || break
    sleep 0.1
  done
  # shellcheck disable=SC2016
  sql "$1" 'SELECT concat_ws($$ $$, token, part, id) FROM "Entry"' | LC_ALL=C sort
}

# Notes the entries that a lost primary had and its successor lacks. The lost primary starts apart: servers do not
# reach it.
note_undone() {
  local apart="$folder/$1/apart"
  mkdir "$apart"
  chmod 777 "$apart"
  printf '%s\n' "listen_addresses = ''" "unix_socket_directories = '$apart'" >>"$folder/$1/data/postgresql.conf"
  on "$1" Scripts/postgres.sh crash "$folder/$1"
  entries "$1/apart" | LC_ALL=C comm -23 - "$folder/kept" >"$folder/undone-now"
  tell "$SECONDS s: $(wc -l <"$folder/undone-now") entries are lost"
  cat "$folder/undone-now" >>"$folder/undone"
  Scripts/postgres.sh kill "$folder/$1"
}

# Starts a database that has ended for lack of room. A database that is still recovering continues by itself.
revive() {
  local attempt
  for attempt in $(seq 100); do
    if sql "$1" 'SELECT 1' >/dev/null 2>&1; then return; fi
    [ -f "$folder/$1/data/postmaster.pid" ] || on "$1" Scripts/postgres.sh resume "$folder/$1" || true
    sleep 0.2
  done
  fail "the database $1 does not start again"
}

# MARK: servers and devices

start_server() {
  local host=127.0.0.1 port="$((9999 + $1))"
  if [ -n "$isolated" ]; then host="$network.$((10 + $1))" port=9999; else port=$((base_port + $1)); fi
  launch "s$1" "$BINARY" serve "$(database_address)" "$host" "$port"
}

urls() {
  local number
  for number in 1 2; do
    if [ -n "$isolated" ]; then echo "ws://$network.$((10 + number)):9999"
    else echo "ws://127.0.0.1:$((base_port + number))"; fi
  done
}

start_device() {
  local device="$1" life
  life=$(($(cat "$folder/$device/life" 2>/dev/null || echo 0) + 1))
  echo "$life" >"$folder/$device/life"
  # shellcheck disable=SC2046
  launch "$device" "$BINARY" device "$folder/$device" "$device" "$(cat "$folder/$device/team")" "$life" \
    "$((seed * 100000 + ${device#d} * 1000 + life))" "$interval" $(urls)
}

make_device() {
  make_node "d$1" "$((20 + $1))"
  mkdir -p "$folder/d$1/disk"
  echo "$2" >"$folder/d$1/team"
  if [ -n "$isolated" ]; then mount -t tmpfs -o size=48m none "$folder/d$1/disk"; fi
}

# Kills a device, and makes another one from its store.
copy_device() {
  local number
  number=$(($(cat "$folder/devices") + 1))
  kill_program "$1"
  make_device "$number" "$(cat "$folder/$1/team")"
  cp -a "$folder/$1/disk/store" "$folder/d$number/disk/store"
  cp "$folder/$1/journal" "$folder/d$number/journal"
  echo "$number" >"$folder/devices"
  start_device "$1"
  start_device "d$number"
}

back_up() {
  kill_program "$1"
  rm -rf "$folder/$1/backup"
  mkdir "$folder/$1/backup"
  cp -a "$folder/$1/disk/store" "$folder/$1/journal" "$folder/$1/backup/"
  start_device "$1"
}

restore() {
  kill_program "$1"
  rm -rf "$folder/$1/disk/store"
  cp -a "$folder/$1/backup/store" "$folder/$1/disk/store"
  mv "$folder/$1/journal" "$folder/$1/lost-journal-$(cat "$folder/$1/life")"
  cp "$folder/$1/backup/journal" "$folder/$1/journal"
  echo restored >>"$folder/$1/views"
  start_device "$1"
}

# Fills a small disk for some seconds.
fill() {
  head -c 1G /dev/zero >"$1/filler" 2>/dev/null || true
  sleep "$2"
  rm "$1/filler"
}

# MARK: the schedule

# Sets `chosen` to one of the words, by the seed.
choose() { local words=("$@"); chosen="${words[$((RANDOM % ${#words[@]}))]}"; }

tell() { echo "$1" | tee -a "$folder/faults" >&2; }

# Faults of devices, one after the other.
trouble_devices() {
  local device fault time kinds=(kill kill pause copy back_up restore)
  [ -z "$isolated" ] || kinds+=(partition partition full)
  RANDOM=$((seed * 7 + 1))
  while [ "$SECONDS" -lt "$1" ]; do
    sleep "0.$((RANDOM % 9 + 1))"
    choose $(seq "$(cat "$folder/devices")")
    device="d$chosen"
    choose "${kinds[@]}"
    fault="$chosen"
    choose 1 2 4
    time="$chosen"
    if [ "$fault" = restore ] && [ ! -d "$folder/$device/backup" ]; then fault=back_up; fi
    if [ "$fault" = copy ] && [ "$(cat "$folder/devices")" -ge 13 ]; then fault=kill; fi
    # A device that was killed before it made its store has nothing to copy.
    if [ ! -f "$folder/$device/journal" ] && [ "$fault" != pause ]; then continue; fi
    tell "$SECONDS s: $device $fault"
    case "$fault" in
      kill) kill_program "$device"; sleep "0.$time"; start_device "$device" ;;
      pause) send STOP "$device"; sleep "$time"; send CONT "$device" ;;
      partition) cut_off "$device"; sleep "$time"; join_again "$device" ;;
      full) fill "$folder/$device/disk" "$time" ;;
      copy) copy_device "$device" ;;
      back_up) back_up "$device" ;;
      restore) restore "$device" ;;
    esac
  done
}

# Faults of servers and of the database, one after the other.
trouble_servers() {
  local fault server time processes database kinds=(kill kill pause crash failover stop)
  [ -z "$isolated" ] || kinds+=(partition cut full)
  [ $replica = sync ] || kinds+=(failover failover)
  RANDOM=$((seed * 7 + 2))
  while [ "$SECONDS" -lt "$1" ]; do
    sleep "$((RANDOM % 3 + 1)).5"
    choose 1 2
    server="$chosen"
    choose "${kinds[@]}"
    fault="$chosen"
    choose 1 2 4
    time="$chosen"
    database="$(primary)"
    tell "$SECONDS s: server $server, database $database: $fault"
    case "$fault" in
      kill) kill_program "s$server"; sleep "0.$time"; start_server "$server" ;;
      pause) send STOP "s$server"; sleep "$time"; send CONT "s$server" ;;
      partition) cut_off "s$server"; sleep "$time"; join_again "s$server" ;;
      crash) on "$database" Scripts/postgres.sh crash "$folder/$database" ;;
      failover) fail_over "$time" ;;
      stop)
        processes="$(database_processes "$database")"
        # shellcheck disable=SC2086
        kill -STOP $processes 2>/dev/null || true
        sleep "$time"
        # shellcheck disable=SC2086
        kill -CONT $processes 2>/dev/null || true
        ;;
      cut) cut_off "$database"; sleep "$time"; join_again "$database" ;;
      full)
        { sleep 0.5; sql "$database" 'SELECT pg_switch_wal()' >/dev/null 2>&1 || true; } &
        fill "$folder/$database" "$time"
        wait $!
        revive "$database"
        ;;
    esac
    wait_in_sync
  done
}

# Waits until a condition holds for all devices, for so many seconds.
until_devices() {
  local condition="$1" end=$((SECONDS + $2)) number
  while [ "$SECONDS" -lt "$end" ]; do
    for number in $(seq "$(cat "$folder/devices")"); do
      "$condition" "d$number" || { sleep 0.3; continue 2; }
    done
    return 0
  done
  return 1
}
is_empty() { [ "$(cat "$folder/$1/waiting" 2>/dev/null)" = 0 ]; }
has_ended() { [ -f "$folder/$1/end" ]; }

# Compares each index of the database with its table. Servers read by indexes, and this script's last reading does
# not, so an index without some rows would look like devices without them.
check_indexes() {
  local database errors
  database="$(primary)"
  if ! sql "$database" 'CREATE EXTENSION IF NOT EXISTS amcheck' 2>/dev/null; then
    tell "no extension 'amcheck': the indexes are not checked"
    return 0
  fi
  errors="$(sql "$database" "SELECT bt_index_check(i.indexrelid, true) FROM pg_index AS i
    JOIN pg_class AS c ON c.oid = i.indexrelid JOIN pg_am AS a ON a.oid = c.relam
    WHERE a.amname = 'btree' AND c.relkind = 'i' AND c.relpersistence = 'p' AND i.indisvalid" 2>&1 >/dev/null)" && return 0
  tell "an index of the database differs from its table: $errors"
  return 1
}

end_all() {
  local file
  for file in "$folder"/*/pid; do
    [ ! -f "$file" ] || kill -9 "$(cat "$file")" 2>/dev/null || true
  done
  for file in a b; do
    if [ -f "$folder/$file/data/postmaster.pid" ]; then Scripts/postgres.sh kill "$folder/$file"; fi
  done
  if [ -n "$keep" ]; then
    mkdir -p "$keep"
    cp "$folder"/faults "$folder"/database "$folder"/undone "$keep/" 2>/dev/null || true
    for file in "$folder"/[ds][0-9]*; do
      mkdir -p "$keep/$(basename "$file")"
      find "$file" -maxdepth 1 -type f -exec cp {} "$keep/$(basename "$file")/" \;
      cp -a "$file/disk/store" "$keep/$(basename "$file")/" 2>/dev/null || true
    done
    cp "$folder/a/server.log" "$keep/a.log" 2>/dev/null || true
    cp "$folder/b/server.log" "$keep/b.log" 2>/dev/null || true
    cp -a "$folder/$(primary)/data" "$keep/data" 2>/dev/null || true
  fi
}
trap end_all EXIT

if [ -n "$isolated" ]; then
  # Names of namespaces are files: without this mount they would remain.
  mkdir -p /run/netns
  mount -t tmpfs none /run/netns
  ip link set lo up
  ip link add obx0 type bridge
  ip addr add "$network.254/24" dev obx0
  ip link set obx0 up
else
  base_port=$((20000 + $$ % 20000))
fi
for node in a b; do
  make_node "$node" "$([ $node = a ] && echo 1 || echo 2)"
  if [ -n "$isolated" ]; then mount -t tmpfs -o size=320m none "$folder/$node"; fi
done
start_database
for number in 1 2; do make_node "s$number" "$((10 + number))"; done
if [ -n "$isolated" ]; then on s1 "$BINARY" prepare "$(database_address)"; else "$BINARY" prepare "$(database_address)"; fi
for number in 1 2; do start_server "$number"; done
for number in $(seq "$device_count"); do
  make_device "$number" "${teams[$((number % ${#teams[@]}))]}"
  start_device "d$number"
done
echo "$device_count" >"$folder/devices"

# The last fault takes seconds, and so do emptying the queues and the check. A slow machine has its faults too.
last=$((seconds - 8))
if [ "$last" -lt $((SECONDS + 5)) ]; then last=$((SECONDS + 5)); fi
trouble_devices "$last" &
first=$!
trouble_servers "$last" &
second=$!
wait "$first" || fail "the faults of devices could not be made"
wait "$second" || fail "the faults of servers could not be made"

tell "$SECONDS s: no more faults"
touch "$folder/quiet"
if until_devices is_empty 120; then tell "$SECONDS s: all queues are empty"; else tell "$SECONDS s: a queue is not empty"; fi
# By plain SQL, as any program may write. Everything that was accepted is before it.
sql "$(primary)" "UPDATE \"Cell\" SET stamp = 'end' WHERE number IN (9, 10)"
until_devices has_ended 60 || tell "$SECONDS s: a device has not ended"
tell "$SECONDS s: checking"
# shellcheck disable=SC2016
sql "$(primary)" 'SELECT concat_ws($$ $$, $$+$$, token, part, id, team, cause) FROM "Entry"
  UNION ALL SELECT concat_ws($$ $$, $$cell$$, number, stamp) FROM "Cell"' >"$folder/database"
code=0
for target in d server; do
  grep -q "s: $target" "$folder/faults" || { tell "no fault of a ${target/#d/device} was made: nothing was tried"; code=1; }
done
check_indexes || code=1
"$BINARY" check "$folder" || code=$?
if [ "$code" -ne 0 ]; then
  echo "the last lines of devices and servers:" >&2
  tail -n 3 "$folder"/[ds][0-9]*/log >&2
fi
exit "$code"
