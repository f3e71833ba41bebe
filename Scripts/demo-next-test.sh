#!/usr/bin/env bash
# Runs the commands that `./demo.sh --keep` prints at its end, and checks that the page it names exists.
set -euo pipefail
cd "$(dirname "$0")/.."
work="$(mktemp -d)"
browser=
end() {
  [ -z "$browser" ] || kill -- "-$browser" 2>/dev/null || true
  rm -rf "$work"
}
trap end EXIT
fail() { echo "demo test: $1" >&2; exit 1; }

./demo.sh --keep > "$work/printed" || { cat "$work/printed" >&2; fail "the demo did not complete"; }
sed -n '/^== next$/,$p' "$work/printed" > "$work/next"
page="$(grep -o '^[^ ]*\.md' "$work/next")"
[ -f "$page" ] || fail "there is no '$page'"

sed -n 's/^  \(swift .*\)/\1/p' "$work/next" > "$work/commands"
grep -q " browse " "$work/commands" || fail "no command opens the browser"
while read -r command; do
  echo "demo test: $command"
  if [[ "$command" != *" browse "* ]]; then
    bash -euc "$command" < /dev/null || fail "the command ended with status $?"
    continue
  fi
  # A new process group: the test ends both `swift run` and the tool with it.
  setsid bash -c "exec $command" < /dev/null > "$work/address" & browser=$!
  for _ in $(seq 600); do
    if grep -q '^http://.*/$' "$work/address"; then break; fi
    kill -0 $browser 2>/dev/null || fail "the browser ended"
    sleep 0.1
  done
  python3 Scripts/Documents/page.py "$(cat "$work/address")"
done < "$work/commands"
echo "demo test: every command works as it is printed"
