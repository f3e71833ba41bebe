#!/usr/bin/env bash
# Tests release.sh in a clone: its refusals, a failed proof that leaves nothing behind, and a release whose tag passes
# the consumer's test.
set -euo pipefail
here="$(cd "$(dirname "$0")/.." && pwd)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
fail() { echo "release test: $1" >&2; exit 1; }
git clone -q "$here" "$work/repository"
cd "$work/repository"
git switch -q -C release-test
git config user.name Test
git config user.email test@example.org
printf '%s\n' '## Unreleased' '' '* A change for the test.' '' > "$work/entry"
sed -i.old "/^## Unreleased\$/r $work/entry" CHANGELOG.md
awk '!($0 == "## Unreleased" && seen++)' CHANGELOG.md > "$work/log" && cp "$work/log" CHANGELOG.md
rm CHANGELOG.md.old
git commit -qam "Tell a change"

refuses() {
  local text="$1"
  shift
  before="$(git rev-parse HEAD)$(git tag)$(git status --porcelain)"
  if Scripts/release.sh "$@" > "$work/log" 2>&1; then fail "'$*' was not refused"; fi
  grep -q "$text" "$work/log" || { cat "$work/log" >&2; fail "'$*' was not refused by '$text'"; }
  [ "$before" = "$(git rev-parse HEAD)$(git tag)$(git status --porcelain)" ] || fail "'$*' left something behind"
}
refuses "is no version" 1.2
refuses "is no version" v1.2.3
refuses "is below" 0.0.1
echo >> README.md
refuses "not committed" 90.1.0
git checkout -q README.md
git tag 90.1.0
refuses "there is a tag" 90.1.0
git tag -d 90.1.0 >/dev/null
OBJECTBOX_RELEASE_PROOF=false refuses "did not pass" 90.1.0
cp CHANGELOG.md "$work/changelog"
awk '/^## /{ on = $0 == "## Unreleased" } !on || /^## /' "$work/changelog" > CHANGELOG.md
git commit -qam "Tell nothing"
refuses "tells no change" 90.1.0
cp "$work/changelog" CHANGELOG.md
git commit -qam "Tell a change again"

Scripts/release.sh 90.1.0
[ "$(git describe --exact-match)" = 90.1.0 ] || fail "the branch does not end at the tag"
[ -z "$(git status --porcelain)" ] || fail "the release left changes"
grep -q '"90.1.0"' Sources/Generator/objectbox-generator/ProductVersion.swift || fail "the generator has another version"
sed -n '/^## Unreleased/,/^\*/p' CHANGELOG.md | grep -q '^## 90.1.0 (' || fail "the changelog has no part for the version"
grep -q 'from: "90.1.0"' Documentation/GettingStarted.md || fail "GettingStarted.md tells another version"
refuses "there is a tag" 90.1.0
echo "release test: complete"
