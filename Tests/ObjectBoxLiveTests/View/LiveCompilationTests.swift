import Foundation
import ObjectBoxTestSupport
import Testing

/// The compiler keeps confined values in their isolation.
///
/// The sources are in `Tests/Fixtures/NegativeCompile`; the first line of each states the expected
/// result.
struct LiveCompilationTests {
  @Test(
    .enabled(if: Compiler.isUsable, "the modules of the build are not beside the tests"),
    arguments: Compiler.fixtures
  )
  func `what belongs to an isolation does not compile elsewhere, and the rest does`(
    _ name: String
  ) throws {
    let source = try String(
      contentsOf: Compiler.folder.appendingPathComponent(name),
      encoding: .utf8
    )
    let expectation = source.prefix { $0 != "\n" }
    let (status, errors) = try Compiler.compile(source)
    if expectation == "// compiles" {
      #expect(status == 0, "\(errors)")
      #expect(errors.isEmpty)
    } else {
      let words = try #require(expectation.split(separator: ": ", maxSplits: 1).last)
      #expect(expectation.hasPrefix("// error: "))
      #expect(status != 0)
      let lines = errors.split(separator: "\n").filter { $0.hasPrefix("Case.swift:") }
      #expect(lines.contains { $0.contains(" error: ") && $0.contains(words) }, "\(errors)")
    }
  }
}

/// Compiles sources against the module under test.
private enum Compiler {
  private static let root: URL = {
    var folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    for _ in 0..<4 { folder.deleteLastPathComponent() }
    return folder
  }()

  static let folder = root.appendingPathComponent("Tests/Fixtures/NegativeCompile")

  /// The names of the sources.
  static let fixtures: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0 != "Prelude.swift.txt" }.sorted()
  }()

  /// The package manager's build folder, which contains the tests.
  private static let build: URL? = {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    for _ in 0..<5 {
      let module = folder.appendingPathComponent("Modules/ObjectBox.swiftmodule").path
      if FileManager.default.fileExists(atPath: module) { return folder }
      folder.deleteLastPathComponent()
    }
    return nil
  }()

  static let isUsable = build != nil && !fixtures.isEmpty

  /// Returns the compiler's exit status and its errors.
  static func compile(_ source: String) throws -> (status: Int32, errors: String) {
    let build = try #require(build)
    let work = try TemporaryDirectory()
    try work.write(source, to: "Case.swift")
    try work.write(
      try String(contentsOf: folder.appendingPathComponent("Prelude.swift.txt"), encoding: .utf8),
      to: "Prelude.swift"
    )
    let maps =
      [root.appendingPathComponent("Sources/CObjectBoxLMDB/module.modulemap")]
      + ["Care", "FullText", "Hooks", "Isolation", "Pages", "Records", "Vectors"].map {
        build.appendingPathComponent("CObjectBox\($0).build/module.modulemap")
      }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // Emits SIL: the check of values that leave an isolation runs after the type checker.
    process.arguments =
      [
        "swiftc", "-emit-sil", "-wmo", "-o", "/dev/null", "-swift-version", "6",
        "-parse-as-library", "-module-name", "Case", "-no-color-diagnostics",
        "-I", build.appendingPathComponent("Modules").path,
        // A header of CObjectBoxRecords includes a header of this folder.
        "-Xcc", "-I" + root.appendingPathComponent("Sources/CObjectBoxPages/include").path,
      ]
      + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] }
      + ["Case.swift", "Prelude.swift"]
    process.currentDirectoryURL = work.url
    try work.write("", to: "errors")
    process.standardOutput = FileHandle.nullDevice
    process.standardError = try FileHandle(
      forWritingTo: work.url.appendingPathComponent("errors")
    )
    try process.run()
    process.waitUntilExit()
    return (process.terminationStatus, try work.read("errors"))
  }
}
