import Foundation
import ObjectBoxTestSupport
import Testing

/// New packages, and the short form of the generator's command.
struct NewPackageTests {
  private let tool: BuiltProgram
  private var folder: TemporaryDirectory { tool.folder }

  init() throws {
    tool = try BuiltProgram("objectbox")
    try folder.write(
      #"let package = Package(name: "objectbox-swift-open")"#,
      to: "objectbox-swift-open/Package.swift"
    )
  }

  private func make(_ name: String, _ words: String...) throws -> BuiltProgram.Result {
    let words = words.isEmpty ? ["--package", "objectbox-swift-open"] : words
    return try tool.run(["init", name] + words)
  }

  /// Returns what SwiftPM reads from a manifest.
  private func manifest(_ name: String) throws -> [String: Any] {
    let result = try tool.run(
      program: "/usr/bin/env",
      ["swift", "package", "--package-path", name, "--disable-sandbox", "dump-package"]
    )
    #expect(result.status == 0, "\(result.errors)")
    let json = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
    return try #require(json as? [String: Any])
  }

  @Test func `a new package has a target of its name, an entity and the plugin`() throws {
    let result = try make("my notes")
    #expect(result.status == 0)
    #expect(result.errors.contains("made the package 'MyNotes' in 'my notes'; next:"))
    #expect(result.errors.contains("cd 'my notes'\n  objectbox generate "))
    let manifest = try manifest("my notes")
    #expect(manifest["name"] as? String == "MyNotes")
    let targets = try #require(manifest["targets"] as? [[String: Any]])
    #expect(targets.map { $0["name"] as? String } == ["MyNotes"])
    let text = try folder.read("my notes/Package.swift")
    #expect(text.contains(#"(name: "objectbox-swift-open", path: "../objectbox-swift-open")"#))
    let program = try folder.read("my notes/Sources/MyNotes/main.swift")
    #expect(program.contains("// objectbox: entity\n"))
    #expect(try folder.read("my notes/.gitignore") == ".build/\nstore/\n")
  }

  @Test func `a package elsewhere names the checkout by its whole path`() throws {
    let checkout = #"odd "\(name)" \ place/objectbox-swift-open"#
    try folder.write(
      #"let package = Package(name: "objectbox-swift-open")"#,
      to: checkout + "/Package.swift"
    )
    #expect(try make("Notes", "--package", checkout).status == 0)
    let dependencies = try #require(try manifest("Notes")["dependencies"] as? [[String: Any]])
    let places = try #require(dependencies.first?["fileSystem"] as? [[String: Any]])
    let path = try #require(places.first?["path"] as? String)
    #expect(path.hasSuffix("/" + checkout))
  }

  @Test func `a repository at an address is named with its least version`() throws {
    let address = "https://git.example.org/objectbox-swift-open.git"
    let without = try make("Notes", "--package", address)
    #expect(without.status == 2)
    #expect(without.errors.contains("a repository at an address needs --from VERSION"))
    #expect(!tool.exists("Notes"))
    #expect(try make("Notes", "--package", address, "--from", "0.1.0").status == 0)
    let text = try folder.read("Notes/Package.swift")
    #expect(text.contains(#".package(url: "\#(address)", from: "0.1.0")"#))
  }

  @Test func `the tool's own checkout is the default`() throws {
    #expect(try tool.run("init", "Notes").status == 0)
    #expect(
      try folder.read("Notes/Package.swift").contains(String(reflecting: Repository.root.path))
    )
  }

  @Test func `a folder that holds anything but a repository is left as it is`() throws {
    try folder.write("mine", to: "Notes/Package.swift")
    let result = try make("Notes")
    #expect(result.status == 1)
    #expect(result.errors.contains("holds 'Package.swift' already; nothing was written"))
    #expect(try folder.read("Notes/Package.swift") == "mine")
    #expect(!tool.exists("Notes/Sources"))
    try folder.write("", to: "Empty/.git/HEAD")
    #expect(try make("Empty").status == 0)
  }

  @Test(
    arguments: [
      ("9", "gives no name for a target"), ("日記", "gives no name for a target"),
      ("", "DIRECTORY is '', which is empty"),
      ("objectbox", "is a name of ObjectBox's own modules"),
    ]
  )
  func `a folder without a usable name is refused`(name: String, message: String) throws {
    let result = try make(name)
    #expect(result.status == 2)
    #expect(result.errors.contains(message), "\(result.errors)")
  }

  @Test func `a place that is no checkout is refused`() throws {
    let result = try make("Notes", "--package", ".")
    #expect(result.status == 2)
    #expect(result.errors.contains("'.' is no checkout of objectbox-swift-open"))
    #expect(
      try make("Notes", "--package", "objectbox-swift-open", "--from", "1.0.0").errors
        .contains("--from is for the address of a repository")
    )
  }

  @Test(
    arguments: [
      ([], ""), (["model", "check"], " model check"),
      (["--target", "My App", "--fix"], " --target My App --fix"), (["--", "--help"], " --help"),
    ]
  )
  func `generate runs the command of packages with its words and status`(
    words: [String],
    passed: String
  ) throws {
    let script = try folder.write("#!/bin/sh\necho \"$*\"\nexit 7\n", to: "bin/swift")
    #expect(chmod(script, 0o755) == 0)
    let result = try tool.run(
      program: BuiltProgram.url("objectbox").path,
      ["generate"] + words,
      environment: ["PATH": folder.path + "/bin:/usr/bin:/bin"]
    )
    #expect(result.status == 7)
    #expect(
      result.output == "package --allow-writing-to-package-directory objectbox-generator\(passed)\n"
    )
  }

  @Test func `generate without a toolchain names what is missing`() throws {
    let result = try tool.run(
      program: BuiltProgram.url("objectbox").path,
      ["generate"],
      environment: ["PATH": "/nowhere"]
    )
    #expect(result.status == 1)
    #expect(
      result.errors
        == "error: cannot run 'swift', which must be in a folder of PATH: No such file or directory\n"
    )
  }
}
