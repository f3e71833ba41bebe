#!/usr/bin/env bash
# Shows the notebook of demo.sh on a server: moves it there, queries it by each index, kills the server's processes
# during transfers, and compares the acknowledged with the stored transfers.
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/set-up.sh
install_cluster_needs

work="$(mktemp -d)"
server="$work/server"
trap 'Scripts/postgres.sh stop "$server" 2>/dev/null; rm -rf "$work"' EXIT
chmod 755 "$work"
export NOTEBOOK_FOLDER="$work/notebook"

echo "== build: the same entities for both stores"
# Builds everything, the tool too, in the example's package, so the library is built once.
build() { swift build --disable-build-manifest-caching --package-path Examples/Notebook -c release "$@"; }
build
build --product objectbox
programs="$(build --show-bin-path)"
notebook="$programs/Notebook"
cluster_notebook="$programs/ClusterNotebook"
objectbox="$programs/objectbox"

echo "== make 20,000 notes in an embedded store"
"$notebook" make-notes 20000 "$work/notes.jsonl"
"$notebook" import "$work/notes.jsonl"

echo "== start a server, and move the notebook there"
address="$(FSYNC=on Scripts/postgres.sh start "$server")"
"$objectbox" copy "$NOTEBOOK_FOLDER" "$address"

echo "== query by each index, violate the unique constraint"
"$cluster_notebook" "$address" tour

echo
echo "== move uses between tags on 8 tasks, and kill the server's processes in the middle"
"$cluster_notebook" "$address" transfer 8 &
transfers=$!
sleep 3
echo "killing the server's processes (SIGKILL), and starting it again on the same data"
Scripts/postgres.sh crash "$server"
wait "$transfers"

echo
"$cluster_notebook" "$address" stats | head -n 4
echo "demo: complete"

echo
echo "== next"
echo "Documentation/Cluster.md begins with a cluster of your own; './demo.sh --keep' shows how to look at the embedded store."
