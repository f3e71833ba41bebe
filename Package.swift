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
  /// Homebrew's formula and pkg-config's name; Debian's package; the module of the library.
  let name: String, apt: String, module: String
  /// The header whose presence shows that the library is installed; see also `folders`.
  let header: String
  /// The `#if` condition of the code that needs the library.
  let define: String
  var folders: [String] = []

  var isPresent: Bool {
    let homebrew = ["/opt/homebrew", "/usr/local"].map { "\($0)/opt/\(name)/include" }
    return !isOn("OBJECTBOX_WITHOUT_\(name.uppercased())")
      && (["/usr/include"] + folders + homebrew).contains { exists("\($0)/\(header)") }
  }
  var targets: [Target] {
    let providers: [SystemPackageProvider] = [.apt([apt]), .brew([name])]
    return isPresent ? [.systemLibrary(name: module, pkgConfig: name, providers: providers)] : []
  }
}

// PostgreSQL's client, for clusters; the web server of `objectbox browse`; the WebSockets of
// synchronization, and the signatures of its users' tokens; the ciphers of encrypted stores.
let (libpq, libmicrohttpd, libwebsockets, libcrypto, libsodium) = (
  OptionalLibrary(
    name: "libpq",
    apt: "libpq-dev",
    module: "CObjectBoxPostgres",
    header: "libpq-fe.h",
    define: "OBJECTBOX_LIBPQ",
    folders: ["/usr/include/postgresql", "/usr/include/pgsql"]
  ),
  OptionalLibrary(
    name: "libmicrohttpd",
    apt: "libmicrohttpd-dev",
    module: "CObjectBoxHTTP",
    header: "microhttpd.h",
    define: "OBJECTBOX_HTTP"
  ),
  OptionalLibrary(
    name: "libwebsockets",
    apt: "libwebsockets-dev",
    module: "CObjectBoxWebSockets",
    header: "libwebsockets.h",
    define: "OBJECTBOX_WEBSOCKETS"
  ),
  OptionalLibrary(
    name: "openssl",
    apt: "libssl-dev",
    module: "CObjectBoxTokens",
    header: "openssl/evp.h",
    define: "OBJECTBOX_TOKENS"
  ),
  OptionalLibrary(
    name: "libsodium",
    apt: "libsodium-dev",
    module: "CObjectBoxSodium",
    header: "sodium.h",
    define: "OBJECTBOX_SODIUM"
  )
)

// Homebrew's headers are outside the compiler's search path. On Linux they are inside, often
// without a pkg-config file.
#if os(macOS)
  let lmdbPackage: String? = "lmdb"
#else
  let lmdbPackage: String? = nil
#endif

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
let clangDefine: [SwiftSetting] = libclang == nil ? [] : [.define("OBJECTBOX_LIBCLANG")]
let syntaxSettings: [SwiftSetting] =
  clangHeaders + (hostLibraries.map { [.unsafeFlags(["-I", $0])] } ?? [])

// MARK: Kinds of targets

