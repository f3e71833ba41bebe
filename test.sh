#!/usr/bin/env bash
# Runs everything that must hold: the formatter's lint, all tests with the runtime's checks of itself, the
# tests of concurrency under the thread sanitizer, the examples, the benchmarks with the instructions that they
# take, and a package that depends on a version tag.
# usage: test.sh [quick|long]      quick: lint and tests only
#   long: first the stages that take long and change seldom: a generator without libclang, C types of other
#   packages, the trials of Documentation/Reliability.md at length, with the fuzzer and the models of races, and all
#   tests under the address sanitizer, for about two hours
set -euo pipefail
cd "$(dirname "$0")"
source Scripts/set-up.sh

# SwiftPM's kept build plan does not notice new files of a package that another one depends on by path.
build_package() { swift build --disable-build-manifest-caching --package-path "$1"; }

stage() { echo; echo "== $1 ($(date +%T))"; }

stage "formatter lint"
swift format lint --strict --recursive --parallel \
  Sources Plugins Templates Tests Examples/*/Sources Benchmarks/Sources Package.swift

if [ "${1:-}" = long ]; then
  stage "a generator without libclang"
  Scripts/without-libclang-test.sh

  stage "C types of other targets, packages and libraries"
  Scripts/c-types-test.sh

  stage "killed processes, histories, load, losses of power, failing calls and damage, at length"
  Scripts/reliability.sh

  stage "all tests under the address sanitizer"
  # Swift's runtime keeps memory that the leak check takes for lost.
  ASAN_OPTIONS=detect_leaks=0 swift test --parallel --sanitize=address --scratch-path .build/address-sanitizer
fi

# The later stages build the runtime without its checks.
stage "build and tests, with the runtime's checks of itself"
flags=(-Xswiftc -warnings-as-errors -Xswiftc -DOBJECTBOX_INTERNAL_CHECKS)
swift build --build-tests "${flags[@]}"
swift test --parallel --skip-build "${flags[@]}"

stage "store files, read by the document of their format"
Scripts/format-reader-test.sh

if [ "${1:-}" = quick ]; then
  echo; echo "test.sh: quick stages passed"
  exit 0
fi

stage "killed processes, histories, load, losses of power, failing calls and damage, in short"
BINARY="$(swift build --show-bin-path)/ReliabilityTool" Scripts/reliability.sh --short

stage "concurrency under the thread sanitizer"
swift test --sanitize=thread --scratch-path .build/thread-sanitizer --filter Concurrency

stage "the page reader and damaged pages, by libFuzzer under the address sanitizer"
Scripts/fuzz.sh --seconds 10 --c

stage "examples"
build_package Examples/Notebook
notebook="$(swift build --package-path Examples/Notebook --show-bin-path)/Notebook"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
export NOTEBOOK_FOLDER="$work/notebook"
"$notebook" make-notes 3000 "$work/notes.jsonl"
"$notebook" import "$work/notes.jsonl"
"$notebook" tour >/dev/null
"$notebook" stats | head -n 1

build_package Examples/FirstSteps
"$(swift build --package-path Examples/FirstSteps --show-bin-path)/FirstSteps"

build_package Examples/Threading
"$(swift build --package-path Examples/Threading --show-bin-path)/Threading"

stage "the benchmarks, and the instructions that they take"
install_benchmark_needs
# One build of both programs: one of each would compile the libraries twice.
swift build -c release --disable-build-manifest-caching --package-path Benchmarks
programs="$(swift build -c release --package-path Benchmarks --show-bin-path)"
BINARY="$programs/ObjectBoxBenchmarks" Benchmarks/instructions.sh compare
make -s -C Benchmarks/Peers CC=clang BUILD="$work/peers"

stage "a package that depends on a version tag"
Scripts/consumer-test.sh

echo; echo "test.sh: all stages passed"
