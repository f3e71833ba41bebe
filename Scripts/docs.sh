#!/usr/bin/env bash
# Compiles every Swift block of the documents and of the sources' comments. Then builds the site with the toolchain's
# `docc`: the modules' catalogues, with Documentation/ as their articles. Warnings, broken links, and public symbols
# without a comment or a topic are errors.
# usage: docs.sh [FOLDER]     FOLDER: where the site goes, .build/site by default; any web server shows it
#   BUILD=FOLDER  the folder of a debug build to read the modules from, instead of building them
#   BASE=PATH     the path of the site on its server, where that is not its root
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/set-up.sh
site="${1:-.build/site}"

# Xcode's docc is not in PATH.
if ! command -v docc >/dev/null && command -v xcrun >/dev/null; then docc() { xcrun docc "$@"; }; fi
for program in docc python3; do
  command -v "$program" >/dev/null || {
    echo "error: there is no '$program' in PATH; toolchains of Swift carry docc, Python is a package of the system" >&2
    exit 1
  }
done

modules=(ObjectBox ObjectBoxSearch ObjectBoxGrouping ObjectBoxLive ObjectBoxDynamic ObjectBoxCare ObjectBoxEncryption ObjectBoxCluster ObjectBoxSync ObjectBoxSyncServer ObjectBoxTesting)
if [ -z "${BUILD:-}" ]; then
  # The last one has no symbols of its own, but documents import it.
  for module in "${modules[@]}" ObjectBoxAll; do swift build --target "$module"; done
  swift build --product objectbox-generator
  BUILD="$(swift build --show-bin-path)"
fi
BUILD="$(cd "$BUILD" && pwd -P)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# The compiler's flags to find the modules of a build and their C modules.
flags=(-I "$BUILD/Modules" -Xcc "-fmodule-map-file=$PWD/Sources/Store/CObjectBoxLMDB/module.modulemap")
for module in Care Encryption FullText Hooks Isolation Pages Records Search Sync Vectors; do
  flags+=(-I Sources/*/"CObjectBox$module/include")
  flags+=(-Xcc "-fmodule-map-file=$BUILD/CObjectBox$module.build/module.modulemap")
done
for module in Postgres Sodium Tokens WebSockets; do
  flags+=(-Xcc "-fmodule-map-file=$(echo "$PWD"/Sources/*/"CObjectBox$module/module.modulemap")")
done
if command -v pg_config >/dev/null; then flags+=(-Xcc "-I$(pg_config --includedir)"); fi

echo "docs: Swift blocks"
PYTHONDONTWRITEBYTECODE=1 python3 Scripts/Documents/blocks_test.py
python3 Scripts/Documents/blocks.py "$BUILD/objectbox-generator" "${flags[@]}"

target="$(swift -print-target-info | python3 -c 'import json, sys; print(json.load(sys.stdin)["target"]["triple"])')"
for module in "${modules[@]}"; do
  echo "docs: $module"
  graphs="$work/graphs-$module"
  mkdir "$graphs"
  # Only the first module has the articles. The pages of the others include their extensions of its types.
  documents=(Documentation)
  extensions=()
  if [ "$module" != ObjectBox ]; then documents=() extensions=(-emit-extension-block-symbols); fi
  swift symbolgraph-extract -module-name "$module" "${flags[@]}" -target "$target" "${extensions[@]}" \
    -minimum-access-level public -skip-synthesized-members -output-dir "$graphs"
  catalogue="$work/$module.docc"
  python3 Scripts/Documents/assemble.py Sources/*/"$module/$module.docc" "$graphs" "$catalogue" "${documents[@]}"
  docc convert "$catalogue" --additional-symbol-graph-dir "$graphs" --warnings-as-errors \
    --output-path "$work/$module.doccarchive" --transform-for-static-hosting --hosting-base-path "${BASE:-/}"
  python3 Scripts/Documents/check.py "$graphs" "$work/$module.doccarchive"
done

rm -rf "$site"
mkdir -p "$(dirname "$site")"
docc merge "$work"/*.doccarchive --synthesized-landing-page-name "ObjectBox for Swift" --output-path "$site"
# The renderer has no route for the root, so this page redirects to the first module.
cat > "$site/index.html" <<EOF
<!doctype html>
<meta charset="utf-8">
<title>ObjectBox for Swift</title>
<meta http-equiv="refresh" content="0; url=documentation/objectbox/">
<a href="documentation/objectbox/">ObjectBox for Swift</a>
EOF
echo "docs: $(find "$site" -type f | wc -l) files, $(du -sh "$site" | cut -f 1), in $site"
