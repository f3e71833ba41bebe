import ObjectBoxGenerator
import ObjectBoxSwiftReader
import Testing

/// The lines on which an annotation belongs to a declaration.
struct AnnotationScannerTests {
  /// Returns the names of the annotations of the variable `it`.
  private func names(_ body: String, prefix: String = "objectbox") -> [String] {
    let file = SourceFile(path: "Note.swift", text: "class Note {\n" + body + "\n}\n")
    let type = SourceParser().parse(file, annotationPrefix: prefix).types.first
    return type?.variables.first { $0.name == "it" }?.annotations.names ?? ["no variable"]
  }

  @Test(arguments: [
    "//objectbox:index",
    "// objectbox: index",
    "//\tobjectbox:\tindex",
    "///  objectbox:index",
    "/// objectbox: index",
    "/* objectbox: index */",
    "/*objectbox:index*/",
    "/** objectbox: index */",
    "   /* objectbox: index */   ",
    "/*\n * objectbox: index\n */",
    "/**\n* objectbox:index\n*/",
    "/* text\n * objectbox: index */",
    "/* objectbox: index\n */",
  ])
  func `every kind of comment above a declaration carries annotations`(_ comment: String) {
    #expect(names("\(comment)\nvar it: Int") == ["index"])
  }

  @Test(arguments: [
    "// // objectbox: index",
    "//// objectbox: index",
    "// Objectbox: index",
    "// ObjectBox: index",
    "// objectbox : index",
    "// objectbox index",
    "// see objectbox: index",
    "/*\nobjectbox: index\n*/",
    "// other: index",
    "//",
    "/**/",
    "/* */",
  ])
  func `other comments carry none`(_ comment: String) {
    #expect(names("\(comment)\nvar it: Int").isEmpty)
  }

  @Test(arguments: ["stored", "x-y"])
  func `the prefix can be another word`(_ prefix: String) {
    #expect(names("// \(prefix): index\nvar it: Int", prefix: prefix) == ["index"])
    #expect(names("// objectbox: index\nvar it: Int", prefix: prefix).isEmpty)
  }

  @Test func `all comment lines directly above count, whatever stands between them`() {
    let body = """
      // objectbox: index
      /// A note.
      // TODO: say more
      /* objectbox: unique */
      /*
       * objectbox: name = "x"
       */
      var it: Int
      """
    #expect(names(body) == ["index", "name", "unique"])
  }

