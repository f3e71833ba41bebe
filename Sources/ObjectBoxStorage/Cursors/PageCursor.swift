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
  let table: StorageTable
  unowned let transaction: StorageTransaction

  init(
    _ pages: UnsafeMutablePointer<obx_pages_table>,
    _ table: StorageTable,
    in transaction: StorageTransaction
  ) {
    self.table = table
    self.transaction = transaction
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

  var hasDuplicates: Bool { Int32(cursor.pointee.table.flags) & MDB_DUPSORT != 0 }

  private static func value(_ bytes: UnsafePointer<UInt8>?, _ size: UInt32) -> MDB_val {
    MDB_val(mv_size: Int(size), mv_data: UnsafeMutableRawPointer(mutating: bytes))
  }

  /// Goes to an entry; nil for a page form that the page reader does not know.
  ///
  /// - Parameters:
  ///   - operation: An operation of LMDB.
  ///   - key: The key to look for, if the operation takes a key.
  /// - Returns: Whether the entry exists.
  /// - Throws: ``StorageError`` with `isCorrupt` for a damaged page.
  @inline(__always)
  func move(
    _ operation: MDB_cursor_op,
    _ key: UnsafeRawBufferPointer
  ) throws(StorageError) -> Bool? {
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
  private func isFound(_ status: obx_pages_status) throws(StorageError) -> Bool? {
    if status == OBX_PAGES_OK { return true }
    return try isReadable(status, page: cursor.pointee.bad_page) ? false : nil
  }

  /// Returns whether a key has an ID; nil for a page form that the page reader does not know.
  func contains(key: UnsafeRawBufferPointer, id: UInt64) throws(StorageError) -> Bool? {
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
    return try isReadable(status, page: badPage) ? false : nil
  }

  /// Reads the next entries of one page, in either direction.
  ///
  /// - Returns: Their number; 0 at the end, nil for a page form that the page reader does not know.
  func nextBatch(
    isBackwards: Bool,
    into room: UnsafeMutableBufferPointer<StorageCursor.ObjectEntry>
  ) throws(StorageError) -> Int? {
    var count = 0
    let status = room.withMemoryRebound(to: obx_pages_entry.self) { room in
      guard let entries = room.baseAddress else { return OBX_PAGES_END }
      return isBackwards
        ? obx_pages_run_back(cursor, entries, room.count, &count)
        : obx_pages_run(cursor, entries, room.count, &count)
    }
    guard try isFound(status) != nil else { return nil }
    if count > 0 { entry.pointee = room[count - 1].pageEntry }
    return count
  }

  /// Passes the IDs from the current entry to the end of a range to a body.
  ///
  /// - Parameters:
  ///   - end: The end of the range.
  ///   - passedCount: Is increased by the number of passed IDs.
  ///   - body: Gets one or more IDs, which are valid during the call.
  /// - Returns: False for a page form that the page reader does not know.
  /// - Throws: ``StorageError`` with `isCorrupt` for a damaged page.
  func forEachIDs(
    to end: KeyEnd,
    count passedCount: inout Int,
    _ body: (UnsafeBufferPointer<UInt64>) -> Void
  ) throws -> Bool {
    try withUnsafeTemporaryAllocation(of: UInt64.self, capacity: Self.idBatchSize) { room in
      guard let ids = room.baseAddress else { return false }
      var bound = end.bound
      while true {
        var count = 0
        let status = obx_pages_ids(cursor, &bound, ids, room.count, &count)
        guard let isMore = try isFound(status) else { return false }
        if count > 0 { body(UnsafeBufferPointer(start: ids, count: count)) }
        passedCount += count
        if !isMore { return true }
      }
    }
  }

  /// Counts the entries from the current key to the end of a range, of at most `keyCount` keys.
  ///
  /// - Returns: Their number, and whether more may follow; nil for an unknown page form.
  func count(
    to end: UnsafePointer<obx_pages_bound>,
    keyCount: Int
  ) throws(StorageError) -> (count: Int, isMore: Bool)? {
    var count: UInt64 = 0
    var status = obx_pages_count(cursor, end, UInt64(keyCount), &count)
    guard let isCut = try isFound(status) else { return nil }
    guard isCut else { return (Int(count), false) }
    var next: UInt64 = 0
    status = obx_pages_count(cursor, end, 1, &next)
    return try isFound(status).map { _ in (Int(count), next > 0) }
  }
}
