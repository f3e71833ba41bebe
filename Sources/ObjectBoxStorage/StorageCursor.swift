internal import CObjectBoxLMDB
internal import Foundation

/// A cursor on a table, which reads entries in key order.
///
/// It must end before its transaction does. Buffers that it returns live as those of
/// ``StorageTransaction`` do.
///
/// A class, since it owns LMDB's cursor.
package final class StorageCursor {
  let handle: OpaquePointer
  /// The lock of a shared read transaction; nil in all others.
  private let lock: NSLock?
  /// True once `put` has written a record.
  ///
  /// Unchecked: it is set and read at once, so that no two accesses overlap.
  @exclusivity(unchecked) package private(set) var hasWritten = false

  init(handle: OpaquePointer, lock: NSLock?) {
    self.handle = handle
    self.lock = lock
  }

  deinit {
    // LMDB does not list cursors of read transactions, so closing one needs no lock.
    mdb_cursor_close(handle)
  }

  // MARK: Objects

  /// An entry of an object table.
  package struct ObjectEntry {
    package let id: UInt64
    package let record: UnsafeRawBufferPointer
  }

  /// Goes to the first object and returns it; nil when the table is empty.
  package func firstObject() throws(StorageError) -> ObjectEntry? { try object(MDB_FIRST) }

  /// Goes to the next object and returns it; nil after the last.
  package func nextObject() throws(StorageError) -> ObjectEntry? { try object(MDB_NEXT) }

  /// Goes to the previous object and returns it; nil before the first.
  package func previousObject() throws(StorageError) -> ObjectEntry? { try object(MDB_PREV) }

  /// Goes to the last object and returns it; nil when the table is empty.
  package func lastObject() throws(StorageError) -> ObjectEntry? { try object(MDB_LAST) }

  /// Goes to the object with the given ID and returns its record; nil when there is none.
  package func record(id: UInt64) throws(StorageError) -> UnsafeRawBufferPointer? {
    var id = id
    var value = MDB_val()
    let code = withUnsafeMutableBytes(of: &id) { bytes in
      var key = MDB_val(mv_size: 8, mv_data: bytes.baseAddress)
      return lock.calling { mdb_cursor_get(handle, &key, &value, MDB_SET) }
    }
    if code == MDB_NOTFOUND { return nil }
    try check(code, calling: "mdb_cursor_get")
    return UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)
  }

  private func object(_ operation: MDB_cursor_op) throws(StorageError) -> ObjectEntry? {
    var key = MDB_val()
    var value = MDB_val()
    let code = lock.calling { mdb_cursor_get(handle, &key, &value, operation) }
    if code == MDB_NOTFOUND { return nil }
    try check(code, calling: "mdb_cursor_get")
    return ObjectEntry(
      id: key.mv_data.loadUnaligned(as: UInt64.self),
      record: UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)
    )
  }

  /// Writes the record of an object, over an older one.
  ///
  /// Pass true for `isAppended` only with an ID above all others; it saves the search.
  package func put(
    id: UInt64,
    record: UnsafeRawBufferPointer,
    isAppended: Bool
  ) throws(StorageError) {
    var id = id
    let code = withUnsafeMutableBytes(of: &id) { bytes in
      var key = MDB_val(mv_size: 8, mv_data: bytes.baseAddress)
      var value = MDB_val(
        mv_size: record.count,
        mv_data: UnsafeMutableRawPointer(mutating: record.baseAddress)
      )
      return mdb_cursor_put(handle, &key, &value, isAppended ? UInt32(MDB_APPEND) : 0)
    }
    try check(code, calling: "mdb_cursor_put")
    hasWritten = true
  }

  // MARK: Index entries

  /// An entry of an index table: a key and one of its object IDs.
  package struct IndexEntry {
    package let key: UnsafeRawBufferPointer
    package let id: UInt64
  }

  /// Goes to the least entry whose key is not below the given one; nil when there is none.
  package func seek(key: UnsafeRawBufferPointer) throws(StorageError) -> IndexEntry? {
    var key = MDB_val(
      mv_size: key.count,
      mv_data: UnsafeMutableRawPointer(mutating: key.baseAddress)
    )
    return try entry(&key, MDB_SET_RANGE)
  }

  /// Goes to the first entry of exactly the given key; nil when there is none.
  package func find(key: UnsafeRawBufferPointer) throws(StorageError) -> IndexEntry? {
    var key = MDB_val(
      mv_size: key.count,
      mv_data: UnsafeMutableRawPointer(mutating: key.baseAddress)
    )
    return try entry(&key, MDB_SET_KEY)
  }

  /// Goes to the first entry; nil when the index is empty.
  package func firstEntry() throws(StorageError) -> IndexEntry? {
    var key = MDB_val()
    return try entry(&key, MDB_FIRST)
  }

  /// Goes to the last entry; nil when the index is empty.
  package func lastEntry() throws(StorageError) -> IndexEntry? {
    var key = MDB_val()
    return try entry(&key, MDB_LAST)
  }

  /// Goes to the next entry, of the same key or of the next one; nil after the last.
  package func nextEntry() throws(StorageError) -> IndexEntry? {
    var key = MDB_val()
    return try entry(&key, MDB_NEXT)
  }

  /// Goes to the next entry of the same key; nil after its last.
  package func nextOfKey() throws(StorageError) -> IndexEntry? {
    var key = MDB_val()
    return try entry(&key, MDB_NEXT_DUP)
  }

  /// Goes to the first entry of the next key; nil after the last key.
  package func nextKey() throws(StorageError) -> IndexEntry? {
    var key = MDB_val()
    return try entry(&key, MDB_NEXT_NODUP)
  }

  /// Goes to the first entry of the last key; nil when the index is empty.
  package func lastKey() throws(StorageError) -> IndexEntry? { try firstOfKey(MDB_LAST) }

  /// Goes to the first entry of the key before; nil before the first key.
  package func previousKey() throws(StorageError) -> IndexEntry? {
    try firstOfKey(MDB_PREV_NODUP)
  }

  private func firstOfKey(_ operation: MDB_cursor_op) throws(StorageError) -> IndexEntry? {
    var key = MDB_val()
    // LMDB reaches a key from behind at the last of its IDs. The key is looked up again, since at the end
    // of the table MDB_NEXT_DUP would find nothing after MDB_FIRST_DUP.
    guard try entry(&key, operation) != nil else { return nil }
    return try entry(&key, MDB_SET_KEY)
  }

  /// Returns the number of IDs of the current key.
  package func countOfKey() throws(StorageError) -> Int {
    var count = 0
    let code = lock.calling { mdb_cursor_count(handle, &count) }
    try check(code, calling: "mdb_cursor_count")
    return count
  }

  /// Returns whether the set of a key holds an ID.
  package func contains(key: UnsafeRawBufferPointer, id: UInt64) throws(StorageError) -> Bool {
    var id = id
    let code = withUnsafeMutableBytes(of: &id) { bytes in
      var key = MDB_val(
        mv_size: key.count,
        mv_data: UnsafeMutableRawPointer(mutating: key.baseAddress)
      )
      var value = MDB_val(mv_size: 8, mv_data: bytes.baseAddress)
      return lock.calling { mdb_cursor_get(handle, &key, &value, MDB_GET_BOTH) }
    }
    if code == MDB_NOTFOUND { return false }
    try check(code, calling: "mdb_cursor_get")
    return true
  }

  /// Adds an entry that is above all others in the table, which saves the search.
  package func append(key: UnsafeRawBufferPointer, id: UInt64) throws(StorageError) {
    var id = id
    let code = withUnsafeMutableBytes(of: &id) { bytes in
      var key = MDB_val(
        mv_size: key.count,
        mv_data: UnsafeMutableRawPointer(mutating: key.baseAddress)
      )
      var value = MDB_val(mv_size: 8, mv_data: bytes.baseAddress)
      return mdb_cursor_put(handle, &key, &value, UInt32(MDB_APPENDDUP))
    }
    try check(code, calling: "mdb_cursor_put")
  }

  private func entry(
    _ key: inout MDB_val,
    _ operation: MDB_cursor_op
  ) throws(StorageError) -> IndexEntry? {
    var value = MDB_val()
    let code = lock.calling { mdb_cursor_get(handle, &key, &value, operation) }
    if code == MDB_NOTFOUND { return nil }
    try check(code, calling: "mdb_cursor_get")
    return IndexEntry(
      key: UnsafeRawBufferPointer(start: key.mv_data, count: key.mv_size),
      id: value.mv_data.loadUnaligned(as: UInt64.self)
    )
  }
}
