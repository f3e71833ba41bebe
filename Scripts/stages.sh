# Stages of a test run, each with a time budget, and a table of them at the end; scripts source it.
# A script calls `begin_stages`, then `stage`, `beside` and `finish`. The table is printed whenever the script ends.

# Elapsed seconds that this machine needs for a fixed piece of work, divided by the seconds of the machine on which the
# budgets were measured; at least 1. `measure_machine` sets it.
slowness=1
# The name of the lane that this shell runs: a sequence of stages in the background. Empty in the main script.
lane=main

# begin_stages: makes the folder `work`, and the folder `memory` for the stores of tests: on a disk most tests wait for
# its syncs. It is in memory where that has 4 GB left. Both are removed when the script ends.
begin_stages() {
  work="$(cd "$(mktemp -d)" && pwd -P)"
  memory="$work/memory"
  if [ "$(df -Pm /dev/shm 2>/dev/null | awk 'END { print ($4 > 4000) }')" = 1 ]; then
    memory="$(mktemp -d /dev/shm/objectbox.XXXXXX)"
  fi
  mkdir -p "$memory"
  # PostgreSQL servers, which run as another user, must reach these folders.
  chmod 755 "$work" "$memory"
  : >"$work/stages"
  trap 'end_stages $?' EXIT
}

# Compiles a fixed source on each processor at once, and sets `slowness`.
measure_machine() {
  local reference=2.8 processors number seconds TIMEFORMAT=%R
  processors="$(getconf _NPROCESSORS_ONLN)"
  for ((number = 0; number < 60; number++)); do
    echo "func work$number(_ values: [Int]) -> [String] {" \
      "values.map { \$0 &* $number &+ 1 }.filter { \$0 % 3 == 1 }.sorted(by: >).map { \"\\(\$0) of $number\" } }"
  done >"$work/machine.swift"
  compile() { for ((number = 0; number < processors; number++)); do
    swiftc -c "$work/machine.swift" -o "$work/machine$number.o" &
  done; wait; }
  seconds="$({ time compile >/dev/null 2>&1; } 2>&1)"
  slowness="$(awk -v s="$seconds" -v r="$reference" 'BEGIN { f = s / r; printf "%.2f", f < 1 ? 1 : f }')"
  echo "machine: a fixed piece of work took $seconds s, and $reference s where the budgets were measured;" \
    "budgets are multiplied by $slowness"
}

# Writes the processor seconds of this shell's ended children to the file of its lane, and prints them.
# `times` must not run in a command substitution, which is a process of its own.
note_processor_seconds() { times >"$work/times-$lane"; }
processor_seconds() {
  tail -n 1 "$work/times-$lane" | tr 'ms' '  ' | awk '{ print $1 * 60 + $2 + $3 * 60 + $4 }'
}

# stage TITLE BUDGET COMMAND…: runs a command. BUDGET: its elapsed seconds where the budgets were measured.
# The command has a shell of its own, which ends at the first failure; it cannot set variables of the script. A line that
# it writes to the file $STAGE_NOTE stands in the table.
stage() {
  local title="$1" budget="$2" begin=$SECONDS status=0 before
  shift 2
  [ "$lane" != main ] || tell_ended
  echo; echo "== $title ($(date +%T))"
  note_processor_seconds
  before="$(processor_seconds)"
  # In the main script a process group, which `end_stages` can end; in a lane the lane's group.
  [ "$lane" != main ] || set -m
  export STAGE_NOTE="$work/note-$lane"
  : >"$STAGE_NOTE"
  (lane=inner; "$@") </dev/null &
  set +m
  wait $! || status=$?
  note_processor_seconds
  printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$title" "$lane" $((SECONDS - begin)) "$budget" \
    "$(processor_seconds | awk -v before="$before" '{ printf "%.1f", $1 - before }')" $status "$(<"$STAGE_NOTE")" >>"$work/stages"
  return $status
}

# beside LANE COMMAND…: runs a command with stages of its own in the background, as a process group.
beside() {
  local name="$1"
  shift
  set -m
  { lane="$name"; "$@"; } >"$work/$name.log" 2>&1 </dev/null &
  set +m
  echo $! >"$work/$name.process"
}
# finish LANE: waits for that command, unless its end was reported before, prints its output, and returns its status.
finish() {
  local status=0
  if [ ! -e "$work/$1.process" ]; then return; fi
  wait "$(<"$work/$1.process")" || status=$?
  rm "$work/$1.process"
  cat "$work/$1.log"
  return $status
}
# Prints the output of lanes that have ended. A failure in a lane ends the script before its next stage.
tell_ended() {
  local process
  for process in "$work"/*.process; do
    if [ -e "$process" ] && ! kill -0 "$(<"$process")" 2>/dev/null; then finish "$(basename "$process" .process)"; fi
  done
}

# end_stages STATUS: ends what runs, prints the table, and exits: with 1 if a stage took more than twice its budget.
end_stages() {
  local status="$1" process table=0
  trap - EXIT
  for process in $(jobs -p); do kill -- "-$process" 2>/dev/null || true; done
  for process in "$work"/*.process; do
    [ ! -e "$process" ] || { echo "unfinished: $(basename "$process" .process)"; cat "${process%.process}.log"; }
  done
  if [ -s "$work/stages" ]; then
    print_stages || table=1
    [ "$status" != 0 ] || status=$table
  fi
  rm -rf "$work" "$memory"
  [ "$status" = 0 ] || echo "$(basename "$0"): failed, status $status" >&2
  exit "$status"
}

# Prints the table of stages; fails if one took more than twice its budget.
print_stages() {
  echo
  awk -F '\t' -v slowness="$slowness" -v total=$SECONDS -v processors="$(getconf _NPROCESSORS_ONLN)" '
    BEGIN { printf "%-62s %8s %8s %s\n", "stage", "seconds", "budget", "processors of " processors }
    {
      budget = $4 * slowness
      note = $7 == "" ? "" : "  " $7
      if ($6 != 0) note = note "  FAILED"
      else if ($3 > 2 * budget + 5) { note = note "  OVER twice its budget"; over++ }
      share = ($3 > 0 ? $5 / $3 : 0)
      printf "%-62s %8d %8d %6.1f%s%s\n", $1, $3, budget, share, $2 == "main" ? "" : "  beside: " $2, note
      used += $5
    }
    END {
      printf "%-62s %8d %8s %6.1f\n", "all", total, "", (total > 0 ? used / total : 0)
      exit over > 0
    }' "$work/stages"
}
