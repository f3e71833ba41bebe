internal import ObjectBoxStorage

/// Reads records of a table by ascending IDs; a record that follows the previous one needs no search.
struct AscendingRecords {
  private let cursor: StorageCursor
  private var batch = UnsafeBufferPointer<StorageCursor.ObjectEntry>(start: nil, count: 0)
  private var next = 0

  /// - Parameters:
  ///   - table: A table of objects.
  ///   - storage: The transaction, which must outlive the reader and must not write in the meantime.
  /// - Throws: `StorageError` when the table cannot be read.
  init(_ table: StorageTable, in storage: StorageTransaction) throws {
    cursor = try storage.cursor(table)
  }

  /// Returns a record, valid until the next call; nil if it does not exist.
  ///
  /// - Parameter id: An ID above that of the previous call.
  /// - Returns: The bytes.
  /// - Throws: `StorageError` when the table cannot be read.
  mutating func record(id: UInt64) throws -> UnsafeRawBufferPointer? {
    skip(to: id)
    // The next batch of a page, unless many objects are between.
    if next == batch.count, let last = batch.last, id - last.id <= 2 * UInt64(batch.count) {
      batch = try cursor.nextObjects(isBackwards: false)
      next = 0
      skip(to: id)
    }
    if next == batch.count {
      batch = try cursor.objects(from: id, isBackwards: false)
      next = 0
    }
    guard next < batch.count, batch[next].id == id else { return nil }
    next += 1
    return batch[next - 1].record
  }

  private mutating func skip(to id: UInt64) {
    while next < batch.count, batch[next].id < id { next += 1 }
  }
}
