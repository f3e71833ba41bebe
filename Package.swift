// swift-tools-version: 6.2
import Foundation
import PackageDescription

// The generator reads Swift with the SwiftSyntax libraries that every toolchain carries for its
// macros: nothing to download, and a clean build takes seconds. The folder is found through the
// Swift runtime that this manifest itself runs on; searching PATH would miss a toolchain that is
// called by its full path.
func toolchainHostLibraries() -> String? {
  #if os(Linux)
    guard let maps = FileHandle(forReadingAtPath: "/proc/self/maps") else { return nil }
    // String(contentsOfFile:) stops early on files of the proc file system.
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

// The generator reads C headers with libclang where it is installed, and does without elsewhere.
// OBJECTBOX_WITHOUT_LIBCLANG=1 hides it, for the tests of the latter.
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

/// A C library that a part of the package uses where it is installed.
///
/// Elsewhere that part says what to install. `OBJECTBOX_WITHOUT_<NAME>=1` hides the library, for the tests of that.
struct OptionalLibrary {
  /// The module of the library, the formula of Homebrew and pkg-config's name.
  let module: String
  let name: String
  let apt: String
  /// The header that tells whether the library is there, and Linux' folders beside `/usr/include`.
  let header: String
  var folders: [String] = []
  /// The condition of the code that needs the library.
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

/// Talks to the servers of clusters.
let libpq = OptionalLibrary(
  module: "CObjectBoxPostgres",
  name: "libpq",
  apt: "libpq-dev",
  header: "libpq-fe.h",
  folders: ["/usr/include/postgresql", "/usr/include/pgsql"],
  define: "OBJECTBOX_LIBPQ"
)

/// Serves the browser of the tool.
let libmicrohttpd = OptionalLibrary(
  module: "CObjectBoxHTTP",
  name: "libmicrohttpd",
  apt: "libmicrohttpd-dev",
  header: "microhttpd.h",
  define: "OBJECTBOX_HTTP"
)

// Homebrew's headers stand outside of the compiler's search path; Linux has them inside, often without such a file.
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
// Of the module CObjectBoxClang, which also those compile that import the generator.
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
    // The types of libclang; the functions are found when C headers are read.
    .systemLibrary(name: "CObjectBoxClang"),
    // C types in entities, with the code that the build plugin makes of them.
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
// OBJECTBOX_GENERATOR=/absolute/path names an installed generator, which the plugins run: they need no built one.
let installedGenerator = ProcessInfo.processInfo.environment["OBJECTBOX_GENERATOR"] ?? ""
let generatorOfPlugins: [Target.Dependency] =
  installedGenerator.isEmpty ? ["objectbox-generator"] : []

// The entry of libFuzzer has no `main`, so that a build of everything must not see it: Scripts/fuzz.sh asks for it.
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

let package = Package(
  name: "objectbox-swift-open",
  // Linux needs no line. Apple's other systems have no LMDB, so they are not claimed.
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "ObjectBox", targets: ["ObjectBox"]),
    .library(name: "ObjectBoxDynamic", targets: ["ObjectBoxDynamic"]),
    .library(name: "ObjectBoxLive", targets: ["ObjectBoxLive"]),
    .library(name: "ObjectBoxCare", targets: ["ObjectBoxCare"]),
    .library(name: "ObjectBoxCluster", targets: ["ObjectBoxCluster"]),
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
    // Reads and writes JSON, for both halves.
    .target(name: "ObjectBoxJSON", swiftSettings: common),
    .target(name: "CObjectBoxIsolation"),
    // Functions that modules beside the core give it.
    .target(name: "CObjectBoxHooks"),
    .target(
      name: "ObjectBox",
      dependencies: [
        "CObjectBoxHooks", "CObjectBoxIsolation", "CObjectBoxRecords", "CObjectBoxVectors",
        "ObjectBoxStorage",
      ],
      swiftSettings: common
    ),

    // Stores by their model files alone: objects by the names of their properties.
    .target(
      name: "ObjectBoxDynamic",
      dependencies: ["ObjectBox", "ObjectBoxJSON", "ObjectBoxStorage"],
      swiftSettings: common
    ),

    // Snapshots, live views, references and exact change sets.
    .target(
      name: "ObjectBoxLive",
      dependencies: ["CObjectBoxIsolation", "ObjectBox", "ObjectBoxStorage"],
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

    // The same entities on servers that speak PostgreSQL's protocol.
    .target(
      name: "ObjectBoxCluster",
      dependencies: ["ObjectBox", "ObjectBoxDynamic", "ObjectBoxJSON"] + libpq.dependencies,
      swiftSettings: common + clusterSettings
    ),

    // Tool: what works on store files without bindings. File systems that ignore case would take the folder
    // and module `objectbox` for the runtime's, so only the product has the name.
    .target(
      name: "ObjectBoxTool",
      dependencies: [
        "ObjectBox", "ObjectBoxCare", "ObjectBoxCluster", "ObjectBoxCommandLine",
        "ObjectBoxDynamic", "ObjectBoxJSON", "ObjectBoxLive", "ObjectBoxStorage",
      ] + libmicrohttpd.dependencies,
      // The page of the browser is a part of the program, which can be moved.
      resources: [.embedInCode("Browser/Page")],
      swiftSettings: common + libmicrohttpd.settings
    ),
    .executableTarget(
      name: "objectbox-tool",
      dependencies: ["ObjectBoxTool"],
      swiftSettings: common
    ),

    // Reads the words of command lines, for both tools.
    .target(name: "ObjectBoxCommandLine", swiftSettings: common),

    // Generator: what builds run.
    .systemLibrary(name: "CObjectBoxTemplates", path: "Templates"),
    .target(
      name: "ObjectBoxGenerator",
      dependencies: ["CObjectBoxTemplates", "ObjectBoxJSON"] + clangDependencies,
      swiftSettings: common + clangDefine + clangHeaders
    ),
    // The compiler reads the interface of SwiftSyntax once in each build, on one processor, for as long
    // as it takes to compile the generator. It does so for this module, which depends on none of ours.
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
    .target(
      name: "ObjectBoxProcessTestSupport",
      dependencies: ["ObjectBox"],
      path: "Tests/ProcessTestSupport",
      swiftSettings: common
    ),
    .executableTarget(
      // The other process of tests of several processes. It stands beside the test bundle and is no product.
      name: "ProcessTestTool",
      dependencies: [
        "ObjectBox", "ObjectBoxCare", "ObjectBoxLive", "ObjectBoxProcessTestSupport",
      ],
      path: "Tests/ProcessTestTool",
      swiftSettings: common
    ),
    .target(
      // Checks of recorded histories, without stores.
      name: "ObjectBoxReliabilitySupport",
      path: "Tests/ReliabilitySupport",
      swiftSettings: common
    ),
    .executableTarget(
      // The long trials of Scripts/reliability.sh; no product, as ProcessTestTool.
      name: "ReliabilityTool",
      dependencies: [
        "ObjectBox", "ObjectBoxCare", "ObjectBoxDynamic", "ObjectBoxLive",
        "ObjectBoxReliabilitySupport", "ObjectBoxStorage", "ObjectBoxTestSupport",
      ],
      path: "Tests/Reliability",
      exclude: ["Shim"],
      swiftSettings: common
    ),
    .executableTarget(
      // The trials of Scripts/cluster-faults.sh; no product, as ProcessTestTool.
      name: "ClusterFaults",
      dependencies: ["ObjectBox", "ObjectBoxCluster", "ObjectBoxReliabilitySupport"],
      path: "Tests/ClusterFaults",
      exclude: ["model-ClusterFaults.json"],
      swiftSettings: common + clusterSettings,
      plugins: ["ObjectBoxPlugin"]
    ),
    .target(
      // The code that libFuzzer runs, as functions of bytes; no product either.
      name: "ObjectBoxFuzzTargets",
      dependencies: [
        "ObjectBox", "ObjectBoxCare", "ObjectBoxDynamic", "ObjectBoxGenerator", "ObjectBoxLive",
        "ObjectBoxStorage", "ObjectBoxSwiftReader", "ObjectBoxTestSupport", "ObjectBoxTool",
      ],
      path: "Tests/Fuzzing/Targets",
      swiftSettings: common + syntaxSettings
    ),
    .testTarget(
      name: "ObjectBoxFuzzingTests",
      dependencies: ["ObjectBoxFuzzTargets"],
      path: "Tests/FuzzingTests",
      swiftSettings: common + syntaxSettings
    ),
    .testTarget(
      name: "ObjectBoxStorageTests",
      dependencies: ["CObjectBoxPages", "ObjectBoxStorage", "ObjectBoxTestSupport"],
      swiftSettings: common
    ),
    .target(name: "CObjectBoxAllocationCount", path: "Tests/CObjectBoxAllocationCount"),
    .target(
      // Entities, stores of fixtures and other processes, for the tests of the runtime's modules.
      name: "ObjectBoxRuntimeTestSupport",
      dependencies: [
        "CObjectBoxRecords", "ObjectBox", "ObjectBoxProcessTestSupport", "ObjectBoxStorage",
        "ObjectBoxTestSupport",
      ],
      path: "Tests/RuntimeTestSupport",
      swiftSettings: common
    ),
    .testTarget(
      name: "ObjectBoxTests",
      dependencies: [
        "ObjectBox", "ObjectBoxRuntimeTestSupport", "ObjectBoxStorage", "ObjectBoxTestSupport",
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
      name: "ObjectBoxLiveTests",
      dependencies: [
        "CObjectBoxAllocationCount", "ObjectBox", "ObjectBoxLive", "ObjectBoxProcessTestSupport",
        "ObjectBoxRuntimeTestSupport", "ObjectBoxStorage", "ObjectBoxTestSupport",
      ],
      swiftSettings: common
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
      // Code as programs have it that were written for ObjectBox Swift 5.3: in Swift 5, without the
      // features that this package turns on.
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
        "ObjectBox", "ObjectBoxDynamic", "ObjectBoxLive", "ObjectBoxTestSupport",
      ],
      path: "Tests/GeneratedCodeTests",
      exclude: ["model-ObjectBoxGeneratedCodeTests.json"],
      swiftSettings: common,
      plugins: ["ObjectBoxPlugin"]
    ),
    .testTarget(
      // Generated code where declarations are on the main actor unless they say otherwise.
      name: "ObjectBoxMainActorTests",
      dependencies: ["ObjectBox"],
      path: "Tests/MainActorTests",
      exclude: ["model-ObjectBoxMainActorTests.json"],
      swiftSettings: common + [.defaultIsolation(MainActor.self)],
      plugins: ["ObjectBoxPlugin"]
    ),
    .testTarget(
      // The entities of the Notebook example, with the model that both share.
      name: "ObjectBoxNotebookTests",
      dependencies: ["ObjectBox", "ObjectBoxTestSupport"],
      path: "Tests/NotebookTests",
      swiftSettings: common,
      plugins: ["ObjectBoxPlugin"]
    ),
    .testTarget(
      // Runs the built tool, which stands beside the test bundle; linking it here as well would
      // define its symbols twice.
      name: "ObjectBoxCommandLineTests",
      dependencies: ["ObjectBoxTestSupport"],
      path: "Tests/CommandLineTests",
      swiftSettings: common + clangDefine
    ),
    .testTarget(
      name: "ObjectBoxToolTests",
      dependencies: [
        "ObjectBox", "ObjectBoxCare", "ObjectBoxCluster", "ObjectBoxDynamic", "ObjectBoxJSON",
        "ObjectBoxLive", "ObjectBoxTestSupport", "ObjectBoxTool",
      ],
      swiftSettings: common
    ),
    .testTarget(
      name: "ObjectBoxBrowserTests",
      dependencies: [
        "ObjectBox", "ObjectBoxCluster", "ObjectBoxDynamic", "ObjectBoxTestSupport",
        "ObjectBoxTool",
      ],
      swiftSettings: common + libmicrohttpd.settings
    ),
    .testTarget(
      name: "ObjectBoxClusterTests",
      dependencies: [
        "ObjectBox", "ObjectBoxCluster", "ObjectBoxDynamic", "ObjectBoxTestSupport",
      ],
      exclude: ["model-ObjectBoxClusterTests.json"],
      swiftSettings: common + clusterSettings,
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
  ] + clangTargets + libpq.targets + libmicrohttpd.targets + fuzzTargets
)

// The plugin that some tests use would be built with the fuzzer's flags, and without its library.
if !fuzzTargets.isEmpty { package.targets.removeAll { $0.type == .test } }

// Programs and modules that tests use without importing them; linking a program would define symbols twice.
let runByTests = [
  "ObjectBoxBrowserTests": ["objectbox-tool"],
  "ObjectBoxCommandLineTests": ["ObjectBox", "objectbox-generator"],
  "ObjectBoxCareTests": ["ProcessTestTool"],
  // Its compiled sources import all modules of the runtime.
  "ObjectBoxLiveTests": ["ObjectBoxCare", "ObjectBoxDynamic", "ProcessTestTool"],
  "ObjectBoxStoreTests": ["ProcessTestTool"],
  "ObjectBoxToolTests": ["ProcessTestTool", "objectbox-tool"],
]

// Scripts/test sets OBJECTBOX_TESTS=NAME, which leaves the test target of that name and what it needs. Builds for the
// thread sanitizer take long: OBJECTBOX_TESTS=concurrency leaves the suites of concurrency of all test targets.
if let name = ProcessInfo.processInfo.environment["OBJECTBOX_TESTS"] {
  let leavesConcurrency = name == "concurrency"
  func testFiles(of target: Target) -> [String] {
    guard target.type == .test else { return [] }
    let folder = "\(Context.packageDirectory)/\(target.path ?? "Tests/\(target.name)")"
    let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return files.filter { file in
      file.hasSuffix("Tests.swift") && !target.exclude.contains { file.hasPrefix($0 + "/") }
    }
  }
  func isOfConcurrency(_ file: String) -> Bool { file.hasSuffix("ConcurrencyTests.swift") }

  var kept: Set<String> = []
  func keep(_ name: String) {
    guard kept.insert(name).inserted else { return }
    for target in package.targets where target.name == name {
      for case .byNameItem(let dependency, _) in target.dependencies { keep(dependency) }
      for case .plugin(let plugin, _) in target.plugins ?? [] { keep(plugin) }
      runByTests[name]?.forEach(keep)
    }
  }
  for target in package.targets
  where leavesConcurrency
    ? testFiles(of: target).contains(where: isOfConcurrency) : target.name == name
  {
    keep(target.name)
    if leavesConcurrency { target.exclude += testFiles(of: target).filter { !isOfConcurrency($0) } }
  }
  package.targets.removeAll { !kept.contains($0.name) }
  package.products.removeAll { product in
    let library = (product as? Product.Library)?.targets
    let targets = library ?? (product as? Product.Executable)?.targets ?? []
    return targets.isEmpty || !targets.allSatisfy(kept.contains)
  }
}