/// For targets whose objects are not Sendable: asynchronous functions stay on the actor that called them.
let staysOnActor: [SwiftSetting] = [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

/// Sets what targets have in common: folders by their names, and the settings of Swift.
func plot(_ name: String, sources: [Target] = [], tests: [Target]) -> [Target] {
  for (root, targets) in [("Sources", sources), ("Tests", tests)] {
    for target in targets {
      target.path = target.path ?? "\(root)/\(name)/\(target.name)"
      guard [.regular, .executable, .test].contains(target.type),
        !target.name.hasPrefix("CObjectBox"), target.name != "ObjectBoxCompatibilityTests"
      else { continue }
      target.swiftSettings =
        [
          .swiftLanguageMode(.v6),
          .enableUpcomingFeature("ExistentialAny"),
          .enableUpcomingFeature("InternalImportsByDefault"),
          .enableUpcomingFeature("MemberImportVisibility"),
        ] + (target.swiftSettings ?? [])
    }
  }
  return sources + tests
}

/// Gives a target what it uses: modules, by names with spaces between them, and libraries.
func set(
  _ target: Target,
  _ uses: String,
  _ libraries: [OptionalLibrary],
  _ settings: [SwiftSetting]
) -> Target {
  let libraries = libraries.filter(\.isPresent)
  target.dependencies += uses.split(separator: " ").map { .byName(name: String($0)) }
  target.dependencies += libraries.map { .byName(name: $0.module) }
  target.swiftSettings = libraries.map { .define($0.define) } + settings
  return target
}

/// Makes a module, in Swift or C.
func module(
  _ name: String,
  _ uses: String = "",
  _ libraries: [OptionalLibrary] = [],
  settings: [SwiftSetting] = []
) -> Target {
  set(.target(name: name), uses, libraries, settings)
}

/// Makes a program; the build plugin makes the bindings of its `entities`.
func program(
  _ name: String,
  _ uses: String,
  settings: [SwiftSetting] = [],
  entities: Bool = false
) -> Target {
  withEntities(set(.executableTarget(name: name), uses, [], settings), entities)
}

/// Makes tests, which may use without a mention what their modules use.
func tests(
  _ name: String,
  _ uses: String = "",
  _ libraries: [OptionalLibrary] = [],
  settings: [SwiftSetting] = [],
  entities: Bool = false,
  excluding: [String] = []
) -> Target {
  let target = Target.testTarget(name: name, exclude: excluding)
  return withEntities(set(target, uses + " ObjectBoxTestSupport", libraries, settings), entities)
}

func withEntities(_ target: Target, _ entities: Bool) -> Target {
  if entities {
    target.exclude.append("model-\(target.name).json")
    target.plugins = ["ObjectBoxPlugin"]
  }
  return target
}

/// Makes a module in C with the private headers with the layout of pages.
func pagesModule(_ name: String, _ uses: String) -> Target {
  let target = module(name, uses)
  target.cSettings = [.headerSearchPath("../CObjectBoxPages")]
  return target
}

// MARK: Store: the runtime, which users link

let lmdb = Target.systemLibrary(
  name: "CObjectBoxLMDB",
  pkgConfig: lmdbPackage,
  providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]
)
let storeTargets = plot(
  "Store",
  sources: libsodium.targets + [
    lmdb,
    module("CObjectBoxPages"),
    module("CObjectBoxRecords", "CObjectBoxPages"),
    module("CObjectBoxVectors"),
    module("CObjectBoxIsolation"),
    // Function pointers by which optional modules extend the core.
    module("CObjectBoxHooks"),
    module("ObjectBoxStorage", "CObjectBoxLMDB CObjectBoxPages CObjectBoxRecords"),
    // Reads and writes JSON, for both halves.
    module("ObjectBoxJSON"),
    module(
      "ObjectBox",
      "CObjectBoxHooks CObjectBoxIsolation CObjectBoxRecords CObjectBoxVectors ObjectBoxStorage"
    ),
    // The engine of full-text indexes. Knows nothing of entities, stores and models.
    module("CObjectBoxFullText"),
    module("ObjectBoxFullText", "CObjectBoxFullText ObjectBoxStorage"),
    // Full-text indexes of stores, snippets of found texts, and the fusion of two searches.
    module("CObjectBoxSearch", "CObjectBoxHooks"),
    module("ObjectBoxSearch", "CObjectBoxSearch ObjectBox ObjectBoxFullText ObjectBoxStorage"),
    // Groups of objects and their aggregates.
    module("ObjectBoxGrouping", "CObjectBoxRecords ObjectBox"),
    // Stores without bindings: objects as dictionaries of property names, by the model file.
    module(
      "ObjectBoxDynamic",
      "ObjectBox ObjectBoxFullText ObjectBoxJSON ObjectBoxSearch ObjectBoxStorage"
    ),
    // Tests of programs: kept stores of older models.
    module("ObjectBoxTesting", "ObjectBox ObjectBoxDynamic"),
    // Snapshots, live views, references and exact change sets.
    module("ObjectBoxLive", "CObjectBoxIsolation ObjectBox ObjectBoxGrouping ObjectBoxStorage"),
    // Care of store files: verification, backup, compaction, salvage.
    pagesModule("CObjectBoxCare", "CObjectBoxHooks CObjectBoxPages"),
    module(
      "ObjectBoxCare",
      "CObjectBoxCare CObjectBoxPages ObjectBox ObjectBoxDynamic ObjectBoxFullText ObjectBoxJSON "
        + "ObjectBoxSearch ObjectBoxStorage"
    ),
    // Encrypted stores.
    pagesModule("CObjectBoxEncryption", "CObjectBoxPages"),
    module(
      "ObjectBoxEncryption",
      "CObjectBoxEncryption CObjectBoxPages ObjectBox ObjectBoxStorage",
      [libsodium]
    ),
  ],
  tests: [
    module("ObjectBoxTestSupport"),
    // Encrypts the stores of tests when a variable asks for it.
    module("CObjectBoxTestMedium"),
    module("ObjectBoxEncryptedTestSupport", "CObjectBoxTestMedium ObjectBoxEncryption"),
    module("ObjectBoxProcessTestSupport", "ObjectBox"),
    // The second process in tests of several processes. It is built beside the test bundle.
    program(
      "ProcessTestTool",
      "ObjectBoxCare ObjectBoxEncryption ObjectBoxLive ObjectBoxProcessTestSupport"
    ),
    // A program without ObjectBoxSearch.
    program("EnginelessTool", "ObjectBoxProcessTestSupport"),
    module("CObjectBoxAllocationCount"),
    // Entities, fixture stores and child processes, for the tests of the runtime's modules.
    module(
      "ObjectBoxRuntimeTestSupport",
      "ObjectBoxProcessTestSupport ObjectBoxSearch ObjectBoxTestSupport"
    ),
    tests("ObjectBoxStorageTests", "ObjectBoxStorage"),
    tests("ObjectBoxFullTextTests", "ObjectBoxFullText"),
    tests("ObjectBoxTests", "CObjectBoxAllocationCount ObjectBoxRuntimeTestSupport"),
    tests("ObjectBoxQueryTests", "ObjectBoxRuntimeTestSupport"),
    tests("ObjectBoxStoreTests", "ObjectBoxReliabilitySupport ObjectBoxRuntimeTestSupport"),
    tests("ObjectBoxSearchTests", "ObjectBoxSearch", entities: true),
    tests(
      "ObjectBoxGroupingTests",
      "ObjectBoxGrouping",
      entities: true,
      excluding: ["group_oracle.py"]
    ),
    tests(
      "ObjectBoxLiveTests",
      "CObjectBoxAllocationCount ObjectBoxCare ObjectBoxLive ObjectBoxRuntimeTestSupport"
    ),
    tests(
      "ObjectBoxEncryptionTests",
      "ObjectBoxCare ObjectBoxEncryption ObjectBoxLive ObjectBoxRuntimeTestSupport",
      [libsodium]
    ),
    tests("ObjectBoxDynamicTests", "ObjectBoxDynamic ObjectBoxRuntimeTestSupport"),
    tests("ObjectBoxCareTests", "ObjectBoxCare ObjectBoxLive ObjectBoxRuntimeTestSupport"),
    // Code of programs written for ObjectBox Swift 5.3: without upcoming features.
    tests("ObjectBoxCompatibilityTests", "ObjectBox", settings: [.swiftLanguageMode(.v5)]),
  ]
)

