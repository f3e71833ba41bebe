#!/usr/bin/env bash
# Proves that the plugins find every C module that a target depends on: a C target behind a Swift target, a C target of
# another package, and a system library. Also proves that the plugins notice a changed header.
set -euo pipefail
here="$(cd "$(dirname "$0")/.." && pwd)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
fail() { echo "C types test: $1" >&2; exit 1; }

mkdir -p "$work"/{app/Sources/{App,Wrapper,CNear/include,CSystem},far/Sources/CFar/include}
cat > "$work/far/Package.swift" <<'EOF'
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "far",
  products: [.library(name: "Far", targets: ["CFar"])],
  targets: [.target(name: "CFar")]
)
EOF
echo 'typedef unsigned char far_level;' > "$work/far/Sources/CFar/include/far.h"
echo '#include "far.h"' > "$work/far/Sources/CFar/far.c"

cd "$work/app"
cat > Package.swift <<EOF
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "App",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "objectbox-swift-open", path: "$here"), .package(path: "../far"),
  ],
  targets: [
    .target(name: "CNear"),
    .systemLibrary(name: "CSystem"),
    .target(name: "Wrapper", dependencies: ["CNear"]),
    .executableTarget(
      name: "App",
      dependencies: [
        "Wrapper", "CSystem", .product(name: "Far", package: "far"),
        .product(name: "ObjectBox", package: "objectbox-swift-open"),
      ],
      swiftSettings: [.swiftLanguageMode(.v5)],
      plugins: [.plugin(name: "ObjectBoxPlugin", package: "objectbox-swift-open")]
    ),
  ]
)
EOF
cat > Sources/CNear/include/near.h <<'EOF'
typedef enum { NEAR_COLD, NEAR_WARM = 3 } near_state;
EOF
echo '#include "near.h"' > Sources/CNear/near.c
echo '@_exported import CNear' > Sources/Wrapper/Wrapper.swift
echo 'module CSystem { header "system.h" export * }' > Sources/CSystem/module.modulemap
echo 'typedef long long system_ticks;' > Sources/CSystem/system.h
cat > Sources/App/main.swift <<'EOF'
import CFar
import CSystem
import ObjectBox
import Wrapper

// objectbox: entity
final class Item {
  var id: Id = 0
  var level: far_level = 0
  var state: near_state = NEAR_COLD
  var ticks: system_ticks = 0
}

let store = try Store(directoryPath: "memory:c-types")
let item = Item()
item.level = .max
item.state = NEAR_WARM
item.ticks = .min
let id = try store.box(for: Item.self).put(item)
let read = try store.box(for: Item.self).get(id)
print("read back:", read?.level ?? 0, read?.state.rawValue ?? 0, read?.ticks ?? 0)
EOF

echo "C types: the command plugin knows the modules"
swift package --allow-writing-to-package-directory objectbox-generator >command.log 2>&1 \
  || { cat command.log; fail "the command did not succeed"; }
grep -q '"flags": 8192' model-App.json || { cat model-App.json; fail "the model lacks the unsigned flag"; }

echo "C types: the build plugin knows them as well"
swift run App >run.log 2>&1 || { cat run.log; fail "the program did not run"; }
grep -q 'read back: 255 3 -9223372036854775808' run.log || { cat run.log; fail "nothing read back"; }
if grep -E "warning:|error:" run.log; then fail "the build had something to say"; fi

echo "C types: a changed header makes the bindings anew"
echo 'typedef short far_level;' > "$work/far/Sources/CFar/include/far.h"
if swift build >build.log 2>&1; then fail "the model should not fit any more"; fi
grep -q "property 'level' of entity 'Item'" build.log || { cat build.log; fail "no finding"; }

echo "C types: complete"
