extension Applier {
  mutating func addPair(
    _ source: ObjectReference,
    _ relation: PropertyUID,
    _ target: ObjectReference
  ) throws {
    guard let (key, row) = try findToWrite(source, withPendingPairs: false) else { return }
    let targetKey: ObjectKey
    switch (try find(target, withPendingPairs: false), side) {
    case (.object(let key, _), _): targetKey = key
    case (.missing(_, .deleted, let identity?), .device): targetKey = identity.key
    case (.missing, _): return drop(key, .targetMissing)
    }
    let pair = Pair(relation: relation, target: targetKey, dot: transaction.token)
    overlay.set(pair, at: PairEnd(pair), of: key, row)
  }

  mutating func removePair(
    _ source: ObjectReference,
    _ relation: PropertyUID,
    _ target: ObjectReference,
    seen: TransactionToken
  ) throws {
    guard let (key, row) = try findToWrite(source, withPendingPairs: false),
      let target = try identity(of: target)
    else { return }
    let end = PairEnd(relation, target.key)
    guard let pair = overlay.pair(end, of: key, row),
      pair.dot == seen || !ProtocolRule.pairsSeen.holds
    else { return }
    overlay.set(nil, at: end, of: key, row)
  }
}