// MARK: Generator: runs in builds

// OBJECTBOX_GENERATOR=/absolute/path names an installed generator. The plugins run it, so no
// generator is built.
let installedGenerator = ProcessInfo.processInfo.environment["OBJECTBOX_GENERATOR"] ?? ""
let generatorDependencies: [Target.Dependency] =
  installedGenerator.isEmpty ? ["objectbox-generator"] : []

// Each build compiles the interface of SwiftSyntax once, on one processor, for as long as the whole
// generator takes. This module depends on none of ours, so that work starts first.
let syntax = Target.target(
  name: "ObjectBoxSyntax",
  dependencies: syntaxProducts,
  swiftSettings: syntaxSettings,
  linkerSettings: syntaxLinking
)
let plugins: [Target] = [
  .plugin(name: "ObjectBoxPlugin", capability: .buildTool(), dependencies: generatorDependencies),
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
    dependencies: generatorDependencies
  ),
]
let reader = module(
  "ObjectBoxSwiftReader",
  "ObjectBoxGenerator ObjectBoxSyntax",
  settings: syntaxSettings
)
reader.dependencies += syntaxProducts
let notebook = tests("ObjectBoxNotebookTests", "ObjectBox")
notebook.plugins = ["ObjectBoxPlugin"]

let generatorTargets = plot(
  "Generator",
  sources: [
    // Parses command lines, for both tools.
    module("ObjectBoxCommandLine"),
    .systemLibrary(name: "CObjectBoxTemplates", path: "Templates"),
    module(
      "ObjectBoxGenerator",
      "CObjectBoxTemplates ObjectBoxJSON" + (libclang == nil ? "" : " CObjectBoxClang"),
      settings: clangDefine + clangHeaders
    ),
    syntax,
    reader,
    program(
      "objectbox-generator",
      "ObjectBoxCommandLine ObjectBoxGenerator ObjectBoxSwiftReader",
      settings: syntaxSettings
    ),
  ],
  tests: [
    tests("ObjectBoxGeneratorTests", "ObjectBoxSwiftReader", settings: syntaxSettings),
    tests(
      "ObjectBoxGeneratedCodeTests",
      "ObjectBoxCare ObjectBoxEncryption ObjectBoxLive ObjectBoxTesting",
      [libsodium],
      entities: true
    ),
    // Generated code in a module whose default isolation is the main actor.
    tests(
      "ObjectBoxMainActorTests",
      "ObjectBox",
      settings: [.defaultIsolation(MainActor.self)],
      entities: true
    ),
    // The entities and the model of the Notebook example.
    notebook,
    // Runs the tool that is built beside the test bundle. Linking the tool would define its symbols
    // twice.
    tests("ObjectBoxCommandLineTests", settings: clangDefine),
    tests(
      "ObjectBoxContractTests",
      "ObjectBoxDynamic ObjectBoxSwiftReader",
      settings: syntaxSettings
    ),
  ]
)
// Declares libclang's types only; its functions are looked up at run time. Then C types in
// entities, and the code that the build plugin generates for them.
let clangTargets = plot(
  "Generator",
  sources: [.systemLibrary(name: "CObjectBoxClang")],
  tests: [
    .target(name: "CObjectBoxSensors", path: "Tests/Generator/ObjectBoxCTypesTests/CSensors"),
    tests(
      "ObjectBoxCTypesTests",
      "CObjectBoxSensors ObjectBox",
      entities: true,
      excluding: ["CSensors"]
    ),
  ]
)

