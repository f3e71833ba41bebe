import Testing

@testable import ObjectBoxGenerator

/// The meaning of the text behind `objectbox:`.
struct AnnotationParserTests {
  private func parse(_ text: String) -> Annotations {
    var annotations = Annotations()
    let source = SourceText(SourceFile(path: "Note.swift", text: text))
    AnnotationParser(source: source).parse(0..<source.bytes.count, into: &annotations)
    return annotations
  }

  private func values(_ text: String) -> [String: AnnotationValue] {
    parse(text).items.mapValues(\.value)
  }

  /// Returns the value of `x`; there must be no findings.
  private func value(_ text: String) -> AnnotationValue? {
    let annotations = parse("x = " + text)
    #expect(annotations.diagnostics.isEmpty)
    return annotations["x"]?.value
  }

  @Test(arguments: ["x", "x =", " x ", "x = ", "x, ", ",x", ", , x,,"])
  func `a name alone is bare`(_ text: String) {
    #expect(values(text) == ["x": .bare])
  }

  @Test(arguments: [
    "index = hash", "index=hash", "index=\"hash\"", "index = 'hash'", "index =' hash '",
  ])
  func `quotes and blanks around a value do not matter`(_ text: String) {
    #expect(values(text) == ["index": .text("hash")])
  }

  @Test(arguments: ["\u{301}a", "a\u{600}", "\u{20DD}", "e\u{301}"])
  func `quotes end a text, whatever stands beside them`(_ text: String) {
    for quote in ["\"", "'"] {
      #expect(values("name = \(quote)\(text)\(quote)") == ["name": .text(text)])
    }
  }

  @Test(arguments: [
    ("0", 0), ("17", 17), ("-3", -3), ("+4", 4), ("9223372036854775807", Int64.max),
    ("-9223372036854775808", Int64.min), ("007", 7),
  ])
  func `whole numbers`(_ text: String, _ number: Int64) {
    #expect(value(text) == .integer(number))
  }

  @Test(arguments: [("1.5", 1.5), ("-0.25", -0.25), ("9223372036854775808", 9223372036854775808)])
  func `decimal numbers, and those beyond 64 bits`(_ text: String, _ number: Double) {
    #expect(value(text) == .decimal(number))
  }

  @Test(arguments: [
    ("true", "true"), ("\"12\"", "12"), ("'1.5'", "1.5"), ("\"\"", ""), ("''", ""), ("1e5", "1e5"),
    ("nan", "nan"), ("1.2.3", "1.2.3"), ("it's", "it's"), ("\"it's\"", "it's"),
    ("[Int32]", "[Int32]"), ("\"[Int32]\"", "[Int32]"), ("a b", "a b"), ("größe", "größe"),
    (".some", ".some"),
    ("\"{}x\"", "{}x"), ("0x10", "0x10"),
  ])
  func `everything else is text`(_ text: String, _ expected: String) {
    #expect(value(text) == .text(expected))
  }

  @Test func `a value may contain the equals sign`() {
    #expect(values("x = a = b") == ["x": .text("a = b")])
    #expect(values("x = \"a=b\", y") == ["x": .text("a=b"), "y": .bare])
  }

  @Test(arguments: [
    ("{}", AnnotationValue.dictionary([:])),
    ("{ \"a\": true }", .dictionary(["a": .boolean(true)])),
    ("{\"a\":false,\"b\":1}", .dictionary(["a": .boolean(false), "b": .integer(1)])),
    ("{\"a\":-0.5}", .dictionary(["a": .decimal(-0.5)])),
    ("{\"a\":\"b, c\"}", .dictionary(["a": .text("b, c")])),
    ("{\"a\":\"\\\"}\\\",\"}", .dictionary(["a": .text("\"}\",")])),
    (
      "{\"a\":{\"b\":[1,\"c\"]}}",
      .dictionary(["a": .dictionary(["b": .list([.integer(1), .text("c")])])])
    ),
    ("{\"a\":9007199254740993}", .dictionary(["a": .integer(9_007_199_254_740_993)])),
    ("[]", .list([])),
    ("[1, 2]", .list([.integer(1), .integer(2)])),
    ("'[1]'", .list([.integer(1)])),
  ])
  func `JSON objects and arrays`(_ text: String, _ expected: AnnotationValue) {
    #expect(value(text) == expected)
  }

