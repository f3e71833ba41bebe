import ObjectBoxSyncProtocol

extension Checker {
  /// Checks that an object has another identity only for a reason.
  func checkIdentities(_ decided: TrialServer.Decided, _ server: TrialServer) throws {
    let token = decided.transaction.token
    for new in decided.changes?.identities ?? [] {
      guard let identity = new.identity, identity.originID != token.originID else { continue }
      let isExplained = decided.transaction.operations.contains { operation in
        guard case .insert(let key, let values, let origin) = operation, key == new.made else {
          return false
        }
        if origin == .chosen, identity.key == key { return true }
        return values[TrialModel.code] != .null
          && TrialModel.rules[key.entity]?.uniques[0].rule == .merge
      }
      if !isExplained { throw Wrong("an insert met another object", "\(new)") }
    }
  }

  /// Checks that no assigned ID is given twice: a relation to the removed object holds the ID alone.
  func checkIDs(_ decided: TrialServer.Decided) throws {
    let token = decided.transaction.token
    for (key, row) in decided.changes?.rows ?? [:]
    where row?.originID == token.originID && key.id >= TrialModel.firstAssignedID {
      if used.contains(key) { throw Wrong("an ID was given twice", "\(key)") }
    }
  }

  /// Checks that a clock never lets an earlier write win, and that no stamp is from the future.
  func checkStamps(
    of key: ObjectKey,
    from old: Row?,
    to new: Row?,
    _ decided: TrialServer.Decided
  ) throws {
    guard let new, let rules = TrialModel.rules[key.entity] else { return }
    let limit = decided.now + 2 * TrialModel.tolerance
    guard new.lastStamp.time.milliseconds <= limit || old?.lastStamp == new.lastStamp else {
      throw Wrong("a stamp is from the future", "\(key): \(new.lastStamp)")
    }
    guard let old, old.originID == new.originID, rules.mode != .arrival else { return }
    var isLater = new.stamp >= old.stamp
    for element in old.stamps.elements {
      isLater = isLater && (new.stamps[element.property] ?? new.stamp) >= element.value
    }
    for element in new.stamps.elements where old.stamps[element.property] == nil {
      isLater = isLater && element.value >= old.stamp
    }
    guard isLater else { throw Wrong("an earlier write won", "\(key)") }
  }
}

extension Row {
  /// The greatest stamp of the object and its properties.
  fileprivate var lastStamp: Stamp {
    stamps.elements.reduce(stamp) { max($0, $1.value) }
  }
}
