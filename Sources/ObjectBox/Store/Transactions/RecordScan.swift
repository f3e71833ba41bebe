internal import ObjectBoxStorage

/// A scan over the records of an entity, by ID in one direction.
struct RecordScan {
  private let records: RecordTable
  private let cursor: StorageCursor
  private var hasStarted = false

  /// The scan must end before the transaction does.
  init(_ table: EntityTable, in transaction: Transaction) throws {
    records = table.records
    cursor = try transaction.storage.cursor(table.records.objects)
  }

  /// Returns the next record; nil after the last.
  ///
  /// The reader is valid until the next call.
  @inline(__always)
  mutating func next() throws -> FlatBufferReader? {
    let entry: StorageCursor.ObjectEntry?
    if hasStarted {
      entry = try cursor.nextObject()
    } else {
      hasStarted = true
      entry = try cursor.firstObject()
    }
    guard let entry else { return nil }
    return try records.reader(entry.record, id: entry.id)
  }

  /// Returns the previous record, beginning with the last; nil after the first.
  ///
  /// The reader is valid until the next call. A scan goes one way only.
  mutating func previous() throws -> FlatBufferReader? {
    let entry = try hasStarted ? cursor.previousObject() : cursor.lastObject()
    hasStarted = true
    guard let entry else { return nil }
    return try records.reader(entry.record, id: entry.id)
  }

  /// Returns the record with the given ID; nil when there is none.
  @inline(__always)
  func record(id: UInt64) throws -> FlatBufferReader? {
    guard let bytes = try cursor.record(id: id) else { return nil }
    return try records.reader(bytes, id: id)
  }
}
