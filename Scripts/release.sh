#!/usr/bin/env bash
# Makes a release: raises the version, dates its part of the changelog, commits, tags, and tests the tag with
# consumer-test.sh. This happens in a clone; the branch and the tag arrive here only after the test has passed.
# Nothing is pushed.
# usage: release.sh VERSION      such as 0.2.0
set -euo pipefail
cd "$(dirname "$0")/.."
fail() { echo "release: $1" >&2; exit 1; }
place=Sources/Store/ObjectBox/Errors/ProductVersion.swift
number='(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)'

[ $# -eq 1 ] || fail "usage: release.sh VERSION"
new="$1"
[[ "$new" =~ ^$number$ ]] || fail "'$new' is no version; write three numbers such as 0.2.0"
old="$(sed -nE "s/.*static let text = \"($number)\"/\1/p" $place)"
[ -n "$old" ] || fail "there is no version in $place"
# Equal versions are valid: the first release has the initial version.
newest="$(printf '%s\n%s\n' "$old" "$new" | sort -V | tail -n 1)"
[ "$newest" = "$new" ] || fail "version $new is below $old; raise it"
if git rev-parse -q --verify "refs/tags/$new" >/dev/null; then fail "there is a tag $new; choose the next version"; fi
branch="$(git symbolic-ref -q --short HEAD)" || fail "no branch is checked out"
[ -z "$(git status --porcelain)" ] || fail "there are changes that are not committed; commit or stash them"
changes="$(awk '/^## /{ on = $0 == "## Unreleased"; next } on && /^\* /' CHANGELOG.md | wc -l)"
[ "$changes" -gt 0 ] || fail "CHANGELOG.md tells no change under '## Unreleased'"

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
git clone -q --branch "$branch" . "$work/clone"
(
  cd "$work/clone"
  sed -i.old -E "s/(static let text = )\"$number\"/\1\"$new\"/" $place
  sed -i.old "s/^## Unreleased\$/## Unreleased\n\n## $new ($(date +%Y-%m-%d))/" CHANGELOG.md
  # The documents show the version that packages depend on.
  for document in README.md Documentation/*.md; do
    sed -i.old -E "s/(objectbox-swift-open\.git\", from: )\"$number\"/\1\"$new\"/" "$document"
  done
  find . -name '*.old' -not -path './.git/*' -delete
  author=(-c "user.name=$(git -C "$OLDPWD" config user.name || echo Release)")
  author+=(-c "user.email=$(git -C "$OLDPWD" config user.email || echo release@localhost)")
  git "${author[@]}" commit -qam "Release $new"
  git "${author[@]}" tag -a "$new" -m "Version $new"
)
proof="${OBJECTBOX_RELEASE_PROOF:-Scripts/consumer-test.sh}"
(cd "$work/clone" && "$proof" "$new") || fail "the proof of $new did not pass; nothing is changed here"
git fetch -q "$work/clone" "refs/tags/$new:refs/tags/$new"
git merge -q --ff-only "$new" || { git tag -d "$new" >/dev/null; fail "'$branch' has moved meanwhile; try again"; }
echo "release: $new, with $changes changes, is committed and tagged; push it by: git push origin $branch $new"
