package import Foundation
package import ObjectBoxStorage

@testable package import ObjectBox

/// The bytes into which the runtime encodes values and schemas.
///
/// Of the format tests, only this file uses internals of the runtime.
package enum FormatBytes {
  // MARK: Hashes, folding, dates

  package static func hash64(_ bytes: [UInt8]) -> UInt64 {
    bytes.withUnsafeBytes { IndexHash.hash64($0) }
  }

  package static func hash32(_ bytes: [UInt8]) -> UInt32 {
    bytes.withUnsafeBytes { IndexHash.hash32($0) }
  }

  package static func fold(_ scalar: UInt32) -> UInt32 { CaseFolding.fold(scalar) }

  package static func folded(_ text: String) -> [UInt8] {
    Array(text.utf8).withUnsafeBytes { FoldedText.bytes(of: $0) }
  }

  package static func milliseconds(of date: Date) -> Int64? { DateCodec.milliseconds(of: date) }

  package static func nanoseconds(of date: Date) -> Int64? { DateCodec.nanoseconds(of: date) }

  // MARK: Records

  private static func schema<E: FixtureEntity>(_ entity: E.Type) throws -> EntitySchema {
    try FixtureModel.builder([entity], lastIndex: 99).schema.entities[0]
  }

  /// Returns the record of an object; with an ID, it includes the checksum.
  package static func record<E: FixtureEntity>(
    _ entity: E.Type,
    _ values: [String: JSON],
    layout number: UInt16 = 0,
    id: UInt64? = nil
  ) throws -> [UInt8] {
    let schema = try schema(entity)
    let layout = RecordLayout(
      RecordLayout.Definition(number: number, entity: schema),
      checksum: id.map { _ in RecordChecksum(entityUID: schema.identity.uid) }
    )
    let builder = FlatBufferBuilder(layout: layout)
    let record = try builder.record(of: schema, id: id ?? 0) {
      FixtureCoding.collect(values, of: E.properties, into: builder)
    }
    // The builder owns the bytes.
    return withExtendedLifetime(builder) { Array(record) }
  }

  /// Reads a record of one entity's layout as an object of a later version of the entity.
  package static func values<Old: FixtureEntity, New: FixtureEntity>(
    of record: [UInt8],
    writtenAs old: Old.Type,
    readAs new: New.Type
  ) throws -> [String: JSON] {
    let layout = RecordLayout(RecordLayout.Definition(number: 0, entity: try schema(old)))
    return record.withUnsafeBytes { bytes in
      var values: [String: JSON] = [:]
      guard let reader = RecordReader(record: bytes, id: 7, layout: layout.view) else {
        return values
      }
      for property in New.properties where !property.flags.contains(.id) {
        values[property.name] = FixtureCoding.value(of: property, in: reader)
      }
      return values
    }
  }

  // MARK: Keys

  /// Returns the index key of a value; nil when the index omits the value.
  package static func key(_ property: FixtureProperty, _ value: JSON?) throws -> [UInt8]? {
    try key([property], [value])
  }

  /// Returns the key of values in an index over several properties.
  package static func key(_ properties: [FixtureProperty], _ values: [JSON?]) throws -> [UInt8]? {
    let builder = try FixtureModel.builder([Empty.self], lastIndex: 99)
    var entity = builder.schema.entities[0]
    for property in properties { entity.properties.append(PropertySchema(property)) }
    let layout = RecordLayout(RecordLayout.Definition(number: 0, entity: entity))
    let coding = FlatBufferBuilder(layout: layout)
    defer { withExtendedLifetime(coding) {} }
    let bytes = try coding.record(of: entity, id: 7) {
      for (property, value) in zip(properties, values) {
        let content = value.map { [property.name: $0] } ?? [:]
        FixtureCoding.collect(content, of: [property], into: coding)
      }
    }
    guard let reader = RecordReader(record: bytes, id: 7, layout: layout.view) else {
      return nil
    }
    let parts = Array(entity.properties.dropFirst())
    let indexKey = IndexKey(parts)
    return withUnsafeTemporaryAllocation(byteCount: OrderedKey.capacity, alignment: 8) { room in
      guard let base = room.baseAddress else { return nil }
      var key = OrderedKey(storage: base)
      return indexKey.write(reader, into: &key) ? Array(key.bytes) : nil
    }
  }

  private enum Empty: FixtureEntity {
    package static let info = EntityInfo(name: "Empty", id: 1)
    package static let properties = [FixtureProperty(id: 1, name: "id", type: .long, flags: [.id])]
  }

  // MARK: Checksums

  package static func crc32c(_ bytes: some Sequence<UInt8>) -> UInt32 {
    ~CRC32C.state(.max, Array(bytes))
  }

  /// Returns the checksum of a record.
  package static func checksum(of bytes: [UInt8], entityUID: UInt64, id: UInt64) throws -> [UInt8] {
    var record = bytes + [0, 0, 0, 0]
    record.withUnsafeMutableBytes { RecordChecksum(entityUID: entityUID).update($0, id: id) }
    return record.suffix(4)
  }

  /// Updates the digest of a file whose schema was changed.
  package static func writeDigest(in transaction: StorageTransaction) throws {
    guard let table = try transaction.openTable(SystemTable.name, .plain, create: false) else {
      return
    }
    try SystemTable(table: table, quoting: .shown).writeDigest(in: transaction)
  }

  // MARK: Schema

  package static func schema(_ builder: ModelBuilder) -> [UInt8] {
    ByteCoder.bytes(of: builder.schema)
  }

  package static func bytes(of schema: StoreSchema) -> [UInt8] { ByteCoder.bytes(of: schema) }

  /// Returns whether the bytes decode to the model's schema.
  package static func reads(_ bytes: [UInt8], as builder: ModelBuilder) throws -> Bool {
    try ByteCoder.value(in: bytes) == builder.schema
  }

  /// Returns the encoded layouts of successive versions of an entity.
  package static func layouts(_ versions: [any FixtureEntity.Type]) throws -> [UInt8] {
    ByteCoder.bytes(
      of: try versions.enumerated().map { number, version in
        RecordLayout.Definition(number: UInt16(number), entity: try schema(version))
      }
    )
  }

  /// Returns the number of encoded layouts.
  package static func layoutCount(_ bytes: [UInt8]) throws -> Int {
    try ByteCoder.value(in: bytes, as: [RecordLayout.Definition].self).count
  }

  /// Decodes a stored schema into JSON members for each entity, and the last IDs.
  package static func json(
    schema bytes: [UInt8]
  ) throws -> (entities: [[String: JSON]], last: [String: JSON]) {
    let schema = try ByteCoder.value(in: bytes, as: StoreSchema.self)
    let last = [
      "lastEntity": json(schema.lastEntity), "lastIndex": json(schema.lastIndex),
      "lastRelation": json(schema.lastRelation),
    ]
    return (schema.entities.map(json), last)
  }

  /// Decodes the retired entities and relations into JSON members by name and UID, with their
  /// tables.
  package static func json(
    retired bytes: [UInt8]
  ) throws -> (entities: [String: [String: JSON]], relations: [String: [String: JSON]]) {
    let retired = try ByteCoder.value(in: bytes, as: RetiredSchema.self)
    let entities = retired.entities.map { entity in
      let counts: [String: JSON] = [
        "layoutCount": JSON(entity.layouts.count), "sequence": JSON(entity.lastID),
        "table": .text(entity.table), "objectCount": JSON(entity.objectCount),
        "sizeInBytes": JSON(entity.sizeInBytes),
      ]
      return (entity.schema.name, json(entity.schema).merging(counts) { $1 })
    }
    let relations = retired.relations.map { relation in
      let members: [String: JSON] = [
        "identity": json(relation.identity), "table": .text(relation.forward),
        "source": [JSON(relation.sourceUID), .text(relation.sourceName)],
        "target": [JSON(relation.targetUID), .text(relation.targetName)],
        "linkCount": JSON(relation.linkCount), "sizeInBytes": JSON(relation.sizeInBytes),
      ]
      return ("\(relation.identity.uid)", members)
    }
    return (
      Dictionary(entities) { first, _ in first }, Dictionary(relations) { first, _ in first }
    )
  }

  private static func json(_ identity: SchemaIdentity) -> JSON {
    [JSON(identity.id), JSON(identity.uid)]
  }

  private static func json(_ text: String?) -> JSON { text.map { .text($0) } ?? .null }

  private static func json(_ number: (some BinaryInteger)?) -> JSON {
    number.map { JSON($0) } ?? .null
  }

  private static func json(_ entity: EntitySchema) -> [String: JSON] {
    var members: [String: JSON] = [
      "identity": json(entity.identity), "name": .text(entity.name), "flags": JSON(entity.flags),
      "externalName": json(entity.externalName), "lastProperty": json(entity.lastProperty),
      "properties": .array(entity.properties.map(json)),
      "relations": .array(entity.relations.map(json)),
      "compoundIndexes": .array(entity.compoundIndexes.map(json)),
    ]
    if !entity.fullTextIndexes.isEmpty {
      members["fullTextIndexes"] = .array(entity.fullTextIndexes.map(json))
    }
    return members
  }

  private static func json(_ property: PropertySchema) -> JSON {
    [
      "identity": json(property.identity), "name": .text(property.name),
      "type": JSON(property.type.rawValue), "flags": JSON(property.flags),
      "index": property.index.map(json) ?? .null, "target": json(property.targetEntityName),
      "graph": property.hnsw.map(json) ?? .null, "externalName": json(property.externalName),
      "externalType": JSON(property.externalType), "collation": JSON(property.collation.rawValue),
      "onDelete": JSON(property.onDelete.rawValue),
    ]
  }

  private static func json(_ graph: HnswParameters) -> JSON {
    [
      "dimensions": JSON(graph.dimensions), "neighborsPerNode": json(graph.neighborsPerNode),
      "indexingSearchCount": json(graph.indexingSearchCount), "flags": JSON(graph.flags),
      "distanceType": json(graph.distanceType),
      "repairProbability": json(graph.reparationBacklinkProbability?.bitPattern),
      "cacheInKilobytes": json(graph.vectorCacheHintSizeInKilobytes),
    ]
  }

  private static func json(_ relation: RelationSchema) -> JSON {
    var members: [String: JSON] = [
      "identity": json(relation.identity), "target": json(relation.target),
      "externalName": json(relation.externalName), "externalType": JSON(relation.externalType),
      "onDelete": JSON(relation.onDelete.rawValue),
      "onTargetDelete": JSON(relation.onTargetDelete.rawValue),
    ]
    if let name = relation.name.value { members["name"] = .text(name) }
    return .object(members)
  }

  private static func json(_ index: FullTextIndexSchema) -> JSON {
    [
      "identity": json(index.identity), "name": json(index.name),
      "parts": .array(index.parts.map { [JSON($0.propertyID), JSON($0.weight)] }),
      "language": json(index.language), "prefixes": .array(index.prefixes.map { JSON($0) }),
      "keepsDiacritics": .bool(index.keepsDiacritics), "k1": json(index.k1?.bitPattern),
      "b": json(index.b?.bitPattern),
      "tokenizer": .text(String(decoding: index.tokenizer, as: UTF8.self)),
    ]
  }

  private static func json(_ index: CompoundIndexSchema) -> JSON {
    [
      "identity": json(index.identity), "isUnique": .bool(index.isUnique),
      "properties": .array(index.propertyIDs.map { JSON($0) }),
    ]
  }
}

extension PropertySchema {
  package init(_ property: FixtureProperty) {
    self.init(
      identity: SchemaIdentity(id: property.id, uid: UInt64(property.id)),
      name: property.name,
      type: property.type
    )
    flags = property.flags.reduce(0) { $0 | $1.rawValue }
    index = property.index == 0 ? nil : SchemaIdentity(id: property.index, uid: 1)
    collation = property.isDecimal ? .decimal : property.collation
    externalType = property.externalType.map { UInt32($0.rawValue) } ?? 0
  }
}
