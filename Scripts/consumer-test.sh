#!/usr/bin/env bash
# Proves that a new package can use a version tag of this repository: from its first, failing build to a program that
# stores and reads.
# usage: consumer-test.sh [VERSION]      a tag of this repository, which the runtime must tell as its version;
#   default a tag that is made in the clone
set -euo pipefail
here="$(cd "$(dirname "$0")/.." && pwd)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
fail() { echo "consumer test: $1" >&2; exit 1; }

git clone -q "$here" "$work/objectbox-swift-open"
version="${1:-99.0.0}"
if [ $# -eq 0 ]; then
  git -C "$work/objectbox-swift-open" -c user.name=Test -c user.email=test@example.org \
    tag -a "$version" -m "A version for the test"
fi

mkdir -p "$work/app/Sources/App" "$work/app/Sources/Extra"
cd "$work/app"
cat > Package.swift <<EOF
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "App",
  platforms: [.macOS(.v15)],
  dependencies: [.package(url: "file://$work/objectbox-swift-open", exact: "$version")],
  targets: [
    .executableTarget(
      name: "App",
      dependencies: [.product(name: "ObjectBox", package: "objectbox-swift-open")],
      swiftSettings: [.define("WITH_COUNTRY")],
      plugins: [.plugin(name: "ObjectBoxPlugin", package: "objectbox-swift-open")]
    )
  ]
)
EOF
cat > Sources/App/Entities.swift <<'EOF'
import ObjectBox

// objectbox: entity
final class Person {
  var id: Id = 0
  // objectbox: unique
  var email: String = ""
  var name: String = ""
  init() {}
  init(email: String, name: String) {
    self.email = email
    self.name = name
  }
}

struct Place: Entity {
  var id: Id
  // objectbox: index
  var city: String
  #if WITH_COUNTRY && canImport(ObjectBox) && !canImport(Elsewhere)
    var country: String?
  #endif
}
EOF
cat > Sources/App/main.swift <<'EOF'
import ObjectBox

do {
  let store = try Store(directoryPath: "data")
  try store.box(for: Person.self).put(Person(email: "jane@example.org", name: "Jane"))
  try store.box(for: Place.self).put(Place(id: 0, city: "Lyon"))
  store.close()
}
let store = try Store(directoryPath: "data")
let jane = try store.box(for: Person.self).query { .email == "jane@example.org" }.build().findUnique()
let places = try store.box(for: Place.self).query { .city == "Lyon" }.build().find()
print("read back: \(jane?.name ?? "nobody") in \(places.map(\.city)), by version \(Store.versionLib)")
EOF

echo "consumer: a build without a model stops and says the command"
if swift build >build.log 2>&1; then fail "the first build should have stopped"; fi
grep -q "entity 'Person' is new" build.log || { cat build.log; fail "the finding is missing"; }
grep -q "Entities.swift:4:13: error:" build.log || { cat build.log; fail "the place is missing"; }
command="$(grep -o 'run: swift package .*' build.log | head -n 1 | cut -c 6-)"
[ -n "$command" ] || { cat build.log; fail "the command is missing"; }

echo "consumer: that very command: $command"
$command >command.log 2>&1 || { cat command.log; fail "the command did not succeed"; }
[ -f model.json ] || fail "the command made no model.json"
grep -q '"country"' model.json || fail "a condition of the target did not reach the generator"

echo "consumer: swift run"
swift run App >run.log 2>&1 || { cat run.log; fail "the program did not run"; }
grep -q 'read back: Jane in \["Lyon"\]' run.log || { cat run.log; fail "nothing was read back"; }
if [ $# -eq 1 ]; then
  grep -q "by version $version\$" run.log || { cat run.log; fail "the runtime does not tell the version"; }
fi

echo "consumer: the commands of the documents, as they stand there"
cp model.json before.json
while read -r line; do
  # The tool needs the condition that plugins read from the manifest.
  case "$line" in *--sources*) line+=" -D WITH_COUNTRY" ;; esac
  $line >command.log 2>&1 || { cat command.log; fail "'$line' did not succeed"; }
done < <(grep -hE '^swift (run|package .*) objectbox-generator' \
  "$here"/Documentation/{GettingStarted,SchemaChanges,ComingFromObjectBox}.md | sort -u)
cmp -s model.json before.json || fail "a command of the documents changed the model"
[ -s model.mmd ] || fail "a command of the documents made no diagram"

echo "consumer: no second set of bindings"
if swift run objectbox-generator --sources Sources/App --model-json model.json --output Sources/App/Generated \
  -D WITH_COUNTRY >command.log 2>&1; then fail "the tool wrote bindings into a target with the plugin"; fi
