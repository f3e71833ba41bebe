internal import CObjectBoxRecords
internal import ObjectBoxStorage

/// A scan over the records of an entity in the order of the IDs, forwards or backwards.
package struct RecordScan {
  private let records: RecordTable
  private let cursor: StorageCursor
  /// Objects that the cursor has read and the scan has not returned yet.
  private var batch = UnsafeBufferPointer<StorageCursor.ObjectEntry>(start: nil, count: 0)
  private var index = 0
  /// The damaged record after the batch; it ends a filtered scan.
  private var damaged: StorageCursor.ObjectEntry?

  /// Begins a scan, which must end before the transaction.
  package init(_ table: EntityTable, in transaction: Transaction) throws {
    records = table.records
    cursor = try transaction.storage.cursor(table.records.objects)
  }

  /// Returns the next record in a direction; nil after the last.
  ///
  /// The reader is valid until the next call. A scan goes in one direction only.
  @inline(__always)
  package mutating func next(isBackwards: Bool = false) throws -> RecordReader? {
    guard let (id, bytes) = try nextBytes(isBackwards: isBackwards) else { return nil }
    return try records.reader(bytes, id: id)
  }

  /// True while the batch has records that were not returned.
  var isInBatch: Bool { index < batch.count }

  /// Moves to the first record with an ID that is at least the given one; backwards, at most.
  ///
  /// - Returns: False if there is no such record; the scan must not be used after that.
  mutating func seek(_ id: UInt64, isBackwards: Bool) throws -> Bool {
    batch = try cursor.objects(from: id, isBackwards: isBackwards)
    index = 0
    return !batch.isEmpty
  }

  /// Returns the next record that passes a filter; nil after the last.
  ///
  /// The reader is valid until the next call. A scan goes in one direction only.
  mutating func next(
    passing filter: UnsafePointer<obx_filter>,
    isBackwards: Bool
  ) throws -> RecordReader? {
    if index == batch.count {
      if let damaged { return try records.reader(damaged.record, id: damaged.id) }
      // The objects of this batch come first, then the damaged record after them.
      let passed = try cursor.nextObjects(isBackwards: isBackwards, passing: filter)
      damaged = passed.damaged
      batch = passed.objects
      index = 0
      if batch.isEmpty {
        return try damaged.map { try records.reader($0.record, id: $0.id) }
      }
    }
    let entry = batch[index]
    index += 1
    return try records.reader(entry.record, id: entry.id)
  }

  /// Returns the number of records that pass a filter, from the present position to the last
  /// record.
  func count(passing filter: UnsafePointer<obx_filter>) throws -> Int {
    let counted = try cursor.countObjects(passing: filter)
    if let damaged = counted.damaged { _ = try records.reader(damaged.record, id: damaged.id) }
    return counted.count
  }

  // MARK: Damaged records

  /// Returns the next record in a direction, which may be damaged; nil after the last.
  @inline(__always)
  mutating func nextBytes(
    isBackwards: Bool
  ) throws -> (id: UInt64, bytes: UnsafeRawBufferPointer)? {
    if index == batch.count {
      batch = try cursor.nextObjects(isBackwards: isBackwards)
      index = 0
      if batch.isEmpty { return nil }
    }
    let entry = batch[index]
    index += 1
    return (entry.id, entry.record)
  }

  /// Returns the record with the given ID, which may be damaged; nil when there is none.
  func bytes(id: UInt64) throws -> UnsafeRawBufferPointer? { try cursor.record(id: id) }

  /// Returns the reader of a record; nil when it is damaged.
  func soundRecord(_ bytes: UnsafeRawBufferPointer, id: UInt64) -> RecordReader? {
    guard let record = try? records.reader(bytes, id: id), records.isRight(record) else {
      return nil
    }
    return record
  }

  // MARK: By ID

  /// Returns the record with the given ID; nil when there is none.
  package func record(id: UInt64) throws -> RecordReader? {
    guard let bytes = try cursor.record(id: id) else { return nil }
    return try records.reader(bytes, id: id)
  }
}
