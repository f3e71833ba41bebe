import Testing

@testable import ObjectBoxGenerator
@testable import ObjectBoxModelTools
@testable import ObjectBoxSwiftReader

/// The characters under findings.
struct DiagnosticPlaceTests {
  /// Returns the characters under a source's findings, in order.
  private func underlined(_ text: String) -> [String] {
    let file = SourceFile(path: "Note.swift", text: text)
    let lines = SourceLines([file])
    return SchemaBuilder.build([file]).diagnostics.map { finding in
      guard let position = finding.position, let line = lines.line(at: position) else { return "" }
      let rest = line.dropFirst(position.column - 1).prefix(lines.length(of: finding))
      return String(decoding: rest, as: UTF8.self)
    }
  }

  private func underlined(on property: String) -> [String] {
    underlined("struct Note: Entity {\nvar id: Id\n\(property)\n}")
  }

  @Test(arguments: [
    ("indx", "indx"), ("größe", "größe"), ("name = \"x\" , indx = hash", "indx"),
    ("index = btree", "btree"), ("index = \"btree\"", "btree"), ("index = ' btree '", "btree"),
    ("index = {}", "{}"), ("externalType = \"mongoID\"", "mongoID"),
    ("externalType", "externalType"),
    ("uid = -1", "-1"), ("uid = \"12\"", "12"), ("unique = { \"onConflict\": \"x\" }", "x"),
    ("unique = { \"conflict\": 1, \"onConflict\": \"replace\" }", "conflict"),
    ("unique = {}", "{}"), ("convert = { \"dbTyp\": \"Int\" }", "dbTyp"),
    ("convert = { \"dbType\": [1, 2] }", "[1, 2]"), ("convert", "convert"), ("flex", "flex"),
    ("type = flex", "flex"), ("hnswIndx: dimensions = 2", "hnswIndx"),
    ("convert: dbTyp = Int, default = x", "dbTyp"), ("convert = 3", "convert = 3"),
  ])
  func `a finding about an annotation is about its wrong part`(_ text: String, _ part: String) {
    #expect(underlined(on: "// objectbox: \(text)\nvar it: String") == [part])
  }

  @Test func `a finding about a declaration is about its name`() {
    #expect(underlined("struct Noté: Entity {}") == ["Noté"])
    #expect(underlined(on: "var some_url2: Locale") == ["some_url2"])
    #expect(underlined(on: "var `in`: Locale") == ["`in`"])
  }

  @Test func `the wrong keys of one annotation are all told, each at its place`() {
    #expect(
      underlined(on: "// objectbox: convert = { \"a\": 1, \"dbType\": 2 }\nvar it: Int") == [
        "a", "2",
      ]
    )
    #expect(
      underlined(on: "// objectbox: unique = { \"a\": 1, \"onConflict\": 2 }\nvar it: Int") == [
        "a", "2",
      ]
    )
  }

  @Test func `an annotation without effect is told as a whole`() {
    #expect(
      underlined("struct A {\nvar x = 1 // objectbox: index, name = \"y\"\n}") == [
        "index, name = \"y\""
      ]
    )
  }

  @Test func `a text of the model file is a word of its own, and nothing goes beyond its line`() {
    let file = SourceFile(path: "m", text: "{ \"id\": \"1:2\", \"x")
    let lines = SourceLines([file])
    func length(_ column: Int, line: Int = 1, given: Int = 0) -> Int {
      lines.length(
        of: Diagnostic(
          .mergeConflict,
          at: SourcePosition(path: "m", line: line, column: column),
          length: given
        )
      )
    }
    #expect(length(9) == 5)
    #expect(length(16) == 2)
    #expect(length(1) == 0)
    #expect(length(17, given: 9) == 1)
    #expect(length(99) == 0)
    #expect(length(1, line: 2, given: 3) == 3)
  }

  @Test func `an object that is split over two comments keeps the places of both`() {
    #expect(
      underlined(
        on:
          "// objectbox: convert = { \"dbType\": \"Int\" }\n// objectbox: convert = { \"x\": 1 }\nvar it: Int"
      ) == ["x"]
    )
  }
}
