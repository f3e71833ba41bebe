#!/usr/bin/env bash
# Proves that the package builds without libwebsockets, and that servers and clients say what to install.
set -euo pipefail
cd "$(dirname "$0")/.."
fail() { echo "without libwebsockets: $1" >&2; exit 1; }

export OBJECTBOX_WITHOUT_LIBWEBSOCKETS=1 OBJECTBOX_TESTS=ObjectBoxWebSocketsTests
output="$(swift test --scratch-path .build/without-libwebsockets 2>&1)" || { echo "$output"; fail "the tests failed"; }
grep -q "Test .without the library, servers and clients say what to install. passed" <<<"$output" \
  || { echo "$output"; fail "the test of the missing library did not run"; }
echo "without libwebsockets: complete"
