/// Reads one property from records, in place.
package struct RecordProjection<V: RecordValue> {
  /// Unretained: avoids contended reference counts.
  ///
  /// Earns 8 % of the row 'read a property in a snapshot, 1 thread'. The file keeps the table.
  private let table: Unmanaged<EntityTable>
  private let slot: __Slot
  private let propertyID: UInt32

  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` when the model lacks the property.
  package init<E, R>(_ property: Property<E, V, R>, _ file: StoreFile) throws {
    propertyID = property.propertyId
    guard let table = file.tableReference(entity: E.entityInfo.entitySchemaId),
      let type = table._withUnsafeGuaranteedRef({ Self.type(of: property.propertyId, $0) })
    else { throw Self.unknown(E.entityInfo.entityName, property.propertyId) }
    self.table = table
    slot = __Slot(ofProperty: propertyID, type)
  }

  private static func type(of id: UInt32, _ table: EntityTable) -> PropertyType? {
    // A `for` loop would allocate at each step in unoptimised builds.
    var index = 0
    while index < table.schema.properties.count {
      if table.schema.properties[index].identity.id == id {
        return table.schema.properties[index].type
      }
      index += 1
    }
    return nil
  }

  private static func unknown(_ entity: String, _ id: UInt32) -> ObjectBoxError {
    .illegalArgument(
      message:
        "'\(entity)' has no property with ID \(id) in the model of the store; run the generator again"
    )
  }

  /// Returns the value in a record.
  @inline(__always)
  package func value(in record: RecordReader) -> V.Projection {
    V.__value(in: record, at: slot) ?? V.__null
  }

  /// Returns the value of an object; nil when there is no such object.
  @inline(__always)
  package func value(of id: UInt64, _ transaction: Transaction) throws -> V.Projection? {
    try record(of: id, transaction).map { value(in: $0) }
  }

  @inline(__always)
  private func record(of id: UInt64, _ transaction: Transaction) throws -> RecordReader? {
    try table._withUnsafeGuaranteedRef { table in
      let record = try transaction.withStorage { try table.record(id, in: $0) }
      // A handle reads one value in place, so the cost must not depend on the size of the rest of the object.
      if let record, record.size <= RecordChecksum.sizeCheckedInPlace {
        try table.records.check(record)
      }
      return record
    }
  }

  /// Passes the bytes of an object's value to a body.
  ///
  /// Inside a write it passes a copy, since the body may write.
  ///
  /// - Returns: Nil when there is no such object, or the property has no value or is not a string,
  ///   byte vector or vector.
  package func withBytes<T>(
    of id: UInt64,
    _ transaction: Transaction,
    _ body: (RawSpan) throws -> T
  ) throws -> T? {
    guard let reader = try record(of: id, transaction),
      let bytes = reader.bytes(reader.field(propertyID: propertyID))
    else { return nil }
    if transaction.isWritable { return try body([UInt8](bytes).span.bytes) }
    return try body(bytes.bytes)
  }
}
