internal import ObjectBoxStorage

/// Updates a nearest-neighbour index when records change.
struct VectorIndexWriter {
  let graph: VectorGraph

  private var definition: VectorIndexDefinition { graph.definition }

  /// Indexes the vector of a record that is about to be written; null is not indexed.
  ///
  /// - Parameters:
  ///   - record: The new record, which has passed `check`.
  ///   - isNew: True if there is no older record.
  /// - Throws: ``ObjectBoxError`` when the file cannot be read.
  func put(_ record: RecordReader, isNew: Bool) throws {
    let vector = definition.vector(in: record)
    if !isNew {
      if let vector, try holds(vector, id: record.id) { return }
      _ = try graph.remove(id: record.id)
    }
    if let start = vector?.baseAddress { try graph.insert(id: record.id, vector: start) }
  }

  /// Checks the vector of a record that is about to be written.
  ///
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` for a vector with other dimensions than
  ///   the index.
  static func check(
    _ record: RecordReader,
    by definition: VectorIndexDefinition,
    of records: RecordTable
  ) throws {
    guard let bytes = record.bytes(record.field(propertyID: definition.propertyID)),
      bytes.count != definition.dimensions * 4
    else { return }
    throw ObjectBoxError.illegalArgument(
      message: "cannot put '\(records.entityName)' with ID \(record.id): its "
        + "'\(definition.property.name)' has \(bytes.count / 4) dimensions, and its "
        + "nearest-neighbour index \(definition.dimensions); put a vector of that length, or nil"
    )
  }

  /// Removes an object from the index.
  func remove(id: UInt64) throws { _ = try graph.remove(id: id) }

  /// Returns whether the index has an object with exactly this vector.
  private func holds(_ vector: UnsafeRawBufferPointer, id: UInt64) throws -> Bool {
    guard try graph.contains(id: id) else { return false }
    let old = try graph.vector(graph.slot(of: id)).start
    return ByteSearch.areEqual(UnsafeRawBufferPointer(start: old, count: vector.count), vector)
  }

  /// Fills an empty index from the stored records; skips vectors with other dimensions.
  static func build(
    _ definition: VectorIndexDefinition,
    records: RecordTable,
    in storage: StorageTransaction
  ) throws {
    func newGraph() throws -> VectorGraph {
      try VectorGraph(definition, records: records, in: storage, isWritable: true)
    }
    var graph = try newGraph()
    let objects = try storage.cursor(records.objects)
    var entry = try objects.firstObject()
    while let object = entry {
      let record = try records.reader(object.record, id: object.id)
      if let start = definition.vector(in: record)?.baseAddress {
        try graph.insert(id: object.id, vector: start)
        if graph.byteCount > definition.cacheLimitInBytes {
          try graph.write()
          graph = try newGraph()
        }
      }
      entry = try objects.nextObject()
    }
    try graph.write()
  }
}
