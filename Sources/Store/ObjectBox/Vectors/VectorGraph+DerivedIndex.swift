package import ObjectBoxStorage

extension VectorGraph: DerivedIndex {
  /// Maximum size in bytes of a graph that a read transaction keeps for the thread's next query.
  private static let keptByteCountOfReader = 64 << 20

  package var isTooLarge: Bool {
    byteCount > (isWritable ? definition.cacheLimitInBytes : Self.keptByteCountOfReader)
  }

  /// Indexes the vector of a record; null is not indexed.
  package func willPut(_ record: RecordReader, replacing old: RecordReader?) throws {
    let vector = definition.vector(in: record)
    if let old {
      switch (definition.vector(in: old), vector) {
      case (nil, nil): return
      case (let before?, let vector?) where ByteSearch.areEqual(before, vector): return
      default: _ = try remove(id: record.id)
      }
    }
    if let start = vector?.baseAddress { try insert(id: record.id, vector: start) }
  }

  package func willRemove(_ record: RecordReader) throws { _ = try remove(id: record.id) }

  package func flush() throws { try write() }
}

extension VectorIndexDefinition: DerivedIndexDefinition {
  package var tables: [StorageTable] { [table] }

  /// Throws ``ObjectBoxError/illegalArgument(message:)`` for a vector with other dimensions than the
  /// index.
  package func check(_ record: RecordReader, of records: RecordTable) throws {
    guard let bytes = record.bytes(record.field(propertyID: propertyID)),
      bytes.count != dimensions * 4
    else { return }
    throw ObjectBoxError.illegalArgument(
      message: "cannot put '\(records.entityName)' with ID \(record.id): its "
        + "'\(property.name)' has \(bytes.count / 4) dimensions, and its "
        + "nearest-neighbour index \(dimensions); put a vector of that length, or nil"
    )
  }

  package func open(
    _ records: RecordTable,
    in storage: StorageTransaction,
    isWritable: Bool
  ) throws -> VectorGraph {
    try VectorGraph(self, records: records, in: storage, isWritable: isWritable)
  }

  /// Fills the empty index from the stored records; skips vectors with other dimensions.
  package func build(from records: RecordTable, in storage: StorageTransaction) throws {
    var graph = try open(records, in: storage, isWritable: true)
    try records.forEach(in: storage) { record in
      try graph.willPut(record, replacing: nil)
      guard graph.isTooLarge else { return }
      try graph.write()
      graph = try open(records, in: storage, isWritable: true)
    }
    try graph.write()
  }
}

/// Opens nearest-neighbour indexes.
struct VectorIndexEngine: DerivedIndexEngine {
  func definition(
    ofIndex id: UInt32,
    tables: [StorageTable],
    in entity: EntitySchema
  ) -> (any DerivedIndexDefinition)? {
    guard let table = tables.first,
      let property = entity.properties.first(where: { $0.index?.id == id })
    else { return nil }
    return VectorIndexDefinition(table: table, property: property)
  }
}