  @Test func `block comments of one line above count, and a line comment behind them`() {
    #expect(
      names("/* objectbox: index */ /* objectbox: unique */ // objectbox: flex\nvar it: Int")
        == ["flex", "index", "unique"]
    )
  }

  @Test(arguments: [
    "// objectbox: index\n\nvar it: Int",
    "// objectbox: index\n   \t\nvar it: Int",
    "// objectbox: index\nvar other: Int\nvar it: Int",
    "// objectbox: index\nfunc other() {}\nvar it: Int",
    "// objectbox: index\n\n/// A note.\nvar it: Int",
    "// objectbox: index\n\n@Wrapped\nvar it: Int",
  ])
  func `a blank line or code between ends the search`(_ body: String) {
    #expect(names(body).isEmpty)
  }

  @Test(arguments: [
    "// objectbox: index\n@Wrapped var it: Int",
    "// objectbox: index\n@Wrapped\nvar it: Int",
    "// objectbox: index\n@Wrapped(1)\n@Other\npublic\nvar it: Int",
    "@Wrapped\n// objectbox: index\nvar it: Int",
    "@Wrapped\n// objectbox: index\n@Other var it: Int",
    "@Wrapped\n/* objectbox: index */ @Other\nvar it: Int",
    "@Wrapped(\n  1\n)\n\n// objectbox: index\nvar it: Int",
    "// objectbox: index\n@Wrapped(default: { \"/* } */\" })\n@available(*, deprecated)\nvar it: Int",
    "// objectbox: index\n@objc\n// Text.\ndynamic var it: Int",
    "// objectbox: index\n@Wrapped({\n// Text.\n1 })\nvar it: Int",
  ])
  func `attributes and modifiers may stand between`(_ body: String) {
    #expect(names(body) == ["index"])
  }

  @Test(arguments: [
    "/* objectbox: index */ var it: Int",
    "/* objectbox: index */var it: Int",
    "public /* objectbox: index */ var it: Int",
    "@Wrapped /* objectbox: index */ var it: Int",
    "/* text */ /* objectbox: index */ /* more */ var it: Int",
    "var other: Int; /* objectbox: index */ var it: Int",
    "/*\n * objectbox: index */ var it: Int",
  ])
  func `block comments before a declaration on its line count`(_ body: String) {
    #expect(names(body) == ["index"])
  }

  @Test func `comments above and before on the line add up`() {
    let body = "// objectbox: index\n/* objectbox: unique */ var it: Int"
    #expect(names(body) == ["index", "unique"])
  }

  @Test(arguments: [
    "var it: Int // objectbox: index",
    "var it: Int /* objectbox: index */",
    "var other: Int // objectbox: index\nvar it: Int",
    "var other: Int /* objectbox: index */\nvar it: Int",
    "var other: Int; // objectbox: index\nvar it: Int",
    "@Wrapped // objectbox: index\nvar it: Int",
    "@Wrapped /* objectbox: index */\nvar it: Int",
    "var it: Int { // objectbox: index\n  didSet {} }",
  ])
  func `comments behind code do not count`(_ body: String) {
    #expect(names(body).isEmpty)
  }

  @Test(arguments: [
    "/* objectbox: index */ var other: Int; var it: Int",
    "var other: Int /* objectbox: index */; var it: Int",
    "// objectbox: index\nvar other: Int; var it: Int",
    "var other = \"/* objectbox: index */\"; var it: Int",
  ])
  func `comments of another declaration on the line do not count`(_ body: String) {
    #expect(names(body).isEmpty)
  }

  @Test(arguments: [
    "let other = \"\"\"\n  // objectbox: index\n  \"\"\"; var it: Int",
    "let other = 3\n  * 4; var it: Int",
    "@Wrapped(\"/* objectbox: index */\") var it: Int",
    "@Wrapped(\"\"\"\n// objectbox: index\n\"\"\")\nvar it: Int",
    "@Wrapped({\n// objectbox: index\nlet a = 1 })\nvar it: Int",
    "@Wrapped({ /* objectbox: index */ 1 }) var it: Int",
    "@Wrapped(\n// objectbox: index\n1)\nvar it: Int",
    "@Wrapped({ @Other\n// objectbox: index\n() in 1 })\nvar it: Int",
  ])
  func `text that only looks like a comment does not count`(_ body: String) {
    #expect(names(body).isEmpty)
  }

  @Test func `lines may end with carriage return and line feed`() {
    let body = "// objectbox: index\r\n// objectbox: unique\r\nvar it: Int"
    #expect(names(body) == ["index", "unique"])
    #expect(names("// objectbox: index\r\n\r\nvar it: Int").isEmpty)
  }

  @Test(arguments: ["", "\u{FEFF}"])
  func `the first line of a file counts`(_ start: String) {
    let file = SourceFile(path: "Note.swift", text: start + "// objectbox: entity\nclass Note {}")
    #expect(SourceParser().parse(file).types.first?.annotations.names == ["entity"])
  }

  @Test(arguments: ["class", "struct", "extension", "final class", "@objc public final class"])
  func `types and extensions have annotations`(_ keyword: String) {
    let file = SourceFile(path: "Note.swift", text: "// objectbox: entity\n\(keyword) Note {}")
    #expect(SourceParser().parse(file).types.first?.annotations.names == ["entity"])
  }

  @Test func `annotations belong to their own declaration only`() {
    let file = SourceFile(
      path: "Note.swift",
      text: "// objectbox: entity\nclass Note {\n  // objectbox: id\n  var id: Id\n  var it: Int\n}"
    )
    let type = SourceParser().parse(file).types.first
    #expect(type?.annotations.names == ["entity"])
    #expect(type?.variables.map(\.annotations.names) == [["id"], []])
  }
}
