internal import CObjectBoxLMDB

/// A cursor on a table, which reads entries in key order.
///
/// Read transactions read pages, and write transactions read through LMDB. It must be released
/// before its transaction ends. The buffers that it returns are valid as long as buffers of
/// ``StorageTransaction``.
package enum StorageCursor {
  case pages(ReadCursor)
  case lmdb(WriteCursor)

  /// Goes to an entry; nil when it does not exist.
  ///
  /// - Parameters:
  ///   - operation: An operation of LMDB.
  ///   - key: The key to look for, if the operation takes a key.
  /// - Returns: The entry.
  /// - Throws: ``StorageError`` when the table cannot be read.
  private func move(
    _ operation: MDB_cursor_op,
    _ key: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)
  ) throws(StorageError) -> ObjectEntry? {
    switch self {
    case .pages(let cursor): try cursor.move(operation, key)
    case .lmdb(let cursor): try cursor.move(operation, key)
    }
  }

  // MARK: Objects

  /// Goes to the first object and returns it; nil when the table is empty.
  package func firstObject() throws(StorageError) -> ObjectEntry? { try move(MDB_FIRST) }

  /// Passes all objects to a body, by ascending ID.
  package func forEachObject(_ body: (ObjectEntry) throws -> Void) throws {
    var next = try firstObject()
    while let object = next {
      try body(object)
      next = try nextObject()
    }
  }

  /// Goes to the next object and returns it; nil after the last.
  package func nextObject() throws(StorageError) -> ObjectEntry? { try move(MDB_NEXT) }

  /// Goes to the last object and returns it; nil when the table is empty.
  package func lastObject() throws(StorageError) -> ObjectEntry? { try move(MDB_LAST) }

  /// Returns the record of an object; nil when it does not exist.
  ///
  /// Leaves the cursor on any entry.
  package func record(id: UInt64) throws(StorageError) -> UnsafeRawBufferPointer? {
    switch self {
    case .pages(let cursor): try cursor.record(id: id)
    case .lmdb(let cursor): try cursor.record(id: id)
    }
  }

  /// Returns the next objects, by ascending ID or backwards, and moves past them.
  ///
  /// A new cursor begins at the first object, or backwards at the last. A cursor moves in one
  /// direction only.
  ///
  /// - Parameter isBackwards: The direction.
  /// - Returns: One or more objects, valid until the next call; none at the end.
  /// - Throws: ``StorageError`` when the table cannot be read.
  package func nextObjects(
    isBackwards: Bool
  ) throws(StorageError) -> UnsafeBufferPointer<ObjectEntry> {
    switch self {
    case .pages(let cursor): try cursor.nextObjects(isBackwards: isBackwards)
    case .lmdb(let cursor): try cursor.nextObjects(isBackwards: isBackwards)
    }
  }

  /// Returns the first objects with IDs not below the given ID, or backwards not above it, and
  /// moves past them.
  ///
  /// ``nextObjects(isBackwards:)`` returns the following objects.
  ///
  /// - Parameters:
  ///   - id: An ID; it need not exist.
  ///   - isBackwards: The direction.
  /// - Returns: One or more objects, valid until the next call; none if no object follows.
  /// - Throws: ``StorageError`` when the table cannot be read.
  package func objects(
    from id: UInt64,
    isBackwards: Bool
  ) throws(StorageError) -> UnsafeBufferPointer<ObjectEntry> {
    var entry = try withUnsafeBytes(of: id) { (key) throws(StorageError) in
      try move(MDB_SET_RANGE, key)
    }
    if isBackwards, entry?.id != id { entry = try move(entry == nil ? MDB_LAST : MDB_PREV) }
    guard let entry else { return UnsafeBufferPointer(start: nil, count: 0) }
    switch self {
    // The batch begins with the entry that the search found.
    case .pages(let cursor): return try cursor.nextObjects(isBackwards: isBackwards)
    case .lmdb(let cursor): return cursor.keep(entry)
    }
  }

  // MARK: Index entries

  /// Goes to the first entry with a key not below the given key; nil when there is none.
  package func seek(key: UnsafeRawBufferPointer) throws(StorageError) -> IndexEntry? {
    try move(MDB_SET_RANGE, key).map(IndexEntry.init)
  }

  /// Goes to the first entry with exactly the given key; nil when there is none.
  package func find(key: UnsafeRawBufferPointer) throws(StorageError) -> IndexEntry? {
    try move(MDB_SET_KEY, key).map(IndexEntry.init)
  }

  /// Goes to the first entry with exactly the given key and an ID not below the given one; nil when
  /// there is none, and then the cursor must be moved by a key.
  package func find(
    key: UnsafeRawBufferPointer,
    from id: UInt64
  ) throws(StorageError) -> IndexEntry? {
    switch self {
    case .pages(let cursor): try cursor.find(key: key, from: id).map(IndexEntry.init)
    case .lmdb(let cursor): try cursor.find(key: key, from: id).map(IndexEntry.init)
    }
  }

  /// Goes to the first entry; nil when the index is empty.
  package func firstEntry() throws(StorageError) -> IndexEntry? {
    try move(MDB_FIRST).map(IndexEntry.init)
  }

  /// Goes to the last entry; nil when the index is empty.
  package func lastEntry() throws(StorageError) -> IndexEntry? {
    try move(MDB_LAST).map(IndexEntry.init)
  }

  /// Goes to the next entry, of the same key or of the next one; nil after the last.
  package func nextEntry() throws(StorageError) -> IndexEntry? {
    try move(MDB_NEXT).map(IndexEntry.init)
  }

  /// Goes to the next entry of the same key; nil after its last.
  package func nextOfKey() throws(StorageError) -> IndexEntry? {
    try move(MDB_NEXT_DUP).map(IndexEntry.init)
  }

  /// Goes to the first entry of the next key; nil after the last key.
  package func nextKey() throws(StorageError) -> IndexEntry? {
    try move(MDB_NEXT_NODUP).map(IndexEntry.init)
  }

  /// Goes to the first entry of the last key; nil when the index is empty.
  package func lastKey() throws(StorageError) -> IndexEntry? { try firstOfKey(MDB_LAST) }

  /// Goes to the first entry of the previous key; nil before the first key.
  package func previousKey() throws(StorageError) -> IndexEntry? {
    try firstOfKey(MDB_PREV_NODUP)
  }

  /// Goes to the first entry of the last key below a key; nil when there is none.
  package func lastKey(below key: UnsafeRawBufferPointer) throws(StorageError) -> IndexEntry? {
    try seek(key: key) == nil ? lastKey() : previousKey()
  }

  private func firstOfKey(_ operation: MDB_cursor_op) throws(StorageError) -> IndexEntry? {
    // LMDB arrives from behind, at the key's last ID. The key is looked up again: at the end of the
    // table, MDB_NEXT_DUP would find nothing after MDB_FIRST_DUP.
    guard let last = try move(operation) else { return nil }
    return try find(key: last.keyBytes)
  }

  /// Returns the number of IDs of the current key.
  package func countOfKey() throws(StorageError) -> Int {
    switch self {
    case .pages(let cursor): cursor.countOfKey
    case .lmdb(let cursor): try cursor.countOfKey()
    }
  }

  /// Returns whether a key has an ID.
  package func contains(key: UnsafeRawBufferPointer, id: UInt64) throws(StorageError) -> Bool {
    switch self {
    case .pages(let cursor): try cursor.contains(key: key, id: id)
    case .lmdb(let cursor): try cursor.contains(key: key, id: id)
    }
  }

  /// Passes the IDs of a range of keys to a body, by key, then by ID.
  ///
  /// - Parameters:
  ///   - lower: The first key, included.
  ///   - end: The end of the range.
  ///   - body: Gets one or more IDs, which are valid during the call.
  /// - Throws: ``StorageError`` when the table cannot be read.
  package func forEachIDs(
    from lower: UnsafeRawBufferPointer,
    to end: KeyEnd,
    _ body: (UnsafeBufferPointer<UInt64>) -> Void
  ) throws {
    var next = try seek(key: lower)
    if case .pages(let cursor) = self {
      if let next, end.contains(next.key) { try cursor.forEachIDs(to: end, body) }
      return
    }
    while let entry = next, end.contains(entry.key) {
      withUnsafePointer(to: entry.id) { body(UnsafeBufferPointer(start: $0, count: 1)) }
      next = try nextEntry()
    }
  }

  /// Counts the entries of a range of keys, key by key.
  ///
  /// - Parameters:
  ///   - lower: The first key, included.
  ///   - end: The end of the range.
  ///   - keyCount: The greatest number of keys to count.
  /// - Returns: The number of entries, and whether the range has further keys.
  /// - Throws: ``StorageError`` when the table cannot be read.
  package func count(
    from lower: UnsafeRawBufferPointer,
    to end: KeyEnd,
    keyCount: Int = .max
  ) throws(StorageError) -> (count: Int, isMore: Bool) {
    guard let first = try seek(key: lower), end.contains(first.key) else { return (0, false) }
    switch self {
    case .pages(let cursor): return try cursor.count(to: end, keyCount: keyCount)
    case .lmdb(let cursor): return try cursor.count(to: end, keyCount: keyCount)
    }
  }

  // MARK: Rows

  /// Goes to the first row and returns it; nil when the table is empty.
  package func firstRow() throws(StorageError) -> Row? { try move(MDB_FIRST).map(Row.init) }

  /// Goes to the first row whose key is not less than the given one; nil when there is none.
  package func row(from key: UnsafeRawBufferPointer) throws(StorageError) -> Row? {
    try move(MDB_SET_RANGE, key).map(Row.init)
  }

  /// Goes to the last row whose key is not greater than the given one; nil when there is none.
  package func row(upTo key: UnsafeRawBufferPointer) throws(StorageError) -> Row? {
    guard let row = try row(from: key) else { return try move(MDB_LAST).map(Row.init) }
    if ByteSearch.areEqual(row.key, key) { return row }
    return try move(MDB_PREV).map(Row.init)
  }

  /// Goes to the next row, by the bytes of the keys, and returns it; nil after the last.
  package func nextRow() throws(StorageError) -> Row? { try move(MDB_NEXT).map(Row.init) }
}
