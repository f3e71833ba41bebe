import ObjectBoxGenerator
import ObjectBoxTestSupport
import Testing

/// Sources that are broken anywhere: each run ends, and each finding has a place in the text.
struct RobustnessTests {
  private static let source = """
    #if DEBUG
    // objectbox: entity, name = "größe", sync = { "sharedGlobalIds": true }
    /* objectbox: uid = 17 */ final class Note: Base<Int>, @unchecked Sendable {
      // objectbox: id = { "assignable": true }
      var id: EntityId<Note> = 0
      /** objectbox: hnswIndex: dimensions=2, flags = "a, b" */
      @Wrapped(a: [1, 2]) public private(set) var a, b: [Float]?, c = 5 as Int64
      // objectbox: convert = { "dbType": "Int?", "default": ".some(\"x\")" }
      // objectbox: index = 'hash', unique, = 3, name
      var d: Swift.Optional<Array<UInt8>> = .init(), (e, f) = (1, "\\(2)")
      var g: (Int) -> (String)? { didSet { } }
    }
    #endif
    extension Note: Entity { enum Kind: String { case a } ; typealias Self2 = Kind }
    """

  private static let marks = Array("{}[]()<>\"'\\/*=,:@#\r\n \t\u{0}a0.".utf8)

  private func check(_ bytes: [UInt8]) {
    let file = SourceFile(path: "Note.swift", text: String(decoding: bytes, as: UTF8.self))
    let lines = file.text.utf8.split(
      separator: UInt8(ascii: "\n"),
      omittingEmptySubsequences: false
    )
    for finding in SchemaBuilder.build([file]).diagnostics {
      let position = finding.position ?? SourcePosition(path: "", line: 0, column: 0)
      #expect((1...lines.count).contains(position.line), "\(finding.description)")
      guard (1...lines.count).contains(position.line) else { continue }
      let width = lines[position.line - 1].count
      #expect((1...width + 1).contains(position.column), "\(finding.description)")
    }
  }

  @Test(arguments: 0...source.utf8.count)
  func `a source may end anywhere`(_ count: Int) {
    check(Array(Self.source.utf8.prefix(count)))
  }

  @Test(arguments: 0..<300)
  func `any bytes may be lost, doubled or changed`(_ seed: Int) {
    var random = SplitMix(seed: seed)
    var bytes = Array(Self.source.utf8)
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes.remove(at: place)
      case 1: bytes.insert(bytes[place], at: place)
      default: bytes[place] = random.pick(Self.marks)
      }
    }
    check(bytes)
  }
}
