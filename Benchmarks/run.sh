#!/usr/bin/env bash
# Compares the runtime with LMDB in C and SQLite: builds all programs, and runs them in turn, in another order each
# round. Prints ratios of medians; with at least 5 rounds, writes Documentation/Design/Measurements.md, and what shows it.
# usage: run.sh [--quick] [ROUNDS] [GROUP...]    groups: 100k durable conc micro vectors filtered 1m growth; default: 5 rounds of all
#   --quick: shorter runs, about a minute, without vectors, filtered, 1m and growth
# The group `vectors` is compared with hnswlib; by default it is left out if Python lacks hnswlib.
# environment: PEERS_FOLDER, a folder of other peers, whose `run.sh ROUNDS GROUP` also runs the commands in the file
#   EXTRA_PEERS; PEERS_DATA, a folder on a real disk for the databases; BINARY, a program that is built already
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
fail() { echo "run.sh: $1" >&2; exit 1; }

# MARK: Options
is_quick=""
if [ "${1:-}" = --quick ]; then is_quick=1; shift; fi
rounds=5
if [[ "${1:-}" =~ ^[0-9]+$ ]]; then rounds=$1; shift; fi
[ "$rounds" -ge 1 ] || fail "the number of rounds must be at least 1"
has_hnswlib() { python3 -c "import hnswlib, numpy" 2>/dev/null; }
groups=("$@")
if [ ${#groups[@]} -eq 0 ]; then
  groups=(100k durable conc micro)
  if [ -z "$is_quick" ]; then
    if [ -z "${PEERS_FOLDER:-}" ] && has_hnswlib; then groups+=(vectors); fi
    groups+=(filtered 1m growth)
  fi
fi
for group in "${groups[@]}"; do
  [[ " 100k durable conc micro vectors filtered 1m growth " = *" $group "* ]] || fail "there is no group '$group'"
done

# MARK: Requirements
missing=""
lacks() { missing+="run.sh: missing: $1"$'\n'; }
has() { command -v "$1" >/dev/null; }
has swift || [ -n "${BINARY:-}" ] || lacks "a Swift toolchain"
has python3 || lacks "python3"
if [ -z "${PEERS_FOLDER:-}" ]; then
  has cc || lacks "gcc or clang, with the command cc"
  has make || lacks "make"
  has_header() { has cc && echo "#include <$1>" | cc -E - >/dev/null 2>&1; }
  has_header lmdb.h || lacks "LMDB (Debian: liblmdb-dev, Homebrew: lmdb)"
  has_header sqlite3.h || lacks "SQLite (Debian: libsqlite3-dev, Homebrew: sqlite)"
else
  [ -x "$PEERS_FOLDER/run.sh" ] || fail "PEERS_FOLDER '$PEERS_FOLDER' has no run.sh"
fi
if [[ " ${groups[*]} " = *" vectors "* ]]; then
  has_hnswlib || lacks "hnswlib and numpy (python3 -m pip install hnswlib numpy)"
fi
[ -z "$missing" ] || { printf '%s' "$missing" >&2; fail "install what is missing, and run again"; }

# MARK: Building
build="$here/.build/peers"
data="${PEERS_DATA:-$build/data}"
results="$build/results"
rm -rf "$results"
mkdir -p "$build" "$data" "$results"
if [ -z "${BINARY:-}" ]; then
  swift build -c release --disable-build-manifest-caching --package-path "$here" --product ObjectBoxBenchmarks >&2
  BINARY="$(swift build -c release --package-path "$here" --show-bin-path)/ObjectBoxBenchmarks"
fi
[ -n "${PEERS_FOLDER:-}" ] || make -s -C "$here/Peers" BUILD="$build" >&2

# MARK: Conditions
load() { cut -d' ' -f1-3 /proc/loadavg 2>/dev/null || sysctl -n vm.loadavg; }
processor() {
  local name
  name="$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)"
  echo "${name:-$(sysctl -n machdep.cpu.brand_string 2>/dev/null || uname -m)}, $(getconf _NPROCESSORS_ONLN) processors"
}
version() { printf '#include <%s>\n%s\n' "$1" "$2" | cc -E -P - | tail -n 1 | tr -d '"'; }
conditions() {
  echo "$(date -u +%F), ${is_quick:+\`--quick\`, }100,000 objects (group \`1m\`: a million), rounds: $rounds; commit" \
    "$(git -C "$here" rev-parse --short HEAD 2>/dev/null || echo unknown)."
  echo "$(processor); $(uname -sm); $(swift --version 2>/dev/null | head -n 1)."
  if [ -z "${PEERS_FOLDER:-}" ]; then
    echo "LMDB $(version lmdb.h 'MDB_VERSION_MAJOR MDB_VERSION_MINOR MDB_VERSION_PATCH' | tr ' ' .)," \
      "SQLite $(version sqlite3.h SQLITE_VERSION)."
  fi
  if [[ " ${groups[*]} " = *" vectors "* ]]; then
    echo "hnswlib $(python3 -c "from importlib.metadata import version; print(version('hnswlib'))"), one thread."
  fi
}

# MARK: Measuring
# Programs in PEERS_FOLDER choose their own options, so ours get no options either.
options() {
  [ -n "$is_quick" ] && [ -z "${PEERS_FOLDER:-}" ] || return 0
  case "$1" in
    conc) echo "--seconds 0.3" ;;
    durable) echo "--n 10000" ;;
    *) echo "--reps 1" ;;
  esac
}
commands() {
  if [ "$1" = vectors ]; then
    printf '%s\n' "'$BINARY'" "python3 '$here/Peers/hnswlib_peer.py'"
    return
  fi
  # Compare the runtime with itself: ten million objects with 100,000, searches with and without conditions.
  if [ "$1" = growth ]; then
    echo "'$BINARY' --reps 1"
    return
  fi
  if [ "$1" = filtered ]; then
    echo "'$BINARY'"
    return
  fi
  echo "'$build/lmdb' --peer lmdb_packed"
  echo "'$BINARY'"
  # Not for durable commits: with `normal`, SQLite does not wait for the disk.
  case "$1" in durable) ;; *) echo "'$build/sqlite' --peer sqlite_normal" ;; esac
  case "$1" in durable | conc) echo "'$build/sqlite' --peer sqlite_full --sync full" ;; esac
}
measure() {
  local group=$1 list=()
  while read -r command; do list+=("$command"); done < <(commands "$group")
  if [ "$group" = vectors ]; then
    eval "'$BINARY' $(options vectors) --dir '$data' --group vector-file" || fail "failed: the file of vectors"
  fi
  for ((round = 0; round < rounds; round++)); do
    for ((place = 0; place < ${#list[@]}; place++)); do
      command="${list[$(((place + round) % ${#list[@]}))]} $(options "$group") --dir '$data' --group"
      eval "$command $group" || fail "failed: $command $group"
      # Measures the memory of a new process on the store of the group `1m`.
      if [ "$group" = 1m ]; then eval "$command rss" || fail "failed: $command rss"; fi
    done
    echo "$group: round $((round + 1)) of $rounds" >&2
  done >"$results/$group.tsv"
}

if [ -z "${PEERS_FOLDER:-}" ]; then
  digests=()
  while read -r command; do
    digests+=("$(eval "$command --dir '$data' --group digest")")
  done < <(commands 100k)
  [ "$(printf '%s\n' "${digests[@]}" | sort -u | wc -l)" -eq 1 ] || fail "the data sets differ: ${digests[*]}"
fi
load_before="$(load)"
for group in "${groups[@]}"; do
  if [ -n "${PEERS_FOLDER:-}" ] && [[ " growth filtered " != *" $group "* ]]; then
    echo "'$BINARY' --group {group} --dir {dir}" >"$build/extra-peers"
    EXTRA_PEERS="$build/extra-peers" "$PEERS_FOLDER/run.sh" "$rounds" "$group" >"$results/$group.tsv"
  else
    measure "$group"
  fi
done
{ conditions; echo "Load before and after: $load_before and $(load)."; } >"$results/conditions.md"

write=""
if [ "$rounds" -ge 5 ]; then
  write=--write
else
  echo "run.sh: fewer than 5 rounds; the documents stay as they are" >&2
fi
python3 "$here/report.py" $write "$results" "${groups[@]}"
