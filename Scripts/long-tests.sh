#!/usr/bin/env bash
# Runs the parts of `./test.sh long`; each ends within 25 minutes on two idle processors.
# usage: long-tests.sh [PART…]   all by default; `turn` is one of them, chosen by the number of commits:
#   documents    the site of all documents, every shell block in a fresh clone, the examples
#   packages     the tools' archives in a bare Debian, a release and a package that depends on its tag
#   benchmarks   the benchmarks built for release, and the instructions that they take
#   encrypted    the tests of the core on encrypted stores, and half of the tests that repeat a step in their long lengths;
#                HALF=0|1 chooses, otherwise the number of commits
#   sanitizers   the targets with C code under the address sanitizer, or those of threads under the thread sanitizer;
#                SANITIZER=address|thread chooses, otherwise the number of commits
#   trials       the trials of reliability, clusters and synchronization for minutes, the protocol without each of its
#                rules, models of races, the growth of costs
#   optional     builds without each optional library, C types of other packages
#   browser      the tool's browser in Chromium, nearest neighbours by a server with the extension `vector`, signatures
#                and tokens that others made, groups by DuckDB
set -euo pipefail
cd "$(dirname "$0")/.."
all_parts=(documents packages benchmarks encrypted sanitizers trials optional browser)
parts=("${all_parts[@]}")
commits="$(git rev-list --count HEAD)"
if [ "$*" = turn ]; then set -- "${all_parts[$((commits % ${#all_parts[@]}))]}"; fi
if [ $# -gt 0 ]; then
  for part in "$@"; do
    [[ " ${parts[*]} " == *" $part "* ]] || {
      echo "long-tests.sh: there is no part '$part'; use one of: turn ${parts[*]}" >&2
      exit 2
    }
  done
  parts=("$@")
fi
source Scripts/set-up.sh
source Scripts/stages.sh
install_cluster_needs
install_page_needs
install_search_needs
install_sync_needs
install_encryption_needs
begin_stages
measure_machine
source Scripts/test-flags.sh
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=4

binaries="$(swift build "${flags[@]}" --show-bin-path)"
# Builds of this checkout use its own generator; see test.sh. The other builds make one, as users' do.
generator="$binaries/objectbox-generator"
with_generator() { OBJECTBOX_GENERATOR="$generator" "$@"; }
# build OPTION…: builds with the flags of the tests.
build() {
  build_generator
  with_generator swift build "${flags[@]}" "$@"
}

# Runs a command; its status 69 means that this machine lacks a requirement.
may_be_left_out() {
  local status=0
  "$@" || status=$?
  if [ $status = 69 ]; then echo "LEFT OUT: this machine lacks what it needs"; else return $status; fi
}

documents_part() {
  install_browser_needs
  install_benchmark_needs
  install_example_needs
  stage "build of all modules" 240 build
  BUILD="$binaries" stage "the site of all documents" 180 Scripts/docs.sh "$work/site"
  stage "the commands of the documents in a fresh clone" 600 document_commands
  stage "examples" 300 examples
}
document_commands() {
  PYTHONDONTWRITEBYTECODE=1 python3 Scripts/Documents/commands_test.py
  FOLDER="$work/documents" python3 Scripts/Documents/commands.py "$binaries"
}
# The examples share the build folder of the documents' clone, so that the libraries are compiled once. A clone lacks
# uncommitted changes, so a checkout with changes builds its own examples.
examples() {
  local tree="$work/documents/objectbox-swift-open" scratch tool notebook program
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
}

packages_part() {
  install_package_needs
  stage "build of the tools" 240 build --product objectbox
  # Programs of a debug build suffice: they find their libraries in the same way.
  BINARIES="$binaries" XZ_OPT=-0 stage "the tools' archives" 180 Scripts/package.sh "$work/packages"
  stage "the tools without a toolchain, in a bare Debian" 240 may_be_left_out Scripts/package-test.sh "$work/packages"
  stage "a release, proved by a package that depends on its tag" 480 Scripts/release-test.sh
}

benchmarks_part() {
  install_benchmark_needs
  stage "build of the benchmarks for release" 600 benchmark_build
  BINARY="$(benchmark_programs)/ObjectBoxBenchmarks" \
    stage "the instructions that the benchmarks take" 420 Benchmarks/instructions.sh compare
  # Last, since another manifest makes the next build plan again.
  OBJECTBOX_BENCHMARKS=1 stage "the benchmark of synchronization compiles" 240 build --product SyncBenchmark
}
benchmark_options=(-c release --package-path Benchmarks --scratch-path "$PWD/.build/benchmarks")
benchmark_programs() { swift build "${benchmark_options[@]}" --show-bin-path; }
benchmark_build() {
  # All programs at once: each build would compile the libraries again.
  swift build --disable-build-manifest-caching "${benchmark_options[@]}"
  make -s -C Benchmarks/Peers CC=clang BUILD="$work/peers"
}

encrypted_part() {
  stage "build of all tests" 480 build --build-tests
  TMPDIR="$memory" stage "the tests of the core on encrypted stores" 480 with_generator Scripts/encrypted-test.sh --skip-build
  TMPDIR="$memory" stage "tests that repeat a step, in their long lengths" 480 long_lengths
}
long_lengths() {
  local suites turn="${HALF:-$((commits / ${#all_parts[@]} % 2))}"
  suites="$(grep -rlE 'TestLength\.choose|TestServer\.isLong' Tests --include='*Tests.swift' | sed 's|.*/||; s|\.swift$||' \
    | sort | awk -v turn="$turn" 'NR % 2 == turn' | paste -sd'|')"
  OBJECTBOX_LONG_TESTS=1 with_generator Scripts/postgres.sh run \
    swift test --skip-build --ignore-lock --disable-xctest --no-parallel "${flags[@]}" --filter "$suites"
}

# The targets with code in C, or with code that reads memory through pointers.
address_targets=ObjectBoxStorageTests,ObjectBoxFullTextTests,ObjectBoxQueryTests,ObjectBoxCareTests
address_targets+=,ObjectBoxEncryptionTests,ObjectBoxGroupingTests,ObjectBoxFuzzingTests,ObjectBoxWebSocketsTests
# The targets that use several threads.
thread_targets=ObjectBoxTests,ObjectBoxStoreTests,ObjectBoxLiveTests,ObjectBoxGroupingTests
thread_targets+=,ObjectBoxWebSocketsTests,ObjectBoxSyncTests
sanitizers_part() {
  local turn=$((commits / ${#all_parts[@]} % 2))
  stage "build of the generator" 90 build_generator
  case "${SANITIZER:-$turn}" in
    address | 0)
      # No leak check: it reports memory that Swift's runtime keeps.
      export ASAN_OPTIONS=detect_leaks=0
      stage "build with the address sanitizer" 600 sanitized build address "$address_targets" --build-tests
      TMPDIR="$memory" stage "the targets with C code under the address sanitizer" 600 sanitized test address "$address_targets"
      ;;
    *)
      export TSAN_OPTIONS="suppressions=$PWD/Tests/thread-sanitizer.supp"
      stage "build with the thread sanitizer" 600 sanitized build thread "$thread_targets" --build-tests
      TMPDIR="$memory" stage "the targets of threads under the thread sanitizer" 600 sanitized test thread "$thread_targets"
      ;;
  esac
}
# sanitized VERB KIND TARGETS OPTION…: builds or tests the targets with a sanitizer.
sanitized() {
  local verb="$1" kind="$2" targets="$3" options=()
  shift 3
  if [ "$verb" = test ]; then options=(--skip-build --parallel); fi
  OBJECTBOX_TESTS="$targets" with_generator swift "$verb" "${options[@]+"${options[@]}"}" \
    --manifest-cache none --sanitize="$kind" --scratch-path ".build/$kind-sanitizer-long" "$@"
}

optional_part() {
  local library
  stage "build of the generator" 90 build_generator
  for library in libclang libpq libmicrohttpd libwebsockets libsodium; do
    stage "without $library" 240 without "$library"
  done
  stage "C types of other targets, packages and libraries" 240 Scripts/c-types-test.sh
}

# The test without libclang is one of the generator itself.
without() {
  if [ "$1" = libclang ]; then Scripts/without-libclang-test.sh; else with_generator "Scripts/without-$1-test.sh"; fi
}

browser_part() {
  install_browser_needs
  install_token_needs
  stage "build of all tests" 480 build --build-tests
  stage "signatures and tokens of others" 60 may_be_left_out Scripts/token-vectors-test.sh \
    env OBJECTBOX_GENERATOR="$generator" swift test --skip-build "${flags[@]}"
  stage "groups by DuckDB" 120 may_be_left_out Scripts/group-oracle-test.sh \
    env OBJECTBOX_GENERATOR="$generator" swift test --skip-build "${flags[@]}"
  BINARY="$binaries/objectbox" stage "the tool's browser in Chromium" 360 may_be_left_out Scripts/browser-test.sh
  # Debian's servers lack the extension; without it, the suite would be skipped.
  stage "nearest neighbours by a server with the extension vector" 120 vector_tests
}
vector_tests() {
  OBJECTBOX_TEST_VECTOR=1 with_generator may_be_left_out Scripts/postgres.sh vector \
    swift test --skip-build --filter VectorExtensionTests "${flags[@]}"
}

# The programs of the debug build: its checks find more than the additional cases of an optimised program.
trials_part() {
  install_sync_needs
  install_growth_needs
  stage "build of the trials" 300 build_trials
  BINARY="$binaries/ReliabilityTool" stage "trials of reliability" 190 Scripts/reliability.sh --seconds 180
  BINARY="$binaries/ReliabilityTool" stage "load on a store" 130 Scripts/reliability.sh --minutes 2 load
  BINARY="$binaries/ReliabilityTool" stage "trials of reliability on encrypted stores" 130 \
    Scripts/reliability.sh --seconds 120 --encrypted
  BINARY="$binaries/ClusterFaults" stage "clusters while their servers fail" 100 Scripts/cluster-faults.sh --seconds 90
  BINARY="$binaries/SyncFaults" stage "devices, sync servers and databases under faults" 130 \
    Scripts/sync-trials.sh real --seconds 120
  BINARY="$binaries/SyncHostile" stage "clients that break the protocol and the rules of a sync server" 150 \
    Scripts/sync-trials.sh hostile --seconds 120 --wait 2
  stage "schedules of the synchronization protocol" 120 Scripts/sync-trials.sh simulate --seconds 60
  stage "schedules without each rule of the protocol" 180 Scripts/sync-trials.sh mutations
  stage "models of races" 60 race_models
  BINARY="$binaries/GrowthTool" stage "growth of costs" 240 Scripts/growth.sh
}
build_trials() {
  local product
  for product in ReliabilityTool ClusterFaults SyncFaults SyncHostile GrowthTool; do build --product $product; done
}
race_models() {
  if command -v apt-get >/dev/null; then install_packages spin; fi
  Scripts/models.sh
}

for part in "${parts[@]}"; do
  echo; echo "==== $part"
  "${part}_part"
done
echo; echo "long-tests.sh: passed: ${parts[*]}"
