/// The bytes of the schema and of record layouts in the store file.
package enum SchemaCoding {
  // MARK: Writing

  package static func bytes(of schema: StoreSchema) -> [UInt8] {
    var writer = ByteWriter()
    write(schema.lastEntity, to: &writer)
    write(schema.lastIndex, to: &writer)
    write(schema.lastRelation, to: &writer)
    writer.write(schema.entities) { write($1, to: &$0) }
    return writer.bytes
  }

  static func bytes(of layouts: [RecordLayout.Definition]) -> [UInt8] {
    var writer = ByteWriter()
    write(layouts, to: &writer)
    return writer.bytes
  }

  static func write(_ layouts: [RecordLayout.Definition], to writer: inout ByteWriter) {
    writer.write(layouts) { writer, layout in
      writer.write(layout.number)
      writer.write(layout.properties) { writer, property in
        writer.write(property.id)
        writer.write(property.uid)
        writer.write(property.type.rawValue)
        writer.write(UInt8(property.isObjectID ? 1 : 0))
      }
    }
  }

  static func write(_ identity: SchemaIdentity, to writer: inout ByteWriter) {
    writer.write(identity.id)
    writer.write(identity.uid)
  }

  static func write(_ entity: EntitySchema, to writer: inout ByteWriter) {
    write(entity.identity, to: &writer)
    writer.write(entity.name)
    writer.write(entity.flags)
    writer.write(entity.externalName) { $0.write($1) }
    write(entity.lastProperty, to: &writer)
    writer.write(entity.properties) { write($1, to: &$0) }
    writer.write(entity.relations) { writer, relation in
      write(relation.identity, to: &writer)
      write(relation.target, to: &writer)
      writer.write(relation.name.value) { $0.write($1) }
      writer.write(relation.externalName) { $0.write($1) }
      writer.write(relation.externalType)
      writer.write(relation.onDelete.rawValue)
      writer.write(relation.onTargetDelete.rawValue)
    }
    writer.write(entity.compoundIndexes) { write($1, to: &$0) }
    writer.write(entity.fullTextIndexes) { write($1, to: &$0) }
  }

  private static func write(_ property: PropertySchema, to writer: inout ByteWriter) {
    write(property.identity, to: &writer)
    writer.write(property.name)
    writer.write(property.type.rawValue)
    writer.write(property.flags)
    writer.write(property.index) { write($1, to: &$0) }
    writer.write(property.targetEntityName) { $0.write($1) }
    writer.write(property.hnsw) { writer, hnsw in
      writer.write(hnsw.dimensions)
      writer.write(hnsw.neighborsPerNode) { $0.write($1) }
      writer.write(hnsw.indexingSearchCount) { $0.write($1) }
      writer.write(hnsw.flags)
      writer.write(hnsw.distanceType) { $0.write($1) }
      writer.write(hnsw.reparationBacklinkProbability) { $0.write($1.bitPattern) }
      writer.write(hnsw.vectorCacheHintSizeInKilobytes) { $0.write($1) }
    }
    writer.write(property.externalName) { $0.write($1) }
    writer.write(property.externalType)
    writer.write(property.collation.rawValue)
    writer.write(property.onDelete.rawValue)
  }

  // MARK: Reading

  package static func schema(from bytes: [UInt8]) throws(ByteReader.Damage) -> StoreSchema {
    var reader = ByteReader(bytes)
    var schema = StoreSchema()
    schema.lastEntity = try readIdentity(&reader)
    schema.lastIndex = try readIdentity(&reader)
    schema.lastRelation = try readIdentity(&reader)
    schema.entities = try reader.readArray(each: readEntity)
    return schema
  }

  package static func layouts(
    from bytes: [UInt8]
  ) throws(ByteReader.Damage) -> [RecordLayout.Definition] {
    var reader = ByteReader(bytes)
    return try readLayouts(&reader)
  }

  static func readLayouts(
    _ reader: inout ByteReader
  ) throws(ByteReader.Damage) -> [RecordLayout.Definition] {
    try reader.readArray { (reader) throws(ByteReader.Damage) in
      let number = try reader.read(UInt16.self)
      let properties = try reader.readArray { (reader) throws(ByteReader.Damage) in
        RecordLayout.Definition.Property(
          id: try reader.read(),
          uid: try reader.read(),
          type: try readCase(&reader),
          isObjectID: try reader.read(UInt8.self) != 0
        )
      }
      let layout = RecordLayout.Definition(number: number, properties: properties)
      guard layout.isPossible else { throw ByteReader.Damage() }
      return layout
    }
  }

  static func readIdentity(
    _ reader: inout ByteReader
  ) throws(ByteReader.Damage) -> SchemaIdentity {
    SchemaIdentity(id: try reader.read(), uid: try reader.read())
  }

  private static func readCase<T: RawRepresentable>(
    _ reader: inout ByteReader
  ) throws(ByteReader.Damage) -> T where T.RawValue: FixedWidthInteger {
    guard let value = T(rawValue: try reader.read()) else { throw ByteReader.Damage() }
    return value
  }

  static func readText(_ reader: inout ByteReader) throws(ByteReader.Damage) -> String {
    try reader.readString()
  }

  static func readNumber<T: FixedWidthInteger>(
    _ reader: inout ByteReader
  ) throws(ByteReader.Damage) -> T {
    try reader.read(T.self)
  }

  static func readEntity(
    _ reader: inout ByteReader
  ) throws(ByteReader.Damage) -> EntitySchema {
    var entity = EntitySchema(identity: try readIdentity(&reader), name: try reader.readString())
    entity.flags = try reader.read()
    entity.externalName = try reader.readOptional(some: readText)
    entity.lastProperty = try readIdentity(&reader)
    entity.properties = try reader.readArray(each: readProperty)
    entity.relations = try reader.readArray { (reader) throws(ByteReader.Damage) in
      RelationSchema(
        identity: try readIdentity(&reader),
        target: try readIdentity(&reader),
        name: IgnoredInEquality(value: try reader.readOptional(some: readText)),
        externalName: try reader.readOptional(some: readText),
        externalType: try reader.read(),
        onDelete: try readCase(&reader),
        onTargetDelete: try readCase(&reader)
      )
    }
    entity.compoundIndexes = try reader.readArray(each: readCompoundIndex)
    entity.fullTextIndexes = try reader.readArray(each: readFullTextIndex)
    return entity
  }

  private static func readProperty(
    _ reader: inout ByteReader
  ) throws(ByteReader.Damage) -> PropertySchema {
    var property = PropertySchema(
      identity: try readIdentity(&reader),
      name: try reader.readString(),
      type: try readCase(&reader)
    )
    property.flags = try reader.read()
    property.index = try reader.readOptional(some: readIdentity)
    property.targetEntityName = try reader.readOptional(some: readText)
    property.hnsw = try reader.readOptional { (reader) throws(ByteReader.Damage) in
      var hnsw = HnswParameters(dimensions: try reader.read())
      hnsw.neighborsPerNode = try reader.readOptional(some: readNumber)
      hnsw.indexingSearchCount = try reader.readOptional(some: readNumber)
      hnsw.flags = try reader.read()
      hnsw.distanceType = try reader.readOptional(some: readNumber)
      let probability: UInt32? = try reader.readOptional(some: readNumber)
      hnsw.reparationBacklinkProbability = probability.map(Float.init(bitPattern:))
      hnsw.vectorCacheHintSizeInKilobytes = try reader.readOptional(some: readNumber)
      guard hnsw.isPossible else { throw ByteReader.Damage() }
      return hnsw
    }
    property.externalName = try reader.readOptional(some: readText)
    property.externalType = try reader.read()
    property.collation = try readCase(&reader)
    property.onDelete = try readCase(&reader)
    return property
  }
}

// A damaged file may contain any bytes. These checks ensure the conditions on which the layouts in memory, and the C
// code that measures distances, rely.

extension RecordLayout.Definition {
  /// The largest ID of a property: its slot has 2 bytes.
  private static let greatestID = UInt32(UInt16.max / 2 - 2)

  /// True if the IDs and sizes of the properties fit into a layout.
  fileprivate var isPossible: Bool {
    properties.allSatisfy { $0.id <= Self.greatestID } && minimumRecordSize <= Int(UInt16.max)
  }
}

extension HnswParameters {
  /// True if the number of dimensions is valid; distances on the earth read two values.
  fileprivate var isPossible: Bool {
    let least = distanceType == HnswDistanceType.geo.rawValue ? 2 : 1
    return dimensions >= least && dimensions <= Int(UInt32.max) / MemoryLayout<Float>.size
  }
}
