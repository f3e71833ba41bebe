#!/usr/bin/env bash
# Shows all steps on real input: generates, builds without optimisation, imports 100,000 notes, queries by each index with
# plans and times, violates a unique constraint, reopens the store and reads it.
# usage: demo.sh [--keep]   --keep: keeps the store in the folder demo-notebook, and prints commands that look at it
#        demo.sh cluster    moves the notebook to a PostgreSQL server, and kills that in the middle of work
#        demo.sh sync       shows devices that share a list, offline and through a killed PostgreSQL server
set -euo pipefail
cd "$(dirname "$0")"
case "$#:${1:-}" in
  0: | 1:--keep) ;;
  1:cluster) exec Scripts/cluster-demo.sh ;;
  1:sync) exec Scripts/sync-demo.sh ;;
  *) sed -n 's/^# \(usage\|  *demo.sh\)/\1/p' "$0" >&2; exit 2 ;;
esac
echo "demo: compiles the generator and the runtime, without optimisation; on two cores this takes about 1.5 minutes the"
echo "first time, and all steps after it together 15 seconds"
source Scripts/set-up.sh
source Scripts/compile.sh

work="$(mktemp -d)"
trap 'end_compiling; rm -rf "$work"' EXIT
export NOTEBOOK_FOLDER="$work/notebook"
if [ "${1:-}" = --keep ]; then
  install_page_needs
  export NOTEBOOK_FOLDER=demo-notebook
  rm -f demo-notebook/data.mdb demo-notebook/lock.mdb
fi

echo
echo "== generate: compile the generator, and bring model.json up to date with the annotated sources"
compile package --package-path Examples/Notebook --allow-writing-to-package-directory \
  objectbox-generator --target Notebook

echo
echo "== build: compile the runtime; the build plugin makes the bindings"
compile build --disable-build-manifest-caching --package-path Examples/Notebook --product Notebook
notebook="$(swift build --package-path Examples/Notebook --show-bin-path)/Notebook"

echo
echo "== make 100,000 notes, and import them"
"$notebook" make-notes 100000 "$work/notes.jsonl"
"$notebook" import "$work/notes.jsonl"

echo
echo "== add one note by hand, in a process of its own, and find it in another"
"$notebook" add "Demo of the notebook" "written by hand" demo
"$notebook" find "Demo of"

echo
echo "== query by each index, violate the unique constraint, reopen and read back"
echo "Documentation/Performance.md has the times of optimised programs"
"$notebook" tour

echo
echo "== statistics"
"$notebook" stats
echo "demo: complete"

echo
echo "== next"
echo "Documentation/GettingStarted.md leads from an empty package to a first query of your own."
if [ "${1:-}" = --keep ]; then
  echo "The store is in the folder demo-notebook. These commands look at it, the last one in a web browser;"
  echo "the first one compiles the tool, in about 1.5 minutes on two cores:"
  objectbox="swift run --package-path Examples/Notebook objectbox"
  echo "  $objectbox info demo-notebook"
  echo "  $objectbox query demo-notebook Note 'title startsWith \"Plan\"' --limit 3"
  echo "  $objectbox browse demo-notebook"
else
  echo "'./demo.sh --keep' keeps the store, and prints commands that look at it."
fi
