internal import ObjectBox
internal import ObjectBoxStorage
internal import ObjectBoxSyncProtocol

/// Pairs in separate rows, which were added after the versions of their sources were written.
///
/// Versions have all pairs of an object, so writing them takes time in proportion to the pairs. A pair that the program
/// adds is an additional row until the versions are written for another reason.
extension StoredDevice {
  /// Returns true if an object has a pair, even if the pair's target is not stored.
  func hasPair(_ relation: PropertyUID, from source: ObjectKey, to target: ObjectKey) throws -> Bool
  {
    try !table.isEmpty(self.source(relation, target, source), in: storage)
  }

  /// Adds a new pair to an object that has versions and a base.
  func add(_ pair: Pair, to key: ObjectKey) throws {
    // A range has no pairs.
    if let range = try range(at: key) { try setVersions(range.versions, at: key) }
    var added = SyncKey(.addedPair, key)
    added.append(pair.relation.value)
    added.append(pair.target)
    try table.set(pair.dot, at: added, in: storage)
    try table.add(source(pair.relation, pair.target, key), in: storage)
    hasAddedPairs = true
  }

  /// Returns versions with the pairs of separate rows.
  func withAddedPairs(_ versions: Row, at key: ObjectKey) throws -> Row {
    var pairs: [Pair] = []
    try forEachAddedPair(of: key) { row, value in
      let dot = try SyncTable.decode(Array(value), row, as: TransactionToken.self)
      pairs.append(
        Pair(relation: PropertyUID(row.number(2)), target: row.object(at: 3), dot: dot)
      )
    }
    var versions = versions
    versions.setPairs(pairs)
    return versions
  }

  /// Removes the pairs in separate rows of an object whose versions are rewritten or removed.
  func removeAddedPairs(of key: ObjectKey) throws {
    var rows: [SyncKey] = []
    try forEachAddedPair(of: key) { row, _ in rows.append(row) }
    for row in rows { try table.remove(row, in: storage) }
  }

  private func forEachAddedPair(
    of key: ObjectKey,
    _ body: (SyncKey, UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let isThere = try hasAddedPairs ?? !table.isEmpty(SyncKey(.addedPair), in: storage)
    hasAddedPairs = isThere
    if isThere { try table.forEach(SyncKey(.addedPair, key), in: storage, body) }
  }
}
