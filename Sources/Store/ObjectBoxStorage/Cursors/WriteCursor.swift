internal import CObjectBoxLMDB

/// A cursor of LMDB in a write transaction.
///
/// LMDB opens it on first use, which a refused write never reaches. It must be released before its
/// transaction ends.
package final class WriteCursor {
  private let transaction: StorageTransaction
  private let table: StorageTable
  private var opened: OpaquePointer?
  /// The check after each put.
  private let roomCheck: RoomCheck?
  /// True after `put` has written a record.
  ///
  /// Unchecked: each access is a single read or write.
  @exclusivity(unchecked) package private(set) var hasWritten = false
  /// Buffer for the object that `nextObjects` returns; nil before its first call.
  private var batch: UnsafeMutablePointer<StorageCursor.ObjectEntry>?

  init(_ table: StorageTable, in transaction: StorageTransaction) {
    self.transaction = transaction
    self.table = table
    roomCheck = transaction.roomCheck
  }

  deinit {
    batch?.deallocate()
    if let opened { mdb_cursor_close(opened) }
  }

  /// LMDB's cursor.
  var handle: OpaquePointer {
    get throws(StorageError) { if let opened { opened } else { try open() } }
  }

  @inline(never)
  private func open() throws(StorageError) -> OpaquePointer {
    let cursor = try made(by: "mdb_cursor_open") {
      mdb_cursor_open(transaction.handle, transaction.handle(table), &$0)
    }
    opened = cursor
    return cursor
  }

  /// Goes to an entry; nil when it does not exist.
  ///
  /// - Parameters:
  ///   - operation: An operation of LMDB.
  ///   - key: The key to look for, if the operation takes a key.
  /// - Returns: The entry.
  /// - Throws: ``StorageError`` when the table cannot be read.
  func move(
    _ operation: MDB_cursor_op,
    _ key: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)
  ) throws(StorageError) -> StorageCursor.ObjectEntry? {
    let handle = try handle
    var key = MDB_val(key)
    var value = MDB_val()
    let code = mdb_cursor_get(handle, &key, &value, operation)
    guard try isFound(code, calling: "mdb_cursor_get") else { return nil }
    return StorageCursor.ObjectEntry(key, value)
  }

  // MARK: Objects

  /// Goes to an object and returns its record; nil when it does not exist.
  package func record(id: UInt64) throws(StorageError) -> UnsafeRawBufferPointer? {
    try withUnsafeBytes(of: id) { (bytes) throws(StorageError) in try move(MDB_SET, bytes) }?.record
  }

  /// Goes to the first object; nil when there is none.
  package func first() throws(StorageError) -> StorageCursor.ObjectEntry? { try move(MDB_FIRST) }

  /// Goes to the next object; nil at the end.
  package func next() throws(StorageError) -> StorageCursor.ObjectEntry? { try move(MDB_NEXT) }

  /// Returns the next object, in either direction; none at the end.
  func nextObjects(
    isBackwards: Bool
  ) throws(StorageError) -> UnsafeBufferPointer<StorageCursor.ObjectEntry> {
    guard let entry = try move(isBackwards ? MDB_PREV : MDB_NEXT) else {
      return UnsafeBufferPointer(start: nil, count: 0)
    }
    return keep(entry)
  }

  /// Returns an object in the buffer of `nextObjects`.
  func keep(
    _ entry: StorageCursor.ObjectEntry
  ) -> UnsafeBufferPointer<StorageCursor.ObjectEntry> {
    let room = batch ?? .allocate(capacity: 1)
    batch = room
    room.initialize(to: entry)
    return UnsafeBufferPointer(start: room, count: 1)
  }

  /// The position of a record as far as a caller knows it, which saves a search.
  package enum Place {
    case unknown
    /// After all other records.
    case end
    /// The entry on which `record(id:)` with the same ID has left the cursor.
    case current

    fileprivate var flags: UInt32 {
      switch self {
      case .unknown: 0
      case .end: UInt32(MDB_APPEND)
      case .current: UInt32(MDB_CURRENT)
      }
    }
  }

  /// Writes the record of an object; replaces a stored one.
  package func put(
    id: UInt64,
    record: UnsafeRawBufferPointer,
    at place: Place = .unknown
  ) throws(StorageError) {
    let handle = try handle
    var value = MDB_val(record)
    let code = id.withLMDBValue { mdb_cursor_put(handle, &$0, &value, place.flags) }
    try check(code, calling: "mdb_cursor_put")
    hasWritten = true
    try roomCheck?.verify()
  }

  // MARK: Rows

  /// Writes the value of a key of bytes; replaces a stored one.
  ///
  /// For keys in ascending order it is faster than a put without a cursor, which searches the table
  /// from its root.
  package func put(
    key: UnsafeRawBufferPointer,
    value: UnsafeRawBufferPointer
  ) throws(StorageError) {
    let handle = try handle
    var key = MDB_val(key)
    var value = MDB_val(value)
    try check(mdb_cursor_put(handle, &key, &value, 0), calling: "mdb_cursor_put")
    try roomCheck?.verify()
  }

  // MARK: Index entries

  /// Returns the number of IDs of the current key.
  func countOfKey() throws(StorageError) -> Int {
    let handle = try handle
    var count = 0
    try check(mdb_cursor_count(handle, &count), calling: "mdb_cursor_count")
    return count
  }

  /// Returns whether a key has an ID.
  func contains(key: UnsafeRawBufferPointer, id: UInt64) throws(StorageError) -> Bool {
    try find(MDB_GET_BOTH, key, id)
  }

  /// Goes to the first entry of a key with an ID not below the given one; nil when there is none.
  func find(
    key: UnsafeRawBufferPointer,
    from id: UInt64
  ) throws(StorageError) -> StorageCursor.ObjectEntry? {
    // The search does not return the key's place in the page.
    try find(MDB_GET_BOTH_RANGE, key, id) ? try move(MDB_GET_CURRENT) : nil
  }

  private func find(
    _ operation: MDB_cursor_op,
    _ key: UnsafeRawBufferPointer,
    _ id: UInt64
  ) throws(StorageError) -> Bool {
    let handle = try handle
    var key = MDB_val(key)
    let code = id.withLMDBValue { mdb_cursor_get(handle, &key, &$0, operation) }
    return try isFound(code, calling: "mdb_cursor_get")
  }

  /// Counts the entries from the current key to the end of a range, of at most `keyCount` keys.
  ///
  /// - Returns: Their number, and whether the range has further keys.
  func count(
    to end: KeyEnd,
    keyCount: Int
  ) throws(StorageError) -> (count: Int, isMore: Bool) {
    var count = 0
    for _ in 0..<keyCount {
      count += try countOfKey()
      guard let next = try move(MDB_NEXT_NODUP), end.contains(next.keyBytes) else {
        return (count, false)
      }
    }
    return (count, true)
  }

  /// Adds an entry above all others of the table, which saves the search.
  package func append(key: UnsafeRawBufferPointer, id: UInt64) throws(StorageError) {
    let handle = try handle
    var key = MDB_val(key)
    let code = id.withLMDBValue { mdb_cursor_put(handle, &key, &$0, UInt32(MDB_APPENDDUP)) }
    try check(code, calling: "mdb_cursor_put")
  }
}
