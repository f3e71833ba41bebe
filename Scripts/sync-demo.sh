#!/usr/bin/env bash
# Shows Examples/SharedList: devices of two users edit a list offline and meet, a change is rejected and told, a device
# is restored from a backup, and PostgreSQL is killed in the middle of work. All stores must have the same entries at
# the end; otherwise the status is 1.
set -euo pipefail
cd "$(dirname "$0")/.."
echo "demo: compiles the generator, the runtime and the modules of synchronization, without optimisation; on two cores this"
echo "takes about 2 minutes the first time, less after the other demos, and all steps after it together 15 seconds"
source Scripts/set-up.sh
source Scripts/compile.sh
install_cluster_needs
install_sync_needs

work="$(mktemp -d)"
database="$work/database"
servers=()
end() {
  [ ${#servers[@]} -eq 0 ] || kill "${servers[@]}" 2>/dev/null || true
  end_compiling
  Scripts/postgres.sh stop "$database" 2>/dev/null
  rm -rf "$work"
}
trap end EXIT
chmod 755 "$work"
fail() {
  tail -n 5 "$work"/server*.log >&2
  echo "sync demo: $1" >&2
  exit 1
}

echo
echo "== build: a program for devices, a program for servers, the same entities in both"
# The build folder of the other demos has the generator and the runtime already.
options=(--package-path Examples/SharedList --scratch-path Examples/Notebook/.build)
compile build --disable-build-manifest-caching "${options[@]}"
programs="$(swift build "${options[@]}" --show-bin-path)"

# show DEVICE WORD…: runs a command on a device, and prints both.
show() {
  local device="$1"
  shift
  echo "$device\$ SharedList $*"
  "$programs/SharedList" "$work/$device" "$@" | sed 's/^/    /'
}
entries() { "$programs/SharedList" "$work/$1" list --offline; }
identities() { psql -At "$address" -c 'SELECT count(*) FROM objectbox_devices'; }

# start_server NUMBER: starts a server, and sets `url` to its address.
start_server() {
  # Otherwise the loop could look for the file before the program's shell has made it.
  : >"$work/server$1"
  "$programs/SharedListServer" "$address" 0 "$work/users" >"$work/server$1" 2>"$work/server$1.log" &
  servers+=($!)
  for _ in $(seq 200); do
    url="$(sed -n 's/^serving at \(ws:[^,]*\).*/\1/p' "$work/server$1")"
    if [ -n "$url" ]; then echo "server $1 is at $url"; return; fi
    kill -0 "${servers[-1]}" 2>/dev/null || fail "server $1 has ended"
    sleep 0.05
  done
  fail "server $1 does not start"
}

echo
echo "== start PostgreSQL, and two servers beside each other; Ada and Bob may change the list 'home'"
address="$(FSYNC=on Scripts/postgres.sh start "$database")"
printf '%s\n' 'ada lovelace home' 'bob builder home' >"$work/users"
start_server 1
first="$url"
start_server 2
second="$url"
show ada join "$first" ada lovelace
show bob join "$second" bob builder
show tablet join "$second" ada lovelace
show ada add home bread
show bob list

echo
echo "== both edit offline: each adds milk, Ada marks the bread as done, Bob adds eggs"
show ada add home milk --offline
show ada "done" home bread --offline
show bob add home milk --offline
show bob add home eggs --offline
show bob status --offline

echo
echo "== they meet: a text is on a list once, so Bob's milk is rejected, undone and told"
show ada sync
show bob sync
show bob rejections
[ "$("$programs/SharedList" "$work/bob" rejections --offline | wc -l)" -eq 1 ] || fail "not one change was rejected"
show bob discard
show ada sync
show ada list

echo
echo "== Ada's tablet is copied while a change waits, goes on, and is lost; the copy replaces it"
show tablet add home candles --offline
cp -r "$work/tablet" "$work/backup"
show tablet add home plates
rm -r "$work/tablet"
cp -r "$work/backup" "$work/tablet"
echo "the tablet is restored: it does not know that the candles were sent, nor the plates"
before="$(identities)"
show tablet add home cups --offline
show tablet status --offline
show tablet sync
show tablet list
echo "PostgreSQL knew $before devices, and knows $(identities) now: the restored tablet has a new identity"
[ "$(identities)" -eq $((before + 1)) ] || fail "the restored device has no new identity"

echo
echo "== Ada and Bob go on, and PostgreSQL is killed in the middle"
writers=()
for device in ada bob; do
  for number in $(seq 12); do
    "$programs/SharedList" "$work/$device" add home "$device's $number" | sed "s/^/    $device: /"
  done &
  writers+=($!)
done
sleep 1
echo "killing PostgreSQL's processes (SIGKILL), and starting it again on the same data"
Scripts/postgres.sh crash "$database"
for writer in "${writers[@]}"; do wait "$writer" || fail "a device could not add an entry"; done

echo
echo "== all agree at the end"
for device in ada bob tablet; do
  for _ in $(seq 20); do
    "$programs/SharedList" "$work/$device" sync
    if "$programs/SharedList" "$work/$device" status --offline | grep -q '^0 changes wait'; then break; fi
    sleep 0.5
  done
done
psql -At "$address" -c "SELECT list || ': [' || CASE WHEN \"isDone\" THEN 'x' ELSE ' ' END || '] ' || text || ' (' || author || ')' FROM \"Entry\"" \
  | LC_ALL=C sort >"$work/expected"
[ "$(wc -l <"$work/expected")" -eq $((6 + 24)) ] || { cat "$work/expected"; fail "the server has not all entries"; }
for device in ada bob tablet; do
  "$programs/SharedList" "$work/$device" sync
  entries "$device" | LC_ALL=C sort | diff "$work/expected" - || fail "the device '$device' has other entries than the server"
done
echo "three devices and PostgreSQL have the same $(wc -l <"$work/expected") entries"
echo "demo: complete"

echo
echo "== next"
echo "Examples/SharedList is the program shown here. Documentation/Sync.md begins with a first sync of your own."