// MARK: Server: clusters and synchronization

let serverTargets = plot(
  "Server",
  sources: libpq.targets + libwebsockets.targets + libcrypto.targets + [
    // The same entities on servers that use PostgreSQL's protocol.
    module(
      "ObjectBoxCluster",
      "ObjectBox ObjectBoxDynamic ObjectBoxFullText ObjectBoxGrouping ObjectBoxJSON ObjectBoxSearch",
      [libpq],
      settings: staysOnActor
    ),
    // The synchronization protocol as pure state machines: no clocks, sockets, disks or threads.
    module("ObjectBoxSyncProtocol"),
    // Connections of synchronization. Takes the core's lock, and knows nothing of stores.
    module("ObjectBoxWebSockets", "ObjectBox", [libwebsockets]),
    // What device and server take from a model.
    module("ObjectBoxSyncSchema", "ObjectBox ObjectBoxSyncProtocol"),
    // The messages of synchronization over WebSockets.
    module("ObjectBoxSyncConnection", "ObjectBoxSyncProtocol ObjectBoxWebSockets"),
    // Synchronizes a store with a server.
    module("CObjectBoxSync", "CObjectBoxHooks"),
    module(
      "ObjectBoxSync",
      "CObjectBoxSync ObjectBox ObjectBoxStorage ObjectBoxSyncConnection ObjectBoxSyncProtocol "
        + "ObjectBoxSyncSchema ObjectBoxWebSockets"
    ),
    // Synchronizes many devices with one cluster.
    module(
      "ObjectBoxSyncServer",
      "ObjectBox ObjectBoxCluster ObjectBoxSyncConnection ObjectBoxSyncProtocol "
        + "ObjectBoxSyncSchema ObjectBoxWebSockets",
      [libpq, libcrypto],
      settings: staysOnActor
    ),
  ],
  tests: [
    module("ObjectBoxSyncTestSupport", "ObjectBoxSyncProtocol"),
    tests("ObjectBoxSyncProtocolTests", "ObjectBoxSyncTestSupport"),
    tests("ObjectBoxWebSocketsTests", "ObjectBoxWebSockets", [libwebsockets]),
    tests(
      "ObjectBoxClusterTests",
      "ObjectBoxCluster ObjectBoxEncryption",
      [libpq, libsodium],
      settings: staysOnActor,
      entities: true
    ),
    tests(
      "ObjectBoxSyncTests",
      "ObjectBoxCare ObjectBoxLive ObjectBoxRuntimeTestSupport ObjectBoxSync "
        + "ObjectBoxSyncTestSupport",
      [libwebsockets]
    ),
    tests(
      "ObjectBoxSyncServerTests",
      "ObjectBoxSync ObjectBoxSyncServer ObjectBoxSyncTestSupport",
      [libpq, libwebsockets, libcrypto],
      settings: staysOnActor,
      entities: true
    ),
  ]
)

