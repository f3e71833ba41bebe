/// The later sections of a stored schema, after the entities.
///
/// A section has rows, each of them for one entity. Empty sections at the end are not written:
/// files without them keep the earlier format.
enum SchemaExtras {
  private typealias Row = (inout ByteWriter) -> Void

  private struct Section: Sendable {
    /// Returns the rows of an entity; each writes itself without the index of the entity.
    let rows: @Sendable (EntitySchema) -> [Row]
    /// Reads a row into its entity.
    let readRow:
      @Sendable (inout ByteReader, _ entity: inout EntitySchema) throws(ByteReader.Damage) -> Void
  }

  /// The sections in their order in the file.
  private static let sections = [
    deleteRules, collations, compoundIndexes, relationNames, fullTextIndexes,
  ]

  static func write(_ schema: StoreSchema, to writer: inout ByteWriter) {
    let rows = sections.map { section in
      schema.entities.enumerated().flatMap { index, entity in
        section.rows(entity).map { (entity: UInt32(index), write: $0) }
      }
    }
    let count = rows.lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? 0
    for section in rows.prefix(count) {
      writer.write(section) { writer, row in
        writer.write(row.entity)
        row.write(&writer)
      }
    }
  }

  static func read(
    _ reader: inout ByteReader,
    into schema: inout StoreSchema
  ) throws(ByteReader.Damage) {
    for section in sections where !reader.isAtEnd {
      let count = try reader.read(UInt32.self)
      for _ in 0..<count {
        let entity = try readIndex(&reader, in: schema.entities)
        try section.readRow(&reader, &schema.entities[entity])
      }
    }
  }

  // MARK: The sections

  private static let deleteRules = Section { entity in
    func row(_ index: Int, isProperty: Bool, _ rules: DeleteRule...) -> Row? {
      if rules.allSatisfy({ $0 == .nullify }) { return nil }
      return { writer in
        writer.write(UInt32(index))
        writer.write(UInt8(isProperty ? 1 : 0))
        for rule in rules { writer.write(rule.rawValue) }
      }
    }
    return entity.properties.enumerated().compactMap { index, property in
      row(index, isProperty: true, property.onDelete, .nullify)
    }
      + entity.relations.enumerated().compactMap { index, relation in
        row(index, isProperty: false, relation.onDelete, relation.onTargetDelete)
      }
  } readRow: { (reader, entity) throws(ByteReader.Damage) in
    let index = Int(try reader.read(UInt32.self))
    let isProperty = try reader.read(UInt8.self) != 0
    let rules = (try readRule(&reader), try readRule(&reader))
    if isProperty, entity.properties.indices.contains(index) {
      entity.properties[index].onDelete = rules.0
    } else if !isProperty, entity.relations.indices.contains(index) {
      entity.relations[index].onDelete = rules.0
      entity.relations[index].onTargetDelete = rules.1
    } else {
      throw ByteReader.Damage()
    }
  }

  private static let collations = Section { entity in
    entity.properties.enumerated().filter { $0.element.collation != .binary }
      .map { index, property in
        { writer in
          writer.write(UInt32(index))
          writer.write(property.collation.rawValue)
        }
      }
  } readRow: { (reader, entity) throws(ByteReader.Damage) in
    let index = try readIndex(&reader, in: entity.properties)
    guard let collation = Collation(rawValue: try reader.read()) else { throw ByteReader.Damage() }
    entity.properties[index].collation = collation
  }

  private static let compoundIndexes = Section { entity in
    entity.compoundIndexes.map { index in
      { writer in
        SchemaCoding.write(index.identity, to: &writer)
        writer.write(UInt8(index.isUnique ? 1 : 0))
        writer.write(index.propertyIDs) { $0.write($1) }
      }
    }
  } readRow: { (reader, entity) throws(ByteReader.Damage) in
    let identity = try SchemaCoding.readIdentity(&reader)
    let isUnique = try reader.read(UInt8.self) != 0
    let ids = try reader.readArray { (reader) throws(ByteReader.Damage) in
      try reader.read(UInt32.self)
    }
    entity.compoundIndexes.append(
      CompoundIndexSchema(identity: identity, isUnique: isUnique, propertyIDs: ids)
    )
  }

  private static let relationNames = Section { entity in
    entity.relations.enumerated().compactMap { index, relation in
      relation.name.value.map { name in
        { writer in
          writer.write(UInt32(index))
          writer.write(name)
        }
      }
    }
  } readRow: { (reader, entity) throws(ByteReader.Damage) in
    let index = try readIndex(&reader, in: entity.relations)
    entity.relations[index].name.value = try reader.readString()
  }

  private static let fullTextIndexes = Section { entity in
    entity.fullTextIndexes.map { index in
      { writer in
        SchemaCoding.write(index.identity, to: &writer)
        writer.write(index.name) { $0.write($1) }
        writer.write(index.parts) { writer, part in
          writer.write(part.propertyID)
          writer.write(part.weight)
        }
        writer.write(index.language) { $0.write($1) }
        writer.write(index.prefixes) { $0.write($1) }
        writer.write(UInt8(index.keepsDiacritics ? 1 : 0))
        writer.write(index.k1) { $0.write($1.bitPattern) }
        writer.write(index.b) { $0.write($1.bitPattern) }
        writer.write(index.tokenizer) { $0.write($1) }
      }
    }
  } readRow: { (reader, entity) throws(ByteReader.Damage) in
    func bytes(_ reader: inout ByteReader) throws(ByteReader.Damage) -> [UInt8] {
      try reader.readArray { (reader) throws(ByteReader.Damage) in try reader.read(UInt8.self) }
    }
    func real(_ reader: inout ByteReader) throws(ByteReader.Damage) -> Double? {
      try reader.readOptional { (reader) throws(ByteReader.Damage) in
        Double(bitPattern: try reader.read(UInt64.self))
      }
    }
    func text(_ reader: inout ByteReader) throws(ByteReader.Damage) -> String? {
      try reader.readOptional { (reader) throws(ByteReader.Damage) in try reader.readString() }
    }
    var index = FullTextIndexSchema(
      identity: try SchemaCoding.readIdentity(&reader),
      name: try text(&reader),
      parts: try reader.readArray { (reader) throws(ByteReader.Damage) in
        FullTextIndexSchema.Part(propertyID: try reader.read(), weight: try reader.read())
      }
    )
    index.language = try text(&reader)
    index.prefixes = try bytes(&reader)
    index.keepsDiacritics = try reader.read(UInt8.self) != 0
    index.k1 = try real(&reader)
    index.b = try real(&reader)
    index.tokenizer = try bytes(&reader)
    guard index.isPossible else { throw ByteReader.Damage() }
    entity.fullTextIndexes.append(index)
  }

  /// Reads the index of an element that must exist.
  private static func readIndex<Element>(
    _ reader: inout ByteReader,
    in elements: [Element]
  ) throws(ByteReader.Damage) -> Int {
    let index = Int(try reader.read(UInt32.self))
    guard elements.indices.contains(index) else { throw ByteReader.Damage() }
    return index
  }

  private static func readRule(
    _ reader: inout ByteReader
  ) throws(ByteReader.Damage) -> DeleteRule {
    guard let rule = DeleteRule(rawValue: try reader.read()) else { throw ByteReader.Damage() }
    return rule
  }
}
