// swift-tools-version: 6.2
import Foundation
import PackageDescription

func isOn(_ variable: String) -> Bool { ProcessInfo.processInfo.environment[variable] == "1" }
func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

// MARK: Libraries

// The generator uses the SwiftSyntax libraries that toolchains include for macros: no download, and
// a clean build takes seconds. The folder is found beside the Swift runtime that runs this
// manifest; a search of PATH would miss a toolchain that is called by its full path.
func toolchainHostLibraries() -> String? {
  #if os(Linux)
    guard let maps = FileHandle(forReadingAtPath: "/proc/self/maps") else { return nil }
    // String(contentsOfFile:) stops early on files in /proc.
    let text = String(decoding: maps.readDataToEndOfFile(), as: UTF8.self)
    let marker = "/lib/swift/linux/libswiftCore.so"
    for line in text.split(separator: "\n") where line.hasSuffix(marker) {
      guard let start = line.firstIndex(of: "/") else { continue }
      let folder = line[start...].dropLast(marker.count) + "/lib/swift/host"
      if exists(folder + "/SwiftSyntax.swiftmodule") { return String(folder) }
    }
  #endif
  return nil
}

// The generator reads C headers only if libclang is installed. OBJECTBOX_WITHOUT_LIBCLANG=1 hides
// libclang in tests.
func libclangFolder() -> String? {
  guard !isOn("OBJECTBOX_WITHOUT_LIBCLANG"),
    let names = try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")
  else { return nil }
  let versions = names.compactMap { name in
    name.hasPrefix("llvm-") ? Int(name.dropFirst("llvm-".count)) : nil
  }
  return versions.sorted(by: >).map { "/usr/lib/llvm-\($0)" }.first { folder in
    ["/include/clang-c/Index.h", "/lib/libclang.so"].allSatisfy { exists(folder + $0) }
  }
}

/// A C library that a part of the package needs.
///
/// Without the library, that part only says what to install. `OBJECTBOX_WITHOUT_<NAME>=1` hides the
/// library in tests.
struct OptionalLibrary {
  /// Homebrew's formula and pkg-config's name; Debian's package.
  let name: String, apt: String
  /// The header by which the library is found, in /usr/include or a folder in it.
  let header: String
  /// The module of the library and the plot that it is in; the `#if` condition of code that needs it.
  let module: String, plot: String, define: String

  init(_ name: String, _ apt: String, _ header: String, _ module: String, _ define: String) {
    (self.name, self.apt, self.header, self.define) = (name, apt, header, define)
    let parts = module.split(separator: "/").map(String.init)
    (plot, self.module) = (parts[0], parts[1])
  }

  var isPresent: Bool {
    let folders = ["/usr/include", "/usr/include/postgresql", "/usr/include/pgsql"]
    let homebrew = ["/opt/homebrew", "/usr/local"].map { "\($0)/opt/\(name)/include" }
    return !isOn("OBJECTBOX_WITHOUT_\(name.uppercased())")
      && (folders + homebrew).contains { exists("\($0)/\(header)") }
  }
  var target: Target {
    .systemLibrary(name: module, pkgConfig: name, providers: [.apt([apt]), .brew([name])])
  }
}

// PostgreSQL's client, for clusters; the web server of `objectbox browse`; the WebSockets of
// synchronization, and the signatures of its users' tokens; the ciphers of encrypted stores.
let libraries = [
  ("libpq", "libpq-dev", "libpq-fe.h", "Server/CObjectBoxPostgres", "OBJECTBOX_LIBPQ"),
  ("libmicrohttpd", "libmicrohttpd-dev", "microhttpd.h", "Tool/CObjectBoxHTTP", "OBJECTBOX_HTTP"),
  (
    "libwebsockets", "libwebsockets-dev", "libwebsockets.h", "Server/CObjectBoxWebSockets",
    "OBJECTBOX_WEBSOCKETS"
  ),
  ("openssl", "libssl-dev", "openssl/evp.h", "Server/CObjectBoxTokens", "OBJECTBOX_TOKENS"),
  ("libsodium", "libsodium-dev", "sodium.h", "Store/CObjectBoxSodium", "OBJECTBOX_SODIUM"),
].map(OptionalLibrary.init)

