internal import ObjectBoxStorage

/// Reads the object IDs of a range of an index.
struct IndexScan {
  /// Number of keys that an estimate counts before it interpolates.
  private static let countedKeys = 32

  private let definition: IndexDefinition
  private let transaction: StorageTransaction
  private let cursor: StorageCursor

  /// Begins a scan, which must end before the transaction.
  init(_ definition: IndexDefinition, in transaction: StorageTransaction) throws {
    self.definition = definition
    self.transaction = transaction
    cursor = try transaction.cursor(definition.table)
  }

  /// Adds the IDs of a range to a list, in the order of keys and, for each key, of IDs.
  func addIDs(in range: IndexRange, to ids: inout [UInt64]) throws {
    try range.withBounds { lower, end in
      try cursor.forEachIDs(from: lower, to: end) { ids.append(contentsOf: $0) }
    }
  }

  private func first(of range: IndexRange) throws -> StorageCursor.IndexEntry? {
    try range.lower.withUnsafeBytes { try cursor.seek(key: $0) }
  }

  /// Passes the first ID of each key in a range, and the number of its IDs.
  func forEachKey(in range: IndexRange, _ body: (UInt64, Int) throws -> Void) throws {
    var entry = try first(of: range)
    while let found = entry, range.contains(found.key) {
      let count = try cursor.countOfKey()
      try body(found.id, count)
      entry = try cursor.nextKey()
    }
  }

  /// Returns the first ID of the first or the last key in a range; nil for none.
  func firstID(ofLastKey isLast: Bool, in range: IndexRange) throws -> UInt64? {
    guard let found = try isLast ? cursor.lastKey(of: range) : first(of: range) else { return nil }
    return range.includes(found.key) ? found.id : nil
  }

  /// Returns the number of IDs of a key, and the first ID.
  func find(_ key: [UInt8]) throws -> (count: Int, firstID: UInt64) {
    guard let first = try key.withUnsafeBytes({ try cursor.find(key: $0) }) else { return (0, 0) }
    return (try cursor.countOfKey(), first.id)
  }

  /// Returns the number of all entries.
  func count() throws -> Int { try transaction.count(definition.table) }

  /// Returns the number of entries in a range, counted key by key.
  func count(in range: IndexRange) throws -> Int {
    try range.withBounds { try cursor.count(from: $0, to: $1).count }
  }

  /// Returns an estimate of the number of entries in a range, in constant time.
  ///
  /// It counts the first keys. If there are more, it interpolates between the smallest and the
  /// largest key of the index.
  func estimate(in range: IndexRange) throws -> Int {
    let counted = try range.withBounds {
      try cursor.count(from: $0, to: $1, keyCount: Self.countedKeys)
    }
    return counted.isMore ? max(counted.count, try reckon(in: range)) : counted.count
  }

  private func reckon(in range: IndexRange) throws -> Int {
    let total = try transaction.count(definition.table)
    guard let lower = try first(of: range).map({ Array($0.key) }),
      let least = try IndexRange.values.lower.withUnsafeBytes({ try cursor.seek(key: $0) })
        .map({ Array($0.key) }),
      let greatest = try cursor.lastEntry().map({ Array($0.key) })
    else { return 0 }
    let end: [UInt8]
    switch range.upper {
    case .inclusive(let key): end = key
    case .prefix(let prefix): end = prefix + [UInt8](repeating: 0xFF, count: 8)
    }
    let common = zip(least, greatest).prefix { $0 == $1 }.count
    let whole = Self.number(greatest, common) - Self.number(least, common)
    let part =
      min(Self.number(end, common), Self.number(greatest, common)) - Self.number(lower, common)
    return whole > 0 ? Int(Double(total) * max(0, min(1, part / whole))) : total
  }

  /// The 8 bytes after a common prefix, as a number.
  private static func number(_ key: [UInt8], _ common: Int) -> Double {
    var value: UInt64 = 0
    for index in common..<(common + 8) {
      value = value << 8 | UInt64(index < key.count ? key[index] : 0)
    }
    return Double(value)
  }
}

extension IndexRange {
  /// Returns whether a key is in the range; the key must not be below it.
  func contains(_ key: UnsafeRawBufferPointer) -> Bool { withBounds { $1.contains(key) } }

  /// Returns whether a key is in the range.
  func includes(_ key: UnsafeRawBufferPointer) -> Bool {
    begins(atOrBelow: key) && contains(key)
  }

  /// Calls a body with the first key and the end of the range.
  fileprivate func withBounds<T>(
    _ body: (UnsafeRawBufferPointer, KeyEnd) throws -> T
  ) rethrows -> T {
    try lower.withUnsafeBytes { lower in
      switch upper {
      case .inclusive(let last): try last.withUnsafeBytes { try body(lower, .upTo($0)) }
      case .prefix(let prefix): try prefix.withUnsafeBytes { try body(lower, .withPrefix($0)) }
      }
    }
  }
}

extension StorageCursor {
  /// Goes to the first entry of the last key that is not above a range; nil when there is none.
  func lastKey(of range: IndexRange) throws -> IndexEntry? {
    guard let end = range.end else { return try lastKey() }
    return try end.withUnsafeBytes { try lastKey(below: $0) }
  }
}
