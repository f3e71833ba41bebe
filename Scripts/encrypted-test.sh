#!/usr/bin/env bash
# Runs the tests of boxes, queries, relations, transactions, observers and live views on encrypted stores.
# usage: encrypted-test.sh [OPTION…]: options of `swift test`; with --skip-build, of a build that is there already
# Tests that need plain files have the trait `onPlainFiles` with the reason, and are left out; the last line counts them.
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/set-up.sh
install_encryption_needs
source Scripts/test-flags.sh
# The manifest has the targets.
targets="$(sed -n 's/^ *tests \([A-Za-z]*\) .*+encrypted\b.*/\1/p' Package.swift | paste -sd'|')"
output="$(mktemp)"
trap 'rm -f "$output"' EXIT
status=0
# The compilation tests open no stores.
OBJECTBOX_TEST_ENCRYPTION=1 swift test --parallel "${flags[@]}" "$@" --filter "^($targets)\\." --skip LiveCompilationTests 2>&1 | tee "$output" || status=$?
left="$(grep -c '➜ .*needs plain files' "$output" || true)"
echo "encrypted-test.sh: $left tests and suites were left out, since they need plain files"
# Nothing is proved if the variable has no effect.
if ! grep -q '✔ Test "\?.*stores of tests are encrypted when the variable asks for it' "$output"; then
  echo "encrypted-test.sh: the stores were not encrypted" >&2
  status=1
fi
exit $status
