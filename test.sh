#!/usr/bin/env bash
# Tests this checkout, in 25 minutes on two idle processors: lint, one build of all tests with the runtime's checks of
# itself, all tests, concurrency under the thread sanitizer, short trials of reliability, the file format, and what the
# README shows, in a fresh clone. Ends with a table of the stages and a list of the slowest tests.
# usage: test.sh [quick | long [PART]]
#   quick: lint, and build and tests of the targets that people change most, without servers, SwiftPM and long tests;
#     at most 10 minutes
#   long: what takes longer, in parts that each end within 25 minutes; without PART all of them
#     PART: documents packages benchmarks encrypted sanitizers trials optional browser, or turn for one that the number
#       of commits chooses
set -euo pipefail
cd "$(dirname "$0")"
case "${1:-}" in
  '' | quick) ;;
  long) shift; exec Scripts/long-tests.sh "$@" ;;
  *) sed -n '/^# usage/,/^[^#]/s/^# //p' "$0" >&2; exit 2 ;;
esac
ring="${1:-}"
source Scripts/set-up.sh
source Scripts/stages.sh
if [ "$ring" != quick ]; then
  install_cluster_needs
  install_page_needs
  install_search_needs
  install_sync_needs
  install_encryption_needs
fi
begin_stages
measure_machine
source Scripts/test-flags.sh

