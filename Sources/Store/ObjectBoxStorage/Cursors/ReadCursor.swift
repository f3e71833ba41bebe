internal import CObjectBoxLMDB
internal import CObjectBoxPages

/// A cursor on the pages of a version.
///
/// It must be released before its transaction ends.
package final class ReadCursor {
  /// Number of objects that are read from a page at once.
  ///
  /// Their entries take less than 1 KB: when asked for more, the C library merges all small freed
  /// blocks.
  private static let batchSize = 40
  /// Number of IDs of an index that are read at once.
  ///
  /// More would not fit on the stack, and would need a block of the size that `batchSize` avoids.
  private static let idBatchSize = 128

  private let cursor: UnsafeMutablePointer<obx_pages_cursor>
  /// Buffer for a batch of objects; nil before the first batch.
  private var batch: UnsafeMutablePointer<StorageCursor.ObjectEntry>?

  init(_ table: UnsafePointer<obx_pages_table>) {
    cursor = .allocate(capacity: 1)
    obx_pages_cursor_init(cursor, table)
  }

  deinit {
    batch?.deallocate()
    cursor.deallocate()
  }

  /// Goes to an entry; nil when it does not exist.
  ///
  /// - Parameters:
  ///   - operation: An operation of LMDB.
  ///   - key: The key to look for, if the operation takes a key.
  /// - Returns: The entry.
  /// - Throws: ``StorageError`` as ``checkPages(_:page:)`` does.
  func move(
    _ operation: MDB_cursor_op,
    _ key: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)
  ) throws(StorageError) -> StorageCursor.ObjectEntry? {
    var entry = obx_pages_entry()
    let status =
      switch operation {
      case MDB_NEXT: obx_pages_next(cursor, &entry)
      case MDB_NEXT_DUP: obx_pages_next_duplicate(cursor, &entry)
      case MDB_NEXT_NODUP: obx_pages_next_key(cursor, &entry)
      case MDB_PREV: obx_pages_previous(cursor, &entry)
      case MDB_PREV_NODUP: obx_pages_previous_key(cursor, &entry)
      case MDB_FIRST: obx_pages_first(cursor, &entry)
      case MDB_LAST: obx_pages_last(cursor, &entry)
      case MDB_SET_RANGE: obx_pages_seek(cursor, key.baseAddress, key.count, &entry)
      case MDB_SET_KEY: obx_pages_find(cursor, key.baseAddress, key.count, &entry)
      default: preconditionFailure("no operation of a page cursor: \(operation)")
      }
    return try isFound(status) ? StorageCursor.ObjectEntry(entry) : nil
  }

  private func isFound(_ status: obx_pages_status) throws(StorageError) -> Bool {
    if status == OBX_PAGES_OK { return true }
    try checkPages(status, page: cursor.pointee.bad_page)
    return false
  }

  // MARK: Objects

  /// Returns the record of an object, without moving; nil when it does not exist.
  func record(id: UInt64) throws(StorageError) -> UnsafeRawBufferPointer? {
    try pageValue { obx_pages_get_id(&cursor.pointee.table, id, &$0, &$1, &$2) }
  }

  /// Returns the next objects of one page, in either direction; none at the end.
  ///
  /// The buffer is valid until the next call; a filter may move entries within it.
  func nextObjects(
    isBackwards: Bool
  ) throws(StorageError) -> UnsafeBufferPointer<StorageCursor.ObjectEntry> {
    let objects = batch ?? .allocate(capacity: Self.batchSize)
    batch = objects
    var count = 0
    let status = objects.withMemoryRebound(to: obx_pages_entry.self, capacity: Self.batchSize) {
      isBackwards
        ? obx_pages_run_back(cursor, $0, Self.batchSize, &count)
        : obx_pages_run(cursor, $0, Self.batchSize, &count)
    }
    _ = try isFound(status)
    return UnsafeBufferPointer(start: objects, count: count)
  }

  /// Reads the next objects, of as many pages as fill a buffer.
  ///
  /// - Parameters:
  ///   - room: Gets the objects.
  ///   - error: The error that ended the reading.
  /// - Returns: Their number; less than the room after an error, or at the end.
  func nextObjects(
    in room: UnsafeMutableBufferPointer<StorageCursor.ObjectEntry>,
    _ error: inout StorageError?
  ) -> Int {
    room.withMemoryRebound(to: obx_pages_entry.self) { room in
      guard let base = room.baseAddress else { return 0 }
      var total = 0
      while total < room.count {
        var count = 0
        let status = obx_pages_run(cursor, base + total, room.count - total, &count)
        do throws(StorageError) {
          guard try isFound(status) else { break }
        } catch let caught {
          error = caught
          break
        }
        total += count
      }
      return total
    }
  }

  // MARK: Index entries

  /// Number of IDs of the current key.
  var countOfKey: Int { Int(obx_pages_duplicate_count(cursor)) }

  /// Goes to the first entry of a key with an ID not below the given one; nil when there is none.
  func find(
    key: UnsafeRawBufferPointer,
    from id: UInt64
  ) throws(StorageError) -> StorageCursor.ObjectEntry? {
    guard try move(MDB_SET_KEY, key) != nil else { return nil }
    var entry = obx_pages_entry()
    let status = withUnsafeBytes(of: id) { id in
      obx_pages_seek_duplicate(cursor, id.baseAddress, id.count, &entry)
    }
    return try isFound(status) ? StorageCursor.ObjectEntry(entry) : nil
  }

  /// Returns whether a key has an ID, without moving.
  func contains(key: UnsafeRawBufferPointer, id: UInt64) throws(StorageError) -> Bool {
    var id = id
    var badPage: UInt64 = 0
    let status = obx_pages_contains(
      &cursor.pointee.table,
      key.baseAddress,
      key.count,
      &id,
      MemoryLayout<UInt64>.size,
      &badPage
    )
    try checkPages(status, page: badPage)
    return status == OBX_PAGES_OK
  }

  /// Passes the IDs from the current entry to the end of a range to a body.
  ///
  /// - Parameters:
  ///   - end: The end of the range.
  ///   - body: Gets one or more IDs, which are valid during the call.
  /// - Throws: ``StorageError`` as ``checkPages(_:page:)`` does.
  func forEachIDs(
    to end: KeyEnd,
    _ body: (UnsafeBufferPointer<UInt64>) -> Void
  ) throws {
    try withUnsafeTemporaryAllocation(of: UInt64.self, capacity: Self.idBatchSize) { room in
      guard let ids = room.baseAddress else { return }
      var bound = end.bound
      var isMore = true
      while isMore {
        var count = 0
        isMore = try isFound(obx_pages_ids(cursor, &bound, ids, room.count, &count))
        if count > 0 { body(UnsafeBufferPointer(start: ids, count: count)) }
      }
    }
  }

  /// Counts the entries from the current key to the end of a range, of at most `keyCount` keys.
  ///
  /// - Returns: Their number, and whether the range has further keys.
  func count(
    to end: KeyEnd,
    keyCount: Int
  ) throws(StorageError) -> (count: Int, isMore: Bool) {
    var bound = end.bound
    var count: UInt64 = 0
    let isCut = try isFound(obx_pages_count(cursor, &bound, UInt64(keyCount), &count))
    guard isCut else { return (Int(count), false) }
    var next: UInt64 = 0
    _ = try isFound(obx_pages_count(cursor, &bound, 1, &next))
    return (Int(count), next > 0)
  }
}
