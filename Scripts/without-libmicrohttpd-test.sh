#!/usr/bin/env bash
# Proves that the package builds without libmicrohttpd, and that the tool says what to install.
set -euo pipefail
cd "$(dirname "$0")/.."
fail() { echo "without libmicrohttpd: $1" >&2; exit 1; }
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

export OBJECTBOX_WITHOUT_LIBMICROHTTPD=1
build=(swift build --scratch-path .build/without-libmicrohttpd)
"${build[@]}" --product objectbox
tool="$("${build[@]}" --show-bin-path)/objectbox"
if command -v ldd >/dev/null && ldd "$tool" | grep -q microhttpd; then
  fail "the tool is linked with libmicrohttpd all the same"
fi
if "$tool" browse "$work" >"$work/log" 2>&1; then fail "'browse' should be an error"; fi
grep -q "apt-get install libmicrohttpd-dev" "$work/log" \
  || { cat "$work/log"; fail "'browse' does not say what to install"; }
"$tool" browse --help >/dev/null
echo "without libmicrohttpd: complete"
