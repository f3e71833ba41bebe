internal import ObjectBoxStorage

/// A scan over the records of an entity, by ID in one direction.
struct RecordScan {
  private let records: RecordTable
  private let cursor: StorageCursor
  /// The objects that the cursor has passed, and are not returned yet.
  private var batch = UnsafeBufferPointer<StorageCursor.ObjectEntry>(start: nil, count: 0)
  private var index = 0

  /// The scan must end before the transaction does.
  init(_ table: EntityTable, in transaction: Transaction) throws {
    records = table.records
    cursor = try transaction.storage.cursor(table.records.objects)
  }

  /// Returns the next record; nil after the last.
  ///
  /// The reader is valid until the next call. A scan goes one way only.
  @inline(__always)
  mutating func next(isBackwards: Bool = false) throws -> FlatBufferReader? {
    if index == batch.count {
      batch = try cursor.nextObjects(isBackwards: isBackwards)
      index = 0
      if batch.isEmpty { return nil }
    }
    let entry = batch[index]
    index += 1
    return try records.reader(entry.record, id: entry.id)
  }

  /// Returns the previous record, beginning with the last; nil after the first.
  ///
  /// The reader is valid until the next call. A scan goes one way only.
  mutating func previous() throws -> FlatBufferReader? { try next(isBackwards: true) }

  /// Returns the record with the given ID; nil when there is none.
  @inline(__always)
  func record(id: UInt64) throws -> FlatBufferReader? {
    guard let bytes = try cursor.record(id: id) else { return nil }
    return try records.reader(bytes, id: id)
  }
}
