#!/usr/bin/env bash
# Shows the notebook of demo.sh on a server: copies it there, queries it by each index, kills the server's processes
# during transfers, and compares the acknowledged with the stored transfers.
set -euo pipefail
cd "$(dirname "$0")/.."
echo "demo: compiles the generator, the runtime and the module of clusters, without optimisation; on two cores this takes"
echo "about 2 minutes the first time, half a minute after './demo.sh', and all steps after it together 15 seconds"
source Scripts/set-up.sh
source Scripts/compile.sh
install_cluster_needs

work="$(mktemp -d)"
server="$work/server"
trap 'end_compiling; Scripts/postgres.sh stop "$server" 2>/dev/null; rm -rf "$work"' EXIT
chmod 755 "$work"
export NOTEBOOK_FOLDER="$work/notebook"

echo
echo "== build: the same entities for both stores"
compile build --disable-build-manifest-caching --package-path Examples/Notebook
programs="$(swift build --package-path Examples/Notebook --show-bin-path)"
notebook="$programs/Notebook"
cluster_notebook="$programs/ClusterNotebook"

echo
echo "== make 20,000 notes in an embedded store"
"$notebook" make-notes 20000 "$work/notes.jsonl"
"$notebook" import "$work/notes.jsonl"

echo
echo "== start a server, and copy the notebook there"
address="$(FSYNC=on Scripts/postgres.sh start "$server")"
"$cluster_notebook" "$address" copy "$NOTEBOOK_FOLDER"

echo
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
echo "Documentation/Cluster.md begins with a cluster of your own. 'objectbox copy' moves any store to a server"
echo "(Documentation/Tool.md), './demo.sh --keep' shows how to look at the embedded store."
