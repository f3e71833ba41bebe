internal import CObjectBoxLMDB
internal import CObjectBoxPages

/// A cursor on the pages of a read transaction's version.
///
/// Its owner deallocates it before the transaction ends.
struct PageCursor {
  /// Number of objects that are read from a page at once.
  ///
  /// Their entries take less than 1 KB: when asked for more, the C library merges all small freed
  /// blocks.
  static let batchSize = 40
  /// Number of IDs of an index that are read at once.
  ///
  /// More would not fit on the stack, and would need a block of the size that `batchSize` avoids.
  private static let idBatchSize = 128

  private let cursor: UnsafeMutablePointer<obx_pages_cursor>
  /// The current entry; has no key before the first step.
  private let entry: UnsafeMutablePointer<obx_pages_entry>

  init(_ pages: UnsafeMutablePointer<obx_pages_table>) {
    cursor = .allocate(capacity: 1)
    obx_pages_cursor_init(cursor, pages)
    entry = .allocate(capacity: 1)
    entry.initialize(to: obx_pages_entry())
  }

  func deallocate() {
    cursor.deallocate()
    entry.deallocate()
  }

  var key: MDB_val { Self.value(entry.pointee.key, entry.pointee.key_size) }
  var value: MDB_val { Self.value(entry.pointee.value, entry.pointee.value_size) }

  /// Number of IDs of the current key.
  var countOfKey: Int { Int(obx_pages_duplicate_count(cursor)) }

  private static func value(_ bytes: UnsafePointer<UInt8>?, _ size: UInt32) -> MDB_val {
    MDB_val(mv_size: Int(size), mv_data: UnsafeMutableRawPointer(mutating: bytes))
  }

  /// Goes to an entry.
  ///
  /// - Parameters:
  ///   - operation: An operation of LMDB.
  ///   - key: The key to look for, if the operation takes a key.
  /// - Returns: Whether the entry exists.
  /// - Throws: ``StorageError`` as ``checkPages(_:page:)`` does.
  @inline(__always)
  func move(
    _ operation: MDB_cursor_op,
    _ key: UnsafeRawBufferPointer
  ) throws(StorageError) -> Bool {
    let status =
      switch operation {
      case MDB_NEXT: obx_pages_next(cursor, entry)
      case MDB_NEXT_DUP: obx_pages_next_duplicate(cursor, entry)
      case MDB_NEXT_NODUP: obx_pages_next_key(cursor, entry)
      case MDB_PREV: obx_pages_previous(cursor, entry)
      case MDB_PREV_NODUP: obx_pages_previous_key(cursor, entry)
      case MDB_FIRST: obx_pages_first(cursor, entry)
      case MDB_LAST: obx_pages_last(cursor, entry)
      case MDB_SET_RANGE: obx_pages_seek(cursor, key.baseAddress, key.count, entry)
      case MDB_SET_KEY: obx_pages_find(cursor, key.baseAddress, key.count, entry)
      default: preconditionFailure("no operation of a page cursor: \(operation)")
      }
    return try isFound(status)
  }

  @inline(__always)
  private func isFound(_ status: obx_pages_status) throws(StorageError) -> Bool {
    if status == OBX_PAGES_OK { return true }
    try checkPages(status, page: cursor.pointee.bad_page)
    return false
  }

  /// Returns whether a key has an ID.
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
    if status == OBX_PAGES_OK { return true }
    try checkPages(status, page: badPage)
    return false
  }

  /// Reads the next entries of one page, in either direction.
  ///
  /// - Returns: Their number; 0 at the end.
  func nextBatch(
    isBackwards: Bool,
    into room: UnsafeMutableBufferPointer<StorageCursor.ObjectEntry>
  ) throws(StorageError) -> Int {
    var count = 0
    let status = room.withMemoryRebound(to: obx_pages_entry.self) { room in
      guard let entries = room.baseAddress else { return OBX_PAGES_END }
      return isBackwards
        ? obx_pages_run_back(cursor, entries, room.count, &count)
        : obx_pages_run(cursor, entries, room.count, &count)
    }
    _ = try isFound(status)
    return count
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
  /// - Returns: Their number, and whether more follow.
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