// SwiftSyntax is built from source when the toolchain lacks the libraries, as some of Apple's do.
let hostLibraries = toolchainHostLibraries()
let syntaxModules = [
  "SwiftSyntax", "SwiftParser", "SwiftParserDiagnostics", "SwiftDiagnostics", "SwiftIfConfig",
  "SwiftOperators",
]
let syntaxPackages: [Package.Dependency] =
  hostLibraries == nil
  ? [.package(url: "https://github.com/swiftlang/swift-syntax.git", from: "603.0.0")] : []
let syntaxProducts: [Target.Dependency] =
  hostLibraries == nil
  ? syntaxModules.map { .product(name: $0, package: "swift-syntax") } : []
let syntaxLinking: [LinkerSetting] =
  hostLibraries.map { folder in
    [.unsafeFlags(["-L", folder, "-Xlinker", "-rpath", "-Xlinker", folder])]
      + syntaxModules.map { .linkedLibrary($0) }
  } ?? []

// For CObjectBoxClang: targets that import the generator compile it too.
let libclang = libclangFolder()
let clangHeaders: [SwiftSetting] =
  libclang.map { folder in
    let path = "-DOBJECTBOX_LIBCLANG_PATH=\"\(folder)/lib/libclang.so\""
    return [.unsafeFlags(["-Xcc", "-I\(folder)/include", "-Xcc", path])]
  } ?? []
let syntaxSettings: [SwiftSetting] =
  clangHeaders + (hostLibraries.map { [.unsafeFlags(["-I", $0])] } ?? [])

// MARK: Tables of targets

/// What a target may have beside modules, by the word after `+` in the tables.
let features: [String: (Target) -> Void] = [
  // For objects that are not Sendable: asynchronous functions stay on the actor that called them.
  "onActor": { $0.swiftSettings?.append(.enableUpcomingFeature("NonisolatedNonsendingByDefault")) },
  "mainActor": { $0.swiftSettings?.append(.defaultIsolation(MainActor.self)) },
  // Code of programs written for ObjectBox Swift 5.3: without upcoming features.
  "swift5": { $0.swiftSettings = [.swiftLanguageMode(.v5)] },
  "plugin": { $0.plugins = ["ObjectBoxPlugin"] },
  // Entities, of which the build plugin makes the bindings, and their model.
  "entities": { target in
    target.plugins = ["ObjectBoxPlugin"]
    target.exclude.append("model-\(target.name).json")
  },
  // Tests that Scripts/encrypted-test.sh also runs on encrypted stores.
  "encrypted": { $0.dependencies.append("ObjectBoxEncryptedTestSupport") },
  // The private headers with the layout of pages.
  "pages": { $0.cSettings = [.headerSearchPath("../CObjectBoxPages")] },
  "syntax": { $0.swiftSettings? += syntaxSettings },
  "syntaxProducts": { $0.dependencies += syntaxProducts },
  "syntaxLibraries": { $0.linkerSettings = syntaxLinking },
  "clang": { target in
    guard libclang != nil else { return }
    target.dependencies.append("CObjectBoxClang")
    target.swiftSettings? += [.define("OBJECTBOX_LIBCLANG")] + clangHeaders
  },
  "clangDefine": { target in
    if libclang != nil { target.swiftSettings?.append(.define("OBJECTBOX_LIBCLANG")) }
  },
  "openssl": { use("openssl", in: $0) }, "libpq": { use("libpq", in: $0) },
  "libmicrohttpd": { use("libmicrohttpd", in: $0) },
  "libwebsockets": { use("libwebsockets", in: $0) }, "libsodium": { use("libsodium", in: $0) },
]

func use(_ name: String, in target: Target) {
  for library in libraries where library.name == name && library.isPresent {
    target.dependencies.append(.byName(name: library.module))
    target.swiftSettings?.append(.define(library.define))
  }
}

/// Programs and modules that tests use without an import, by the names of the tests.
var usedByTests: [String: [String]] = [:]

