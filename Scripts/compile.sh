# Compiles for the demos, which source it.

# The process of `compile`, to end it with the script; empty if there is none.
compiling=

# compile ARGUMENT…: runs `swift ARGUMENT…`, and once more if SwiftPM itself crashed, which it does in one of thousands of
# builds. The second run goes on where the first one ended.
compile() {
  local status=0
  run_swift "$@" || status=$?
  case $status in
    # SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGSEGV
    132 | 133 | 134 | 135 | 139)
      echo "  swift crashed by signal $((status - 128)); it is run once more" >&2
      status=0
      run_swift "$@" || status=$?
      ;;
  esac
  return $status
}

# run_swift ARGUMENT…: on a terminal SwiftPM shows its progress; otherwise the newest of its lines is printed every ten
# seconds, and all of them after a failure.
run_swift() {
  if [ -t 1 ]; then
    swift "$@"
    return
  fi
  local log line status=0 begin=$SECONDS next=10
  log="$(mktemp)"
  swift "$@" >"$log" 2>&1 </dev/null &
  compiling=$!
  while kill -0 "$compiling" 2>/dev/null; do
    sleep 0.2
    if [ $((SECONDS - begin)) -ge $next ]; then
      line="$(tail -n 1 "$log")"
      echo "  after $next s: ${line:-planning the build}"
      next=$((next + 10))
    fi
  done
  wait "$compiling" || status=$?
  compiling=
  if [ $status -eq 0 ]; then
    # SwiftPM's lines about single steps begin so.
    sed '/^\[[0-9]/d' "$log"
  else
    cat "$log" >&2
  fi
  rm -f "$log"
  return $status
}

end_compiling() {
  [ -z "$compiling" ] || kill "$compiling" 2>/dev/null || true
}
