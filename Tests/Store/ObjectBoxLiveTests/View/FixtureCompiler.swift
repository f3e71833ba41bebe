import Foundation
import ObjectBoxTestSupport
import Testing

/// Compiles the sources of `Tests/Fixtures/NegativeCompile` against the modules under test.
///
/// One run of the compiler takes all fixtures with the same imports, as files of one module: most
/// of a run loads modules. Their declarations become private, so that they do not clash. Fixtures
/// with other imports are other modules, because an import of one file makes members visible in all
/// files of its module.
enum FixtureCompiler {
  private static let folder = Repository.fixtures.appendingPathComponent("NegativeCompile")

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

  static func source(of name: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
  }

  /// The errors of each fixture that does not compile, by its name.
  static let errors = Task {
    var imports: [Set<Substring>: [String]] = [:]
    for name in fixtures {
      let lines = try source(of: name).split(separator: "\n")
      imports[Set(lines.filter { $0.hasPrefix("import ObjectBox") }), default: []].append(name)
    }
    return try await withThrowingTaskGroup { group in
      for names in imports.values { group.addTask { try await errors(of: names) } }
      return try await group.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
    }
  }

  /// Compiles fixtures with the same imports.
  ///
  /// An error of the type checker ends a run before the check of values that leave an isolation.
  /// So the fixtures without an error are compiled again, until they are without errors all.
  private static func errors(of names: [String]) async throws -> [String: [String]] {
    var result: [String: [String]] = [:]
    var rest = names
    while !rest.isEmpty {
      let errors = try await compile(rest)
      if errors.isEmpty { break }
      result.merge(errors) { first, _ in first }
      rest.removeAll { errors[$0] != nil }
    }
    return result
  }

  /// Runs the compiler, and returns the errors of each fixture that has some.
  private static func compile(_ names: [String]) async throws -> [String: [String]] {
    let work = try TemporaryDirectory()
    let files = names.map { $0.replacing(".txt", with: "") }
    let declaration =
      #/
      ^((?:@\S+\ )*)
      (?=(final\ )?(actor|class|enum|func|let|protocol|struct|var)\ |extension\ [\w.]+\ \{)
      /#.anchorsMatchLineEndings()
    for (name, file) in zip(names, files) {
      let source = try source(of: name).replacing(declaration) { "\($0.1)private " }
      try work.write(source, to: file)
    }
    try work.write(try source(of: "Prelude.swift.txt"), to: "Prelude.swift")
    let (status, output) = try await run(files + ["Prelude.swift"], in: work)
    var errors: [String: [String]] = [:]
    // The compiler repeats each error below its source line, without the place.
    for line in output.split(separator: "\n")
    where line.prefixMatch(of: /[^ :]+:\d+:\d+: error:/) != nil {
      let file = String(line.prefix { $0 != ":" })
      let index = try #require(files.firstIndex(of: file), "\(output)")
      errors[names[index], default: []].append(String(line))
    }
    try #require((status == 0) == errors.isEmpty, "\(output)")
    return errors
  }

  /// Returns the compiler's exit status and its output.
  private static func run(
    _ files: [String],
    in work: TemporaryDirectory
  ) async throws -> (status: Int32, output: String) {
    let build = try #require(build)
    let maps =
      [Repository.root.appendingPathComponent("Sources/Store/CObjectBoxLMDB/module.modulemap")]
      + ["Care", "FullText", "Hooks", "Isolation", "Pages", "Records", "Search", "Vectors"].map {
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
        "-Xcc",
        "-I" + Repository.root.appendingPathComponent("Sources/Store/CObjectBoxPages/include").path,
      ]
      + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] } + files
    process.currentDirectoryURL = work.url
    try work.write("", to: "output")
    process.standardOutput = FileHandle.nullDevice
    process.standardError = try FileHandle(forWritingTo: work.url.appendingPathComponent("output"))
    let status: Int32 = try await withCheckedThrowingContinuation { continuation in
      process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
      do { try process.run() } catch { continuation.resume(throwing: error) }
    }
    return (status, try work.read("output"))
  }
}