/// Reads a table of targets.
///
/// A line is `KIND NAME WORD ...`. A word is a module; `+FEATURE`; `-FILE`, which is not compiled;
/// `~TARGET`, which is built with tests, but not linked: a program would define symbols twice; `@PATH`,
/// the folder, without which it is `ROOT/NAME`; or `?libclang`, without which the line is left out.
/// So are empty lines and `//` lines.
@MainActor
func targets(in root: String, _ table: String) -> [Target] {
  table.split(separator: "\n").compactMap { line in
    let words = line.split(separator: " ").map(String.init)
    guard words[0] != "//", libclang != nil || !words.contains("?libclang") else { return nil }
    let target = makeTarget(words[0], words[1])
    target.path = "\(root)/\(target.name)"
    if !target.name.hasPrefix("CObjectBox") {
      target.swiftSettings =
        [.swiftLanguageMode(.v6)]
        + ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"].map {
          .enableUpcomingFeature($0)
        }
    }
    for word in words.dropFirst(2) {
      let rest = String(word.dropFirst())
      switch word.first {
      case "+":
        guard let feature = features[rest] else { fatalError("there is no feature '\(rest)'") }
        feature(target)
      case "-": target.exclude.append(rest)
      case "~": usedByTests[target.name, default: []].append(rest)
      case "@": target.path = rest
      case "?": break
      default: target.dependencies.append(.byName(name: word))
      }
    }
    return target
  }
}

@MainActor
func plot(_ name: String, sources: String, tests: String) -> [Target] {
  targets(in: "Sources/\(name)", sources) + targets(in: "Tests/\(name)", tests)
}

func makeTarget(_ kind: String, _ name: String) -> Target {
  switch kind {
  case "module": return .target(name: name)
  case "program": return .executableTarget(name: name)
  case "tests": return .testTarget(name: name, dependencies: ["ObjectBoxTestSupport"])
  case "system": return .systemLibrary(name: name)
  default: fatalError("there is no kind of targets '\(kind)'")
  }
}

