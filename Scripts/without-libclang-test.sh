#!/usr/bin/env bash
# Proves that the generator builds and works without libclang, and that its finding about a C type says what to install.
set -euo pipefail
cd "$(dirname "$0")/.."
fail() { echo "without libclang: $1" >&2; exit 1; }
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

export OBJECTBOX_WITHOUT_LIBCLANG=1
build=(swift build --scratch-path .build/without-libclang)
"${build[@]}" --product objectbox-generator
tool="$("${build[@]}" --show-bin-path)/objectbox-generator"
if command -v ldd >/dev/null && ldd "$tool" | grep -q libclang; then
  fail "the tool is linked with libclang all the same"
fi

mkdir "$work/src"
echo 'typedef int level_t;' > "$work/levels.h"
cat > "$work/src/Note.swift" <<'EOF'
import CLevels
import ObjectBox

struct Note: Entity {
  var id: Id
  var text: String
}
EOF
generate() {
  "$tool" --sources "$work/src" --model-json "$work/model.json" --output "$work/out.swift" \
    --c-header "$work/levels.h"
}
generate >/dev/null || fail "an entity without C types should be no problem"

sed -i.old 's/text: String/level: level_t/' "$work/src/Note.swift"
if generate >"$work/log" 2>&1; then fail "a C type should be an error"; fi
grep -q "Note.swift:6:7: error: property 'level' .* apt-get install libclang-dev" "$work/log" \
  || { cat "$work/log"; fail "the finding does not say what to install"; }
echo "without libclang: complete"
