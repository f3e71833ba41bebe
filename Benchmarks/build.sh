#!/usr/bin/env bash
# Measures debug builds of a small program on this package, and of the same program on GRDB: clean builds, clean builds
# with an installed generator, and builds after the first and after later changes of a function's body.
# usage: build.sh [ROUNDS]      default 3; prints a table of medians: processor time (user) and elapsed time in seconds
# environment: GRDB_SOURCES, a folder with the sources of GRDB 7; without it that column is left out
#   GENERATOR, an installed generator of this version; default one that is built for release
# All files are outside of the repository. Times include fetching and the compilation of manifests and plugins.
# Elapsed times are valid only on an idle machine.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
root="$(dirname "$here")"
fail() { echo "build.sh: $1" >&2; exit 1; }
rounds="${1:-3}"
[[ "$rounds" =~ ^[1-9][0-9]*$ ]] || fail "'$rounds' is no number of rounds"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

package() {
  local name=$1 dependency=$2 product=$3 plugins=$4
  mkdir -p "$work/$name/Sources/App"
  cp "$here/Consumer/$name/"*.swift "$work/$name/Sources/App"
  cat >"$work/$name/Package.swift" <<MANIFEST
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "App",
  platforms: [.macOS(.v15)],
  dependencies: [$dependency],
  targets: [.executableTarget(name: "App", dependencies: [$product], plugins: [$plugins])]
)
MANIFEST
}
package ObjectBox ".package(name: \"objectbox-swift-open\", path: \"$root\")" \
  '.product(name: "ObjectBox", package: "objectbox-swift-open")' \
  '.plugin(name: "ObjectBoxPlugin", package: "objectbox-swift-open")'
programs=(ObjectBox)
if [ -n "${GRDB_SOURCES:-}" ]; then
  [ -f "$GRDB_SOURCES/Package.swift" ] || fail "there is no package in GRDB_SOURCES '$GRDB_SOURCES'"
  package GRDB ".package(name: \"GRDB.swift\", path: \"$(cd "$GRDB_SOURCES" && pwd)\")" \
    '.product(name: "GRDB", package: "GRDB.swift")' ""
  programs+=(GRDB)
else
  echo "build.sh: GRDB_SOURCES names no sources of GRDB, so its column is left out" >&2
fi

unset OBJECTBOX_GENERATOR
if [ -z "${GENERATOR:-}" ]; then
  echo "build.sh: building the generator" >&2
  options=(-c release --package-path "$root" --scratch-path "$here/.build/generator" --product objectbox-generator)
  swift build "${options[@]}" >&2
  GENERATOR="$(swift build "${options[@]}" --show-bin-path)/objectbox-generator"
fi
[ -x "$GENERATOR" ] || fail "there is no generator '$GENERATOR'"

# Builds need a model file.
"$GENERATOR" --sources "$work/ObjectBox/Sources/App" --model-json "$work/ObjectBox/model.json" \
  --output "$work/bindings.swift" --quiet

# measure PROGRAM ROW: builds, and records both times.
measure() {
  local TIMEFORMAT='%U %R' status=0 times
  times="$({ time swift build --package-path "$work/$1" >"$work/log" 2>&1; } 2>&1)" || status=$?
  # Without SQLite's library, only GRDB's last step fails: the time still counts.
  if [ $status -ne 0 ] && { [ "$1" != GRDB ] || ! grep -qE "unable to find library|cannot find -l" "$work/log"; }; then
    cat "$work/log" >&2
    fail "the build of $1 did not succeed"
  fi
  printf '%s\t%s\t%s\n' "$2" "$1" "${times/ /$'\t'}" >>"$work/results"
}
# change PROGRAM NUMBER: changes the body of a function in the entities' file.
change() {
  local file
  for file in "$work/$1"/Sources/App/{Entities,Records}.swift; do
    [ ! -f "$file" ] || sed -i.old "s/\\\\(pages) pages[^\"]*\"/\\\\(pages) pages, $2\"/" "$file"
    rm -f "$file.old"
  done
}

for ((round = 1; round <= rounds; round++)); do
  for program in "${programs[@]}"; do
    rm -rf "$work/$program/.build"
    measure "$program" "1 everything from source"
    change "$program" "$round.1"
    measure "$program" "3 first change"
    for number in 2 3 4; do
      change "$program" "$round.$number"
      measure "$program" "4 later changes"
    done
    if [ "$program" = ObjectBox ]; then
      rm -rf "$work/$program/.build"
      OBJECTBOX_GENERATOR="$GENERATOR" measure "$program" "2 with an installed generator"
    fi
  done
  echo "build.sh: round $round of $rounds" >&2
done

echo "$(date -u +%F), rounds: $rounds; $(getconf _NPROCESSORS_ONLN) processors, $(uname -sm)," \
  "$(swift --version 2>/dev/null | head -n 1); load $(uptime | sed 's/.*load average[s]*: //')"
echo
median() { sort -n | awk '{ value[NR] = $1 } END { if (NR) printf "%.1f", value[int((NR + 1) / 2)] }'; }
cell() { awk -F '\t' -v row="$1" -v program="$2" -v column="$3" '$1 == row && $2 == program { print $column }' \
  "$work/results" | median; }
header="| debug build |"
rule="|---|"
for program in "${programs[@]}"; do
  header+=" $program, processor time | elapsed |"
  rule+="--:|--:|"
done
echo "$header"
echo "$rule"
cut -f 1 "$work/results" | sort -u | while read -r row; do
  line="| ${row#* } |"
  for program in "${programs[@]}"; do line+=" $(cell "$row" "$program" 3) | $(cell "$row" "$program" 4) |"; done
  echo "$line"
done
