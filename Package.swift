// swift-tools-version: 6.2
import Foundation
import PackageDescription

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
      if FileManager.default.fileExists(atPath: folder + "/SwiftSyntax.swiftmodule") {
        return String(folder)
      }
    }
  #endif
  return nil
}

let hostLibraries = toolchainHostLibraries()

// The generator reads C headers only if libclang is installed. OBJECTBOX_WITHOUT_LIBCLANG=1 hides
// libclang in tests.
func libclangFolder() -> String? {
  let isHidden = ProcessInfo.processInfo.environment["OBJECTBOX_WITHOUT_LIBCLANG"] == "1"
  guard !isHidden, let names = try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")
  else { return nil }
  let versions = names.compactMap { name in
    name.hasPrefix("llvm-") ? Int(name.dropFirst("llvm-".count)) : nil
  }
  return versions.sorted(by: >).map { "/usr/lib/llvm-\($0)" }.first { folder in
    ["/include/clang-c/Index.h", "/lib/libclang.so"]
      .allSatisfy { FileManager.default.fileExists(atPath: folder + $0) }
  }
}

let libclang = libclangFolder()

/// A C library that a part of the package needs.
///
/// Without the library, that part only says what to install. `OBJECTBOX_WITHOUT_<NAME>=1` hides the
/// library in tests.
struct OptionalLibrary {
  /// The module of the library, the formula of Homebrew and pkg-config's name.
  let module: String
  let name: String
  let apt: String
  /// The header whose presence shows that the library is installed; see also `folders`.
  let header: String
  var folders: [String] = []
  /// The `#if` condition of the code that needs the library.
  let define: String

  private var isPresent: Bool {
    guard ProcessInfo.processInfo.environment["OBJECTBOX_WITHOUT_\(name.uppercased())"] != "1"
    else { return false }
    let homebrew = ["/opt/homebrew", "/usr/local"].map { "\($0)/opt/\(name)/include" }
    return (["/usr/include"] + folders + homebrew).contains {
      FileManager.default.fileExists(atPath: "\($0)/\(header)")
    }
  }

  var targets: [Target] {
    guard isPresent else { return [] }
    let providers: [SystemPackageProvider] = [.apt([apt]), .brew([name])]
    return [.systemLibrary(name: module, pkgConfig: name, providers: providers)]
  }
  var dependencies: [Target.Dependency] { isPresent ? [.byName(name: module)] : [] }
  var settings: [SwiftSetting] { isPresent ? [.define(define)] : [] }
}

/// The client library of PostgreSQL, for clusters.
let libpq = OptionalLibrary(
  module: "CObjectBoxPostgres",
  name: "libpq",
  apt: "libpq-dev",
  header: "libpq-fe.h",
  folders: ["/usr/include/postgresql", "/usr/include/pgsql"],
  define: "OBJECTBOX_LIBPQ"
)

/// The web server of `objectbox browse`.
let libmicrohttpd = OptionalLibrary(
  module: "CObjectBoxHTTP",
  name: "libmicrohttpd",
  apt: "libmicrohttpd-dev",
  header: "microhttpd.h",
  define: "OBJECTBOX_HTTP"
)

/// The WebSockets of synchronization.
let libwebsockets = OptionalLibrary(
  module: "CObjectBoxWebSockets",
  name: "libwebsockets",
  apt: "libwebsockets-dev",
  header: "libwebsockets.h",
  define: "OBJECTBOX_WEBSOCKETS"
)

/// The signatures of tokens, by which users of synchronization log in.
let libcrypto = OptionalLibrary(
  module: "CObjectBoxTokens",
  name: "openssl",
  apt: "libssl-dev",
  header: "openssl/evp.h",
  define: "OBJECTBOX_TOKENS"
)

/// The ciphers of encrypted stores.
let libsodium = OptionalLibrary(
  module: "CObjectBoxSodium",
  name: "libsodium",
  apt: "libsodium-dev",
  header: "sodium.h",
  define: "OBJECTBOX_SODIUM"
)

// Homebrew's headers are outside the compiler's search path. On Linux they are inside, often
// without a pkg-config file.
#if os(macOS)
  let lmdbPackage: String? = "lmdb"
#else
  let lmdbPackage: String? = nil
#endif

let common: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// Objects are not Sendable: asynchronous functions stay on the actor that called them.
let clusterSettings: [SwiftSetting] =
  libpq.settings + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

// SwiftSyntax is built from source when the toolchain lacks the libraries, as some of Apple's do.
let packages: [Package.Dependency] =
  hostLibraries == nil
  ? [.package(url: "https://github.com/swiftlang/swift-syntax.git", from: "603.0.0")] : []