// MARK: Tool: works on store files without bindings

let toolModule = module(
  "ObjectBoxTool",
  "ObjectBox ObjectBoxCare ObjectBoxCluster ObjectBoxCommandLine ObjectBoxDynamic "
    + "ObjectBoxEncryption ObjectBoxFullText ObjectBoxJSON ObjectBoxLive ObjectBoxStorage "
    + "ObjectBoxSync ObjectBoxSyncServer",
  [libmicrohttpd]
)
// Embedded, so that the program can be moved.
toolModule.resources = [.embedInCode("Browser/Page"), .embedInCode("SyncServer/Page")]

let toolTargets = plot(
  "Tool",
  // Only the product is named `objectbox`: on a file system that ignores case, such a folder or
  // module would clash with the runtime's.
  sources: libmicrohttpd.targets + [toolModule, program("objectbox-tool", "ObjectBoxTool")],
  tests: [
    tests(
      "ObjectBoxToolTests",
      "ObjectBoxSyncTestSupport ObjectBoxTool",
      [libpq, libwebsockets, libcrypto, libmicrohttpd, libsodium]
    ),
    tests("ObjectBoxBrowserTests", "ObjectBoxSyncTestSupport ObjectBoxTool", [libmicrohttpd]),
    // Every type of property on every surface.
    tests(
      "ObjectBoxMatrixTests",
      "ObjectBoxTool",
      [libpq, libwebsockets],
      settings: staysOnActor,
      entities: true,
      excluding: ["read_values.py"]
    ),
  ]
)

