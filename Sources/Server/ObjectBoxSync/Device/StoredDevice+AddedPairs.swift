internal import ObjectBox
internal import ObjectBoxStorage
internal import ObjectBoxSyncProtocol

/// Pairs in rows of their own, beside the versions of their sources.
///
/// Versions have all pairs of an object, so that writing them takes time in proportion to the pairs. When the program
/// adds or removes pairs, these are in rows of their own until the versions are written for another reason.
extension StoredDevice {
  /// Returns whether an object has a pair, also one that leads to an object that is not stored.
  func hasPair(_ end: PairEnd, from key: ObjectKey) throws -> Bool {
    try !table.isEmpty(source(end, key), in: storage)
  }

  /// Returns a pair of an object, if it is beside the versions.
  func addedPair(_ end: PairEnd, of key: ObjectKey) throws -> Pair? {
    let dot = try table.read(added(end, key), in: storage, as: TransactionToken.self)
    return dot.map { Pair(relation: end.relation, target: end.target, dot: $0) }
  }

  private func added(_ end: PairEnd, _ source: ObjectKey) -> SyncKey {
    var key = SyncKey(.addedPair, source)
    key.append(end.relation.value)
    key.append(end.target)
    return key
  }

  /// Adds a new pair to an object that has versions and a base.
  func add(_ pair: Pair, to key: ObjectKey) throws {
    // A range has no pairs.
    if let range = try range(at: key) { try setVersions(range.versions, at: key) }
    try table.set(pair.dot, at: added(PairEnd(pair), key), in: storage)
    try table.add(source(PairEnd(pair), key), in: storage)
    hasAddedPairs = true
  }

  /// Removes a pair of an object that has a base.
  ///
  /// The first removal moves the pairs in the versions beside them, so that further ones take the same time whatever
  /// their number is.
  func removePair(_ end: PairEnd, of key: ObjectKey) throws {
    try table.remove(source(end, key), in: storage)
    if try addedPair(end, of: key) == nil {
      let row = SyncKey(.versions, key)
      guard var versions = try table.read(row, in: storage, as: Row.self) else { return }
      for pair in versions.pairs {
        try table.set(pair.dot, at: added(PairEnd(pair), key), in: storage)
      }
      versions.pairs = []
      try table.set(versions, at: row, in: storage)
      hasAddedPairs = true
    }
    try table.remove(added(end, key), in: storage)
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
