import Foundation
import ObjectBoxGenerator
import ObjectBoxSwiftReader
import ObjectBoxTestSupport
import Testing

/// Compares schemas: every later stage is a function of the schema, so equal schemas give equal
/// code.
struct SourceSelectionTests {
  /// Parses all files; the compiler reports syntax errors of files that no entity needs.
  private func buildFromAll(
    _ files: [SourceFile],
    _ selected: [Int: ParsedSource]
  ) -> SchemaBuilder.Result {
    let parsed = files.enumerated().map { place, file in
      var parsed = SourceParser().parse(file)
      if selected[place] == nil { parsed.syntaxErrors = [] }
      return parsed
    }
    return SchemaBuilder.build(parsed)
  }

  private func expectEqual(
    _ files: [SourceFile],
    _ comment: Comment,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let selected = SourceSelection.parsePlaces(files, annotationPrefix: "objectbox")
    let result = SchemaBuilder.build(files)
    let all = buildFromAll(files, selected)
    #expect(result.schema == all.schema, comment, sourceLocation: sourceLocation)
    #expect(result.diagnostics == all.diagnostics, comment, sourceLocation: sourceLocation)
  }

  @Test(arguments: 0..<TestLength.choose(short: 80, long: 1_000))
  func `the result is that of parsing all files`(seed: Int) {
    let files = RandomSources.files(seed: seed)
    let texts = files.map { "// \($0.path)\n\($0.text)" }.joined(separator: "\n")
    expectEqual(files, "\(texts)")
  }

  @Test(arguments: 0..<TestLength.choose(short: 30, long: 100))
  func `the order of the files does not matter`(seed: Int) {
    var random = SplitMix(seed: seed)
    let files = RandomSources.files(seed: seed)
    let expected = SchemaBuilder.build(files)
    let shuffled = SchemaBuilder.build(files.shuffled(using: &random))
    #expect(expected.schema == shuffled.schema)
    #expect(expected.diagnostics == shuffled.diagnostics)
  }

  @Test func `the random sources have entities, files to leave out, and files to find by a name`() {
    var sound = 0
    var leftOut = 0
    var found = 0
    let count = TestLength.choose(short: 100, long: 300)
    for seed in 0..<count {
      let files = RandomSources.files(seed: seed)
      let selected = SourceSelection.parsePlaces(files, annotationPrefix: "objectbox")
      if !SchemaBuilder.build(files).diagnostics.contains(where: \.isError) { sound += 1 }
      if selected.count < files.count { leftOut += 1 }
      let words = ["objectbox:", "Entity", "<<<<<<<"]
      if selected.contains(where: { place, _ in
        !words.contains { files[place].text.contains($0) }
      }) {
        found += 1
      }
    }
    #expect(
      sound > count / 10 && leftOut > count / 3 && found > count / 5,
      "\(sound) \(leftOut) \(found)"
    )
  }

  @Test func `the result for the sources of this package is that of parsing all files`() throws {
    let root = Repository.root
    var files: [SourceFile] = []
    let folders = TestLength.choose(
      short: [
        "Examples", "Tests/Generator/ObjectBoxGeneratedCodeTests",
        "Tests/Server/ObjectBoxClusterTests",
      ],
      long: ["Sources", "Tests", "Examples", "Benchmarks/Sources"]
    )
    for folder in folders {
      let inner = root.appendingPathComponent(folder)
      let names = try FileManager.default.subpathsOfDirectory(atPath: inner.path)
      for name in names.sorted() where name.hasSuffix(".swift") && !name.contains(".build/") {
        let text = try String(contentsOf: inner.appendingPathComponent(name), encoding: .utf8)
        files.append(SourceFile(path: folder + "/" + name, text: text))
      }
    }
    #expect(files.count > 100)
    expectEqual(files.sorted { $0.path < $1.path }, "the repository")
  }

  private func selected(_ texts: [String], prefix: String = "objectbox") -> [Int] {
    let files = texts.enumerated().map { SourceFile(path: "\($0).swift", text: $1) }
    return SourceSelection.parsePlaces(files, annotationPrefix: prefix).keys.sorted()
  }

  private static let entity = "struct Note: Entity { var id: Id; var kind: Outer.Kind }"

  @Test(arguments: [
    "enum Kind: Int {}", "struct Outer { enum Kind: Int {} }", "extension Outer { enum\nKind {} }",
    "typealias Kind = Int", "enum /* { */ Kind {}", "class `Kind` {}", "protocol Outer {}",
    "extension Note { var more: Int { 1 } }", "extension App.Note {}", "extension\n/* : */ Note {}",
    "#if DEBUG\nenum Kind {}\n#endif", "\u{0}enum Kind {}", "struct  Note {}",
  ])
  func `a file that declares or extends what an entity names is parsed`(text: String) {
    #expect(selected([text, Self.entity]) == [0, 1])
  }

  @Test(arguments: [
    "enum Kinds {}", "let kind: Outer.Kind", "extension Kind {}", "extension Id { let n: Note }",
    "enumKind", "struct Plain { func show(_ note: Note) {} }", "class Entities {}",
  ])
  func `a file that only uses what an entity names is not parsed`(text: String) {
    #expect(selected([text, Self.entity]) == [1])
  }

  @Test func `names are followed through typealiases and enums from file to file`() {
    let chain = [
      "typealias Kind = First?", "struct Far { typealias First = Second }",
      "enum Second: Third { case a }", "typealias Third = Int", "typealias Fourth = Int",
    ]
    #expect(selected(chain + [Self.entity]) == [0, 1, 2, 3, 5])
  }

  @Test func `a typealias of an entity, and what extends the entity by it, is parsed`() {
    let texts = [
      "typealias Memo =\n  App.Note", "extension Memo {}", "typealias Other = Memo",
      "extension Other { var more: Int { 1 } }", "typealias Text = String", "extension Text {}",
    ]
    #expect(selected(texts + [Self.entity]) == [0, 1, 2, 3, 6])
  }

  @Test func `without an entity nothing is parsed, but for annotations and merge conflicts`() {
    #expect(selected(["enum Kind {}", "class Note {}", "struct {"]) == [])
    #expect(
      selected(["// objectbox: id", "<<<<<<< a", "// store: id", "let x = \"Entity\""]) == [
        0, 1, 3,
      ]
    )
    #expect(selected(["// objectbox: id", "// store: id"], prefix: "store") == [1])
  }

  @Test func `a merge conflict is told wherever it stands, other errors where an entity needs it`()
  {
    let conflict = "class A {}\n<<<<<<< ours\nclass B {}\n=======\n>>>>>>> theirs\n"
    let files = [conflict, "struct {", Self.entity].enumerated().map {
      SourceFile(path: "\($0).swift", text: $1)
    }
    let found = SchemaBuilder.build(files).diagnostics.map(\.description)
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("0.swift:2:1: error: the source has a merge conflict") == true)
  }
}
