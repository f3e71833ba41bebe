import Foundation
import ObjectBoxTestSupport
import Testing

/// The options that decide `#if` in the sources.
struct ConditionOptionTests {
  private let tool: Tool

  init() throws {
    tool = try Tool()
  }

  private func run(_ source: String, _ more: [String]) throws -> Tool.Result {
    try tool.folder.write(source, to: "src/Note.swift")
    return try tool.run(
      ["--sources", "src", "--model-json", "model.json", "--output", "out/Code.swift"] + more
    )
  }

  @Test(arguments: [
    (["-D", "FLAG"], true), (["-DFLAG"], true), (["-D", "OTHER", "-DFLAG"], true),
    (["-DOTHER"], false), ([], false),
  ])
  func `-D makes a condition hold`(_ options: [String], _ isRead: Bool) throws {
    let source = """
      struct Note: Entity {
        var id: Id
        #if FLAG
        var extra: Int
        #endif
      }
      """
    let result = try run(source, options)
    #expect(result.status == 0)
    #expect(result.errors == "")
    #expect(try tool.folder.read("model.json").contains("\"extra\"") == isRead)
  }

  @Test func `--can-import and --platform decide what else would be warned of`() throws {
    let source = """
      struct Note: Entity {
        var id: Id
        #if canImport(Other) && os(iOS) && canImport(UIKit)
        var extra: Int
        #endif
      }
      """
    #expect(try run(source, ["--platform", "iOS"]).errors.contains("Note.swift:3:7: warning: "))
    let options = ["--platform=iOS", "--can-import", "Other", "--can-import=More"]
    #expect(try run(source, options).errors == "")
    #expect(try tool.folder.read("model.json").contains("\"extra\""))
    let without = try run(source, ["--platform", "iOS", "--can-import", "More"])
    // The only finding is the effect on stored data.
    #expect(without.errors.contains("warning: property 'extra' of entity 'Note' is gone"))
    #expect(!without.errors.contains("Note.swift:3"))
    #expect(try !tool.folder.read("model.json").contains("\"extra\""))
  }

  @Test(arguments: [
    (["-D"], "option '-D' needs a value"), (["-D", "A=1"], "'A=1' is no name of a condition"),
    (["-D1"], "'1' is no name of a condition"),
    (["-D", ""], "option '-D' has the value '', which is empty"),
    (["--platform", "Plan9"], "there is no platform 'Plan9'; the known ones are Android"),
  ])
  func `a value that nothing could mean is refused`(_ options: [String], _ text: String) throws {
    let result = try run("", options)
    #expect(result.status == 1)
    #expect(result.errors.contains(text))
  }
}
