#!/usr/bin/env bash
# Compares what a program that imports ObjectBox compiles with a recorded commit: processor seconds of clean debug builds
# of the runtime, without the generator. Both builds run at once, so that the machine's load affects both.
# More than 5 % above the recorded commit, times the ratio that the record names after it, is an error.
# usage: consumer-cost.sh [record]
#   record: makes HEAD the recorded commit, in Benchmarks/consumer-cost.tsv; say why in the commit's message
# environment: STAGE_NOTE, a file that gets the result in one line
set -euo pipefail
cd "$(dirname "$0")/.."
fail() { echo "consumer cost: $1" >&2; exit 1; }
record=Benchmarks/consumer-cost.tsv
[ $# -eq 0 ] || [ "$*" = record ] || fail "usage: consumer-cost.sh [record]"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
unset OBJECTBOX_TESTS

# measure FOLDER NAME: builds a program on the package in a folder, and writes the processor seconds to a file. The
# program has no entities, so no generator is compiled.
measure() {
  local TIMEFORMAT='%U %S' program="$work/program-$2"
  rm -rf "$program"
  mkdir -p "$program/Sources/App"
  cat >"$program/Package.swift" <<EOF
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "App",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "objectbox-swift-open", path: "$1")],
  targets: [
    .executableTarget(
      name: "App",
      dependencies: [.product(name: "ObjectBox", package: "objectbox-swift-open")]
    )
  ]
)
EOF
  printf '%s\n' 'import ObjectBox' '' 'print(Store.versionLib)' >"$program/Sources/App/main.swift"
  { time swift build --package-path "$program" >"$work/$2.log" 2>&1; } 2>"$work/$2.time" \
    || { cat "$work/$2.log" >&2; return 1; }
  awk '{ printf "%.1f", $1 + $2 }' "$work/$2.time" >"$work/$2.seconds"
}

if [ "${1:-}" = record ]; then
  [ -z "$(git status --porcelain -- Sources Package.swift)" ] || fail "commit your changes first"
  measure "$PWD" now
  printf '%s\t%s\n' "$(git rev-parse HEAD)" "$(<"$work/now.seconds")" >"$record"
  cat "$record"
  exit
fi

read -r commit seconds expected <"$record"
limit="$(awk -v expected="${expected:-1}" 'BEGIN { printf "%.3f", 1.05 * expected }')"
git cat-file -e "$commit^{commit}" 2>/dev/null \
  || fail "this clone lacks commit $commit, which $record names; fetch the history, or record HEAD"
mkdir "$work/before"
git archive "$commit" | tar -x -C "$work/before"
# The best of up to three rounds: other work can make a build slower, never faster.
best=
for round in 1 2 3; do
  # Both in the background: the times of a process that the shell has waited for would count in the other ones.
  measure "$work/before" before &
  before=$!
  measure "$PWD" now &
  wait $!
  wait "$before"
  ratio="$(awk -v now="$(<"$work/now.seconds")" -v before="$(<"$work/before.seconds")" 'BEGIN { printf "%.3f", now / before }')"
  best="$(printf '%s\n' "$ratio" "${best:-$ratio}" | sort -n | head -n 1)"
  echo "consumer cost: $(<"$work/now.seconds") s of processor time, $(<"$work/before.seconds") s at ${commit:0:8} (recorded: $seconds s): $ratio"
  if awk -v ratio="$best" -v limit="$limit" 'BEGIN { exit ratio > limit }'; then break; fi
done
[ -z "${STAGE_NOTE:-}" ] || echo "$(<"$work/now.seconds") s, $best of ${commit:0:8}" >"$STAGE_NOTE"
awk -v ratio="$best" -v limit="$limit" 'BEGIN { exit ratio > limit }' \
  || fail "a clean build costs $best of that of ${commit:0:8}, and $limit is the limit; make it cheaper, or run 'Scripts/consumer-cost.sh record', or name the ratio behind the record, and say in the commit why"
