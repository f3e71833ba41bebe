#!/usr/bin/env bash
# Runs all checks: the formatter's lint, all tests with the runtime's internal checks, the concurrency tests under the
# thread sanitizer, the documents' commands in a fresh clone, the examples, the benchmarks and their instruction counts,
# the tools' archives in a bare system, and a release with a package that depends on its tag.
# usage: test.sh [quick|long]
#   quick: lint, build, and the tests that need neither a server nor a web browser; lists the stages that it left out
#   long: about three hours. First runs the slow stages: builds without optional libraries, C types of other
#   packages, the long trials of Documentation/Reliability.md with the fuzzer and the models of races, the long trials
#   of clusters, and all tests under the address and the thread sanitizer. Tests that repeat a step repeat it more often
set -euo pipefail
cd "$(dirname "$0")"
source Scripts/set-up.sh
work="$(cd "$(mktemp -d)" && pwd -P)"
# Commands in the background are process groups; see `beside`.
end() {
  local process
  for process in $(jobs -p); do kill -- "-$process" 2>/dev/null || true; done
  rm -rf "$work"
}
trap end EXIT
# PostgreSQL servers, which run as another user, must reach this folder.
chmod 755 "$work"
if [ "${1:-}" != quick ]; then
  install_cluster_needs
  install_browser_needs
  install_search_needs
  install_sync_needs
  install_encryption_needs
  install_benchmark_needs
  install_example_needs
  install_package_needs
fi

# Examples and benchmarks share a build folder, so the libraries and the generator are compiled once per configuration.
# The documents' commands compile them too, in a fresh clone, and the later stages use that build. A clone lacks
# uncommitted changes, so a checkout with changes builds its own examples and benchmarks.
tree="$work/documents/objectbox-swift-open"
scratch="$tree/Examples/Notebook/.build"
if [ -n "$(git status --porcelain)" ]; then
  tree="$PWD"
  scratch="$PWD/.build/examples"
fi

# Builds an example, and sets `program` to its path. No cached build plan: SwiftPM would not notice new files of a
# package that is a dependency by path.
build_example() {
  local options=(--package-path "$tree/Examples/$1" --scratch-path "$scratch")
  swift build --disable-build-manifest-caching "${options[@]}"
  program="$(swift build "${options[@]}" --show-bin-path)/$1"
}

# Runs a command; its status 69 means that this machine lacks a requirement.
may_be_left_out() {
  local status=0
  "$@" || status=$?
  case $status in
    0) ;;
    69) echo "LEFT OUT: this machine lacks what it needs" ;;
    *) return $status ;;
  esac
}

stage() {
  if [ -z "$is_beside" ]; then tell_ended; fi
  echo; echo "== $1 ($(date +%T))"
}

