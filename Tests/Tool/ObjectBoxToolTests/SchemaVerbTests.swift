import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxTestSupport
import Testing

/// `objectbox schema` and `objectbox man`.
struct SchemaVerbTests {
  private let tool: BuiltProgram

  init() throws {
    tool = try BuiltProgram("objectbox")
    try tool.folder.makeNotes("notes")
  }

  @Test func `the schema has entities, properties and relations`() throws {
    let result = try tool.run("schema", "notes")
    #expect(result.status == 0)
    for text in ["Note (", "  slug", "unique", "to-one Author", "standalone relations\n"] {
      #expect(result.output.contains(text), "\(result.output)")
    }
  }

  @Test func `a program opens the store by the model file that it writes`() throws {
    let result = try tool.run("schema", "notes", "--format", "json")
    let path = try tool.folder.write(result.output, to: "model.json")
    let store = try Store(
      directoryPath: tool.folder.path + "/notes",
      modelJSON: URL(fileURLWithPath: path)
    )
    defer { store.close() }
    #expect(try store.box(named: "Author").get(1)?["name"] as? String == "Ada")
  }

  @Test func `the manual page has all verbs and options, and man takes it without a warning`()
    throws
  {
    let page = try tool.run("man").output
    #expect(page.hasPrefix(".TH OBJECTBOX 1 "))
    for text in ["salvage", "\\-\\-explain"] {
      #expect(page.contains(text))
    }
    let path = try tool.folder.write(page, to: "objectbox.1")
    let man = "/usr/bin/man"
    guard FileManager.default.isExecutableFile(atPath: man) else { return }
    let shown = try tool.run(
      program: man,
      ["--warnings", "-E", "UTF-8", "-l", path],
      environment: ["MANWIDTH": "80", "LC_ALL": "C.UTF-8", "MANPAGER": "cat"]
    )
    #expect(shown.status == 0)
    #expect(shown.errors == "")
    #expect(shown.output.contains("EXIT STATUS"))
    #expect(shown.output.contains("objectbox query notes Note 'created > 2026-01-01 && title"))
  }
}
