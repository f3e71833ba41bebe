import ObjectBoxSyncProtocol

extension Checker {
  /// Checks a decision of the server; `told` are the decisions that the uploading device was told.
  mutating func check(
    _ decided: TrialServer.Decided,
    _ server: TrialServer,
    told: [ToldDecision]
  ) throws {
    let token = decided.transaction.token
    if let predecessor = predecessors[token], server.decided[predecessor] == nil,
      !lost.contains(predecessor)
    {
      throw Wrong("a write was decided before an earlier one of its device")
    }
    origins[token] = (decided.device, decided.transaction.sequence)
    switch decided.decision {
    case .accepted: counts.accepted += 1
    case .merged(_, let identities):
      counts.merged += 1
      if !identities.isEmpty { counts.renamed += 1 }
    case .rejected: counts.rejected += 1
    }
    guard let changes = decided.changes, let meant = meant[token] else { return }
    // A forgotten decision without effects does not count beside another one.
    if decided.wasForgotten { effects[token] = nil }
    effects[token, default: 0] += 1
    try checkAges(decided, server)
    try checkIdentities(decided, server)
    try checkIDs(decided)
    remember(changes.rows, before: decided.before)
    // Also objects that the transaction has inserted; they leave no tombstone.
    for key in decided.ruled where server.rows[key] == nil { used.remove(key) }
    let identities = zip(meant, decided.transaction.operations).map { meant, operation in
      (
        object: identity(of: meant.object, by: operation.reference, told: told, server.decided),
        target: meant.target.flatMap {
          identity(of: $0, by: operation.target, told: told, server.decided)
        }
      )
    }
    let objects = Set(identities.compactMap(\.object))
    for (key, row) in changes.rows where decided.before[key] != row {
      try checkChange(of: key, from: decided.before[key], to: row, objects, decided, server)
      try checkStamps(of: key, from: decided.before[key], to: row, decided)
    }
    for drop in changes.dropped {
      let (object, target) = identities[drop.index]
      try checkDrop(drop, object: object, target: target, decided, server)
    }
    try checkRelations(Set(identities.compactMap(\.target)), decided, server)
    try checkResolutions(identities.map(\.object), decided, server)
  }

  private func checkChange(
    of key: ObjectKey,
    from old: Row?,
    to new: Row?,
    _ objects: Set<ObjectIdentity>,
    _ decided: TrialServer.Decided,
    _ server: TrialServer
  ) throws {
    let token = decided.transaction.token
    guard let old else {
      guard let new else { return }
      if new.originID == token.originID { return }
      if objects.contains(ObjectIdentity(key: key, originID: new.originID)) { return }
      throw Wrong("a write revived an object that it was not meant for", "\(key)")
    }
    if let new, new.originID == old.originID {
      try checkRemovedPairs(from: old, to: new, decided, server)
      if new.values == old.values, Set(new.pairs).isSubset(of: old.pairs),
        decided.transaction.mayRemove(before: .max)
          || old.pairs.allSatisfy({ new.pairs.contains($0) || server.rows[$0.target] == nil })
      {
        return
      }
    }
    guard wasPermitted(old, at: key, decided, server) else {
      throw Wrong("a user wrote an object without the right to", "\(key)")
    }
    if objects.contains(ObjectIdentity(key: key, originID: old.originID)) { return }
    if isHolder(old, key, of: decided.transaction) { return }
    throw Wrong(
      "a write changed an object that it was not meant for",
      "\(key): \(brief(decided.transaction))"
    )
  }

  /// Returns true if a user might write an object, by the objects before the transaction or after it.
  private func wasPermitted(
    _ old: Row,
    at key: ObjectKey,
    _ decided: TrialServer.Decided,
    _ server: TrialServer
  ) -> Bool {
    let after = ServerState(server, user: decided.user)
    if isPermitted(old, at: key, after) { return true }
    guard after.hasLinks else { return false }
    // An operation between two others may have seen other objects.
    if decided.transaction.operations.count > 2 { return true }
    var before = server
    for changed in (decided.changes?.rows.keys.map(\.self) ?? []) + decided.ruled {
      before.rows[changed] = decided.full[changed]
    }
    return isPermitted(old, at: key, ServerState(before, user: decided.user))
  }

  /// Returns true if the transaction writes unique values that the row has.
  private func isHolder(_ row: Row, _ key: ObjectKey, of transaction: SyncTransaction) -> Bool {
    guard let rules = TrialModel.rules[key.entity], rules.uniques[0].rule != .reject else {
      return false
    }
    return transaction.operations.contains { operation in
      guard operation.key.entity == key.entity else { return false }
      switch operation {
      case .insert(_, let values, _), .update(_, let values, _):
        return rules.uniques[0].properties.contains { property in
          values[property] != nil && values[property] == row.values[property]
        }
      default: return false
      }
    }
  }

