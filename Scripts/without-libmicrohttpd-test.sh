#!/usr/bin/env bash
# Proves that the tool builds without libmicrohttpd and libwebsockets, and says what to install.
set -euo pipefail
cd "$(dirname "$0")/.."
fail() { echo "without libmicrohttpd: $1" >&2; exit 1; }
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

export OBJECTBOX_WITHOUT_LIBMICROHTTPD=1 OBJECTBOX_WITHOUT_LIBWEBSOCKETS=1
build=(swift build --scratch-path .build/without-libmicrohttpd)
"${build[@]}" --product objectbox
tool="$("${build[@]}" --show-bin-path)/objectbox"
if command -v ldd >/dev/null && ldd "$tool" | grep -E "microhttpd|websockets"; then
  fail "the tool is linked with a library all the same"
fi
# expect PACKAGE VERB WORD…: requires that the tool fails with an error that says what to install.
expect() {
  if "$tool" "${@:2}" >"$work/log" 2>&1; then fail "'$2' should be an error"; fi
  grep -q "apt-get install $1" "$work/log" || { cat "$work/log"; fail "'$2' does not say what to install"; }
  "$tool" "$2" --help >/dev/null
}
expect libmicrohttpd-dev browse "$work"
expect libwebsockets-dev sync-server "$work/sync.json" --check
echo "without libmicrohttpd: complete"
