package import ObjectBoxStorage

/// The pairs of one standalone relation, which can be read from both ends.
///
/// Two tables hold the same pairs: `forward` has the targets of each source, `backward` the sources
/// of each target. Only this type writes them.
package struct RelationTable: Sendable {
  package let schema: RelationSchema
  /// The number of the entity that declares the relation.
  package let source: Int
  /// The number of the target entity.
  package let target: Int
  package let forward: StorageTable
  package let backward: StorageTable

  // MARK: Reading

  /// Returns the IDs of the targets of a source, ascending.
  package func targets(of source: UInt64, in transaction: StorageTransaction) throws -> [UInt64] {
    try ids(of: source, forward, transaction)
  }

  /// Returns the IDs of the sources of a target, ascending.
  func sources(of target: UInt64, in transaction: StorageTransaction) throws -> [UInt64] {
    try ids(of: target, backward, transaction)
  }

  /// Returns all pairs, in the order of the sources.
  func links(in transaction: StorageTransaction) throws -> [(source: UInt64, target: UInt64)] {
    var links: [(source: UInt64, target: UInt64)] = []
    try forEachLink(in: transaction) { links.append(($0, $1)) }
    return links
  }

  /// Calls a body with all pairs, in the order of the sources, then of the targets.
  package func forEachLink(
    in transaction: StorageTransaction,
    _ body: (_ source: UInt64, _ target: UInt64) throws -> Void
  ) throws {
    let cursor = try transaction.cursor(forward)
    var entry = try cursor.firstEntry()
    while let found = entry {
      try body(UInt64(bigEndian: found.key.loadUnaligned(as: UInt64.self)), found.id)
      entry = try cursor.nextEntry()
    }
  }

  /// Calls a body with the IDs at the other end of several objects, ascending for each object.
  ///
  /// - Parameters:
  ///   - hosts: Sources, or targets for a backlink; ascending.
  ///   - isBacklink: True if the hosts are targets.
  ///   - transaction: The open transaction.
  ///   - body: Receives the index of a host, and an ID.
  /// - Throws: `StorageError` when the table cannot be read.
  func forEachID(
    of hosts: [UInt64],
    isBacklink: Bool,
    in transaction: StorageTransaction,
    _ body: (Int, UInt64) -> Void
  ) throws {
    let table = isBacklink ? backward : forward
    let cursor = try transaction.cursor(table)
    // A search costs about as much as reading several pairs.
    guard try transaction.count(table) <= hosts.count * 8 else {
      for (index, host) in hosts.enumerated() {
        try Self.withKey(host) { key in
          try cursor.forEachIDs(from: key, to: .upTo(key)) { for id in $0 { body(index, id) } }
        }
      }
      return
    }
    guard let first = hosts.first else { return }
    var entry = try Self.withKey(first) { try cursor.seek(key: $0) }
    var index = 0
    while let pair = entry {
      let host = UInt64(bigEndian: pair.key.loadUnaligned(as: UInt64.self))
      while hosts[index] < host {
        index += 1
        if index == hosts.count { return }
      }
      if hosts[index] == host { body(index, pair.id) }
      entry = try cursor.nextEntry()
    }
  }

  /// Returns the number of pairs.
  package func count(in transaction: StorageTransaction) throws -> Int {
    try transaction.count(forward)
  }

  /// Returns whether there is a pair.
  package func contains(source: UInt64, target: UInt64, in transaction: StorageTransaction) throws
    -> Bool
  {
    try Self.withKey(source) { try transaction.cursor(forward).contains(key: $0, id: target) }
  }

  private func ids(
    of id: UInt64,
    _ table: StorageTable,
    _ transaction: StorageTransaction
  ) throws -> [UInt64] {
    var ids: [UInt64] = []
    let cursor = try transaction.cursor(table)
    try Self.withKey(id) { key in
      try cursor.forEachIDs(from: key, to: .upTo(key)) { ids += $0 }
    }
    return ids
  }

  // MARK: Writing

  /// Adds a pair; does nothing if it exists.
  package func add(source: UInt64, target: UInt64, in transaction: StorageTransaction) throws {
    try Self.withKey(source) { try transaction.insert(forward, key: $0, id: target) }
    try Self.withKey(target) { try transaction.insert(backward, key: $0, id: source) }
    try transaction.checkRoom()
    #if OBJECTBOX_INTERNAL_CHECKS
      try checkInvariants(source: source, target: target, isRelated: true, in: transaction)
    #endif
  }

  /// Removes a pair; does nothing if it does not exist.
  package func remove(source: UInt64, target: UInt64, in transaction: StorageTransaction) throws {
    try transaction.removing {
      _ = try Self.withKey(source) { try transaction.delete(forward, key: $0, id: target) }
      _ = try Self.withKey(target) { try transaction.delete(backward, key: $0, id: source) }
    }
    #if OBJECTBOX_INTERNAL_CHECKS
      try checkInvariants(source: source, target: target, isRelated: false, in: transaction)
    #endif
  }

  /// Removes all pairs of a source.
  func remove(source: UInt64, in transaction: StorageTransaction) throws {
    for target in try targets(of: source, in: transaction) {
      try remove(source: source, target: target, in: transaction)
    }
  }

  /// Removes all pairs of a target.
  func remove(target: UInt64, in transaction: StorageTransaction) throws {
    for source in try sources(of: target, in: transaction) {
      try remove(source: source, target: target, in: transaction)
    }
  }

  /// Removes all pairs.
  func removeAll(in transaction: StorageTransaction) throws {
    try transaction.drop(forward, delete: false)
    try transaction.drop(backward, delete: false)
  }

  /// Calls a body with the key of an object: its ID, big-endian, so keys are in the order of IDs.
  private static func withKey<T>(
    _ id: UInt64,
    _ body: (UnsafeRawBufferPointer) throws -> T
  ) rethrows -> T {
    try withUnsafeBytes(of: id.bigEndian) { try body($0) }
  }

  #if OBJECTBOX_INTERNAL_CHECKS
    /// Traps unless both tables agree on a pair and hold the same number of pairs.
    private func checkInvariants(
      source: UInt64,
      target: UInt64,
      isRelated: Bool,
      in transaction: StorageTransaction
    ) throws {
      let seenForward = try contains(source: source, target: target, in: transaction)
      let seenBackward = try Self.withKey(target) {
        try transaction.cursor(backward).contains(key: $0, id: source)
      }
      let counts = (try transaction.count(forward), try transaction.count(backward))
      precondition(
        seenForward == isRelated && seenBackward == isRelated && counts.0 == counts.1,
        "relation \(schema.identity.id) holds \(source) -> \(target): \(seenForward) forward, "
          + "\(seenBackward) backward; \(counts.0) and \(counts.1) pairs"
      )
    }
  #endif
}