  @Test(arguments: [
    "a = <1,2>, b", "a = [x,y], b", "a = (1,2), b", "a = {\"x\":1,\"y\":2}, b", "a = \"1,2\", b",
    "a = ((1,2),3), b", "a = \")\", b", "a = Map<Int,[Int,Int]>, b",
  ])
  func `commas in brackets and double quotes separate nothing`(_ text: String) {
    #expect(parse(text).names == ["a", "b"])
  }

  @Test(arguments: [
    ("unique index", ["unique", "index"]), ("index = hash unique", ["index", "unique"]),
    ("unique\tindex = hash", ["unique", "index"]),
    ("uid = 5 index unique", ["uid", "index", "unique"]),
    ("name = \"a b\" index", ["name", "index"]),
    ("name = 'a' index, unique", ["name", "index", "unique"]),
    ("unique = { \"onConflict\": \"replace\" } index", ["unique", "index"]),
    ("index type = flex", ["index", "type"]), ("foo = [1] index", ["foo", "index"]),
  ])
  func `a missing comma is found, and the annotations are read`(_ text: String, _ names: [String]) {
    let annotations = parse(text)
    #expect(annotations.names == names.sorted())
    let findings = annotations.diagnostics
    #expect(findings.count == names.count - text.split(separator: ",").count)
    for finding in findings {
      #expect(finding.isError)
      #expect(finding.message.text.hasSuffix("; separate them by a comma"))
      #expect(finding.fixIts.map(\.isSafe) == [true])
    }
  }

  @Test(arguments: [
    "name = order index", "convert = some type", "name = \"order index\"", "name = 'order index'",
    "externalName = a unique", "my index", "backlink = { index", "index", "name = index",
  ])
  func `a blank within a value is no missing comma`(_ text: String) {
    #expect(!parse(text).diagnostics.contains { $0.message.text.contains("separate them") })
  }

  @Test func `single quotes do not protect a comma`() {
    #expect(parse("a = 'x, y'").names == ["a", "y'"])
  }

  @Test func `items on one line and on several lines are the same`() {
    #expect(
      values("entity, sync, uid = 3") == ["entity": .bare, "sync": .bare, "uid": .integer(3)]
    )
  }

  @Test func `a namespace makes a dictionary of its line`() {
    #expect(
      values("hnswIndex: dimensions=2, neighborsPerNode = 30, flags = \"a, b\"") == [
        "hnswIndex": .dictionary([
          "dimensions": .integer(2), "neighborsPerNode": .integer(30), "flags": .text("a, b"),
        ])
      ]
    )
  }

  @Test func `namespaces nest`() {
    #expect(values("a:b : c = 1") == ["a": .dictionary(["b": .dictionary(["c": .integer(1)])])])
  }

  @Test(arguments: ["a = x:y", "a = \"x:y\"", "a, b:c", "a = {\"x\": 1}", "a(x:y)"])
  func `a colon behind the first item, in quotes or brackets makes no namespace`(_ text: String) {
    #expect(!parse(text).has("x") && parse(text).names.first?.hasPrefix("a") == true)
  }

  @Test func `an item knows where its name begins`() {
    let annotations = parse(" index ,  unique = { \"a\": 1 } , größe, x")
    #expect(annotations["index"]?.position.column == 2)
    #expect(annotations["unique"]?.position.column == 11)
    // Columns count bytes, and two of the letters have two bytes.
    #expect(annotations["x"]?.position.column == 42)
  }

  @Test(arguments: [
    ("x = { \"a\": }", 12), ("x = {", 6), ("x = { \"a\": 1, \"a\": 2 }", 15), ("x = { a: 1 }", 7),
    ("x = { \"a\": 1 } 2", 16),
  ])
  func `an object that is no JSON is a fault, where it shows`(_ text: String, _ column: Int) {
    let annotations = parse(text)
    #expect(annotations.diagnostics.map(\.isError) == [true])
    #expect(annotations.diagnostics.first?.position?.column == column)
  }

  @Test(arguments: ["x = \"a", "x = 'a", "x = \"", "x = 'a, b'"])
  func `a quote that is not closed is a fault`(_ text: String) {
    #expect(parse(text).diagnostics.map(\.isError) == [true])
    #expect(parse(text).diagnostics.first?.position?.column == 5)
  }

  @Test func `a value without a name is a fault`() {
    let annotations = parse("a, = 3")
    #expect(annotations.names == ["a"])
    #expect(annotations.diagnostics.map(\.message) == [.annotationWithoutName])
    #expect(annotations.diagnostics.first?.position?.column == 4)
  }
}
