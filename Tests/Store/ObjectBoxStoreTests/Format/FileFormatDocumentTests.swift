import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// The code writes the examples of `Documentation/FileFormat.md`.
struct FileFormatDocumentTests {
  /// Returns the bytes of the document's examples by name.
  ///
  /// The examples are in blocks marked `hex`: a name, `=`, and the bytes. Indented lines continue
  /// them.
  private static func examples() throws -> [String: [UInt8]] {
    let file = Repository.root.appendingPathComponent("Documentation/FileFormat.md")
    let document = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    var examples: [String: [UInt8]] = [:]
    var isInside = false
    var name = ""
    for line in document.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isInside = line == "```hex"
      } else if isInside, !line.isEmpty {
        let code = line.split(separator: "#", omittingEmptySubsequences: false)[0]
        var bytes = code
        if !line.hasPrefix(" ") {
          let parts = code.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
          name = parts[0].trimmingCharacters(in: .whitespaces)
          #expect(examples[name] == nil, "two examples are named '\(name)'")
          bytes = try #require(parts.last)
        }
        examples[name, default: []] += try #require(Hex.bytes(String(bytes)), "\(line)")
      }
    }
    return examples
  }

  private static func key(
    _ type: PropertyType,
    _ flags: [PropertyFlags],
    _ value: JSON?,
    _ collation: Collation = .binary
  ) throws -> [UInt8]? {
    try FormatBytes.key(
      FixtureProperty(id: 2, name: "value", type: type, flags: flags, collation: collation),
      value
    )
  }

  private static func key(_ type: PropertyType, _ value: JSON?) throws -> [UInt8]? {
    try key(type, [], value)
  }

  private static func key(_ parts: [(PropertyType, JSON?)]) throws -> [UInt8]? {
    let properties = parts.enumerated().map { place, part in
      FixtureProperty(id: UInt32(place) + 2, name: "\(place)", type: part.0)
    }
    return try FormatBytes.key(properties, parts.map(\.1))
  }

  private static let decimal = FixtureProperty(
    id: 2,
    name: "value",
    type: .string,
    externalType: .decimal128
  )

  private static func decimalKey(_ text: String) throws -> [UInt8]? {
    try FormatBytes.key(decimal, .text(text))
  }

  private static func hash(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    let hash = FormatBytes.hash64(Array(bytes))
    return (0..<8).map { UInt8(truncatingIfNeeded: hash >> (56 - 8 * $0)) }
  }

  /// Has a unique index over two properties.
  private enum FoldedEntity: FixtureEntity {
    static let info = PersonEntity.info
    static let properties = Array(PersonEntity.properties.prefix(3))
    static let compoundIndexes = Array(PersonEntity.compoundIndexes.prefix(1))
  }

  private enum NamedEntity: FixtureEntity {
    static let info = PersonEntity.info
    static let properties = Array(PersonEntity.properties.prefix(1))
    static let relations = [FixtureRelation(id: 1, target: info.entitySchemaId, name: "tags")]
  }

  @Test func `the examples of keys and hashes are what the code makes`() throws {
    let expected: [String: [UInt8]?] = [
      "int 5": try Self.key(.int, 5), "int -1": try Self.key(.int, -1),
      "unsigned short 5": try Self.key(.short, [.unsigned], 5),
      "double 1.5": try Self.key(.double, "1.5"), "double -1.5": try Self.key(.double, "-1.5"),
      "string \"Grüße\"": try Self.key(.string, "Grüße"),
      "string \"Straße ÄÖÜ\", folded": try Self.key(.string, [], "Straße ÄÖÜ", .nocase),
      "string \"a\", hash": try Self.key(.string, [.indexHash], "a"),
      "string \"Grüße\", hash64": try Self.key(.string, [.indexHash64], "Grüße"),
      "int -70000, hash": try Self.key(.int, [.indexHash], -70000),
      "double 0.1, hash64": try Self.key(.double, [.indexHash64], "0.1"),
      "null": try Self.key(.int, nil), "decimal 0": try Self.decimalKey("0"),
      "decimal 12.5": try Self.decimalKey("12.5"),
      "decimal -12.50": try Self.decimalKey("-12.50"),
      "decimal 1E-128": try Self.decimalKey("1E-128"),
      "decimal \"abc\"": try Self.decimalKey("abc"),
      "decimal 12.5, \"a\"": try FormatBytes.key(
        [Self.decimal, FixtureProperty(id: 3, name: "text", type: .string)],
        ["12.5", "a"]
      ),
      "\"Love\", \"lace\"": try Self.key([(.string, "Love"), (.string, "lace")]),
      "short -5, 1.5, true": try Self.key([(.short, -5), (.double, "1.5"), (.bool, true)]),
      "no target, bytes 00 ff": try Self.key([(.relation, nil), (.byteVector, "00ff")]),
      "hash64 of no bytes": Self.hash([]), "hash64 of \"a\"": Self.hash("a".utf8),
      "hash64 of \"12345678\"": Self.hash("12345678".utf8),
      "hash64 of \"123456789\"": Self.hash("123456789".utf8),
      "hash64 of \"objectbox\"": Self.hash("objectbox".utf8),
      "hash64 of bytes 00 to ff": Self.hash(0...255),
    ]
    let examples = try Self.examples()
    for (name, bytes) in expected { #expect(examples[name] == bytes, "\(name)") }
  }

  @Test(.onPlainFiles("reads the tables of a closed store"))
  func `the examples of records, schema, layouts and tables are what the code writes`() throws {
    let folder = try TemporaryDirectory()
    let store = try Store(
      model: try SchemaFormatTests.note().finish(),
      directory: folder.path + "/notes"
    )
    try store.put(NoteEntity.self, [NoteEntity.values, [:], [:]])
    try store.remove(NoteEntity.self, [3])
    store.close()
    let notes = try RawStore(path: folder.path + "/notes")
    let graph = try TableFormatTests.graph(in: folder.path + "/graph")
    let record = try #require(try notes.objects("e1")[1])
    let folded = FormatBytes.schema(try FixtureModel.builder([FoldedEntity.self], lastIndex: 3))
    let named = FormatBytes.schema(try FixtureModel.builder([NamedEntity.self], lastIndex: 0))
    let expected: [String: [UInt8]?] = [
      "format": try notes.value("format"), "schema": try notes.value("schema"),
      "digest": try notes.value("digest"),
      "CRC-32C of \"123456789\"": withUnsafeBytes(
        of: FormatBytes.crc32c("123456789".utf8).littleEndian
      ) { Array($0) },
      "layouts": try notes.value("layouts/1"), "sequence of 3": try notes.value("sequence/1"),
      "record of a note with text \"Hi\", 5 stars, done, the tags \"a\" and \"bc\", no photo, 2023-11-14 "
        + "22:13:20.123 UTC": record,
      "stringVector [\"a\", \"bc\"]": record.dropLast(4).suffix(15),
      "end of an entity with a unique index over two properties": folded.suffix(37),
      "end of an entity with a relation alone": named.suffix(52),
      "entry point": graph[0],
      "node with the links 3 and 4 on level 0": graph[1],
      "node with three links on level 0 and two on level 1": graph[5],
    ]
    let examples = try Self.examples()
    for (name, bytes) in expected { #expect(examples[name] == bytes, "\(name)") }
    #expect(examples["key of object 3 in a relation"] == [0, 0, 0, 0, 0, 0, 0, 3])
    // The 27 examples of the test above count as well.
    #expect(examples.count == expected.count + 1 + 27)
  }
}
