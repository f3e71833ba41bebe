internal import ObjectBox
internal import ObjectBoxStorage
internal import ObjectBoxSyncProtocol

/// Pairs in rows of their own, which were added after the versions of their sources were written.
///
/// Versions have all pairs of an object, so that writing them takes time in proportion to the pairs. A pair that the
/// program adds is one more row until the versions are written for another reason.
extension StoredDevice {
  /// Returns whether an object has a pair, also one that leads to an object that is not stored.
  func hasPair(_ relation: PropertyUID, from source: ObjectKey, to target: ObjectKey) throws -> Bool
  {
    try !table.isEmpty(self.source(relation, target, source), in: storage)
  }

  /// Adds a pair to an object that has versions and a base, and not this pair.
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

  /// Returns versions with the pairs beside them.
  func withAddedPairs(_ versions: Row, at key: ObjectKey) throws -> Row {
    var pairs: [PairEnd: Pair?] = [:]
    try forEachAddedPair(of: key) { row, value in
      let dot = try SyncTable.decode(Array(value), row, as: TransactionToken.self)
      let end = PairEnd(PropertyUID(row.number(2)), row.object(at: 3))
      pairs[end] = Pair(relation: end.relation, target: end.target, dot: dot)
    }
    var versions = versions
    versions.setPairs(pairs)
    return versions
  }

  /// Removes the pairs beside the versions of an object, which are written anew or removed.
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
