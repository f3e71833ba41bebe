import ObjectBoxSyncProtocol

extension Checker {
  /// Checks that no server drops what it does not know, and that no program empties a property that it
  /// has not received: programs never set it to null.
  func checkAges(_ decided: TrialServer.Decided, _ server: TrialServer) throws {
    if decided.age == .first {
      for operation in decided.transaction.operations where operation.hasAddedParts {
        throw Wrong("a server decided a write that it does not know", brief(decided.transaction))
      }
    }
    guard unaware.contains(decided.transaction.token) else { return }
    // A device that never received the last entity has all of its own objects.
    for (key, old) in decided.full where key.entity != TrialModel.entities[5] {
      guard let new = server.rows[key], new.originID == old.originID,
        TrialValue.number(old.values[TrialModel.late]) != nil,
        TrialValue.number(new.values[TrialModel.late]) == nil
      else { continue }
      let isInserted = decided.transaction.operations.contains { operation in
        guard case .insert(let made, let values, _) = operation else { return false }
        return made.entity == key.entity && values[TrialModel.late] == .null
      }
      if !isInserted {
        throw Wrong(
          "a write emptied a property that its program had not received",
          "\(key): \(brief(decided.transaction))"
        )
      }
    }
  }
}

extension Operation {
  /// True if the operation loses something on a server with the first model.
  fileprivate var hasAddedParts: Bool {
    if key.entity == TrialModel.entities[5] { return true }
    return switch self {
    case .insert(_, let values, _), .update(_, let values, _):
      Age.added.contains { (values[$0] ?? .null) != .null }
    case .increment(_, let property, _): Age.added.contains(property)
    case .delete, .addPair, .removePair: false
    }
  }
}