checks() {
  swift format lint --strict --recursive --parallel \
    Sources Plugins Templates Tests Examples/*/Sources Benchmarks/{Sources,Consumer} Package.swift
  Scripts/xcode-plugin-test.sh
}
stage "formatter lint, and the plugin's part for Xcode" 20 checks

binaries="$(swift build "${flags[@]}" --show-bin-path)"
# The plugins run the generator of this build. Otherwise SwiftPM would compile another one for them, without these flags.
export OBJECTBOX_GENERATOR="$binaries/objectbox-generator"
if [ "$ring" = quick ]; then
  quick_targets=(Tests QueryTests StorageTests StoreTests GroupingTests LiveTests DynamicTests CareTests)
  quick_targets+=(CompatibilityTests GeneratedCodeTests GeneratorTests MainActorTests ContractTests)
  quick_targets+=(SyncProtocolTests SyncTests)
  OBJECTBOX_TESTS="$(IFS=,; echo "${quick_targets[*]/#/ObjectBox}")"
  export OBJECTBOX_TESTS
fi
build() {
  build_generator
  swift build --build-tests "${flags[@]}"
}
stage "build of all tests, with the runtime's checks of itself" 500 build

# Tests run one after another in several processes: tests of one process would share its two threads, and no time would
# be a test's own.
# Not by 'swift test': several at once find SwiftPM's database locked, and end without a test.
test_command=("$binaries/objectbox-swift-openPackageTests.xctest" --testing-library swift-testing --no-parallel)
# tests NAME OPTION…: runs tests, and keeps their events in a file for `slowest_tests`. If tests fail, repeats their
# failures at the end of the output, which has thousands of lines.
tests() {
  local events="$work/$1.events" log="$work/$1-tests.log" status=0
  shift
  TMPDIR="$memory" "${test_command[@]}" --event-stream-output-path "$events" "$@" 2>&1 | tee "$log" || status=$?
  [ $status = 0 ] || { echo "Failed:"; grep -A 8 'recorded an issue' "$log" || true; }
  return $status
}
# slowest_tests COMMAND…: lists the slowest tests; the command runs tests again alone.
slowest_tests() { SLOWNESS="$slowness" Scripts/slowest-tests.py "$work"/*.events -- "$@"; }

# Sets of targets that take about as long as each other.
server_targets='^(ObjectBoxClusterTests|ObjectBoxSyncServerTests|ObjectBoxToolTests|ObjectBoxBrowserTests)\.|(Cluster|Sync)Matrix'
core_targets='^(ObjectBoxTests|ObjectBoxQueryTests|ObjectBoxFullTextTests|ObjectBoxCareTests|ObjectBoxFuzzingTests)\.'
core_lane() { stage "tests of boxes, queries, full texts and care" 420 tests core --filter "$core_targets"; }
beside core core_lane
if [ "$ring" = quick ]; then
  stage "the other tests of quick targets" 240 tests others --skip "$core_targets"
  finish core
  stage "the slowest tests" 60 slowest_tests "${test_command[@]}"
  echo
  echo "test.sh: quick stages passed, with the tests of: $OBJECTBOX_TESTS. Left out, but in './test.sh', are the other targets, and:"
  sed -n '/^# The end of quick/,$s/^.*stage "\([^"]*\)".*$/  \1/p' "$0"
  exit 0
fi
# The end of quick, which lists the stages below as left out.

# SwiftPM runs in these, one after the other.
command_targets='^ObjectBoxCommandLineTests\.'
command_lane() { stage "tests of the command line and the plugins" 460 tests commands --filter "$command_targets"; }
beside commands command_lane
server_tests() {
  # Not 'postgres.sh run', which runs programs and no functions.
  OBJECTBOX_TEST_POSTGRES="$(Scripts/postgres.sh start "$memory/postgres")"
  export OBJECTBOX_TEST_POSTGRES
  trap 'Scripts/postgres.sh stop "$memory/postgres"' EXIT
  tests server --filter "$server_targets"
}
server_lane() { stage "tests that need a PostgreSQL server" 540 server_tests; }
sanitizer_build() {
  # No cached manifest: it lists the files of the suites, and would miss new ones.
  OBJECTBOX_TESTS=concurrency swift build --build-tests --manifest-cache none \
    --sanitize=thread --scratch-path .build/thread-sanitizer
}
sanitizer_tests() {
  TMPDIR="$memory" OBJECTBOX_TESTS=concurrency swift test --skip-build --manifest-cache none \
    --sanitize=thread --scratch-path .build/thread-sanitizer
}
sanitizer_lane() {
  stage "build of the concurrency tests with the thread sanitizer" 300 sanitizer_build
  stage "concurrency under the thread sanitizer" 140 sanitizer_tests
}
beside server server_lane
beside sanitizer sanitizer_lane
stage "the other tests that need no server" 480 \
  tests others --skip "$core_targets" --skip "$command_targets" --skip "$server_targets"
finish core
finish commands
finish server
finish sanitizer

# The seconds of a trial are shared by all its kinds; a trial fails if it could do too little in them. The seed is the
# number of the day, and each trial prints it.
trial_lane() {
  BINARY="$binaries/ReliabilityTool" stage "killed processes, histories, losses of power, failing calls, damage" 65 \
    Scripts/reliability.sh --seconds 60
  BINARY="$binaries/ReliabilityTool" stage "the same on encrypted stores" 35 \
    Scripts/reliability.sh --seconds 30 --encrypted
  BINARY="$binaries/ClusterFaults" stage "clusters while their servers fail" 35 Scripts/cluster-faults.sh --seconds 30
  BINARY="$binaries/SyncFaults" stage "devices, sync servers and databases under faults" 50 \
    Scripts/sync-trials.sh real --seconds 40
  BINARY="$binaries/SyncTrials" stage "schedules of the synchronization protocol" 25 \
    Scripts/sync-trials.sh simulate --seconds 20
  # A write may wait longer than alone: other stages run at the same time.
  BINARY="$binaries/SyncHostile" stage "clients that break the protocol and the rules of a sync server" 20 \
    Scripts/sync-trials.sh hostile --seconds 10 --wait 10
  stage "the page reader and damaged pages, by libFuzzer" 25 Scripts/fuzz.sh --seconds 10 --c
  # As users build: with a generator that the package builds.
  unset OBJECTBOX_GENERATOR
  stage "a package that depends on a version tag" 240 Scripts/consumer-test.sh
}
beside trials trial_lane

stage "store files, read by the document of their format" 15 Scripts/format-reader-test.sh
unset OBJECTBOX_GENERATOR
readme() { FOLDER="$work/documents" DOCUMENTS="README GettingStarted" python3 Scripts/Documents/commands.py "$binaries"; }
stage "the commands of README and GettingStarted in a fresh clone" 330 readme
stage "what a program's clean build costs" 150 Scripts/consumer-cost.sh
finish trials
# It runs again what other lanes have made slow.
stage "the slowest tests" 100 slowest_tests Scripts/postgres.sh run "${test_command[@]}"

echo; echo "test.sh: all stages passed"
