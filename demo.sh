#!/usr/bin/env bash
# Shows the whole path on real input: generate, build, import 100,000 notes, query by each index with
# plans and times, violate a unique constraint, reopen and read back.
# usage: demo.sh [cluster]    cluster: moves the notebook to a PostgreSQL server, and kills that in the middle of work
set -euo pipefail
cd "$(dirname "$0")"
if [ "${1:-}" = cluster ]; then exec Scripts/cluster-demo.sh; fi
source Scripts/set-up.sh

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
export NOTEBOOK_FOLDER="$work/notebook"

echo "== generate: bring model.json up to date with the annotated sources"
swift package --package-path Examples/Notebook --allow-writing-to-package-directory \
  objectbox-generator --target Notebook

echo "== build: the build plugin makes the bindings"
swift build --disable-build-manifest-caching --package-path Examples/Notebook -c release
notebook="$(swift build --package-path Examples/Notebook -c release --show-bin-path)/Notebook"

echo "== make 100,000 notes, and import them"
"$notebook" make-notes 100000 "$work/notes.jsonl"
"$notebook" import "$work/notes.jsonl"

echo "== add one note by hand, in a process of its own, and find it in another"
"$notebook" add "Demo of the notebook" "written by hand" demo
"$notebook" find "Demo of"

echo "== query by each index, violate the unique constraint, reopen and read back"
"$notebook" tour

echo
echo "== statistics"
"$notebook" stats
echo "demo: complete"
