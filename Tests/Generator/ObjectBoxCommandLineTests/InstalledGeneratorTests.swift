import Foundation
import ObjectBoxTestSupport
import Testing

/// SwiftPM runs with the real plugins and a generator named by `OBJECTBOX_GENERATOR`.
@Suite(.serialized, .onePackageFolder, .tags(.slow))
struct InstalledGeneratorTests {
  private func package() throws -> PluginPackage {
    try PluginPackage(["Notes": PluginPackage.note("var title: String = \"\"")])
  }

  @Test
  func `an installed generator makes the bindings, is named, and runs again when it is replaced`()
    throws
  {
    var package = try package()
    let tool = try package.install(noting: "first")
    let version = try package.tool(["--version"]).text.trimmingCharacters(in: .newlines)
    let update = try package.shell(
      "swift package -v --allow-writing-to-package-directory objectbox-generator"
    )
    #expect(update.status == 0, "\(update)")
    #expect(update.text.contains("the installed generator '\(tool)' is used"), "\(update)")
    #expect(try package.read("calls").contains("first --sources"))

    let build = try package.build()
    #expect(build.status == 0, "\(build)")
    let name = "Generating ObjectBox bindings of Notes by the installed generator \(version)"
    #expect(build.text.contains(name), "\(build)")
    #expect(try package.read("calls").contains("first --require-version \(version) "))
    // First nothing has changed, then only the tool: SwiftPM reuses its build plan.
    try package.write("", to: "calls")
    #expect(try package.build().status == 0)
    #expect(try !package.read("calls").contains("--sources"))
    #expect(try package.install(noting: "second") == tool)
    #expect(try package.build().status == 0)
    #expect(try package.read("calls").contains("second --require-version \(version) --sources"))
  }

  @Test func `a generator of another version is refused, with both versions`() throws {
    let package = try package()
    let tool = try #require(package.environment["OBJECTBOX_GENERATOR"])
    let version = try package.tool(["--version"]).text.trimmingCharacters(in: .newlines)
    #expect(try package.command().status == 0)
    let model = try package.read("model.json")
    try package.setVersion("99.0.0")
    try package.write(
      PluginPackage.note("var rating: Int32 = 0"),
      to: "Sources/Notes/Entities.swift"
    )
    let finding =
      "the generator '\(tool)', which OBJECTBOX_GENERATOR names, has version '\(version)', and the "
      + "package has version '99.0.0'; set the variable to the absolute path of the generator of version "
      + "99.0.0, or unset it to build the generator"
    for run in [try package.build(), try package.command(), try package.command("model check")] {
      #expect(run.status != 0)
      #expect(run.text.contains(finding), "\(run)")
    }
    #expect(try package.read("model.json") == model)
  }

  @Test func `a path that is no absolute path of a program is refused`() throws {
    var package = try package()
    try package.write("no program", to: "text")
    for (index, (path, reason)) in [
      ("tools/objectbox-generator", "is no absolute path"),
      ("\(package.path)/missing", "does not exist"),
      ("\(package.path)/Sources", "is no program that this user may run"),
      ("\(package.path)/text", "is no program that this user may run"),
    ].enumerated() {
      package.environment["OBJECTBOX_GENERATOR"] = path
      // Alternate the plugins: both find the generator with the same code.
      let run = try index.isMultiple(of: 2) ? package.build() : package.command()
      #expect(run.status != 0)
      let finding =
        "the generator '\(path)', which OBJECTBOX_GENERATOR names, \(reason); set the variable"
      #expect(run.text.contains(finding), "\(run)")
    }
  }

  @Test func `the generator itself refuses to be of another version than it must be`() throws {
    let tool = try Tool()
    let version = try tool.run("--version").output.trimmingCharacters(in: .newlines)
    try tool.folder.write(PluginPackage.note("var title: String = \"\""), to: "src/Note.swift")
    let words = ["--sources", "src", "--model-json", "model.json", "--output", "out/Code.swift"]
    // The tool checks the version first: a newer plugin may pass options that the tool lacks.
    let refused = try tool.run(["--require-version", "99.0.0", "--option-of-the-future"] + words)
    #expect(refused.status == 1)
    #expect(
      refused.errors.contains(
        "error: the generator '\(try BuiltProgram.executable.path)' has version '\(version)', and version "
          + "'99.0.0' is asked for; set OBJECTBOX_GENERATOR to the absolute path of that version"
      )
    )
    #expect(!tool.exists("model.json"))
    #expect(try tool.run(["--require-version", version] + words).status == 0)
    #expect(tool.exists("model.json"))
  }
}