grep -q "Package.swift:13:31: error: the build plugin makes the bindings of target 'App'" command.log \
  || { cat command.log; fail "the finding is missing"; }
cp .build/EntityInfo.generated.swift Sources/App
if swift build >build.log 2>&1; then fail "the build should have stopped"; fi
grep -q "Sources/App/EntityInfo.generated.swift:1:1: error: .*; remove this file" build.log \
  || { cat build.log; fail "the finding is missing"; }
rm Sources/App/EntityInfo.generated.swift

echo "consumer: a new property stops the build until the model knows it"
sed -i.old 's|  var name: String = ""|  var name: String = ""\n  var age: Int32 = 0|' \
  Sources/App/Entities.swift
rm Sources/App/Entities.swift.old
if swift build >build.log 2>&1; then fail "the build should have stopped"; fi
grep -q "property 'age' of entity 'Person' is new" build.log || { cat build.log; fail "no finding"; }
$command >command.log 2>&1 || { cat command.log; fail "the command did not succeed"; }
rm -rf data
swift run App >run.log 2>&1 || { cat run.log; fail "the program did not run"; }

echo "consumer: a second target gets a model of its own, by the command that its build names"
cat > Sources/Extra/Extra.swift <<'EOF'
public import ObjectBox

// objectbox: entity
public final class Invoice {
  public var id: Id = 0
  // objectbox: unique = { "onConflict": "replace" }
  public var number: String = ""
  // objectbox: backlink = "invoice"
  public var lines: ToMany<Line> = nil
  public var related: ToMany<Invoice> = nil
  public init() {}
}

// objectbox: entity
public struct Line {
  public var id: Id
  public let cents: Int64?
  public var invoice: ToOne<Invoice>
  public init(id: Id, cents: Int64?, invoice: ToOne<Invoice>) {
    self.id = id
    self.cents = cents
    self.invoice = invoice
  }
}
EOF
mkdir Sources/Plain
echo 'public struct Plain {}' > Sources/Plain/Plain.swift
sed -i.old 's|  targets: \[|  targets: [\n    .target(name: "Extra", dependencies: [.product(name: "ObjectBox", package: "objectbox-swift-open")], swiftSettings: [.swiftLanguageMode(.v5)], plugins: [.plugin(name: "ObjectBoxPlugin", package: "objectbox-swift-open")]),\n    .target(name: "Plain", plugins: [.plugin(name: "ObjectBoxPlugin", package: "objectbox-swift-open")]),|' Package.swift
cp model.json before.json
if swift build >build.log 2>&1; then fail "the build should have stopped"; fi
grep -q "entity 'Invoice' is new" build.log || { cat build.log; fail "the finding is missing"; }
command="$(grep -o 'run: swift package .*' build.log | head -n 1 | cut -c 6-)"
echo '{ "targets": { "Extra": { "visibility": "public" } } }' > objectbox-generator.json
$command >command.log 2>&1 || { cat command.log; fail "the command did not succeed"; }
grep -q Invoice model-Extra.json || fail "the second target has no model"
swift package --allow-writing-to-package-directory objectbox-generator >command.log 2>&1 \
  || { cat command.log; fail "the command for all targets did not succeed"; }
cmp -s model.json before.json || fail "the model of the first target was changed"
swift build >build.log 2>&1 || { cat build.log; fail "the build of all targets did not succeed"; }
if grep -E "warning:|error:" build.log; then fail "the build of all targets had something to say"; fi

echo "consumer: a build with an installed generator makes none"
bin="$(swift build --show-bin-path)"
installed="$work/installed"
cp "$bin/objectbox-generator" "$installed"
# For plugins, SwiftPM builds the generator under another name.
made_generator() { compgen -G "$bin/objectbox-bindings" || compgen -G "$bin/objectbox-*-tool"; } >/dev/null
made_generator || fail "the builds before made no generator"
rm -f "$bin"/objectbox-{bindings,generator}{,-tool}
export OBJECTBOX_GENERATOR="$installed"
echo '// A change.' >> Sources/App/Entities.swift
swift build >build.log 2>&1 || { cat build.log; fail "the build with an installed generator did not succeed"; }
grep -q "bindings of App by the installed generator" build.log || { cat build.log; fail "the build does not name it"; }
swift package --allow-writing-to-package-directory objectbox-generator model check >command.log 2>&1 \
  || { cat command.log; fail "the command did not succeed with the installed generator"; }
if made_generator; then fail "a generator was built all the same"; fi
unset OBJECTBOX_GENERATOR

echo "consumer: complete"
