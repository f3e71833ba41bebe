extension Applier {
  mutating func addPair(
    _ source: ObjectReference,
    _ relation: PropertyUID,
    _ target: ObjectReference
  ) throws {
    guard let (key, row) = try findToWrite(source, withAddedPairs: false) else { return }
    let targetKey: ObjectKey
    switch (try find(target, withAddedPairs: false), side) {
    case (.object(let key, _), _): targetKey = key
    case (.missing(_, .deleted, let identity?), .device): targetKey = identity.key
    case (.missing, _): return drop(key, .targetMissing)
    }
    overlay.add(
      Pair(relation: relation, target: targetKey, dot: transaction.token),
      to: row,
      at: key
    )
  }

  mutating func removePair(
    _ source: ObjectReference,
    _ relation: PropertyUID,
    _ target: ObjectReference,
    seen: TransactionToken
  ) throws {
    guard let (key, old) = try findToWrite(source) else { return }
    var row = old
    guard let target = try identity(of: target), let pair = row.pair(relation, to: target.key),
      pair.dot == seen || !ProtocolRule.pairsSeen.holds
    else { return }
    row.removePair(pair.relation, to: pair.target)
    try overlay.put(row, at: key)
  }
}
