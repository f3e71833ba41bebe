internal import CObjectBoxLMDB
internal import CObjectBoxPages
internal import Foundation

/// A cursor on a table; reads entries in key order.
///
/// It must be released before its transaction ends. The buffers that it returns are valid as long
/// as those of ``StorageTransaction``.
package final class StorageCursor {
  /// How the cursor reads: through LMDB, or from pages.
  enum Source {
    /// LMDB's cursor; with the lock of a shared read transaction, else nil.
    case lmdb(OpaquePointer, NSLock?)
    case pages(PageCursor)
    /// Not opened yet: the first use opens LMDB's cursor.
    ///
    /// A write that is refused never needs it.
    case unopened(StorageTransaction, StorageTable)
  }

  private(set) var source: Source
  /// True after `put` has written a record.
  ///
  /// Unchecked: each access is a single read or write.
  @exclusivity(unchecked) package private(set) var hasWritten = false
  /// The check after each put; nil in a read transaction.
  private let roomCheck: RoomCheck?
  /// Buffer for the objects that `nextObjects` returns; nil until its first call.
  private var batch: UnsafeMutableBufferPointer<ObjectEntry>?

  /// The table's pages, valid as long as the transaction; nil where LMDB reads the table.
  private let pages: UnsafePointer<obx_pages_table>?

  init(handle: OpaquePointer, in transaction: StorageTransaction) {
    source = .lmdb(handle, transaction.lock)
    pages = nil
    roomCheck = transaction.roomCheck
  }

  /// Makes a cursor of a write transaction, which is opened on first use.
  init(_ table: StorageTable, in transaction: StorageTransaction) {
    source = .unopened(transaction, table)
    pages = nil
    roomCheck = transaction.roomCheck
  }

  init(_ table: UnsafeMutablePointer<obx_pages_table>) {
    source = .pages(PageCursor(table))
    pages = UnsafePointer(table)
    roomCheck = nil
  }

  deinit {
    batch?.deallocate()
    switch source {
    // Only this object knows LMDB's cursor of a read transaction, so no lock is needed.
    case .lmdb(let handle, _): mdb_cursor_close(handle)
    case .pages(let cursor): cursor.deallocate()
    case .unopened: break
    }
  }

  /// LMDB's cursor, for writing.
  var handle: OpaquePointer {
    get throws(StorageError) {
      if case .lmdb(let handle, _) = source { return handle }
      return try open()
    }
  }

  /// Opens LMDB's cursor.
  @inline(never)
  @discardableResult
  private func open() throws(StorageError) -> OpaquePointer {
    guard case .unopened(let transaction, let table) = source else {
      preconditionFailure("pages are read only")
    }
    let handle = try transaction.openCursor(table)
    source = .lmdb(handle, transaction.lock)
    return handle
  }

  /// Goes to an entry; nil when it does not exist.
  ///
  /// - Parameters:
  ///   - operation: An operation of LMDB.
  ///   - key: The key to look for, if the operation takes a key.
  /// - Returns: The key and the value.
  /// - Throws: ``StorageError`` when the table cannot be read.
  @inline(__always)
  func move(
    _ operation: MDB_cursor_op,
    _ key: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)
  ) throws(StorageError) -> (key: MDB_val, value: MDB_val)? {
    switch source {
    case .lmdb(let handle, let lock): return try lmdbMove(handle, lock, operation, key)
    case .pages(let cursor):
      return try cursor.move(operation, key) ? (cursor.key, cursor.value) : nil
    case .unopened:
      try open()
      return try move(operation, key)
    }
  }

  private func lmdbMove(
    _ handle: OpaquePointer,
    _ lock: NSLock?,
    _ operation: MDB_cursor_op,
    _ key: UnsafeRawBufferPointer
  ) throws(StorageError) -> (key: MDB_val, value: MDB_val)? {
    var key = MDB_val(key)
    var value = MDB_val()
    let code = lock.calling { mdb_cursor_get(handle, &key, &value, operation) }
    if code == MDB_NOTFOUND { return nil }
    try check(code, calling: "mdb_cursor_get")
    return (key, value)
  }

  /// Buffer for a batch of objects; the same in each call.
  var room: UnsafeMutableBufferPointer<ObjectEntry> {
    if let batch { return batch }
    let room = UnsafeMutableBufferPointer<ObjectEntry>.allocate(capacity: PageCursor.batchSize)
    batch = room
    return room
  }

  // MARK: Objects

  /// An entry of an object table.
  ///
  /// Has the fields of the page reader's entry, which writes it.
  ///
  /// Invariant of `@unchecked Sendable`: its bytes do not change while it is valid.
  package struct ObjectEntry: @unchecked Sendable {
    private let key: UnsafeRawPointer?
    private let value: UnsafeRawPointer?
    private let keySize: UInt32
    private let valueSize: UInt32

    init(_ key: MDB_val, _ value: MDB_val) {
      self.key = UnsafeRawPointer(key.mv_data)
      self.value = UnsafeRawPointer(value.mv_data)
      keySize = UInt32(truncatingIfNeeded: key.mv_size)
      valueSize = UInt32(truncatingIfNeeded: value.mv_size)
    }

    init(_ entry: obx_pages_entry) {
      key = UnsafeRawPointer(entry.key)
      value = UnsafeRawPointer(entry.value)
      keySize = entry.key_size
      valueSize = entry.value_size
    }

    /// The ID of the object; the reader has checked that it has 8 bytes.
    @inline(__always)
    package var id: UInt64 { key?.loadUnaligned(as: UInt64.self) ?? 0 }

    /// The bytes of the record.
    @inline(__always)
    package var record: UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(start: value, count: Int(valueSize))
    }
  }

  /// Goes to the first object and returns it; nil when the table is empty.
  package func firstObject() throws(StorageError) -> ObjectEntry? { try object(MDB_FIRST) }

  /// Goes to the next object and returns it; nil after the last.
  package func nextObject() throws(StorageError) -> ObjectEntry? { try object(MDB_NEXT) }

  /// Goes to the last object and returns it; nil when the table is empty.
  package func lastObject() throws(StorageError) -> ObjectEntry? { try object(MDB_LAST) }

  /// Returns the record of an object; nil when it does not exist.
  ///
  /// Leaves the cursor on any entry.
  package func record(id: UInt64) throws(StorageError) -> UnsafeRawBufferPointer? {
    // Avoids `source`: matching its cases counts references.
    if let pages { return try pageValue { obx_pages_get_id(pages, id, &$0, &$1, &$2) } }
    switch source {
    case .pages: preconditionFailure("pages are read without the source")
    case .lmdb(let handle, let lock):
      let found = try withUnsafeBytes(of: id) { (bytes) throws(StorageError) in
        try lmdbMove(handle, lock, MDB_SET, bytes)
      }
      return found.map { ObjectEntry($0.key, $0.value).record }
    case .unopened:
      try open()
      return try record(id: id)
    }
  }

  private func object(_ operation: MDB_cursor_op) throws(StorageError) -> ObjectEntry? {
    try move(operation).map { ObjectEntry($0.key, $0.value) }
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
    var id = id
    let code = withUnsafeMutableBytes(of: &id) { bytes in
      var key = MDB_val(mv_size: 8, mv_data: bytes.baseAddress)
      var value = MDB_val(record)
      return mdb_cursor_put(handle, &key, &value, place.flags)
    }
    try check(code, calling: "mdb_cursor_put")
    hasWritten = true
    try roomCheck?.verify()
  }

  // MARK: Index entries

  /// An entry of an index table: a key and one of its object IDs.
  package struct IndexEntry {
    package let key: UnsafeRawBufferPointer
    package let id: UInt64
  }

  /// Goes to the first entry with a key not below the given key; nil when there is none.
  package func seek(key: UnsafeRawBufferPointer) throws(StorageError) -> IndexEntry? {
    try entry(MDB_SET_RANGE, key)
  }

  /// Goes to the first entry with exactly the given key; nil when there is none.
  package func find(key: UnsafeRawBufferPointer) throws(StorageError) -> IndexEntry? {
    try entry(MDB_SET_KEY, key)
  }

  /// Goes to the first entry; nil when the index is empty.
  package func firstEntry() throws(StorageError) -> IndexEntry? { try entry(MDB_FIRST) }

  /// Goes to the last entry; nil when the index is empty.
  package func lastEntry() throws(StorageError) -> IndexEntry? { try entry(MDB_LAST) }

  /// Goes to the next entry, of the same key or of the next one; nil after the last.
  package func nextEntry() throws(StorageError) -> IndexEntry? { try entry(MDB_NEXT) }

  /// Goes to the next entry of the same key; nil after its last.
  package func nextOfKey() throws(StorageError) -> IndexEntry? { try entry(MDB_NEXT_DUP) }

  /// Goes to the first entry of the next key; nil after the last key.
  package func nextKey() throws(StorageError) -> IndexEntry? { try entry(MDB_NEXT_NODUP) }

  /// Goes to the first entry of the last key; nil when the index is empty.
  package func lastKey() throws(StorageError) -> IndexEntry? { try firstOfKey(MDB_LAST) }

  /// Goes to the first entry of the previous key; nil before the first key.
  package func previousKey() throws(StorageError) -> IndexEntry? {
    try firstOfKey(MDB_PREV_NODUP)
  }

  private func firstOfKey(_ operation: MDB_cursor_op) throws(StorageError) -> IndexEntry? {
    // LMDB arrives from behind, at the key's last ID. The key is looked up again: at the end of the
    // table, MDB_NEXT_DUP would find nothing after MDB_FIRST_DUP.
    guard let last = try entry(operation) else { return nil }
    return try entry(MDB_SET_KEY, last.key)
  }

  private func entry(
    _ operation: MDB_cursor_op,
    _ key: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)
  ) throws(StorageError) -> IndexEntry? {
    guard let (key, value) = try move(operation, key) else { return nil }
    return IndexEntry(
      key: key.bytes,
      id: value.mv_data.loadUnaligned(as: UInt64.self)
    )
  }

  /// Returns the number of IDs of the current key.
  package func countOfKey() throws(StorageError) -> Int {
    switch source {
    case .pages(let cursor): return cursor.countOfKey
    case .lmdb(let handle, let lock):
      var count = 0
      let code = lock.calling { mdb_cursor_count(handle, &count) }
      try check(code, calling: "mdb_cursor_count")
      return count
    case .unopened: preconditionFailure("the cursor is on no key")
    }
  }

  /// Returns whether a key has an ID.
  package func contains(key: UnsafeRawBufferPointer, id: UInt64) throws(StorageError) -> Bool {
    switch source {
    case .pages(let cursor): return try cursor.contains(key: key, id: id)
    case .lmdb(let handle, let lock):
      var id = id
      let code = withUnsafeMutableBytes(of: &id) { bytes in
        var key = MDB_val(key)
        var value = MDB_val(mv_size: 8, mv_data: bytes.baseAddress)
        return lock.calling { mdb_cursor_get(handle, &key, &value, MDB_GET_BOTH) }
      }
      if code == MDB_NOTFOUND { return false }
      try check(code, calling: "mdb_cursor_get")
      return true
    case .unopened:
      try open()
      return try contains(key: key, id: id)
    }
  }

  /// Adds an entry above all others of the table, which saves the search.
  package func append(key: UnsafeRawBufferPointer, id: UInt64) throws(StorageError) {
    let handle = try handle
    var id = id
    let code = withUnsafeMutableBytes(of: &id) { bytes in
      var key = MDB_val(key)
      var value = MDB_val(mv_size: 8, mv_data: bytes.baseAddress)
      return mdb_cursor_put(handle, &key, &value, UInt32(MDB_APPENDDUP))
    }
    try check(code, calling: "mdb_cursor_put")
  }
}