let syntaxProducts: [Target.Dependency] =
  hostLibraries == nil
  ? [
    .product(name: "SwiftSyntax", package: "swift-syntax"),
    .product(name: "SwiftParser", package: "swift-syntax"),
    .product(name: "SwiftParserDiagnostics", package: "swift-syntax"),
    .product(name: "SwiftDiagnostics", package: "swift-syntax"),
    .product(name: "SwiftIfConfig", package: "swift-syntax"),
    .product(name: "SwiftOperators", package: "swift-syntax"),
  ] : []
// For CObjectBoxClang: targets that import the generator compile it too.
let clangHeaders: [SwiftSetting] =
  libclang.map { folder in
    let path = "-DOBJECTBOX_LIBCLANG_PATH=\"\(folder)/lib/libclang.so\""
    return [.unsafeFlags(["-Xcc", "-I\(folder)/include", "-Xcc", path])]
  } ?? []
let syntaxSettings: [SwiftSetting] =
  clangHeaders + (hostLibraries.map { [.unsafeFlags(["-I", $0])] } ?? [])
let syntaxLinking: [LinkerSetting] =
  hostLibraries.map {
    [
      .unsafeFlags(["-L", $0, "-Xlinker", "-rpath", "-Xlinker", $0]),
      .linkedLibrary("SwiftSyntax"),
      .linkedLibrary("SwiftParser"),
      .linkedLibrary("SwiftParserDiagnostics"),
      .linkedLibrary("SwiftDiagnostics"),
      .linkedLibrary("SwiftIfConfig"),
      .linkedLibrary("SwiftOperators"),
    ]
  } ?? []

let clangTargets: [Target] =
  libclang == nil
  ? []
  : [
    // Declares libclang's types only; its functions are looked up at run time.
    .systemLibrary(name: "CObjectBoxClang"),
    // C types in entities, and the code that the build plugin generates for them.
    .target(name: "CObjectBoxSensors", path: "Tests/CTypesTests/CSensors"),
    .testTarget(
      name: "ObjectBoxCTypesTests",
      dependencies: ["CObjectBoxSensors", "ObjectBox", "ObjectBoxTestSupport"],
      path: "Tests/CTypesTests",
      exclude: ["CSensors", "model-ObjectBoxCTypesTests.json"],
      swiftSettings: common,
      plugins: ["ObjectBoxPlugin"]
    ),
  ]
let clangDependencies: [Target.Dependency] = libclang == nil ? [] : ["CObjectBoxClang"]
let clangDefine: [SwiftSetting] = libclang == nil ? [] : [.define("OBJECTBOX_LIBCLANG")]
// OBJECTBOX_GENERATOR=/absolute/path names an installed generator. The plugins run it, so no
// generator is built.
let installedGenerator = ProcessInfo.processInfo.environment["OBJECTBOX_GENERATOR"] ?? ""
let generatorOfPlugins: [Target.Dependency] =
  installedGenerator.isEmpty ? ["objectbox-generator"] : []

// libFuzzer's target has no `main`, so a build of all targets would fail. Only Scripts/fuzz.sh
// includes it.
let fuzzTargets: [Target] =
  ProcessInfo.processInfo.environment["OBJECTBOX_FUZZING"] != "1"
  ? []
  : [
    .executableTarget(
      name: "Fuzzer",
      dependencies: ["ObjectBoxFuzzTargets"],
      path: "Tests/Fuzzing/Fuzzer",
      swiftSettings: common + syntaxSettings
    )
  ]

// The program of Benchmarks/sync.sh needs symbols of the package. Other builds leave it out.
let benchmarkTargets: [Target] =
  ProcessInfo.processInfo.environment["OBJECTBOX_BENCHMARKS"] != "1"
  ? []
  : [
    .executableTarget(
      name: "SyncBenchmark",
      dependencies: [
        "ObjectBox", "ObjectBoxCluster", "ObjectBoxSync", "ObjectBoxSyncConnection",
        "ObjectBoxSyncProtocol", "ObjectBoxSyncSchema", "ObjectBoxSyncServer",
        "ObjectBoxWebSockets",
      ],
      path: "Benchmarks/SyncBenchmark",
      exclude: ["model-SyncBenchmark.json"],
      swiftSettings: common + clusterSettings,
      plugins: ["ObjectBoxPlugin"]
    )
  ]

