#!/usr/bin/env bash
# Tries the commands of a device against a server: offline changes, rights, conflicts, rejections, wrong passwords.
# usage: trial.sh PROGRAM       the built SharedList, beside the built SharedListServer; `Scripts/postgres.sh run` runs it
set -euo pipefail
program="$(realpath "$1")"
database="${OBJECTBOX_TEST_POSTGRES:?run it by \'Scripts/postgres.sh run\'}"
work="$(mktemp -d)"
server=
watcher=
end() {
  for process in $server $watcher; do kill "$process" 2>/dev/null || true; done
  rm -rf "$work"
}
trap end EXIT
fail() {
  cat "$work"/*.log >&2
  echo "shared list: $1" >&2
  exit 1
}
on() {
  local device="$1"
  shift
  "$program" "$work/$device" "$@"
}
# expect TEXT COMMAND…: the command must print the text, and nothing else.
expect() {
  local expected="$1" printed
  shift
  printed="$("$@" 2>&1)" || true
  [ "$printed" = "$expected" ] || fail "'${*:2}' printed '$printed' instead of '$expected'"
}
# wait_for PATTERN FILE: waits until a line of the file matches, at most 20 seconds.
wait_for() {
  for _ in $(seq 400); do
    if grep -q "$1" "$2" 2>/dev/null; then return; fi
    sleep 0.05
  done
  fail "there is no '$1' in $(basename "$2")"
}
start_server() {
  rm -f "$work/server"
  "$(dirname "$program")/SharedListServer" "$database" "${1:-0}" "$work/users" >"$work/server" 2>>"$work/server.log" &
  server=$!
  wait_for '^serving' "$work/server"
  url="$(sed -n 's/^serving at \(ws:[^,]*\).*/\1/p' "$work/server")"
}
stop_server() {
  kill "$server"
  wait "$server" || fail "the server ended with another status than 0"
}

echo "a device works before it has joined, and what it has then arrives"
expect "" on ada add home bread
expect "home: [ ] bread (this device)" on ada list
printf '%s\n' '# name, password, lists' 'ada lovelace home,work' 'bob builder home work' >"$work/users"
start_server
expect "" on ada join "$url" ada lovelace
expect "" on bob join "$url" bob builder
expect "home: [ ] bread (this device)" on bob list

echo "a wrong password is told"
expect "error: the server refuses the name or the password of 'bob'" on thief join "$url" bob guess

echo "a user may read a list that only others may change"
expect "" on ada add work call the bank
expect "the server has rejected 'work/sleep': permission" on bob add work sleep
expect "work: [ ] call the bank (ada)" on bob list work
expect "" on bob discard
expect "" on bob rejections

echo "a removal wins over a change that another device has made meanwhile"
expect "" on ada "done" home bread --offline
expect "" on bob remove home bread
on ada sync >"$work/removed"
grep -q '^the server has rejected update of the entry with ID [0-9]*: removed$' "$work/removed" \
  || fail "the dropped change is not told: $(<"$work/removed")"
expect "" on ada discard
expect "" on ada list home

echo "a rejected change is sent again when its cause is gone"
expect "" on bob add home tea
expect "" on bob add home milk --offline
expect "error: 'Milk' is on the list 'home' already" on bob add home Milk --offline
expect "" on ada add home Milk
expect "the server has rejected 'home/milk': unique (key)" on bob sync
if on bob resubmit >"$work/again" 2>&1; then fail "a change is sent that the server must reject again"; fi
expect "" on ada remove home milk
expect "" on bob sync
expect "" on bob resubmit
expect "home: [ ] milk (bob)"$'\n'"home: [ ] tea (bob)" on ada list home

echo "a watching device sees changes of others, and goes on after a restart of the server"
# Not by the function: the process must be the program's.
"$program" "$work/bob" watch >"$work/watch.log" 2>&1 & watcher=$!
wait_for 'home: \[ \] tea' "$work/watch.log"
expect "" on ada "done" home tea
wait_for '^+ home: \[x\] tea' "$work/watch.log"
port="${url##*:}"
stop_server
on ada add home eggs | grep -q '^offline: 1 change waits (' || fail "a device without a server does not say so"
start_server "$port"
expect "" on ada sync
wait_for '^+ home: \[ \] eggs' "$work/watch.log"
kill "$watcher"
wait "$watcher" 2>/dev/null || true
watcher=
stop_server
server=
expect "$(on ada list --offline)" on bob list --offline
echo "shared list: two devices agree"