// The runtime, which users link.
let storeTargets = plot(
  "Store",
  sources: """
    module CObjectBoxPages
    module CObjectBoxRecords CObjectBoxPages
    module CObjectBoxVectors
    module CObjectBoxIsolation
    // Function pointers by which optional modules extend the core.
    module CObjectBoxHooks
    module ObjectBoxStorage CObjectBoxLMDB CObjectBoxPages CObjectBoxRecords
    // Reads and writes JSON, for both halves.
    module ObjectBoxJSON
    module ObjectBox CObjectBoxHooks CObjectBoxIsolation CObjectBoxRecords CObjectBoxVectors ObjectBoxStorage
    // The engine of full-text indexes. Knows nothing of entities, stores and models.
    module CObjectBoxFullText
    module ObjectBoxFullText CObjectBoxFullText ObjectBoxStorage
    // Full-text indexes of stores, snippets of found texts, and the fusion of two searches.
    module CObjectBoxSearch CObjectBoxHooks
    module ObjectBoxSearch CObjectBoxSearch ObjectBox ObjectBoxFullText ObjectBoxStorage
    // Groups of objects and their aggregates.
    module ObjectBoxGrouping CObjectBoxRecords ObjectBox
    // Stores without bindings: objects as dictionaries of property names, by the model file.
    module ObjectBoxDynamic ObjectBox ObjectBoxFullText ObjectBoxJSON ObjectBoxSearch ObjectBoxStorage
    // Tests of programs: kept stores of older models.
    module ObjectBoxTesting ObjectBox ObjectBoxDynamic
    // Snapshots, live views, references and exact change sets.
    module ObjectBoxLive CObjectBoxIsolation ObjectBox ObjectBoxGrouping ObjectBoxStorage
    // Care of store files: verification, backup, compaction, salvage.
    module CObjectBoxCare CObjectBoxHooks CObjectBoxPages +pages
    module ObjectBoxCare CObjectBoxCare CObjectBoxPages ObjectBox ObjectBoxDynamic ObjectBoxFullText ObjectBoxJSON ObjectBoxSearch ObjectBoxStorage
    // Encrypted stores.
    module CObjectBoxEncryption CObjectBoxPages +pages
    module ObjectBoxEncryption CObjectBoxEncryption CObjectBoxPages ObjectBox ObjectBoxStorage +libsodium
    """,
  tests: """
    module ObjectBoxTestSupport
    // Encrypts the stores of tests when a variable asks for it.
    module CObjectBoxTestMedium
    module ObjectBoxEncryptedTestSupport CObjectBoxTestMedium ObjectBoxEncryption
    module ObjectBoxProcessTestSupport ObjectBox
    // The second process in tests of several processes.
    program ProcessTestTool ObjectBoxCare ObjectBoxEncryption ObjectBoxLive ObjectBoxProcessTestSupport
    // A program without ObjectBoxSearch.
    program EnginelessTool ObjectBoxProcessTestSupport
    module CObjectBoxAllocationCount
    // Entities, fixture stores and child processes, for the tests of the runtime's modules.
    module ObjectBoxRuntimeTestSupport ObjectBoxProcessTestSupport ObjectBoxSearch ObjectBoxTestSupport
    tests ObjectBoxStorageTests ObjectBoxStorage
    tests ObjectBoxFullTextTests ObjectBoxFullText
    tests ObjectBoxTests CObjectBoxAllocationCount ObjectBoxRuntimeTestSupport +encrypted
    tests ObjectBoxQueryTests ObjectBoxRuntimeTestSupport +encrypted
    tests ObjectBoxStoreTests ObjectBoxReliabilitySupport ObjectBoxRuntimeTestSupport +encrypted ~ProcessTestTool
    tests ObjectBoxSearchTests ObjectBoxSearch +entities +encrypted ~EnginelessTool
    tests ObjectBoxGroupingTests ObjectBoxGrouping +entities +encrypted -group_oracle.py
    // Some compile sources that import all modules of the runtime.
    tests ObjectBoxLiveTests CObjectBoxAllocationCount ObjectBoxCare ObjectBoxLive ObjectBoxRuntimeTestSupport +encrypted ~ObjectBoxDynamic ~ProcessTestTool
    tests ObjectBoxEncryptionTests ObjectBoxCare ObjectBoxEncryption ObjectBoxLive ObjectBoxRuntimeTestSupport +libsodium ~ProcessTestTool
    tests ObjectBoxDynamicTests ObjectBoxDynamic ObjectBoxRuntimeTestSupport
    tests ObjectBoxCareTests ObjectBoxCare ObjectBoxLive ObjectBoxRuntimeTestSupport ~ProcessTestTool
    tests ObjectBoxCompatibilityTests ObjectBox +swift5 +encrypted
    """
)
#if os(macOS)
  // Homebrew's headers are outside the compiler's search path. On Linux they are inside, often
  // without a pkg-config file.
  let lmdbPackage: String? = "lmdb"
#else
  let lmdbPackage: String? = nil
#endif
let lmdb = Target.systemLibrary(
  name: "CObjectBoxLMDB",
  path: "Sources/Store/CObjectBoxLMDB",
  pkgConfig: lmdbPackage,
  providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]
)
let libraryTargets = libraries.filter(\.isPresent).map { library in
  let target = library.target
  target.path = "Sources/\(library.plot)/\(library.module)"
  return target
}

// The generator, which runs in builds. OBJECTBOX_GENERATOR=/absolute/path names an installed one,
// which the plugins run, so that none is built.
let installedGenerator = ProcessInfo.processInfo.environment["OBJECTBOX_GENERATOR"] ?? ""
func generator(_ program: String) -> [Target.Dependency] {
  installedGenerator.isEmpty ? [.byName(name: program)] : []
}
// GeneratorTool.swift chooses the program of builds in the same way, and says why.
#if os(macOS)
  let buildProgram = "objectbox-generator"
#else
  let buildProgram = "objectbox-bindings"