// MARK: Trials: programs of the scripts

let fuzzTargets = module(
  "ObjectBoxFuzzTargets",
  "ObjectBoxSwiftReader ObjectBoxTestSupport ObjectBoxTool",
  [libsodium],
  settings: syntaxSettings
)
fuzzTargets.path = "Tests/Trials/Fuzzing/Targets"
let reliability = program(
  "ReliabilityTool",
  "ObjectBoxCare ObjectBoxEncryption ObjectBoxLive ObjectBoxReliabilitySupport "
    + "ObjectBoxTestSupport"
)
reliability.exclude = ["Shim"]

let trialTargets = plot(
  "Trials",
  tests: [
    // Checks recorded histories, without a store.
    module("ObjectBoxReliabilitySupport"),
    reliability,
    module("CObjectBoxInstructionCount"),
    program(
      "GrowthTool",
      "CObjectBoxInstructionCount ObjectBoxLive ObjectBoxRuntimeTestSupport ObjectBoxSync"
    ),
    program(
      "ClusterFaults",
      "ObjectBoxCluster ObjectBoxReliabilitySupport",
      settings: staysOnActor,
      entities: true
    ),
    program(
      "SyncFaults",
      "ObjectBoxReliabilitySupport ObjectBoxSync ObjectBoxSyncServer ObjectBoxTestSupport",
      settings: staysOnActor,
      entities: true
    ),
    program(
      "SyncHostile",
      "ObjectBoxSync ObjectBoxSyncServer ObjectBoxTestSupport",
      settings: staysOnActor,
      entities: true
    ),
    program("SyncTrials", "ObjectBoxSyncProtocol"),
    // The functions of bytes that libFuzzer calls.
    fuzzTargets,
    tests("ObjectBoxFuzzingTests", "ObjectBoxFuzzTargets", [libsodium], settings: syntaxSettings),
  ]
)

// MARK: The package

let libraries = [
  "ObjectBox", "ObjectBoxDynamic", "ObjectBoxSearch", "ObjectBoxGrouping", "ObjectBoxTesting",
  "ObjectBoxLive", "ObjectBoxCare", "ObjectBoxCluster", "ObjectBoxEncryption", "ObjectBoxSync",
  "ObjectBoxSyncServer",
]
let package = Package(
  name: "objectbox-swift-open",
  // Linux needs no entry. Apple's other systems are left out: they have no LMDB.
  platforms: [.macOS(.v15)],
  products: libraries.map { .library(name: $0, targets: [$0]) } + [
    .executable(name: "objectbox", targets: ["objectbox-tool"]),
    .executable(name: "objectbox-generator", targets: ["objectbox-generator"]),
    .plugin(name: "ObjectBoxPlugin", targets: ["ObjectBoxPlugin"]),
    .plugin(name: "ObjectBoxCommand", targets: ["ObjectBoxCommand"]),
  ],
  dependencies: syntaxPackages,
  targets: storeTargets + generatorTargets + (libclang == nil ? [] : clangTargets) + plugins
    + serverTargets + toolTargets + trialTargets
)

// The program of Benchmarks/sync.sh needs symbols of the package. Other builds leave it out.
if isOn("OBJECTBOX_BENCHMARKS") {
  let uses = "ObjectBoxSync ObjectBoxSyncServer"
  let sync = program("SyncBenchmark", uses, settings: staysOnActor, entities: true)
  sync.path = "Benchmarks/SyncBenchmark"
  package.targets += plot("Benchmarks", tests: [sync])
}

// libFuzzer's target has no `main`, so a build of all targets would fail: only Scripts/fuzz.sh
// includes it. The plugins of tests would be built with the fuzzer's flags, but without its library.
if isOn("OBJECTBOX_FUZZING") {
  let fuzzer = program("Fuzzer", "ObjectBoxFuzzTargets", settings: syntaxSettings)
  fuzzer.path = "Tests/Trials/Fuzzing/Fuzzer"
  package.targets += plot("Trials", tests: [fuzzer])
  package.targets.removeAll { $0.type == .test }
}

