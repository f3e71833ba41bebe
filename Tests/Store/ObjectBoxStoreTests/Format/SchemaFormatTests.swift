import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import Testing

/// The stored schema and the layouts, byte for byte.
struct SchemaFormatTests {
  static func note() throws -> ModelBuilder {
    try FixtureModel.builder([NoteEntity.self], lastIndex: 1)
  }

  private static func text(_ name: String) -> String {
    Hex.text([UInt8(name.utf8.count), 0, 0, 0]) + Hex.text(name.utf8)
  }

  private static func identity(_ id: UInt8, _ uid: UInt16) -> String {
    Hex.text([id, 0, 0, 0, UInt8(uid & 255), UInt8(uid >> 8), 0, 0, 0, 0, 0, 0])
  }

  @Test func `a schema has the bytes that it had`() throws {
    func plain(_ id: UInt8, _ name: String, _ type: UInt8, flags: UInt8 = 0) -> String {
      Self.identity(id, 100 + UInt16(id)) + Self.text(name) + Hex.text([type, 0, flags, 0, 0, 0])
        // No index, target, graph, external name, external type, collation or rule.
        + "00000000" + "00000000" + "0000"
    }
    let expected =
      Self.identity(1, 1001) + Self.identity(1, 10_001) + Self.identity(0, 0) + "01000000"
      + Self.identity(1, 1001) + Self.text("Note") + "00000000" + "00" + Self.identity(7, 107)
      + "07000000" + plain(1, "id", 6, flags: 1)
      + Self.identity(2, 102) + Self.text("text") + "0900" + "00080000" + "01"
      + Self.identity(1, 10_001) + "000000" + "00000000" + "0000"
      + plain(3, "stars", 5) + plain(4, "done", 1) + plain(5, "tags", 30) + plain(6, "photo", 23)
      + plain(7, "when", 10)
      // No relations, indexes over several properties and full-text indexes.
      + "00000000" + "00000000" + "00000000"
    let model = try Self.note()
    #expect(Hex.text(FormatBytes.schema(model)) == expected)
    #expect(try FormatBytes.reads(FormatBytes.schema(model), as: model))
  }

  @Test func `rules stand in properties and relations, and indexes of several properties behind`()
    throws
  {
    let relations = try FixtureModel.builder(
      [AuthorEntity.self, BookEntity.self, TopicEntity.self],
      lastIndex: 2,
      lastRelation: 2
    )
    let bytes = Hex.text(FormatBytes.schema(relations))
    // A relation without names and external type: it leads to the topics, removed with their authors.
    #expect(
      bytes.contains(
        Self.identity(2, 20_002) + Self.identity(3, 1003) + "0000" + "00000000" + "0200"
      )
    )
    // Of a relation of books and topics: no topic of a book may be removed.
    #expect(
      bytes.contains(
        Self.identity(1, 20_001) + Self.identity(3, 1003) + "0000" + "00000000" + "0001"
      )
    )
    // The editor, without an index: an author who edits may not be removed.
    let editor =
      Self.text("editor") + "0b00" + "00000000" + "00" + "01" + Self.text("Author") + "0000"
      + "00000000" + "0001"
    #expect(bytes.contains(editor))
    #expect(try FormatBytes.reads(FormatBytes.schema(relations), as: relations))

    let person = try FixtureModel.builder([PersonEntity.self], lastIndex: 6)
    func index(_ id: UInt8, isUnique: Bool = false, _ properties: [UInt8]) -> String {
      Self.identity(id, 10_000 + UInt16(id)) + (isUnique ? "01" : "00")
        + Hex.text([UInt8(properties.count), 0, 0, 0])
        + properties.map { Hex.text([$0, 0, 0, 0]) }.joined()
    }
    // No relations before, and no full-text indexes behind.
    let indexes =
      "00000000" + "04000000" + index(3, isUnique: true, [2, 3]) + index(4, [4, 5])
      + index(5, [7, 6, 10]) + index(6, [9, 8]) + "00000000"
    #expect(Hex.text(FormatBytes.schema(person)).hasSuffix(indexes))
    #expect(try FormatBytes.reads(FormatBytes.schema(person), as: person))
  }

  @Test func `full-text indexes stand behind the other indexes`() throws {
    let passage = try FixtureModel.builder([PassageEntity.self], lastIndex: 2)
    let bytes = FormatBytes.schema(passage)
    let text = Hex.text(bytes)
    // Neither relations nor indexes over several properties.
    let first =
      "00000000" + "00000000" + "02000000" + Self.identity(1, 10_001) + "00" + "01000000"
      + "0300000001" + "00" + "0100000002" + "01" + "0000"
    let second =
      Self.identity(2, 10_002) + "01" + Self.text("words") + "02000000" + "0200000003"
      + "0300000001" + "00" + "00000000" + "00" + "0000"
    #expect(text.contains(first))
    #expect(text.contains(second))
    #expect(try FormatBytes.reads(bytes, as: passage))
  }

  @Test func `decimals have collation 2, and a collation that is not known is refused`() throws {
    let amount = try FixtureModel.builder([AmountEntity.self], lastIndex: 4)
    let bytes = FormatBytes.schema(amount)
    // The property behind its index: no target, graph or external name; external type 103.
    let plain = Hex.bytes("000000" + "67000000" + "0200") ?? []
    let places = bytes.indices.filter { bytes[$0...].starts(with: plain) }
    #expect(places.count == 4)
    #expect(try FormatBytes.reads(bytes, as: amount))
    for place in places {
      var changed = bytes
      changed[place + 7] += 1
      #expect(throws: (any Error).self) { try FormatBytes.reads(changed, as: amount) }
    }
  }

  @Test func `the parameters of a graph have the bytes that they had`() throws {
    let model = try FixtureModel.builder([PlaceEntity.self], lastIndex: 5)
    let bytes = FormatBytes.schema(model)
    // 3 dimensions, 3 neighbours, no search count, flags or distance, probability 0.5, no cache.
    let euclidean =
      "01" + "0300000000000000" + "0103000000" + "00" + "00000000" + "00" + "010000003f" + "00"
    #expect(Hex.text(bytes).contains(euclidean))
    // 3 dimensions, 2 neighbours, distance 2.
    let cosine =
      "01" + "0300000000000000" + "0102000000" + "00" + "00000000" + "010200" + "00" + "00"
    #expect(Hex.text(bytes).contains(cosine))
    #expect(try FormatBytes.reads(bytes, as: model))
  }

  @Test func `layouts have the bytes that they had`() throws {
    func layout(_ number: UInt8, _ properties: [(id: UInt8, type: UInt8)]) -> String {
      Hex.text([number, 0, UInt8(properties.count), 0, 0, 0])
        + properties.map { property in
          Hex.text([property.id, 0, 0, 0, 100 + property.id, 0, 0, 0, 0, 0, 0, 0])
            + Hex.text([property.type, 0, property.id == 1 ? 1 : 0])
        }.joined()
    }
    let first = layout(0, [(1, 6), (2, 9), (3, 5), (4, 1), (5, 30), (6, 23), (7, 10)])
    let second = layout(1, [(1, 6), (2, 9), (4, 1), (5, 30), (6, 23), (7, 10), (8, 3)])
    #expect(
      Hex.text(try FormatBytes.layouts([NoteEntity.self, LaterNoteEntity.self]))
        == "02000000" + first + second
    )
  }
}