#endif
let plugins: [Target] = [
  .plugin(
    name: "ObjectBoxPlugin",
    capability: .buildTool(),
    dependencies: generator(buildProgram)
  ),
  .plugin(
    name: "ObjectBoxCommand",
    capability: .command(
      intent: .custom(
        verb: "objectbox-generator",
        description: "Creates and updates model.json from annotated Swift sources."
      ),
      permissions: [
        .writeToPackageDirectory(reason: "Keeps the model file, which holds the stable UIDs.")
      ]
    ),
    dependencies: generator("objectbox-generator")
  ),
]
let generatorTargets = plot(
  "Generator",
  sources: """
    // Parses command lines, and suggests words for misspelt ones; for both tools.
    module ObjectBoxCommandLine
    system CObjectBoxTemplates @Templates
    // Declares libclang's types only; its functions are looked up at run time.
    system CObjectBoxClang ?libclang
    module ObjectBoxGenerator CObjectBoxTemplates ObjectBoxCommandLine ObjectBoxJSON +clang
    // Each build compiles the interface of SwiftSyntax once, on one processor, for as long as the whole generator
    // takes. This module depends on none of ours, so that work starts first.
    module ObjectBoxSyntax +syntaxProducts +syntax +syntaxLibraries
    module ObjectBoxSwiftReader ObjectBoxGenerator ObjectBoxSyntax +syntaxProducts +syntax
    // The generator of builds: only what a build needs, since each clean build compiles it.
    program objectbox-bindings ObjectBoxGenerator ObjectBoxSwiftReader +syntax
    // What only `objectbox-generator` does: verbs of models, fixes, near misses, forms of findings.
    module ObjectBoxModelTools ObjectBoxCommandLine ObjectBoxGenerator ObjectBoxJSON ObjectBoxSwiftReader ObjectBoxSyntax +syntaxProducts +syntax
    program objectbox-generator ObjectBoxCommandLine ObjectBoxGenerator ObjectBoxModelTools ObjectBoxSwiftReader +syntax
    """,
  tests: """
    tests ObjectBoxGeneratorTests ObjectBoxModelTools +syntax
    tests ObjectBoxGeneratedCodeTests ObjectBoxCare ObjectBoxEncryption ObjectBoxLive ObjectBoxTesting +libsodium +entities +encrypted
    // Generated code in a module whose default isolation is the main actor.
    tests ObjectBoxMainActorTests ObjectBox +mainActor +entities
    // The entities and the model of the Notebook example.
    tests ObjectBoxNotebookTests ObjectBox +plugin
    tests ObjectBoxCommandLineTests +clangDefine ~ObjectBox ~objectbox-bindings ~objectbox-generator
    tests ObjectBoxContractTests ObjectBoxDynamic ObjectBoxModelTools +syntax
    // C types in entities, and the code that the build plugin generates for them.
    module CObjectBoxSensors @Tests/Generator/ObjectBoxCTypesTests/CSensors ?libclang
    tests ObjectBoxCTypesTests CObjectBoxSensors ObjectBox +entities -CSensors ?libclang
    """
)
// Clusters and synchronization.
let serverTargets = plot(
  "Server",
  sources: """
    // The same entities on servers that use PostgreSQL's protocol.
    module ObjectBoxCluster ObjectBox ObjectBoxDynamic ObjectBoxFullText ObjectBoxGrouping ObjectBoxJSON ObjectBoxSearch +libpq +onActor
    // The synchronization protocol as pure state machines: no clocks, sockets, disks or threads.
    module ObjectBoxSyncProtocol
    // Connections of synchronization. Takes the core's lock, and knows nothing of stores.
    module ObjectBoxWebSockets ObjectBox +libwebsockets
    // What device and server take from a model.
    module ObjectBoxSyncSchema ObjectBox ObjectBoxSyncProtocol
    // The messages of synchronization over WebSockets.
    module ObjectBoxSyncConnection ObjectBoxSyncProtocol ObjectBoxWebSockets
    // Synchronizes a store with a server.
    module CObjectBoxSync CObjectBoxHooks
    module ObjectBoxSync CObjectBoxSync ObjectBox ObjectBoxStorage ObjectBoxSyncConnection ObjectBoxSyncProtocol ObjectBoxSyncSchema ObjectBoxWebSockets
    // Synchronizes many devices with one cluster.
    module ObjectBoxSyncServer ObjectBox ObjectBoxCluster ObjectBoxSyncConnection ObjectBoxSyncProtocol ObjectBoxSyncSchema ObjectBoxWebSockets +libpq +openssl +onActor
    // The modules of programs that open stores, under one import.
    module ObjectBoxAll ObjectBox ObjectBoxCare ObjectBoxDynamic ObjectBoxEncryption ObjectBoxGrouping ObjectBoxLive ObjectBoxSearch ObjectBoxSync
    """,
  tests: """
    module ObjectBoxSyncTestSupport ObjectBoxSyncProtocol
    tests ObjectBoxAllTests ObjectBoxAll +entities
    tests ObjectBoxSyncProtocolTests ObjectBoxSyncTestSupport
    tests ObjectBoxWebSocketsTests ObjectBoxWebSockets +libwebsockets
    tests ObjectBoxClusterTests ObjectBoxCluster ObjectBoxEncryption +libpq +libsodium +onActor +entities
    tests ObjectBoxSyncTests ObjectBoxCare ObjectBoxLive ObjectBoxRuntimeTestSupport ObjectBoxSync ObjectBoxSyncTestSupport +libwebsockets
    tests ObjectBoxSyncServerTests ObjectBoxSync ObjectBoxSyncServer ObjectBoxSyncTestSupport +libpq +libwebsockets +openssl +onActor +entities
    """
)

