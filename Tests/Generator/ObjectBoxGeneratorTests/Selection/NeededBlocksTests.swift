import ObjectBoxTestSupport
import Testing

@testable import ObjectBoxGenerator

/// In a needed file, only the needed blocks are parsed.
struct NeededBlocksTests {
  private static let entity = "struct Note: Entity { var id: Id; var kind: Kind }"

  private func parse(_ text: String) -> ParsedSource? {
    let files = [Self.entity, text].enumerated().map {
      SourceFile(path: "\($0).swift", text: $1)
    }
    return SourceSelection.parsePlaces(files, annotationPrefix: "objectbox")[1]
  }

  @Test func `a block without a needed name is left out`() {
    let parsed = parse("enum Kind: Int { case a }\nstruct Plain { var x = 1 }\nextension Note {}")
    #expect(parsed?.enums.map(\.cases) == [["a"]])
    #expect(parsed?.types.map(\.qualifiedName) == ["Plain", "Note"])
    #expect(parsed?.types.allSatisfy(\.variables.isEmpty) == true)
  }

  @Test(arguments: [
    "struct Kind { var x = 1 }", "struct Outer { enum Kind {}; var x = 1 }",
    "extension Outer { typealias Kind = Int; var x: Int { 1 } }",
    "struct Outer<A> where A: B\n{ struct Deep { class Kind {} }; var x = 1 }",
    "class Plain {}\nextension App.Note { var x: Int { 1 } }",
    "typealias Kind = More\nstruct More { var x = 1 }",
    "#if A\n#endif\nenum Kind {}\nstruct Plain { var x = 1 }",
  ])
  func `a block with a needed name is parsed, and all of a source whose braces are uncertain`(
    text: String
  ) {
    let names = parse(text)?.types.flatMap(\.variables).map(\.name)
    #expect(names == ["x"])
  }

  @Test func `of a file with an entity, blocks that no entity needs are left out too`() {
    let texts = [
      Self.entity + "\nstruct Plain { var x = 1 }\nenum Kind: Int { case a }",
      "// objectbox: entity\nclass Other { var id: Id = 0 }\nenum Word: Int { case b }",
    ]
    let files = texts.enumerated().map { SourceFile(path: "\($0).swift", text: $1) }
    let parsed = SourceSelection.parsePlaces(files, annotationPrefix: "objectbox")
    #expect(parsed[0]?.types.map { $0.variables.map(\.name) } == [["id", "kind"], []])
    #expect(parsed[0]?.enums.map(\.cases) == [["a"]])
    #expect(parsed[1]?.types.map { $0.variables.map(\.name) } == [["id"]])
    #expect(parsed[1]?.enums.map(\.cases) == [[]])
  }

  @Test(arguments: ["// objectbox: index", "// objectBox: index", "/* <<<<<<< */"])
  func `of a file with an entity, blocks with an annotation or a marker of a conflict are parsed`(
    mark: String
  ) {
    let text = Self.entity + "\nstruct Plain { var x = 1 \(mark)\n var y = 2 }"
    let files = [SourceFile(path: "0.swift", text: text)]
    let parsed = SourceSelection.parsePlaces(files, annotationPrefix: "objectbox")
    #expect(parsed[0]?.types.last?.variables.map(\.name) == ["x", "y"])
  }

  @Test func `a block that a later file needs is parsed then`() {
    let texts = [
      Self.entity, "enum Kind: Raw { case a }\nenum Word: String { case b }",
      "typealias Raw = Word",
    ]
    let files = texts.enumerated().map { SourceFile(path: "\($0).swift", text: $1) }
    let parsed = SourceSelection.parsePlaces(files, annotationPrefix: "objectbox")
    #expect(parsed[1]?.enums.map(\.cases) == [["a"], ["b"]])
  }

  @Test func `positions are those in the whole text`() {
    let parsed = parse("struct Größe { var ä = \"ö\" }; extension Note { var x: Int { 1 } }")
    let position = parsed?.types.last?.variables.first?.position
    #expect(position?.line == 1)
    #expect(position?.column == 56)
  }

  @Test func `a syntax error is told where an entity needs the block, else by the compiler`() {
    #expect(parse("enum Kind {}\nstruct Plain { var = 1 }")?.syntaxErrors.isEmpty == true)
    #expect(parse("enum Kind { case = }\nstruct Plain {}")?.syntaxErrors.isEmpty == false)
  }
}
