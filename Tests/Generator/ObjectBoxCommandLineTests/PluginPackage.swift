import Foundation
import ObjectBoxTestSupport
import Testing

/// A package for runs of SwiftPM, with copies of this repository's plugins.
///
/// Its library targets compile against the built runtime. The plugins use the built generator as
/// an installed generator.
struct PluginPackage {
  private let folder: BuiltProgram
  /// Variables for the runs of SwiftPM, besides the environment of the tests.
  var environment: [String: String]

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
  ///   - excluded: The files that the manifest excludes from each target.
  ///   - unplugged: The targets that do not use the build plugin.
  /// - Throws: The error of a file that cannot be written, or of a generator that is not built.
  init(
    _ sources: KeyValuePairs<String, String>,
    configuration: String? = nil,
    excluding excluded: [String: String] = [:],
    withoutPlugin unplugged: Set<String> = []
  ) throws {
    folder = try Tool(in: PackageFolder.current)
    environment = ["OBJECTBOX_GENERATOR": try BuiltProgram.executable.path]
    try PackageFolder.clear(folder.folder.url)
    if !exists("Plugins") {
      try FileManager.default.copyItem(
        at: Repository.root.appendingPathComponent("Plugins"),
        to: url("Plugins")
      )
    }
    try setVersion(try tool(["--version"]).text.trimmingCharacters(in: .newlines))
    for (name, text) in sources { try write(text, to: "Sources/\(name)/Entities.swift") }
    if let configuration { try write(configuration, to: "objectbox-generator.json") }

    let build = try BuiltProgram.executable.deletingLastPathComponent()
    let flags = Self.flags(build: build)
      .map { "\"\($0)\"" }.joined(separator: ", ")
    let targets = sources.map { name, _ -> String in
      let exclude = excluded[name].map { "exclude: [\"\($0)\"], " } ?? ""
      let plugins = unplugged.contains(name) ? "" : ", plugins: [\"ObjectBoxPlugin\"]"
      return ".target(name: \"\(name)\", \(exclude)swiftSettings: flags\(plugins)),"
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
          .plugin(name: "ObjectBoxPlugin", capability: .buildTool()),
          .plugin(
            name: "ObjectBoxCommand",
            capability: .command(
              intent: .custom(verb: "objectbox-generator", description: "Updates models."),
              permissions: [.writeToPackageDirectory(reason: "Keeps the model file.")]
            )
          ),
        ]
      )
      """,
      to: "Package.swift"
    )
  }

  /// The flags by which the compiler finds the built runtime and the C modules below it.
  private static func flags(build: URL) -> [String] {
    let sources = Repository.root.appendingPathComponent("Sources/Store").path
    let modules = ["Hooks", "Isolation", "Pages", "Records", "Vectors"].flatMap { name in
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

  /// Sets the version of the plugins; in the repository, its file is a symbolic link.
  func setVersion(_ version: String) throws {
    let name = "Plugins/PluginsShared/ProductVersion.swift"
    let text = "enum ProductVersion {\n  static let text = \"\(version)\"\n}\n"
    // The suite's folder may have the file already; unchanged, it is not compiled again.
    if (try? read(name)) == text { return }
    try? remove(name)
    try write(text, to: name)
  }

  /// Installs a program that appends `mark` and its arguments to the file `calls`, then runs the
  /// built generator.
  ///
  /// - Returns: The program's path, the same for each call.
  mutating func install(noting mark: String) throws -> String {
    let program = "\(path)/installed"
    let tool = try BuiltProgram.executable.path
    try write(
      "#!/bin/sh\necho \"\(mark) $*\" >>'\(path)/calls'\nexec '\(tool)' \"$@\"\n",
      to: "installed"
    )
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    environment["OBJECTBOX_GENERATOR"] = program
    return program
  }

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

  /// Runs a command line, such as a command that a finding names.
  func shell(_ line: String) throws -> Run {
    Run(try folder.run(program: "/bin/bash", ["-c", line], environment: environment))
  }

  /// The exit status and the output of a command.
  struct Run: CustomTestStringConvertible {
    let status: Int32
    let text: String

    init(_ result: BuiltProgram.Result) {
      status = result.status
      text = result.output + result.errors
    }

    var testDescription: String { "status \(status): \(text)" }

    /// Returns the text after the first occurrence of a mark, to the end of the line.
    func line(after mark: String) throws -> String {
      let start = try #require(text.range(of: mark), "\(text)").upperBound
      return String(text[start...].prefix { $0 != "\n" })
    }
  }
}
