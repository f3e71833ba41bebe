import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import Testing

/// An entity with a property of each kind of storage in a record.
enum NoteEntity: FixtureEntity {
  static let info = EntityInfo(name: "Note", id: 1)
  static let properties = [
    FixtureProperty(id: 1, name: "id", type: .long, flags: [.id]),
    FixtureProperty(id: 2, name: "text", type: .string, flags: [.indexHash], index: 1),
    FixtureProperty(id: 3, name: "stars", type: .int),
    FixtureProperty(id: 4, name: "done", type: .bool),
    FixtureProperty(id: 5, name: "tags", type: .stringVector),
    FixtureProperty(id: 6, name: "photo", type: .byteVector),
    FixtureProperty(id: 7, name: "when", type: .date),
  ]

  static let values: [String: JSON] = [
    "text": "Hi", "stars": 5, "done": true, "tags": ["a", "bc"], "when": 1_700_000_000_123,
  ]
}

/// A later version of ``NoteEntity``: without `stars`, with `pages`.
enum LaterNoteEntity: FixtureEntity {
  static let info = NoteEntity.info
  static let properties =
    NoteEntity.properties.filter { $0.id != 3 } + [
      FixtureProperty(id: 8, name: "pages", type: .short)
    ]
}

/// Records, byte for byte.
struct RecordFormatTests {
  /// The record of an object with one property.
  struct Case: CustomTestStringConvertible, Sendable {
    var type: PropertyType
    var value: JSON
    var record: String

    init(_ type: PropertyType, _ value: JSON, _ record: String) {
      (self.type, self.value, self.record) = (type, value, record)
    }

    var testDescription: String { "\(type) \(value)" }
  }

  /// Has one property, of the type that a test sets.
  private enum SingleEntity: FixtureEntity {
    @TaskLocal static var type = PropertyType.bool
    static let info = EntityInfo(name: "Single", id: 1)
    static var properties: [FixtureProperty] {
      [
        FixtureProperty(id: 1, name: "id", type: .long, flags: [.id]),
        FixtureProperty(id: 2, name: "value", type: type),
      ]
    }
  }

  static let fixed: [Case] = [
    Case(.bool, true, "0000 01 01"), Case(.bool, false, "0000 01 00"),
    Case(.byte, -5, "0000 01 fb"), Case(.unknown, 5, "0000 01 05"),
    Case(.short, -300, "0000 01 d4fe"), Case(.char, 65, "0000 01 4100"),
    Case(.int, -70000, "0000 01 90eefeff"), Case(.long, -2, "0000 01 feffffffffffffff"),
    Case(.long, JSON(UInt64.max), "0000 01 ffffffffffffffff"),
    Case(.float, "1.5", "0000 01 0000c03f"), Case(.float, "-0.0", "0000 01 00000080"),
    Case(.double, "0.1", "0000 01 9a9999999999b93f"),
    Case(.double, "nan", "0000 01 000000000000f87f"),
    Case(.date, 1_700_000_000_123, "0000 01 7b68e5cf8b010000"),
    Case(.dateNano, -1, "0000 01 ffffffffffffffff"), Case(.relation, 3, "0000 01 0300000000000000"),
  ]

  static let variable: [Case] = [
    Case(.string, "", "0000 01 07000000"), Case(.string, "ü", "0000 01 09000000 c3bc"),
    Case(.byteVector, "00ff", "0000 01 09000000 00ff"), Case(.flex, "2a", "0000 01 08000000 2a"),
    Case(.intVector, [1, -2], "0000 01 0f000000 01000000 feffffff"),
    Case(.longVector, [-2], "0000 01 0f000000 feffffffffffffff"),
    Case(.floatVector, ["1.5"], "0000 01 0b000000 0000c03f"),
    Case(.stringVector, [], "0000 01 0b000000 00000000"),
    Case(
      .stringVector,
      ["a", "", "bc"],
      "0000 01 1a000000 03000000 01000000 01000000 03000000 616263"
    ),
    Case(.boolVector, "0100", "0000 01 09000000 0100"),
    Case(.doubleVector, "000000000000f03f", "0000 01 0f000000 000000000000f03f"),
  ]

  @Test(arguments: fixed + variable)
  func `a value has the bytes that it had`(_ each: Case) throws {
    try SingleEntity.$type.withValue(each.type) {
      let record = try FormatBytes.record(SingleEntity.self, ["value": each.value])
      #expect(Hex.text(record) == each.record.filter { $0 != " " })
      let read = try FormatBytes.values(
        of: record,
        writtenAs: SingleEntity.self,
        readAs: SingleEntity.self
      )
      #expect(read == ["value": each.value == .unsigned(.max) ? -1 : each.value])
    }
  }

  static let note =
    "0000 2f 05000000 01 7b68e5cf8b010000 1e000000 1e000000 2d000000 4869 02000000 01000000 03000000 616263"

  @Test func `a record has its values in the order of the layout`() throws {
    let record = try FormatBytes.record(NoteEntity.self, NoteEntity.values)
    #expect(Hex.text(record) == Self.note.filter { $0 != " " })
  }

  @Test func `a checksum of the entity's UID, the ID and the record stands behind the values`()
    throws
  {
    let record = try FormatBytes.record(NoteEntity.self, NoteEntity.values, id: 0x0102_0304)
    #expect(Hex.text(record.dropLast(4)) == Self.note.filter { $0 != " " })
    let identity = try #require(Hex.bytes("e903000000000000" + "0403020100000000"))
    let checksum = FormatBytes.crc32c(identity + record.dropLast(4))
    #expect(Array(record.suffix(4)) == withUnsafeBytes(of: checksum.littleEndian) { Array($0) })
  }

  @Test func `a record of nulls has no bit set, and all ends at the end`() throws {
    let record = try FormatBytes.record(NoteEntity.self, [:], layout: 0x0102)
    #expect(
      Hex.text(record) == "02010000000000000000000000000000" + "1c0000001c0000001c000000"
    )
  }

  @Test func `a record of an older layout is read without what it lacks`() throws {
    let record = try #require(Hex.bytes(Self.note))
    let values = try FormatBytes.values(
      of: record,
      writtenAs: NoteEntity.self,
      readAs: LaterNoteEntity.self
    )
    #expect(
      values == ["text": "Hi", "done": true, "tags": ["a", "bc"], "when": 1_700_000_000_123]
    )
  }

  @Test func `dates are whole milliseconds or nanoseconds, rounded away from zero`() {
    #expect(FormatBytes.milliseconds(of: Date(timeIntervalSince1970: 0.0625)) == 63)
    #expect(FormatBytes.milliseconds(of: Date(timeIntervalSince1970: -0.0625)) == -63)
    #expect(FormatBytes.nanoseconds(of: Date(timeIntervalSince1970: 0.0625)) == 62_500_000)
    #expect(FormatBytes.nanoseconds(of: .distantFuture) == nil)
  }
}