let package = Package(
  name: "objectbox-swift-open",
  // Linux needs no entry. Apple's other systems are left out: they have no LMDB.
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "ObjectBox", targets: ["ObjectBox"]),
    .library(name: "ObjectBoxDynamic", targets: ["ObjectBoxDynamic"]),
    .library(name: "ObjectBoxSearch", targets: ["ObjectBoxSearch"]),
    .library(name: "ObjectBoxGrouping", targets: ["ObjectBoxGrouping"]),
    .library(name: "ObjectBoxTesting", targets: ["ObjectBoxTesting"]),
    .library(name: "ObjectBoxLive", targets: ["ObjectBoxLive"]),
    .library(name: "ObjectBoxCare", targets: ["ObjectBoxCare"]),
    .library(name: "ObjectBoxCluster", targets: ["ObjectBoxCluster"]),
    .library(name: "ObjectBoxEncryption", targets: ["ObjectBoxEncryption"]),
    .library(name: "ObjectBoxSync", targets: ["ObjectBoxSync"]),
    .library(name: "ObjectBoxSyncServer", targets: ["ObjectBoxSyncServer"]),
    .executable(name: "objectbox", targets: ["objectbox-tool"]),
    .executable(name: "objectbox-generator", targets: ["objectbox-generator"]),
    .plugin(name: "ObjectBoxPlugin", targets: ["ObjectBoxPlugin"]),
    .plugin(name: "ObjectBoxCommand", targets: ["ObjectBoxCommand"]),
  ],
  dependencies: packages,
  targets: [
    // Runtime: what users link.
    .systemLibrary(
      name: "CObjectBoxLMDB",
      pkgConfig: lmdbPackage,
      providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]
    ),
    .target(
      name: "ObjectBoxStorage",
      dependencies: ["CObjectBoxLMDB", "CObjectBoxPages", "CObjectBoxRecords"],
      swiftSettings: common
    ),
    .target(name: "CObjectBoxPages"),
    .target(name: "CObjectBoxRecords", dependencies: ["CObjectBoxPages"]),
    .target(name: "CObjectBoxVectors"),
    // Full text indexes. Knows nothing of entities, stores and models.
    .target(name: "CObjectBoxFullText"),
    .target(
      name: "ObjectBoxFullText",
      dependencies: ["CObjectBoxFullText", "ObjectBoxStorage"],
      swiftSettings: common
    ),
    // Reads and writes JSON, for both halves.
    .target(name: "ObjectBoxJSON", swiftSettings: common),
    // The synchronization protocol as pure state machines: no clocks, sockets, disks or threads.
    .target(name: "ObjectBoxSyncProtocol", swiftSettings: common),
    .target(name: "CObjectBoxIsolation"),
    // Function pointers by which optional modules extend the core.
    .target(name: "CObjectBoxHooks"),
    .target(
      name: "ObjectBox",
      dependencies: [
        "CObjectBoxHooks", "CObjectBoxIsolation", "CObjectBoxRecords", "CObjectBoxVectors",
        "ObjectBoxFullText", "ObjectBoxStorage",
      ],
      swiftSettings: common
    ),

    // Snippets of found texts, and the fusion of two searches.
    .target(
      name: "ObjectBoxSearch",
      dependencies: ["ObjectBox", "ObjectBoxFullText"],
      swiftSettings: common
    ),

    // Groups of objects and their aggregates.
    .target(
      name: "ObjectBoxGrouping",
      dependencies: ["CObjectBoxRecords", "ObjectBox"],
      swiftSettings: common
    ),

    // Stores without bindings: objects as dictionaries of property names, by the model file.
    .target(
      name: "ObjectBoxDynamic",
      dependencies: ["ObjectBox", "ObjectBoxFullText", "ObjectBoxJSON", "ObjectBoxStorage"],
      swiftSettings: common
    ),

    // Tests of programs: kept stores of older models.
    .target(
      name: "ObjectBoxTesting",
      dependencies: ["ObjectBox", "ObjectBoxDynamic"],
      swiftSettings: common
    ),

    // Snapshots, live views, references and exact change sets.
    .target(
      name: "ObjectBoxLive",
      dependencies: ["CObjectBoxIsolation", "ObjectBox", "ObjectBoxGrouping", "ObjectBoxStorage"],
      swiftSettings: common
    ),

    // Care of store files: verification, backup, compaction, salvage.
    .target(
      name: "CObjectBoxCare",
      dependencies: ["CObjectBoxHooks", "CObjectBoxPages"],
      // For the private headers with the layout of pages.
      cSettings: [.headerSearchPath("../CObjectBoxPages")]
    ),
    .target(
      name: "ObjectBoxCare",
      dependencies: [
        "CObjectBoxCare", "CObjectBoxPages", "ObjectBox", "ObjectBoxDynamic", "ObjectBoxJSON",
        "ObjectBoxStorage",
      ],
      swiftSettings: common
    ),

    // Encrypted stores.
    .target(
      name: "CObjectBoxEncryption",
      dependencies: ["CObjectBoxPages"],
      // For the private headers with the layout of pages.
      cSettings: [.headerSearchPath("../CObjectBoxPages")]
    ),
    .target(
      name: "ObjectBoxEncryption",
      dependencies: [
        "CObjectBoxEncryption", "CObjectBoxPages", "ObjectBox", "ObjectBoxStorage",
      ] + libsodium.dependencies,
      swiftSettings: common + libsodium.settings
    ),

    // The same entities on servers that use PostgreSQL's protocol.
    .target(
      name: "ObjectBoxCluster",
      dependencies: [
        "ObjectBox", "ObjectBoxDynamic", "ObjectBoxFullText", "ObjectBoxGrouping", "ObjectBoxJSON",
        "ObjectBoxSearch",
      ] + libpq.dependencies,
      swiftSettings: common + clusterSettings
    ),

    // Connections of synchronization. Knows nothing of stores.
    .target(
      name: "ObjectBoxWebSockets",
      dependencies: libwebsockets.dependencies,
      swiftSettings: common + libwebsockets.settings
    ),
    // What device and server take from a model.
    .target(
      name: "ObjectBoxSyncSchema",
      dependencies: ["ObjectBox", "ObjectBoxSyncProtocol"],
      swiftSettings: common
    ),
    // The messages of synchronization over WebSockets.
    .target(
      name: "ObjectBoxSyncConnection",
      dependencies: ["ObjectBoxSyncProtocol", "ObjectBoxWebSockets"],
      swiftSettings: common
    ),
    // Synchronizes a store with a server.
    .target(name: "CObjectBoxSync", dependencies: ["CObjectBoxHooks"]),
    .target(
      name: "ObjectBoxSync",
      dependencies: [
        "CObjectBoxSync", "ObjectBox", "ObjectBoxStorage", "ObjectBoxSyncConnection",
        "ObjectBoxSyncProtocol", "ObjectBoxSyncSchema", "ObjectBoxWebSockets",
      ],
      swiftSettings: common
    ),
    // Synchronizes many devices with one cluster.
    .target(
      name: "ObjectBoxSyncServer",
      dependencies: [
        "ObjectBox", "ObjectBoxCluster", "ObjectBoxSyncConnection", "ObjectBoxSyncProtocol",
        "ObjectBoxSyncSchema", "ObjectBoxWebSockets",
      ] + libcrypto.dependencies,
      swiftSettings: common + clusterSettings + libcrypto.settings
    ),

    // Tool: works on store files without bindings. Only the product is named `objectbox`: on a file
    // system that ignores case, such a folder or module would clash with the runtime's.
    .target(
      name: "ObjectBoxTool",
      dependencies: [
        "ObjectBox", "ObjectBoxCare", "ObjectBoxCluster", "ObjectBoxCommandLine",
        "ObjectBoxDynamic", "ObjectBoxEncryption", "ObjectBoxFullText", "ObjectBoxJSON",
        "ObjectBoxLive", "ObjectBoxStorage", "ObjectBoxSync", "ObjectBoxSyncServer",
      ] + libmicrohttpd.dependencies,
      // Embeds the pages of `objectbox browse` and `sync-server`, so the program can be moved.
      resources: [.embedInCode("Browser/Page"), .embedInCode("SyncServer/Page")],
      swiftSettings: common + libmicrohttpd.settings
    ),
    .executableTarget(
      name: "objectbox-tool",
      dependencies: ["ObjectBoxTool"],
      swiftSettings: common
    ),

    // Parses command lines, for both tools.
    .target(name: "ObjectBoxCommandLine", swiftSettings: common),

    // Generator: runs in builds.
    .systemLibrary(name: "CObjectBoxTemplates", path: "Templates"),
    .target(
      name: "ObjectBoxGenerator",
      dependencies: ["CObjectBoxTemplates", "ObjectBoxJSON"] + clangDependencies,
      swiftSettings: common + clangDefine + clangHeaders
    ),
    // Each build compiles the interface of SwiftSyntax once, on one processor, for as long as the
    // whole generator takes. This module depends on none of ours, so that work starts first.
    .target(
      name: "ObjectBoxSyntax",
      dependencies: syntaxProducts,
      swiftSettings: common + syntaxSettings,
      linkerSettings: syntaxLinking
    ),
    .target(
      name: "ObjectBoxSwiftReader",
      dependencies: ["ObjectBoxGenerator", "ObjectBoxSyntax"] + syntaxProducts,
      swiftSettings: common + syntaxSettings
    ),
    .executableTarget(
      name: "objectbox-generator",
      dependencies: ["ObjectBoxCommandLine", "ObjectBoxGenerator", "ObjectBoxSwiftReader"],
      swiftSettings: common + syntaxSettings
    ),
    .plugin(
      name: "ObjectBoxPlugin",
      capability: .buildTool(),
      dependencies: generatorOfPlugins
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
      dependencies: generatorOfPlugins
    ),

    // Tests mirror the sources.
    .target(
      name: "ObjectBoxTestSupport",
      path: "Tests/TestSupport",
      swiftSettings: common
    ),
    // Encrypts the stores of tests when a variable asks for it.
    .target(name: "CObjectBoxTestMedium", path: "Tests/CObjectBoxTestMedium"),
    .target(
      name: "ObjectBoxEncryptedTestSupport",
      dependencies: ["CObjectBoxTestMedium", "ObjectBox", "ObjectBoxEncryption"],
      path: "Tests/EncryptedTestSupport",
      swiftSettings: common
    ),
    .target(
      name: "ObjectBoxProcessTestSupport",
      dependencies: ["ObjectBox"],
      path: "Tests/ProcessTestSupport",
      swiftSettings: common
    ),
    .executableTarget(
      // The second process in tests of several processes; no product. It is built beside the test
      // bundle.
      name: "ProcessTestTool",
      dependencies: [
        "ObjectBox", "ObjectBoxCare", "ObjectBoxEncryption", "ObjectBoxLive",
        "ObjectBoxProcessTestSupport",
      ],
      path: "Tests/ProcessTestTool",
      swiftSettings: common
    ),
    .target(
      // Checks recorded histories, without a store.
      name: "ObjectBoxReliabilitySupport",
      path: "Tests/ReliabilitySupport",
      swiftSettings: common
    ),
    .executableTarget(
      // The long trials of Scripts/reliability.sh; no product.
      name: "ReliabilityTool",
      dependencies: [
        "ObjectBox", "ObjectBoxCare", "ObjectBoxDynamic", "ObjectBoxEncryption", "ObjectBoxLive",
        "ObjectBoxReliabilitySupport", "ObjectBoxStorage", "ObjectBoxTestSupport",
      ],
      path: "Tests/Reliability",
      exclude: ["Shim"],
      swiftSettings: common
    ),
    .target(name: "CObjectBoxInstructionCount", path: "Tests/CObjectBoxInstructionCount"),
    .executableTarget(
      // The costs of Scripts/growth.sh; no product.
      name: "GrowthTool",
      dependencies: [
        "CObjectBoxInstructionCount", "ObjectBox", "ObjectBoxGrouping", "ObjectBoxLive",
        "ObjectBoxRuntimeTestSupport", "ObjectBoxSync", "ObjectBoxSyncProtocol",
        "ObjectBoxSyncSchema", "ObjectBoxTestSupport",
      ],
      path: "Tests/Growth",
      swiftSettings: common
    ),
    .executableTarget(
      // The trials of Scripts/cluster-faults.sh; no product.
      name: "ClusterFaults",
      dependencies: ["ObjectBox", "ObjectBoxCluster", "ObjectBoxReliabilitySupport"],
      path: "Tests/ClusterFaults",
      exclude: ["model-ClusterFaults.json"],
      swiftSettings: common + clusterSettings,
      plugins: ["ObjectBoxPlugin"]
    ),
    .executableTarget(
      // Devices, servers and the check of Scripts/sync-faults.sh; no product.
      name: "SyncFaults",
      dependencies: [
        "ObjectBox", "ObjectBoxCluster", "ObjectBoxReliabilitySupport", "ObjectBoxSync",
        "ObjectBoxSyncServer", "ObjectBoxTestSupport",
      ],
      path: "Tests/SyncFaults",
      exclude: ["model-SyncFaults.json"],
      swiftSettings: common + clusterSettings,
      plugins: ["ObjectBoxPlugin"]
    ),
    .executableTarget(
      // The trial of `Scripts/sync-trials.sh hostile`; no product.
      name: "SyncHostile",
      dependencies: [
        "ObjectBox", "ObjectBoxCluster", "ObjectBoxSync", "ObjectBoxSyncConnection",
        "ObjectBoxSyncProtocol", "ObjectBoxSyncSchema", "ObjectBoxSyncServer",
        "ObjectBoxTestSupport", "ObjectBoxWebSockets",
      ],
      path: "Tests/SyncHostile",
      exclude: ["model-SyncHostile.json"],
      swiftSettings: common + clusterSettings,
      plugins: ["ObjectBoxPlugin"]
    ),
    .executableTarget(
      // The trials of Scripts/sync-trials.sh; no product.
      name: "SyncTrials",
      dependencies: ["ObjectBoxSyncProtocol"],
      path: "Tests/SyncTrials",
      swiftSettings: common
    ),
    .target(
      name: "ObjectBoxSyncTestSupport",
      dependencies: ["ObjectBoxSyncProtocol"],
      path: "Tests/SyncTestSupport",
      swiftSettings: common
    ),
    .testTarget(
      name: "ObjectBoxSyncProtocolTests",
      dependencies: ["ObjectBoxSyncProtocol", "ObjectBoxSyncTestSupport", "ObjectBoxTestSupport"],
      swiftSettings: common
    ),
    .target(
      // The functions of bytes that libFuzzer calls; no product.
      name: "ObjectBoxFuzzTargets",
      dependencies: [
        "ObjectBox", "ObjectBoxCare", "ObjectBoxDynamic", "ObjectBoxEncryption",
        "ObjectBoxFullText", "ObjectBoxGenerator", "ObjectBoxLive", "ObjectBoxStorage",
        "ObjectBoxSwiftReader", "ObjectBoxTestSupport", "ObjectBoxTool",
      ] + libsodium.dependencies,
      path: "Tests/Fuzzing/Targets",
      swiftSettings: common + syntaxSettings + libsodium.settings
    ),
    .testTarget(
      name: "ObjectBoxFuzzingTests",
      dependencies: [
        "ObjectBox", "ObjectBoxDynamic", "ObjectBoxEncryption", "ObjectBoxFuzzTargets",
        "ObjectBoxTestSupport",
      ] + libsodium.dependencies,
      path: "Tests/FuzzingTests",
      swiftSettings: common + syntaxSettings + libsodium.settings
    ),
    .testTarget(
      name: "ObjectBoxStorageTests",
      dependencies: ["CObjectBoxPages", "ObjectBoxStorage", "ObjectBoxTestSupport"],
      swiftSettings: common
    ),
    .testTarget(
      name: "ObjectBoxFullTextTests",
      dependencies: [
        "CObjectBoxFullText", "ObjectBoxFullText", "ObjectBoxStorage", "ObjectBoxTestSupport",
      ],
      swiftSettings: common
    ),
    .target(name: "CObjectBoxAllocationCount", path: "Tests/CObjectBoxAllocationCount"),
    .target(
      // Entities, fixture stores and child processes, for the tests of the runtime's modules.
      name: "ObjectBoxRuntimeTestSupport",
      dependencies: [
        "CObjectBoxRecords", "ObjectBox", "ObjectBoxFullText", "ObjectBoxProcessTestSupport",
        "ObjectBoxStorage", "ObjectBoxTestSupport",
      ],
      path: "Tests/RuntimeTestSupport",
      swiftSettings: common
    ),
    .testTarget(
      name: "ObjectBoxTests",
      dependencies: [
        "CObjectBoxAllocationCount", "ObjectBox", "ObjectBoxRuntimeTestSupport", "ObjectBoxStorage",
        "ObjectBoxTestSupport",
      ],
      exclude: ["Compatibility"],
      swiftSettings: common
    ),
    .testTarget(
      name: "ObjectBoxQueryTests",
      dependencies: [
        "CObjectBoxPages", "CObjectBoxRecords", "ObjectBox", "ObjectBoxRuntimeTestSupport",
        "ObjectBoxStorage", "ObjectBoxTestSupport",
      ],
      swiftSettings: common
    ),
    .testTarget(
      name: "ObjectBoxStoreTests",
      dependencies: [
        "ObjectBox", "ObjectBoxProcessTestSupport", "ObjectBoxReliabilitySupport",
        "ObjectBoxRuntimeTestSupport", "ObjectBoxStorage", "ObjectBoxTestSupport",
      ],
      swiftSettings: common
    ),
    .testTarget(
      name: "ObjectBoxSearchTests",
      dependencies: ["ObjectBox", "ObjectBoxSearch", "ObjectBoxTestSupport"],
      exclude: ["model-ObjectBoxSearchTests.json"],
      swiftSettings: common,
      plugins: ["ObjectBoxPlugin"]
    ),
    .testTarget(
      name: "ObjectBoxGroupingTests",
      dependencies: ["ObjectBox", "ObjectBoxGrouping", "ObjectBoxTestSupport"],
      exclude: ["group_oracle.py", "model-ObjectBoxGroupingTests.json"],
      swiftSettings: common,
      plugins: ["ObjectBoxPlugin"]
    ),
    .testTarget(
      name: "ObjectBoxLiveTests",
      dependencies: [
        "CObjectBoxAllocationCount", "ObjectBox", "ObjectBoxCare", "ObjectBoxGrouping",
        "ObjectBoxLive", "ObjectBoxProcessTestSupport", "ObjectBoxRuntimeTestSupport",
        "ObjectBoxStorage",
        "ObjectBoxTestSupport",
      ],
      swiftSettings: common
    ),
    .testTarget(
      name: "ObjectBoxEncryptionTests",
      dependencies: [
        "CObjectBoxEncryption", "CObjectBoxPages", "ObjectBox", "ObjectBoxCare",
        "ObjectBoxEncryption", "ObjectBoxLive", "ObjectBoxProcessTestSupport",
        "ObjectBoxRuntimeTestSupport", "ObjectBoxStorage", "ObjectBoxTestSupport",
      ] + libsodium.dependencies,
      swiftSettings: common + libsodium.settings
    ),
    .testTarget(
      name: "ObjectBoxDynamicTests",
      dependencies: [
        "ObjectBox", "ObjectBoxDynamic", "ObjectBoxRuntimeTestSupport", "ObjectBoxStorage",
        "ObjectBoxTestSupport",
      ],
      swiftSettings: common
    ),
    .testTarget(
      name: "ObjectBoxCareTests",
      dependencies: [
        "CObjectBoxRecords", "ObjectBox", "ObjectBoxCare", "ObjectBoxDynamic", "ObjectBoxJSON",
        "ObjectBoxLive", "ObjectBoxProcessTestSupport", "ObjectBoxRuntimeTestSupport",
        "ObjectBoxStorage", "ObjectBoxTestSupport",
      ],
      swiftSettings: common
    ),
    .testTarget(
      // Code of programs written for ObjectBox Swift 5.3: in Swift 5 mode, without the upcoming
      // features of `common`.
      name: "ObjectBoxCompatibilityTests",
      dependencies: ["ObjectBox"],
      path: "Tests/ObjectBoxTests/Compatibility",
      swiftSettings: [.swiftLanguageMode(.v5)]
    ),
    .testTarget(
      name: "ObjectBoxGeneratorTests",
      dependencies: ["ObjectBoxGenerator", "ObjectBoxSwiftReader", "ObjectBoxTestSupport"]
        + syntaxProducts,
      swiftSettings: common + syntaxSettings
    ),
    .testTarget(
      name: "ObjectBoxGeneratedCodeTests",
      dependencies: [
        "ObjectBox", "ObjectBoxCare", "ObjectBoxDynamic", "ObjectBoxEncryption", "ObjectBoxLive",
        "ObjectBoxTestSupport", "ObjectBoxTesting",
      ],
      path: "Tests/GeneratedCodeTests",
      exclude: ["model-ObjectBoxGeneratedCodeTests.json"],
      swiftSettings: common + libsodium.settings,
      plugins: ["ObjectBoxPlugin"]
    ),
    .testTarget(
      // Every type of property on every surface.
      name: "ObjectBoxMatrixTests",
      dependencies: [
        "ObjectBox", "ObjectBoxCluster", "ObjectBoxDynamic", "ObjectBoxGrouping", "ObjectBoxLive",
        "ObjectBoxSync", "ObjectBoxSyncServer", "ObjectBoxTestSupport", "ObjectBoxTool",
      ],
      path: "Tests/MatrixTests",
      exclude: ["model-ObjectBoxMatrixTests.json", "read_values.py"],
      swiftSettings: common + clusterSettings + libwebsockets.settings,
      plugins: ["ObjectBoxPlugin"]
    ),
    .testTarget(
      // Generated code in a module whose default isolation is the main actor.
      name: "ObjectBoxMainActorTests",
      dependencies: ["ObjectBox"],
      path: "Tests/MainActorTests",
      exclude: ["model-ObjectBoxMainActorTests.json"],
      swiftSettings: common + [.defaultIsolation(MainActor.self)],
      plugins: ["ObjectBoxPlugin"]
    ),
    .testTarget(
      // The entities and the model of the Notebook example.
      name: "ObjectBoxNotebookTests",
      dependencies: ["ObjectBox", "ObjectBoxTestSupport"],
      path: "Tests/NotebookTests",
      swiftSettings: common,
      plugins: ["ObjectBoxPlugin"]
    ),
    .testTarget(
      // Runs the tool that is built beside the test bundle. Linking the tool would define its
      // symbols twice.
      name: "ObjectBoxCommandLineTests",
      dependencies: ["ObjectBoxTestSupport"],
      path: "Tests/CommandLineTests",
      swiftSettings: common + clangDefine
    ),
    .testTarget(
      name: "ObjectBoxToolTests",
      dependencies: [
        "ObjectBox", "ObjectBoxCare", "ObjectBoxCluster", "ObjectBoxDynamic",
        "ObjectBoxEncryption", "ObjectBoxJSON", "ObjectBoxLive", "ObjectBoxSync",
        "ObjectBoxSyncProtocol", "ObjectBoxSyncServer", "ObjectBoxSyncTestSupport",
        "ObjectBoxTestSupport", "ObjectBoxTool",
      ],
      swiftSettings: common + libpq.settings + libwebsockets.settings + libcrypto.settings
        + libmicrohttpd.settings + libsodium.settings
    ),
    .testTarget(
      name: "ObjectBoxBrowserTests",
      dependencies: [
        "ObjectBox", "ObjectBoxCluster", "ObjectBoxDynamic", "ObjectBoxSync",
        "ObjectBoxSyncProtocol", "ObjectBoxSyncServer", "ObjectBoxSyncTestSupport",
        "ObjectBoxTestSupport", "ObjectBoxTool",
      ],
      swiftSettings: common + libmicrohttpd.settings
    ),
    .testTarget(
      name: "ObjectBoxClusterTests",
      dependencies: [
        "ObjectBox", "ObjectBoxCluster", "ObjectBoxDynamic", "ObjectBoxEncryption",
        "ObjectBoxGrouping", "ObjectBoxSearch", "ObjectBoxTestSupport",
      ],
      exclude: ["model-ObjectBoxClusterTests.json"],
      swiftSettings: common + clusterSettings + libsodium.settings,
      plugins: ["ObjectBoxPlugin"]
    ),
    .testTarget(
      name: "ObjectBoxWebSocketsTests",
      dependencies: ["ObjectBoxTestSupport", "ObjectBoxWebSockets"],
      swiftSettings: common + libwebsockets.settings
    ),
    .testTarget(
      name: "ObjectBoxSyncTests",
      dependencies: [
        "ObjectBox", "ObjectBoxCare", "ObjectBoxDynamic", "ObjectBoxLive",
        "ObjectBoxRuntimeTestSupport", "ObjectBoxStorage", "ObjectBoxSync",
        "ObjectBoxSyncConnection", "ObjectBoxSyncProtocol", "ObjectBoxSyncSchema",
        "ObjectBoxSyncTestSupport", "ObjectBoxTestSupport", "ObjectBoxWebSockets",
      ],
      swiftSettings: common + libwebsockets.settings
    ),
    .testTarget(
      name: "ObjectBoxSyncServerTests",
      dependencies: [
        "ObjectBox", "ObjectBoxCluster", "ObjectBoxDynamic", "ObjectBoxJSON",
        "ObjectBoxSync", "ObjectBoxSyncConnection", "ObjectBoxSyncProtocol",
        "ObjectBoxSyncSchema", "ObjectBoxSyncServer", "ObjectBoxSyncTestSupport",
        "ObjectBoxTestSupport", "ObjectBoxWebSockets",
      ],
      exclude: ["model-ObjectBoxSyncServerTests.json"],
      swiftSettings: common + clusterSettings + libwebsockets.settings + libcrypto.settings,
      plugins: ["ObjectBoxPlugin"]
    ),
    .testTarget(
      name: "ObjectBoxContractTests",
      dependencies: [
        "ObjectBox", "ObjectBoxDynamic", "ObjectBoxGenerator", "ObjectBoxSwiftReader",
        "ObjectBoxTestSupport",
      ] + syntaxProducts,
      path: "Tests/ContractTests",
      swiftSettings: common + syntaxSettings
    ),
  ] + clangTargets + libpq.targets + libmicrohttpd.targets + libwebsockets.targets
    + libcrypto.targets + libsodium.targets + fuzzTargets + benchmarkTargets
)