// The tests that Scripts/encrypted-test.sh also runs on encrypted stores.
let runsEncrypted: Set<String> = [
  "ObjectBoxCompatibilityTests", "ObjectBoxGeneratedCodeTests", "ObjectBoxGroupingTests",
  "ObjectBoxLiveTests", "ObjectBoxQueryTests", "ObjectBoxSearchTests", "ObjectBoxStoreTests",
  "ObjectBoxTests",
]
for target in package.targets where runsEncrypted.contains(target.name) {
  target.dependencies.append("ObjectBoxEncryptedTestSupport")
}

// Programs and modules that tests use without an import. Linking a program would define symbols
// twice.
let runByTests = [
  "ObjectBoxBrowserTests": ["objectbox-tool"],
  "ObjectBoxCommandLineTests": ["ObjectBox", "objectbox-generator"],
  "ObjectBoxCareTests": ["ProcessTestTool"],
  "ObjectBoxEncryptionTests": ["ProcessTestTool"],
  // Its tests compile sources that import all modules of the runtime.
  "ObjectBoxLiveTests": ["ObjectBoxCare", "ObjectBoxDynamic", "ProcessTestTool"],
  "ObjectBoxMatrixTests": ["objectbox-tool"],
  "ObjectBoxSearchTests": ["EnginelessTool"],
  "ObjectBoxStoreTests": ["ProcessTestTool"],
  "ObjectBoxToolTests": ["ProcessTestTool", "objectbox-tool"],
]

// The concurrency suites of these targets as one target, for the thread sanitizer: a build of all
// targets would take several times as long. Helpers are files that these suites share with others.
func concurrencyTarget() -> Target {
  let folders = [
    "Store/ObjectBoxCareTests", "Store/ObjectBoxLiveTests", "Store/ObjectBoxQueryTests",
    "Store/ObjectBoxStorageTests", "Store/ObjectBoxStoreTests", "Store/ObjectBoxTests",
    "Server/ObjectBoxSyncTests", "Server/ObjectBoxWebSocketsTests",
  ]
  let helpers = [
    "Store/ObjectBoxLiveTests/Change/ChangeRecorder.swift",
    "Store/ObjectBoxLiveTests/View/ViewErrors.swift",
    "Store/ObjectBoxQueryTests/Query/ParallelScanStore.swift",
    "Store/ObjectBoxStoreTests/Store/Member.swift",
    "Server/ObjectBoxSyncTests/Support/MemoryServerLog.swift",
    "Server/ObjectBoxSyncTests/Support/TypedDevice.swift",
    "Server/ObjectBoxWebSocketsTests/EchoServer.swift",
    "Server/ObjectBoxWebSocketsTests/Gate.swift",
  ]
  let suites = folders.flatMap { folder -> [String] in
    let files = FileManager.default.enumerator(
      atPath: "\(Context.packageDirectory)/Tests/\(folder)"
    )
    return (files?.compactMap { $0 as? String } ?? [])
      .filter { $0.hasSuffix("ConcurrencyTests.swift") }.map { "\(folder)/\($0)" }
  }
  let target = tests(
    "ObjectBoxConcurrencyTests",
    "ObjectBoxCare ObjectBoxLive ObjectBoxRuntimeTestSupport ObjectBoxSync "
      + "ObjectBoxSyncTestSupport ProcessTestTool",
    [libwebsockets]
  )
  target.path = "Tests"
  target.sources = (suites + helpers).sorted()
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
      runByTests[name]?.forEach(keep)
    }
  }
  if names == "concurrency" {
    package.targets.removeAll { $0.type == .test }
    package.targets += plot("", tests: [concurrencyTarget()])
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
