import Foundation
import ObjectBoxTestSupport
import Testing

/// A package that uses the plugins of this one with the built generator, for runs of SwiftPM.
///
/// Its library targets compile against the built runtime.
struct PluginPackage {
  private let folder: BuiltProgram

  /// A declaration of the entity `Note`, with the given properties besides the ID.
  static func note(_ properties: String...) -> String {
    let lines = properties.map { "  \($0)\n" }.joined()
    return "import ObjectBox\n\n// objectbox: entity\nfinal class Note {\n  var id: Id = 0\n"
      + "\(lines)  init() {}\n}\n"
  }

  /// Makes a package of library targets.
  ///
  /// - Parameters:
  ///   - sources: The text of each target's `Entities.swift`.
  ///   - configuration: The text of `objectbox-generator.json`; nil for none.
  /// - Throws: The error of a file that cannot be written, or of a generator that is not built.
  init(_ sources: KeyValuePairs<String, String>, configuration: String? = nil) throws {
    folder = try Tool()
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let manager = FileManager.default
    try manager.copyItem(
      at: root.appendingPathComponent("Plugins"),
      to: url("Plugins")
    )
    for (name, text) in sources { try write(text, to: "Sources/\(name)/Entities.swift") }
    if let configuration { try write(configuration, to: "objectbox-generator.json") }

    let tool = try BuiltProgram.executable
    try manager.createDirectory(
      at: url("tool.artifactbundle"),
      withIntermediateDirectories: true
    )
    try manager.copyItem(at: tool, to: url("tool.artifactbundle/objectbox-generator"))
    let variant =
      "{ \"path\": \"objectbox-generator\", \"supportedTriples\": [\"\(try triple())\"] }"
    try write(
      """
      {
        "schemaVersion": "1.0",
        "artifacts": {
          "objectbox-generator": {
            "version": "1.0.0", "type": "executable", "variants": [\(variant)]
          }
        }
      }
      """,
      to: "tool.artifactbundle/info.json"
    )
    let flags = Self.flags(build: tool.deletingLastPathComponent(), root)
      .map { "\"\($0)\"" }.joined(separator: ", ")
    let targets = sources.map { name, _ in
      ".target(name: \"\(name)\", swiftSettings: flags, plugins: [\"ObjectBoxPlugin\"]),"
    }
    try write(
      """
      // swift-tools-version: 6.2
      import PackageDescription

      let flags: [SwiftSetting] = [.unsafeFlags([\(flags)])]
      let package = Package(
        name: "App",
        platforms: [.macOS(.v15)],
        targets: [
          \(targets.joined(separator: "\n    "))
          .binaryTarget(name: "objectbox-generator", path: "tool.artifactbundle"),
          .plugin(
            name: "ObjectBoxPlugin",
            capability: .buildTool(),
            dependencies: ["objectbox-generator"]
          ),
          .plugin(
            name: "ObjectBoxCommand",
            capability: .command(
              intent: .custom(verb: "objectbox-generator", description: "Updates models."),
              permissions: [.writeToPackageDirectory(reason: "Keeps the model file.")]
            ),
            dependencies: ["objectbox-generator"]
          ),
        ]
      )
      """,
      to: "Package.swift"
    )
  }

  /// Returns the name of this machine's platform.
  private func triple() throws -> String {
    struct Info: Decodable {
      struct Target: Decodable {
        var unversionedTriple: String
      }
      var target: Target
    }
    let run = try folder.run(program: "/usr/bin/env", ["swift", "-print-target-info"])
    return try JSONDecoder().decode(Info.self, from: Data(run.output.utf8)).target
      .unversionedTriple
  }

  /// The flags by which the compiler finds the built runtime and the C modules below it.
  private static func flags(build: URL, _ root: URL) -> [String] {
    let sources = root.appendingPathComponent("Sources").path
    let modules = ["Isolation", "Pages", "Records", "Vectors"].flatMap { name in
      [
        "-I", "\(sources)/CObjectBox\(name)/include", "-Xcc",
        "-fmodule-map-file=\(build.path)/CObjectBox\(name).build/module.modulemap",
      ]
    }
    return ["-I", build.path + "/Modules", "-Xcc"]
      + ["-fmodule-map-file=\(sources)/CObjectBoxLMDB/module.modulemap"] + modules
  }

  var path: String { folder.folder.url.resolvingSymlinksInPath().path }

  private func url(_ name: String) -> URL { folder.folder.url.appendingPathComponent(name) }

  func write(_ text: String, to name: String) throws {
    try folder.folder.write(text, to: name)
  }

  func read(_ name: String) throws -> String { try folder.folder.read(name) }

  func exists(_ name: String) -> Bool { folder.exists(name) }

  func remove(_ name: String) throws { try FileManager.default.removeItem(at: url(name)) }

  /// Runs the command plugin with words such as `--target NAME`.
  func command(_ words: String...) throws -> Run {
    try shell(
      (["swift package --allow-writing-to-package-directory objectbox-generator"] + words)
        .joined(separator: " ")
    )
  }

  func build() throws -> Run { try shell("swift build") }

  /// Runs the generator itself in the root of the package.
  func tool(_ words: [String]) throws -> Run { Run(try folder.run(words)) }

  /// Runs a command line, such as one that a finding names.
  func shell(_ line: String) throws -> Run {
    Run(try folder.run(program: "/bin/bash", ["-c", line]))
  }

  /// The end of a command and all that it printed.
  struct Run: CustomTestStringConvertible {
    let status: Int32
    let text: String

    init(_ result: BuiltProgram.Result) {
      status = result.status
      text = result.output + result.errors
    }

    var testDescription: String { "status \(status): \(text)" }

    /// The text behind the first occurrence of a mark, to the end of the line.
    func line(after mark: String) throws -> String {
      let start = try #require(text.range(of: mark), "\(text)").upperBound
      return String(text[start...].prefix { $0 != "\n" })
    }
  }
}