// The plugins of tests would be built with the fuzzer's flags, but without its library.
if !fuzzTargets.isEmpty { package.targets.removeAll { $0.type == .test } }

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
  "ObjectBoxStoreTests": ["ProcessTestTool"],
  "ObjectBoxToolTests": ["ProcessTestTool", "objectbox-tool"],
]

// The concurrency suites of these targets as one target, for the thread sanitizer: a build of all
// targets would take several times as long. Helpers are files that these suites share with others.
let concurrencyFolders = [
  "ObjectBoxCareTests", "ObjectBoxLiveTests", "ObjectBoxQueryTests", "ObjectBoxStorageTests",
  "ObjectBoxStoreTests", "ObjectBoxSyncTests", "ObjectBoxTests", "ObjectBoxWebSocketsTests",
]
let concurrencyHelpers = [
  "ObjectBoxLiveTests/Change/ChangeRecorder.swift",
  "ObjectBoxLiveTests/View/ViewErrors.swift",
  "ObjectBoxQueryTests/Query/SplitScanStore.swift",
  "ObjectBoxStoreTests/Store/Member.swift",
  "ObjectBoxSyncTests/Support/MemoryServerLog.swift",
  "ObjectBoxSyncTests/Support/TypedDevice.swift",
  "ObjectBoxWebSocketsTests/EchoServer.swift",
  "ObjectBoxWebSocketsTests/Gate.swift",
]
func concurrencyTarget() -> Target {
  let tests = "\(Context.packageDirectory)/Tests"
  let suites = concurrencyFolders.flatMap { folder -> [String] in
    let files = FileManager.default.enumerator(atPath: "\(tests)/\(folder)")
    return (files?.compactMap { $0 as? String } ?? [])
      .filter { $0.hasSuffix("ConcurrencyTests.swift") }.map { "\(folder)/\($0)" }
  }
  return .testTarget(
    name: "ObjectBoxConcurrencyTests",
    dependencies: [
      "ObjectBox", "ObjectBoxCare", "ObjectBoxLive", "ObjectBoxProcessTestSupport",
      "ObjectBoxRuntimeTestSupport", "ObjectBoxStorage", "ObjectBoxSync", "ObjectBoxSyncProtocol",
      "ObjectBoxSyncSchema", "ObjectBoxSyncTestSupport", "ObjectBoxTestSupport",
      "ObjectBoxWebSockets", "ProcessTestTool",
    ],
    path: "Tests",
    sources: (suites + concurrencyHelpers).sorted(),
    swiftSettings: common + libwebsockets.settings
  )
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