// The tool, which works on store files without bindings.
let toolTargets = plot(
  "Tool",
  sources: """
    module ObjectBoxTool ObjectBox ObjectBoxCare ObjectBoxCluster ObjectBoxCommandLine ObjectBoxDynamic ObjectBoxEncryption ObjectBoxFullText ObjectBoxJSON ObjectBoxLive ObjectBoxStorage ObjectBoxSync ObjectBoxSyncServer +libmicrohttpd
    // Only the product is named `objectbox`: on a file system that ignores case, such a folder or module would clash
    // with the runtime's.
    program objectbox-tool ObjectBoxTool
    """,
  tests: """
    tests ObjectBoxToolTests ObjectBoxSyncTestSupport ObjectBoxTool +libpq +libwebsockets +openssl +libmicrohttpd +libsodium ~ProcessTestTool ~objectbox-tool
    tests ObjectBoxBrowserTests ObjectBoxSyncTestSupport ObjectBoxTool +libmicrohttpd ~objectbox-tool
    // Every type of property on every surface.
    tests ObjectBoxMatrixTests ObjectBoxTool +libpq +libwebsockets +onActor +entities -read_values.py ~objectbox-tool
    """
)
// Embedded, so that the program can be moved.
toolTargets[0].resources = [.embedInCode("Browser/Page"), .embedInCode("SyncServer/Page")]

// Programs of the scripts.
let trialTargets = targets(
  in: "Tests/Trials",
  """
  // Checks recorded histories, without a store.
  module ObjectBoxReliabilitySupport
  program ReliabilityTool ObjectBoxCare ObjectBoxEncryption ObjectBoxLive ObjectBoxReliabilitySupport ObjectBoxTestSupport -Shim
  module CObjectBoxInstructionCount
  program GrowthTool CObjectBoxInstructionCount ObjectBoxLive ObjectBoxRuntimeTestSupport ObjectBoxSync
  program ClusterFaults ObjectBoxCluster ObjectBoxReliabilitySupport +onActor +entities
  program SyncFaults ObjectBoxReliabilitySupport ObjectBoxSync ObjectBoxSyncServer ObjectBoxTestSupport +onActor +entities
  program SyncHostile ObjectBoxSync ObjectBoxSyncServer ObjectBoxTestSupport +onActor +entities
  program SyncTrials ObjectBoxSyncProtocol
  // The functions of bytes that libFuzzer calls.
  module ObjectBoxFuzzTargets ObjectBoxModelTools ObjectBoxTestSupport ObjectBoxTool +libsodium +syntax @Tests/Trials/Fuzzing/Targets
  tests ObjectBoxFuzzingTests ObjectBoxFuzzTargets +libsodium +syntax
  """
)

