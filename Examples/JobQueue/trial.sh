#!/usr/bin/env bash
# Kills workers during their work, and proves that no job is lost or has two effects.
# usage: trial.sh PROGRAM       the built JobQueue
set -euo pipefail
program="$(realpath "$1")"
work="$(mktemp -d)"
workers=()
end() {
  for worker in "${workers[@]}"; do kill -9 "$worker" 2>/dev/null || true; done
  rm -rf "$work"
}
trap end EXIT
fail() { echo "job queue: $1" >&2; exit 1; }
# Only for commands that end. Workers are started without this function, so `$!` is the worker's process, not a shell's.
queue() { "$program" "$work/queue" "$@"; }
# kill_worker PID: also checks that the worker was still alive.
kill_worker() {
  kill -9 "$1" || fail "worker $1 ended before it was killed"
  local status=0
  wait "$1" 2>/dev/null || status=$?
  [ $status -eq 137 ] || fail "worker $1 ended with status $status instead of the kill"
}
count=150

# wait_for PATTERN FILE: waits until a line of the file matches, at most 20 seconds.
wait_for() {
  for _ in $(seq 400); do
    if grep -q "$1" "$2" 2>/dev/null; then return; fi
    sleep 0.05
  done
  fail "there is no '$1' in $(basename "$2")"
}

echo "two processes add the same $count jobs at the same time"
queue add $count > "$work/first" & first=$!
queue add $count > "$work/second"
wait $first
cat "$work/first" "$work/second"
awk -v count=$count '{ added += $2; refused += $4 } END { exit !(added == count && refused == count) }' \
  "$work/first" "$work/second" || fail "unique keys let doubles in, or refused too much"

queue plan
if queue check $count 2>/dev/null; then fail "the check passes although nothing is done"; fi

echo "one worker takes a job and is killed; another one takes a job and is slow"
"$program" "$work/queue" work --hold-until "$work/never" --log "$work/killed.log" & killed=$!
workers+=("$killed")
wait_for began "$work/killed.log"
kill_worker $killed
"$program" "$work/queue" work --lease 500 --hold-until "$work/go" --log "$work/slow.log" & slow=$!
workers+=("$slow")
wait_for began "$work/slow.log"

echo "four workers, of which twelve are killed and replaced"
start() { "$program" "$work/queue" work --lease 1000 --duration 80 --log "$work/log" & workers[$1]=$!; }
for place in 2 3 4 5; do start $place; done
for round in $(seq 12); do
  sleep 0.1
  place=$((2 + round % 4))
  kill_worker "${workers[$place]}"
  start $place
done
for place in 2 3 4 5; do wait "${workers[$place]}" || fail "a worker failed"; done

queue check $count
begun="$(grep -c '^began' "$work/log")"
echo "of the jobs that the four began, $((begun - $(grep -c '^ended' "$work/log"))) were ended by a kill"
for log in killed slow; do
  job="$(awk '{ print $2; exit }' "$work/$log.log")"
  grep -q "^ended $job " "$work/log" || fail "nobody else did '$job' of the $log worker"
done

touch "$work/go"
wait $slow || fail "the slow worker failed"
grep -q "^late with" "$work/slow.log" || fail "the slow worker was not told that it came too late"
queue check $count

echo "one worker alone takes jobs by priority, and of equal ones the oldest first"
"$program" "$work/order" add 40 >/dev/null
"$program" "$work/order" work --log "$work/order.log"
for priority in 9 8 7 6 5 4 3 2 1 0; do
  for ten in 0 1 2 3 4; do
    number=$((ten * 10 + priority))
    if [ $number -ge 1 ] && [ $number -le 40 ]; then echo "job-$number"; fi
  done
done > "$work/expected"
awk '/^began/ { print $2 }' "$work/order.log" | cmp - "$work/expected" || fail "the order is another one"
echo "job queue: nothing is lost, nothing is done twice"
