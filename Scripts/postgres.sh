#!/usr/bin/env bash
# Makes a PostgreSQL server in a temporary folder, from the system's packages, and ends it.
# usage: postgres.sh start [FOLDER]   prints the server's address, for OBJECTBOX_TEST_POSTGRES
#        postgres.sh stop FOLDER
#        postgres.sh restart FOLDER   ends it as an administrator does, and starts it again on the same data
#        postgres.sh halt FOLDER      ends it, and keeps the data; `resume FOLDER` starts it again
#        postgres.sh crash FOLDER     kills its processes, as a loss of the machine, and starts it again
#        postgres.sh kill FOLDER      only kills them
#        postgres.sh standby FOLDER OF   makes a replica of the server in the folder OF, and starts it
#        postgres.sh run COMMAND…     runs a command with OBJECTBOX_TEST_POSTGRES set, then ends the server
#        postgres.sh vector COMMAND…  runs a command beside a server that has the extension `vector`: that of the
#                                     system, or else of the Python package `pgserver`, which it downloads; ends
#                                     with 69 where there is none
#        postgres.sh failover COMMAND…  runs a command beside a cluster of three: see failover-cluster.sh
# POSTGRES_PROGRAMS is the folder of the server's programs where it is not the newest that the system has.
# FSYNC=on when it starts makes commits survive a loss of power.
set -euo pipefail

fail() { echo "postgres.sh: $1" >&2; exit 1; }

# Prints the folder of the newest installed server programs.
find_programs() {
  local folder
  if [ -n "${POSTGRES_PROGRAMS:-}" ]; then echo "$POSTGRES_PROGRAMS"; return; fi
  for folder in $(ls -d /usr/lib/postgresql/*/bin /opt/homebrew/opt/postgresql@*/bin 2>/dev/null | sort -rV); do
    if [ -x "$folder/initdb" ]; then echo "$folder"; return; fi
  done
  fail "no PostgreSQL server is installed; install it with 'apt-get install postgresql'"
}

# Runs a command as the server's owner: PostgreSQL refuses to run as root.
as_owner() {
  if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}

# Prints the folder of server programs with the extension `vector`.
find_vector_programs() {
  local programs folder
  programs="$(find_programs)"
  if [ -f "$("$programs/pg_config" --sharedir)/extension/vector.control" ]; then echo "$programs"; return; fi
  # Not in a home folder: the server's user must be able to read it.
  folder=/var/tmp/objectbox-pgserver
  if [ ! -x "$folder/pgserver/pginstall/bin/initdb" ]; then
    rm -rf "$folder.new" "$folder"
    if ! python3 -m pip install -q --no-deps --target "$folder.new" pgserver >&2; then
      echo "postgres.sh: no server with the extension 'vector' is installed, and Python's pip cannot install 'pgserver'" >&2
      return 69
    fi
    chmod -R a+rX "$folder.new"
    chmod a+x "$folder.new"/pgserver/pginstall/bin/*
    mv "$folder.new" "$folder"
  fi
  echo "$folder/pgserver/pginstall/bin"
}

start() {
  local folder="${1:-$(mktemp -d)}" programs
  programs="$(find_programs)"
  mkdir -p "$folder"
  chmod 755 "$folder"
  [ "$(id -u)" = 0 ] && chown postgres "$folder"
  # No syncs: the tests' data need not survive a loss of power.
  as_owner "$programs/initdb" -D "$folder/data" -U postgres --auth=trust -E UTF8 --locale=C --no-sync >"$folder/initdb.log" 2>&1 \
    || { cat "$folder/initdb.log" >&2; fail "initdb did not succeed"; }
  cat >>"$folder/data/postgresql.conf" <<CONF
listen_addresses = ''
unix_socket_directories = '$folder'
max_connections = 1000
max_prepared_transactions = 20
fsync = ${FSYNC:-off}
CONF
  as_owner "$programs/pg_ctl" -D "$folder/data" -l "$folder/server.log" -w -s start >&2 \
    || { cat "$folder/server.log" >&2; fail "the server did not start"; }
  echo "postgresql:///postgres?host=$folder&user=postgres"
}

stop() {
  as_owner "$(find_programs)/pg_ctl" -D "$1/data" -m immediate -w -s stop >&2 || true
  rm -rf "$1"
}

restart() {
  as_owner "$(find_programs)/pg_ctl" -D "$1/data" -l "$1/server.log" -m fast -w -s restart >&2
}

halt() { as_owner "$(find_programs)/pg_ctl" -D "$1/data" -m fast -w -s stop >&2; }

resume() { as_owner "$(find_programs)/pg_ctl" -D "$1/data" -l "$1/server.log" -w -s start >&2; }

standby() {
  local folder="$1" programs
  programs="$(find_programs)"
  mkdir -p "$folder"
  chmod 755 "$folder"
  [ "$(id -u)" = 0 ] && chown postgres "$folder"
  as_owner "$programs/pg_basebackup" -h "$2" -U postgres -D "$folder/data" -R -c fast --no-sync >"$folder/copy.log" 2>&1 \
    || { cat "$folder/copy.log" >&2; fail "pg_basebackup did not succeed"; }
  # The last setting of a name takes effect.
  echo "unix_socket_directories = '$folder'" >>"$folder/data/postgresql.conf"
  resume "$folder"
}

kill_server() {
  local first
  first="$(head -n 1 "$1/data/postmaster.pid")"
  # Kill the first process first: otherwise it would clean up after the others. They also end without it.
  kill -9 "$first" $(pgrep -P "$first") 2>/dev/null || true
}

crash() {
  local attempt
  kill_server "$1"
  for attempt in $(seq 100); do
    if as_owner "$(find_programs)/pg_ctl" -D "$1/data" -l "$1/server.log" -w -s start >/dev/null 2>&1; then return; fi
    # Processes of the old server may still use its shared memory.
    sleep 0.1
  done
  fail "the server did not start again; see $1/server.log"
}

case "${1:-}" in
  start) start "${2:-}" ;;
  stop) stop "${2:?folder}" ;;
  restart) restart "${2:?folder}" ;;
  halt) halt "${2:?folder}" ;;
  resume) resume "${2:?folder}" ;;
  standby) standby "${2:?folder}" "${3:?folder of the primary}" ;;
  crash) crash "${2:?folder}" ;;
  kill) kill_server "${2:?folder}" ;;
  failover) shift; exec "$(dirname "$0")/failover-cluster.sh" run "$@" ;;
  run|vector)
    if [ "$1" = vector ]; then
      POSTGRES_PROGRAMS="$(find_vector_programs)" || exit $?
      export POSTGRES_PROGRAMS
    fi
    shift
    folder="$(mktemp -d)"
    trap 'stop "$folder"' EXIT
    OBJECTBOX_TEST_POSTGRES="$(start "$folder")"
    export OBJECTBOX_TEST_POSTGRES
    "$@"
    ;;
  *) sed -n '2,/^[^#]/s/^# //p' "$0" >&2; exit 2 ;;
esac