// MARK: The package

let products = [
  "ObjectBox", "ObjectBoxDynamic", "ObjectBoxSearch", "ObjectBoxGrouping", "ObjectBoxTesting",
  "ObjectBoxLive", "ObjectBoxCare", "ObjectBoxCluster", "ObjectBoxEncryption", "ObjectBoxSync",
  "ObjectBoxSyncServer", "ObjectBoxAll",
]
let package = Package(
  name: "objectbox-swift-open",
  // Linux needs no entry. Apple's other systems are left out: they have no LMDB.
  platforms: [.macOS(.v15)],
  products: products.map { .library(name: $0, targets: [$0]) } + [
    .executable(name: "objectbox", targets: ["objectbox-tool"]),
    .executable(name: "objectbox-generator", targets: ["objectbox-generator"]),
    .plugin(name: "ObjectBoxPlugin", targets: ["ObjectBoxPlugin"]),
    .plugin(name: "ObjectBoxCommand", targets: ["ObjectBoxCommand"]),
  ],
  dependencies: syntaxPackages,
  targets: [lmdb] + libraryTargets + storeTargets + generatorTargets + plugins + serverTargets
    + toolTargets + trialTargets
)

// The program of Benchmarks/sync.sh needs symbols of the package. Other builds leave it out.
if isOn("OBJECTBOX_BENCHMARKS") {
  package.targets += targets(
    in: "Benchmarks",
    "program SyncBenchmark ObjectBoxSync ObjectBoxSyncServer +onActor +entities"
  )
}

// libFuzzer's target has no `main`, so a build of all targets would fail: only Scripts/fuzz.sh
// includes it. The plugins of tests would be built with the fuzzer's flags, but without its library.
if isOn("OBJECTBOX_FUZZING") {
  package.targets += targets(
    in: "Tests/Trials/Fuzzing",
    "program Fuzzer ObjectBoxFuzzTargets +syntax"
  )
  package.targets.removeAll { $0.type == .test }
}

// The concurrency suites of all targets as one target, for the thread sanitizer: a build of all
// targets would take several times as long. Folders `ConcurrencySupport` have what suites share with
// other tests.
@MainActor
func concurrencyTarget() -> Target {
  let target = targets(
    in: "Tests",
    "tests ObjectBoxConcurrencyTests ObjectBoxCare ObjectBoxLive ObjectBoxRuntimeTestSupport "
      + "ObjectBoxSync ObjectBoxSyncTestSupport ProcessTestTool +libwebsockets @Tests"
  )[0]
  let files = FileManager.default.enumerator(atPath: "\(Context.packageDirectory)/Tests")
  target.sources = files?.compactMap { $0 as? String }.sorted().filter {
    $0.hasSuffix("ConcurrencyTests.swift")
      || $0.contains("/ConcurrencySupport/") && $0.hasSuffix(".swift")
  }
  return target
}

// OBJECTBOX_TESTS=NAME[,NAME] keeps only the test targets of these names and their dependencies;
// Scripts/test sets it. The name `concurrency` stands for the target above.
if let names = ProcessInfo.processInfo.environment["OBJECTBOX_TESTS"] {
  var kept: Set<String> = []
  func keep(_ name: String) {
    guard kept.insert(name).inserted else { return }
    for target in package.targets where target.name == name {
      for case .byNameItem(let dependency, _) in target.dependencies { keep(dependency) }
      for case .plugin(let plugin, _) in target.plugins ?? [] { keep(plugin) }
      usedByTests[name]?.forEach(keep)
    }
  }
  if names == "concurrency" {
    package.targets.removeAll { $0.type == .test }
    package.targets.append(concurrencyTarget())
    keep("ObjectBoxConcurrencyTests")
  } else {
    names.split(separator: ",").map(String.init).forEach(keep)
  }
  package.targets.removeAll { !kept.contains($0.name) }
  package.products.removeAll { product in
    let library = (product as? Product.Library)?.targets
    let targets = library ?? (product as? Product.Executable)?.targets ?? []
    return targets.isEmpty || !targets.allSatisfy(kept.contains)
  }
}
