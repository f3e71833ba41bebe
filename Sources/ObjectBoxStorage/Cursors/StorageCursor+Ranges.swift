internal import CObjectBoxLMDB
internal import CObjectBoxPages

/// The end of a range of keys.
package enum KeyEnd {
  /// Keys up to and including the bytes.
  case upTo(UnsafeRawBufferPointer)
  /// Keys that begin with the bytes.
  case withPrefix(UnsafeRawBufferPointer)

  /// The page reader's form of the end, valid as long as the bytes.
  var bound: obx_pages_bound {
    switch self {
    case .upTo(let key):
      obx_pages_bound(bytes: key.baseAddress, size: key.count, kind: OBX_PAGES_KEYS_UP_TO)
    case .withPrefix(let prefix):
      obx_pages_bound(
        bytes: prefix.baseAddress,
        size: prefix.count,
        kind: OBX_PAGES_KEYS_WITH_PREFIX
      )
    }
  }

  /// Returns whether a key is in the range, if it is not below.
  package func contains(_ key: UnsafeRawBufferPointer) -> Bool {
    switch self {
    case .upTo(let last): !last.lexicographicallyPrecedes(key)
    case .withPrefix(let prefix): key.starts(with: prefix)
    }
  }
}

/// Many entries per call; for pages this costs a fraction of single steps.
extension StorageCursor {
  // MARK: Objects

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
    switch source {
    case .pages(let cursor):
      let count = try cursor.nextBatch(isBackwards: isBackwards, into: room)
      return UnsafeBufferPointer(rebasing: room[..<count])
    case .lmdb, .unopened:
      guard let (key, value) = try move(isBackwards ? MDB_PREV : MDB_NEXT) else {
        return UnsafeBufferPointer(start: nil, count: 0)
      }
      room.initializeElement(at: 0, to: ObjectEntry(key, value))
      return UnsafeBufferPointer(rebasing: room[..<1])
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
    let found = try withUnsafeBytes(of: id) { (key) throws(StorageError) in
      try move(MDB_SET_RANGE, key)
    }
    var entry = found.map { ObjectEntry($0.key, $0.value) }
    if isBackwards, entry?.id != id {
      entry =
        entry == nil
        ? try lastObject() : try move(MDB_PREV).map { ObjectEntry($0.key, $0.value) }
    }
    guard let entry else { return UnsafeBufferPointer(start: nil, count: 0) }
    if case .pages(let cursor) = source {
      // The batch begins with the entry that the search found.
      let count = try cursor.nextBatch(isBackwards: isBackwards, into: room)
      return UnsafeBufferPointer(rebasing: room[..<count])
    }
    room.initializeElement(at: 0, to: entry)
    return UnsafeBufferPointer(rebasing: room[..<1])
  }

  // MARK: Index entries

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
    if case .pages(let cursor) = source {
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
    if case .pages(let cursor) = source { return try cursor.count(to: end, keyCount: keyCount) }
    var count = 0
    for _ in 0..<keyCount {
      count += try countOfKey()
      guard let next = try nextKey(), end.contains(next.key) else { return (count, false) }
    }
    return (count, true)
  }
}
