import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// An entity with a small graph.
enum SpotEntity: FixtureEntity {
  static let info = EntityInfo(name: "Spot", id: 1)
  static let properties = [
    FixtureProperty(id: 1, name: "id", type: .long, flags: [.id]),
    FixtureProperty(
      id: 2,
      name: "vector",
      type: .floatVector,
      flags: [.indexed],
      index: 1,
      graph: FixtureGraph(dimensions: 1, neighborsPerNode: 2)
    ),
  ]
}

/// The rows of a store's tables, byte for byte.
@Suite(.onPlainFiles("reads the tables of a closed store"))
struct TableFormatTests {
  private let folder: TemporaryDirectory
  private var path: String { folder.path + "/store" }

  init() throws {
    folder = try TemporaryDirectory()
  }

  /// Fills a store, closes it, and returns its tables.
  private func rows(
    _ builder: ModelBuilder,
    _ fill: (Store) throws -> Void
  ) throws -> RawStore {
    let store = try Store(model: builder.finish(), directory: path)
    try fill(store)
    store.close()
    return try RawStore(path: path)
  }

  @Test func `a store tells its format, its schema, its layouts and its sequences`() throws {
    let raw = try rows(try SchemaFormatTests.note()) { store in
      try store.put(NoteEntity.self, [NoteEntity.values, [:], [:]])
      try store.remove(NoteEntity.self, [3])
    }
    #expect(try raw.value("format") == [6, 0, 0, 0])
    #expect(try raw.value("schema") == FormatBytes.schema(try SchemaFormatTests.note()))
    #expect(try raw.value("layouts/1") == FormatBytes.layouts([NoteEntity.self]))
    // The removed object's ID is not reused.
    #expect(try raw.value("sequence/1") == [3, 0, 0, 0, 0, 0, 0, 0])
    #expect(
      try raw.objects("e1") == [
        1: FormatBytes.record(NoteEntity.self, NoteEntity.values, id: 1),
        2: FormatBytes.record(NoteEntity.self, [:], id: 2),
      ]
    )
    // Each key and value follows its size. The digest covers neither the sequence nor itself.
    var described: [UInt8] = []
    for key in ["format", "layouts/1", "schema"] {
      for bytes in [Array(key.utf8), try #require(try raw.value(key))] {
        described += withUnsafeBytes(of: UInt32(bytes.count).littleEndian) { Array($0) }
        described += bytes
      }
    }
    let digest = FormatBytes.crc32c(described)
    #expect(try raw.value("digest") == withUnsafeBytes(of: digest.littleEndian) { Array($0) })
    let index = try raw.entries("i1")
    #expect(index.map(\.id) == [2, 1])
    let hash = FormatBytes.hash32(Array("Hi".utf8))
    let key: [UInt8] = [1] + withUnsafeBytes(of: hash.bigEndian) { Array($0) }
    #expect(index.map(\.key) == [[0], key])
  }

  @Test func `a store without removals has no sequence`() throws {
    let raw = try rows(try SchemaFormatTests.note()) { try $0.put(NoteEntity.self, [[:]]) }
    #expect(try raw.value("sequence/1") == nil)
  }

  @Test func `a relation stands in two tables, from each end`() throws {
    let model = try FixtureModel.builder(
      [AuthorEntity.self, BookEntity.self, TopicEntity.self],
      lastIndex: 2,
      lastRelation: 2
    )
    let raw = try rows(model) { store in
      try store.put(BookEntity.self, [["title": "one"], ["title": "two"]])
      try store.put(TopicEntity.self, (1...3).map { ["name": .text("\($0)")] })
      try store.relate(1, BookEntity.self, 1, to: TopicEntity.self, [3, 2])
      try store.relate(1, BookEntity.self, 2, to: TopicEntity.self, [3])
    }
    func key(_ id: UInt8) -> [UInt8] { [0, 0, 0, 0, 0, 0, 0, id] }
    let forward = try raw.entries("r1")
    #expect(forward.map(\.key) == [key(1), key(1), key(2)])
    #expect(forward.map(\.id) == [2, 3, 3])
    let backward = try raw.entries("b1")
    #expect(backward.map(\.key) == [key(2), key(3), key(3)])
    #expect(backward.map(\.id) == [1, 1, 2])
    #expect(try raw.entries("r2").isEmpty)
    // A to-one relation without a target has no index entry.
    #expect(try raw.entries("i1").isEmpty)
  }

  /// A graph whose distances are exact and distinct, so that it is the same on each machine.
  static func graph(in path: String) throws -> [UInt64: [UInt8]] {
    let model = try FixtureModel.builder([SpotEntity.self], lastIndex: 1)
    let store = try Store(model: model.finish(), directory: path)
    let places = ["1.0", "2.0", "4.0", "8.0", "16.0", "32.0"]
    try store.put(SpotEntity.self, places.map { ["vector": [.text($0)]] })
    try store.put(SpotEntity.self, [[:]])
    try store.remove(SpotEntity.self, [2])
    store.close()
    return try RawStore(path: path).objects("v1")
  }

  @Test func `a graph has its entry point and its nodes in the bytes that they had`() throws {
    let graph = try Self.graph(in: path).mapValues { Hex.text($0) }
    func id(_ number: UInt8) -> String { Hex.text([number, 0, 0, 0, 0, 0, 0, 0]) }
    func links(_ neighbors: UInt8...) -> String {
      Hex.text([UInt8(neighbors.count), 0, 0, 0]) + neighbors.map(id).joined()
    }
    #expect(
      graph == [
        // The form, the highest level, the entry point, the number of nodes.
        0: "01" + "03" + id(3) + id(5),
        1: "01" + links(3, 4),
        3: "04" + links(5, 1, 4) + links(4, 5) + links() + links(),
        4: "02" + links(3, 6, 5, 1) + links(3, 5),
        5: "02" + links(4, 3, 6) + links(4, 3),
        6: "01" + links(5, 4),
      ]
    )
  }
}
