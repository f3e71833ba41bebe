#!/usr/bin/env bash
# Proves that the package builds without libstemmer, and that an index with a language says what to install.
set -euo pipefail
cd "$(dirname "$0")/.."
fail() { echo "without libstemmer: $1" >&2; exit 1; }

export OBJECTBOX_WITHOUT_LIBSTEMMER=1 OBJECTBOX_TESTS=ObjectBoxFullTextTests
output="$(swift test --scratch-path .build/without-libstemmer 2>&1)" || { echo "$output"; fail "the tests failed"; }
grep -q "Test .a language is refused without the library of stemmers. passed" <<<"$output" \
  || { echo "$output"; fail "the test of the missing library did not run"; }
echo "without libstemmer: complete"
