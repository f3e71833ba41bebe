import ObjectBoxGenerator
import ObjectBoxTestSupport
import Testing

struct SourceFuzzTests {
  private static let source = """
    import ObjectBox
    /// A note.
    // objectbox: entity, name = "Notes", sync = { "sharedGlobalIds": true }
    final class Note {
      // objectbox: id = { "assignable": true }
      var id: Id = 0
      /* objectbox: index = hash64, unique */ var slug: String = "é🙂"
      // objectbox: convert = { "dbType": "Int", "default": ".none" }
      var mood: Mood? = .none
      @Wrapped // objectbox: date-nano
      private(set) var date: Date = Date() { didSet {} }
      var list = [1, 2, nil], other = Data(count: 3)
      var computed: Int { get { 1 } set {} }
      required init() {}
    }
    #if os(Linux) && (canImport(Glibc) || !FLAG) || compiler(>=6.0)
    struct Page: Base<Int>, @unchecked Sendable {
      /** objectbox: hnswIndex: dimensions=2, flags = "a, b" */
      @Wrapped(a: [1, 2]) public var a, b: [Float]?, c = 5 as Int64
      // objectbox: convert = { "default": ".some(\"x\")" }, = 3, name = 'a
      var d: Swift.Optional<Array<UInt8>> = .init(), (e, f) = (1, "\\(2)")
    }
    #elseif canImport(Other)
    // objectbox: entity
    #else
    class Page { let = }
    #endif
    // objectbox:file: uid, externalName = "all"
    extension Note: Entity { struct Inner: Entity { var id: EntityId<Inner> } }
    enum Mood: Int { case none }
    typealias Words = [Words]
    typealias Pair<T> = (T, T)
    // objectbox:begin: entity, transient, name = 'a b'
    struct Region { var id: Key?; typealias Key = Note.Words }
    // objectbox:begin: hnswIndex: dimensions=2
    // objectbox:inline:Made.By
    let made = 1
    // objectbox:end
    // objectbox:end
    // objectbox:end
    class Plain: Entity { let it: Pair<Int>; private init(it: Words) {} }
    """

  /// Texts that are inserted as a whole, also within a line.
  private static let pieces = [
    "objectbox:", "// objectbox: index\n", "// objectbox:begin: entity\n", "// objectbox:end\n",
    "/* objectbox:file: entity, sync */", "// objectbox:inline:x\n", "#if FLAG\n", "\n#else\n",
    "\n#endif\n", "#if canImport(Other) && os(Linux)\n", "#elseif !hasFeature(a)\n",
    "typealias Words = Note.Words\n", "<<<<<<< HEAD\n", "é🙂", "\r\n", "= {\"a\": [", "var it = ",
    "@Wrapped({ // objectbox: id\n 1 }) ", "init(id: Id) {}\n", "private ",
    "struct Words: Entity {",
  ]

  @Test(arguments: 0..<TestLength.choose(short: 80, long: 600))
  func `a random change of a source gives a schema or findings with places, never a crash`(
    seed: Int
  ) {
    var random = SplitMix(seed: seed)
    var bytes = Array(Self.source.utf8)
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      let end = min(bytes.count, place + Int.random(in: 1..<30, using: &random))
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 9..<127, using: &random)
      case 1: bytes.removeSubrange(place..<end)
      case 2: bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
      case 3: bytes.insert(contentsOf: Array(random.pick(Self.pieces).utf8), at: place)
      default:
        bytes.insert(random.pick(Array("{}()[]<>\"'`/*,:=\n".utf8)), at: place)
      }
      if bytes.isEmpty { bytes = [10] }
    }
    check(bytes)
  }

  private static let lengths = Array(
    stride(from: 0, through: source.utf8.count, by: TestLength.choose(short: 9, long: 3))
  )

  @Test(arguments: lengths)
  func `a source that ends anywhere gives a schema or findings with places`(count: Int) {
    check(Array(Self.source.utf8.prefix(count)))
  }

  private func check(_ bytes: [UInt8]) {
    let file = SourceFile(path: "Note.swift", text: String(decoding: bytes, as: UTF8.self))
    let result = SchemaBuilder.build([file])
    #expect(result.diagnostics == SchemaBuilder.build([file]).diagnostics)
    if !result.diagnostics.contains(where: \.isError) {
      #expect(result.schema.entities.allSatisfy { $0.idProperty != nil })
    }
    let lines = file.text.utf8.split(
      separator: UInt8(ascii: "\n"),
      omittingEmptySubsequences: false
    )
    for finding in result.diagnostics {
      guard let position = finding.position, lines.indices.contains(position.line - 1) else {
        Issue.record("a finding without a place in the text: \(finding.description)")
        continue
      }
      let end = lines[position.line - 1].count + 1
      #expect(position.path == "Note.swift")
      #expect((1...end).contains(position.column), "\(finding.description)")
    }
  }
}