  private func checkRemovedPairs(
    from old: Row,
    to new: Row,
    _ decided: TrialServer.Decided,
    _ server: TrialServer
  ) throws {
    for pair in old.pairs where !new.pairs.contains(pair) {
      guard new.pair(PairEnd(pair)) == nil,
        !decided.transaction.mayRemove(before: .max), let target = server.rows[pair.target],
        target.originID == decided.row(pair.target, server)?.originID
      else { continue }
      let isSeen = decided.transaction.operations.contains { operation in
        guard case .removePair(_, _, _, let seen) = operation else { return false }
        return seen == pair.dot
      }
      guard isSeen else { throw Wrong("a removal took a pair that it had not seen", "\(pair)") }
    }
  }

  private func checkDrop(
    _ drop: DroppedOperation,
    object: ObjectIdentity?,
    target: ObjectIdentity?,
    _ decided: TrialServer.Decided,
    _ server: TrialServer
  ) throws {
    let token = decided.transaction.token
    let operation = decided.transaction.operations[drop.index]
    let makers = [operation.reference?.maker, operation.target?.maker].compactMap(\.self)
    if makers.contains(where: { server.decided[$0] != nil && server.known($0) == nil }) { return }
    var missed: ObjectIdentity?
    switch drop.reason {
    case .deleted, .otherObject: missed = object
    case .targetMissing: missed = target
    case .resolved:
      if drop.key.entity == TrialModel.resolved { return }
      throw Wrong("a conflict without a function was resolved", brief(decided.transaction))
    case .older(let winner):
      // A lost write that a copy uploads again has another time.
      guard TrialModel.rules[drop.key.entity]?.precedence == nil,
        !lost.contains(winner.token)
      else { return }
      if seen[token]?.contains(winner.token) == true {
        throw Wrong(
          "a write lost against one that its program had seen",
          brief("\(winner) won against \(decided.transaction)")
        )
      }
      guard let origin = origins[winner.token], origin.device == decided.device,
        origin.sequence < decided.transaction.sequence
      else { return }
      throw Wrong("a write lost against an earlier one of its device", brief(decided.transaction))
    }
    guard let identity = missed, !decided.transaction.mayRemove(before: drop.index),
      decided.row(identity.key, server)?.originID == identity.originID,
      server.rows[identity.key]?.originID == identity.originID
    else { return }
    throw Wrong("an operation missed its object", "\(identity): \(brief(decided.transaction))")
  }

  /// Checks that to-one relations and pairs lead to the targets that they were meant for.
  private func checkRelations(
    _ targets: Set<ObjectIdentity>,
    _ decided: TrialServer.Decided,
    _ server: TrialServer
  ) throws {
    let token = decided.transaction.token
    for (key, row) in decided.changes?.rows ?? [:] {
      guard let row else { continue }
      let old = decided.before[key]
      // A revived object has the relation that it had.
      let isRevived = old == nil && row.originID != token.originID
      for pair in row.pairs
      where old?.pairs.contains(pair) != true && !decided.ruled.contains(pair.target) {
        guard let target = server.rows[pair.target],
          targets.contains(ObjectIdentity(key: pair.target, originID: target.originID))
        else { throw Wrong("a pair leads to another object", "\(pair)") }
      }
      guard case .integer(let id) = row.values[TrialModel.parent], id != 0, !isRevived,
        old?.values[TrialModel.parent] != .integer(id)
      else { continue }
      let isRaw = decided.transaction.operations.contains { operation in
        guard case .update(_, let values, _) = operation else { return false }
        return values[TrialModel.parent] == .integer(id)
      }
      if isRaw || targets.contains(where: { $0.key.id == UInt64(bitPattern: id) }) { continue }
      throw Wrong("a to-one relation leads to another object", "\(key) to \(id)")
    }
  }
}

extension SyncTransaction {
  /// Returns true if an operation before the index may remove an object.
  ///
  /// A later operation of the transaction can revive the object.
  func mayRemove(before index: Int) -> Bool {
    operations.prefix(index).contains { operation in
      switch operation {
      case .delete: true
      case .insert(let key, _, _): TrialModel.replaces(key.entity)
      case .update(let object, _, _): TrialModel.replaces(object.key.entity)
      default: false
      }
    }
  }
}
