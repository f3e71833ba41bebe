#!/usr/bin/env bash
# Proves that the package builds without libsodium, and that encrypted stores say what to install.
set -euo pipefail
cd "$(dirname "$0")/.."
fail() { echo "without libsodium: $1" >&2; exit 1; }

export OBJECTBOX_WITHOUT_LIBSODIUM=1 OBJECTBOX_TESTS=ObjectBoxEncryptionTests
output="$(swift test --scratch-path .build/without-libsodium 2>&1)" || { echo "$output"; fail "the tests failed"; }
grep -q "Test .without the library, encrypted stores say what to install. passed" <<<"$output" \
  || { echo "$output"; fail "the test of the missing library did not run"; }
echo "without libsodium: complete"
