internal import ObjectBoxStorage

/// Reads the object IDs of a range of an index.
struct IndexScan {
  /// How many keys an estimate counts before it interpolates.
  private static let countedKeys = 32

  private let definition: IndexDefinition
  private let transaction: StorageTransaction
  private let cursor: StorageCursor

  /// The scan must end before the transaction does.
  init(_ definition: IndexDefinition, in transaction: StorageTransaction) throws {
    self.definition = definition
    self.transaction = transaction
    cursor = try transaction.cursor(definition.table)
  }

  /// Passes the IDs of a range to a block, in the order of keys and, for each key, of IDs.
  func forEach(in range: IndexRange, _ body: (UInt64) -> Void) throws {
    if let key = range.onlyKey {
      var entry = try key.withUnsafeBytes { try cursor.find(key: $0) }
      while let found = entry {
        body(found.id)
        entry = try cursor.nextOfKey()
      }
      return
    }
    var entry = try first(of: range)
    while let found = entry, range.contains(found.key) {
      body(found.id)
      entry = try cursor.nextEntry()
    }
  }

  private func first(of range: IndexRange) throws -> StorageCursor.IndexEntry? {
    try range.lower.withUnsafeBytes { try cursor.seek(key: $0) }
  }

  private func count(of key: [UInt8]) throws -> Int { try find(key).count }

  /// Returns the number of IDs of a key, and the first of them.
  func find(_ key: [UInt8]) throws -> (count: Int, firstID: UInt64) {
    guard let first = try key.withUnsafeBytes({ try cursor.find(key: $0) }) else { return (0, 0) }
    return (try cursor.countOfKey(), first.id)
  }

  /// Returns the number of entries in a range, a key at a time.
  func count(in range: IndexRange) throws -> Int {
    if let key = range.onlyKey { return try count(of: key) }
    var entry = try first(of: range)
    var count = 0
    while let found = entry, range.contains(found.key) {
      count += try cursor.countOfKey()
      entry = try cursor.nextKey()
    }
    return count
  }

  /// Returns about how many entries a range has, in constant time.
  ///
  /// Counts the first keys; when there are more, interpolates between the least and the greatest key of the
  /// index.
  func estimate(in range: IndexRange) throws -> Int {
    if let key = range.onlyKey { return try count(of: key) }
    var entry = try first(of: range)
    var count = 0
    var keys = 0
    while let found = entry, range.contains(found.key) {
      if keys == Self.countedKeys { return max(count, try reckon(in: range)) }
      count += try cursor.countOfKey()
      keys += 1
      entry = try cursor.nextKey()
    }
    return count
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
