internal import ObjectBox
internal import ObjectBoxDynamic

/// The schema of a damaged file: its own if the describing rows are complete, else a model's.
struct SalvageSchema {
  /// The entities, properties and relations of the new store.
  var schema: StoreSchema
  /// The record layouts of each entity, by entity ID.
  var layouts: [UInt32: [RecordLayout.Definition]]
  /// The ID sequences, by entity ID.
  var sequences: [UInt32: UInt64]
  var retired = RetiredSchema()

  /// The number of layouts assumed for an entity whose layouts cannot be read.
  private static let assumedLayoutCount = 64

  /// Reads the rows of a system table; nil if they are incomplete or damaged, or of another version
  /// of the format.
  init?(rows: [String: [UInt8]]) {
    guard Self.format(rows) == SystemTable.formatVersion, Self.hasRightDigest(rows),
      let bytes = rows["schema"], let schema = try? ByteCoder.value(in: bytes, as: StoreSchema.self)
    else { return nil }
    self.schema = schema.inOrderOfIDs
    sequences = Self.sequences(rows)
    layouts = [:]
    for entity in schema.entities {
      guard let read = Self.layouts(rows, of: entity), !read.isEmpty else { return nil }
      layouts[entity.identity.id] = read
    }
    if let bytes = rows["retired"] {
      guard let read = try? ByteCoder.value(in: bytes, as: RetiredSchema.self) else { return nil }
      retired = read
    }
  }

  /// Takes a model's schema, with what the file's rows still state.
  init(model: StoreSchema, rows: [String: [UInt8]]) {
    var schema = model
    // A model file has no parameters of nearest-neighbour indexes; the program that opens the store
    // creates these indexes.
    for entity in schema.entities.indices {
      for property in schema.entities[entity].properties.indices
      where schema.entities[entity].properties[property].lacksVectorParameters {
        schema.entities[entity].properties[property].index = nil
      }
    }
    self.schema = schema
    sequences = Self.sequences(rows)
    layouts = [:]
    for entity in schema.entities {
      let own = RecordLayout.Definition(number: 0, entity: entity)
      if let read = Self.layouts(rows, of: entity), read.last?.properties == own.properties {
        layouts[entity.identity.id] = read
      } else {
        layouts[entity.identity.id] = (0..<Self.assumedLayoutCount).map {
          RecordLayout.Definition(number: UInt16($0), properties: own.properties)
        }
      }
    }
  }

  /// Increases with the changes of a schema.
  var age: UInt64 {
    UInt64(schema.lastEntity.id) + UInt64(schema.lastIndex.id) + UInt64(schema.lastRelation.id)
      + layouts.values.reduce(0) { $0 + UInt64($1.count) }
  }

  private static func format(_ rows: [String: [UInt8]]) -> UInt32? {
    rows["format"].flatMap { try? ByteCoder.value(in: $0) }
  }

  /// Returns the version of the format of a file that this version of the library does not read; nil
  /// for its own version, and for damaged rows.
  static func otherFormat(_ rows: [String: [UInt8]]) -> UInt32? {
    guard let format = format(rows), format != SystemTable.formatVersion, hasRightDigest(rows)
    else { return nil }
    return format
  }

  private static func hasRightDigest(_ rows: [String: [UInt8]]) -> Bool {
    var digest = SchemaDigest()
    for (key, value) in rows.map({ (Array($0.key.utf8), $0.value) })
      .sorted(by: { $0.0.lexicographicallyPrecedes($1.0) })
    {
      digest.add(key, value)
    }
    let stored = rows[SchemaDigest.key].flatMap { try? ByteCoder.value(in: $0, as: UInt32.self) }
    return stored == digest.value
  }

  private static func layouts(
    _ rows: [String: [UInt8]],
    of entity: EntitySchema
  ) -> [RecordLayout.Definition]? {
    guard let bytes = rows["layouts/\(entity.identity.id)"],
      let layouts = try? ByteCoder.value(in: bytes, as: [RecordLayout.Definition].self),
      layouts.enumerated().allSatisfy({ $0 == Int($1.number) })
    else { return nil }
    return layouts
  }

  private static func sequences(_ rows: [String: [UInt8]]) -> [UInt32: UInt64] {
    var sequences: [UInt32: UInt64] = [:]
    for (key, bytes) in rows where key.hasPrefix(SchemaDigest.sequencePrefix) {
      guard let id = UInt32(key.dropFirst(SchemaDigest.sequencePrefix.count)),
        let last = try? ByteCoder.value(in: bytes, as: UInt64.self),
        last <= EntityTable.maximumID
      else { continue }
      sequences[id] = last
    }
    return sequences
  }
}
