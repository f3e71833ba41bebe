#!/usr/bin/env bash
# Proves that the package builds without libpq, and that the tool says what to install and leaves no partial copy.
set -euo pipefail
cd "$(dirname "$0")/.."
fail() { echo "without libpq: $1" >&2; exit 1; }
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

export OBJECTBOX_WITHOUT_LIBPQ=1
build=(swift build --scratch-path .build/without-libpq)
"${build[@]}" --product objectbox
tool="$("${build[@]}" --show-bin-path)/objectbox"
if command -v ldd >/dev/null && ldd "$tool" | grep -q libpq; then
  fail "the tool is linked with libpq all the same"
fi

address="postgresql://user@db1/app"
# expect WORDS…: requires that the tool fails with an error that says what to install.
expect() {
  if "$tool" "$@" >"$work/log" 2>&1; then fail "'$*' should be an error"; fi
  grep -q "libpq" "$work/log" && grep -q "apt-get install libpq-dev" "$work/log" \
    || { cat "$work/log"; fail "'$*' does not say what to install"; }
}
printf '{"_note1":"","entities":[],"indexes":[],"lastEntityId":"0:0","lastIndexId":"0:0","lastRelationId":"0:0","modelVersion":5,"modelVersionParserMinimum":5,"retiredEntityUids":[],"retiredIndexUids":[],"retiredPropertyUids":[],"retiredRelationUids":[],"version":1}' > "$work/model.json"
expect cluster plan "$address" --model "$work/model.json"
expect copy "$address" "$work/store"
expect browse "$address"
expect sync-server "$work/sync.json" --check
if [ -e "$work/store/data.mdb" ]; then fail "a store was made"; fi
echo "without libpq: complete"