# Not empty in commands in the background, whose stages tell nothing of each other.
is_beside=
# beside NAME COMMAND…: runs a command in the background, during the next stages. Its processes are a group of their
# own, so that they end with the script.
beside() {
  local name="$1"
  shift
  set -m
  { is_beside=yes; "$@"; } >"$work/$name.log" 2>&1 </dev/null &
  set +m
  echo $! >"$work/$name.process"
}
# finish NAME: waits for that command, unless it was told before, prints its output, and returns its status.
finish() {
  local status=0
  if [ ! -e "$work/$1.process" ]; then return; fi
  wait "$(<"$work/$1.process")" || status=$?
  rm "$work/$1.process"
  cat "$work/$1.log"
  return $status
}
# Tells the commands in the background that have ended. A failure ends the script here, and not after the last stage.
tell_ended() {
  local process
  for process in "$work"/*.process; do
    if [ -e "$process" ] && ! kill -0 "$(<"$process")" 2>/dev/null; then finish "$(basename "$process" .process)"; fi
  done
}

# Runs a command of tests; if it fails, repeats what failed at the end of its output, which has thousands of lines.
tell_failures() {
  local status=0
  "$@" 2>&1 | tee "$work/tests.log" || status=$?
  [ $status = 0 ] || { echo "Failed:"; grep 'recorded an issue' "$work/tests.log" || true; }
  return $status
}

# Makes the tools' archives, and tests them in a bare Debian.
packages() {
  # Debug programs suffice: they find their libraries in the same way.
  if [ "$1" != long ]; then export BINARIES="$binaries" XZ_OPT=-0; fi
  Scripts/package.sh "$work/packages"
  may_be_left_out Scripts/package-test.sh "$work/packages"
}

# Swift Testing would begin all tests at once. They hold more than a thousand files and sockets then, where Foundation's
# Process reads beyond its list of open descriptors and crashes. And all tests share two threads: with 100 of them begun,
# a task waits half a minute for each of its turns, and a test of many turns meets its time limit.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=12

stage "formatter lint"
swift format lint --strict --recursive --parallel \
  Sources Plugins Templates Tests Examples/*/Sources Benchmarks/{Sources,Consumer} Package.swift

stage "the plugin for Xcode projects, against declarations of Xcode's module"
Scripts/xcode-plugin-test.sh

if [ "${1:-}" = long ]; then
  export OBJECTBOX_LONG_TESTS=1
  stage "a generator without libclang"
  Scripts/without-libclang-test.sh

  stage "a tool without libpq"
  Scripts/without-libpq-test.sh

  stage "a tool without libmicrohttpd"
  Scripts/without-libmicrohttpd-test.sh

  stage "synchronization without libwebsockets"
  Scripts/without-libwebsockets-test.sh

  stage "encryption without libsodium"
  Scripts/without-libsodium-test.sh

  stage "C types of other targets, packages and libraries"
  Scripts/c-types-test.sh

  stage "killed processes, histories, load, losses of power, failing calls and damage, at length"
  Scripts/reliability.sh
  Scripts/reliability.sh --encrypted all

  stage "clusters while their servers fail, at length"
  Scripts/cluster-faults.sh

  stage "schedules of the synchronization protocol, at length, and without each of its rules"
  Scripts/sync-trials.sh simulate --schedules 1000000
  Scripts/sync-trials.sh mutations

  stage "devices, sync servers and databases as processes under faults, at length"
  for seed in 1 2; do Scripts/sync-trials.sh real --seed $seed --seconds 600; done

  stage "all tests under the address sanitizer"
  # No leak check: it reports memory that Swift's runtime keeps.
  ASAN_OPTIONS=detect_leaks=0 Scripts/postgres.sh run \
    swift test --parallel --sanitize=address --scratch-path .build/address-sanitizer

  stage "damaged files under the address sanitizer"
  BINARY=.build/address-sanitizer/debug/ReliabilityTool ASAN_OPTIONS=detect_leaks=0 \
    Scripts/reliability.sh --count 5000 damage

  stage "all tests under the thread sanitizer"
  TSAN_OPTIONS="suppressions=$PWD/Tests/thread-sanitizer.supp" Scripts/postgres.sh run \
    swift test --parallel --sanitize=thread --scratch-path .build/thread-sanitizer-all
fi

# Later stages build the runtime without its checks.
stage "build and tests, with the runtime's checks of itself"
flags=(-Xswiftc -warnings-as-errors -Xswiftc -DOBJECTBOX_INTERNAL_CHECKS)
# Otherwise SwiftPM would compile the generator twice: for the tests and for the plugins.
swift build --product objectbox-generator "${flags[@]}"
OBJECTBOX_GENERATOR="$(swift build --show-bin-path)/objectbox-generator"
export OBJECTBOX_GENERATOR
swift build --build-tests "${flags[@]}"
if [ "${1:-}" = quick ]; then
  swift test --parallel --skip-build "${flags[@]}"
  echo
  echo "test.sh: quick stages passed. Left out, but in './test.sh':"
  sed -n '/^# The end of quick/,$s/^ *stage "\(.*\)"$/  \1/p' "$0"
  exit 0
fi
# The end of quick, which lists the stages below as left out.

stage "store files, read by the document of their format"
Scripts/format-reader-test.sh

# All packages of the system are installed now. From here on further sequences of stages run beside the main one, in the
# time in which tests wait for servers, disks and each other. A failure beside the main sequence is told before the main
# one's next stage, with the output.
compiled_stages() {
  stage "concurrency under the thread sanitizer"
  # No cached manifest: it lists the tests to exclude, and would miss new ones.
  local sanitizer=(--manifest-cache none --sanitize=thread --scratch-path .build/thread-sanitizer)
  OBJECTBOX_TESTS=concurrency swift build --build-tests "${sanitizer[@]}"
  OBJECTBOX_TESTS=concurrency swift test "${sanitizer[@]}"

  # From here on as users build: with a generator that the package builds.
  unset OBJECTBOX_GENERATOR
  stage "schedules of the synchronization protocol"
  Scripts/sync-trials.sh simulate

  stage "the page reader and damaged pages, by libFuzzer under the address sanitizer"
  Scripts/fuzz.sh --seconds 10 --c

  stage "a release, proved by a package that depends on its tag"
  Scripts/release-test.sh
}
beside compiled compiled_stages

stage "all tests, also those that ask for a PostgreSQL server"
tell_failures Scripts/postgres.sh run swift test --parallel --skip-build "${flags[@]}"

binaries="$(swift build --show-bin-path)"

# These stages mostly wait.
waiting_stages() {
  stage "killed processes, histories, load, losses of power, failing calls and damage, in short"
  BINARY="$binaries/ReliabilityTool" Scripts/reliability.sh --short

  stage "the tests of the core on encrypted stores"
  Scripts/encrypted-test.sh --skip-build

  stage "the same trials on encrypted stores, in short"
  BINARY="$binaries/ReliabilityTool" Scripts/reliability.sh --short --encrypted --minutes 0.5

  stage "the tool's browser in Chromium"
  BINARY="$binaries/objectbox" may_be_left_out Scripts/browser-test.sh

  stage "clusters while their servers fail, in short"
  BINARY="$binaries/ClusterFaults" Scripts/cluster-faults.sh --short

  stage "devices, sync servers and databases as processes under faults, in short"
  # The second seed has an asynchronous replica.
  BINARY="$binaries/SyncFaults" Scripts/sync-trials.sh real --seed 1 --seconds 60
  BINARY="$binaries/SyncFaults" Scripts/sync-trials.sh real --seed 2 --seconds 60

  stage "nearest neighbours by a server with the extension vector"
  # Debian's servers lack the extension; without it, the suite would be skipped.
  OBJECTBOX_TEST_VECTOR=1 may_be_left_out Scripts/postgres.sh vector \
    swift test --skip-build --filter VectorExtensionTests "${flags[@]}"
}
beside waiting waiting_stages

# The stages below build as users do: with a generator that the package builds.
unset OBJECTBOX_GENERATOR

# Mostly waits for packages of the network.
beside packages packages "${1:-}"

# Release builds of the documents' programs mostly use one processor: the compiler optimises whole modules.
stage "the commands of the documents in a fresh clone: README, the site of all documents, output as shown"
PYTHONDONTWRITEBYTECODE=1 python3 Scripts/Documents/commands_test.py
# The documents' site reads the modules of the build above; otherwise `docs.sh` would build them again.
BUILD=
if [ "$tree" != "$PWD" ] && [ "${1:-}" != long ]; then BUILD="$binaries"; fi
BUILD="$BUILD" FOLDER="$work/documents" python3 Scripts/Documents/commands.py "$binaries"

stage "the benchmarks"
# Build both programs at once: two builds would compile the libraries twice.
benchmarks=(-c release --package-path "$tree/Benchmarks" --scratch-path "$scratch")
swift build --disable-build-manifest-caching "${benchmarks[@]}"
programs="$(swift build "${benchmarks[@]}" --show-bin-path)"
# Counting uses one processor for minutes, and its result does not depend on the machine's load.
BINARY="$programs/ObjectBoxBenchmarks" beside instructions Benchmarks/instructions.sh compare
make -s -C Benchmarks/Peers CC=clang BUILD="$work/peers"

stage "examples"
build_example Notebook
export NOTEBOOK_FOLDER="$work/notebook"
"$program" make-notes 3000 "$work/notes.jsonl"
"$program" import "$work/notes.jsonl"
"$program" tour >/dev/null
"$program" stats | head -n 1
tool="$binaries/objectbox"
notebook="$(dirname "$program")/ClusterNotebook"
export tool notebook
Scripts/postgres.sh run bash -euc '
  "$tool" copy "$NOTEBOOK_FOLDER" "$OBJECTBOX_TEST_POSTGRES"
  "$notebook" "$OBJECTBOX_TEST_POSTGRES" tour >/dev/null
  "$notebook" "$OBJECTBOX_TEST_POSTGRES" transfer 2'
build_example FirstSteps
"$program"
build_example Threading
"$program"
build_example JobQueue
Examples/JobQueue/trial.sh "$program"
build_example SharedList
Scripts/postgres.sh run Examples/SharedList/trial.sh "$program"
build_example SemanticSearch
may_be_left_out Examples/SemanticSearch/trial.sh "$program"
build_example ReadingList
(cd "$work" && "$program" && "$program") >"$work/reading-list"
[ "$(tail -n 1 "$work/reading-list")" = "now 2 books by Ada Palmer" ]

stage "the tools without a toolchain, in a bare Debian"
finish packages

stage "the instructions that the benchmarks take"
finish instructions

finish waiting
finish compiled

stage "the benchmark of synchronization compiles"
# Last, since another manifest lets the next build plan anew.
OBJECTBOX_BENCHMARKS=1 swift build --product SyncBenchmark "${flags[@]}"

echo; echo "test.sh: all stages passed"
