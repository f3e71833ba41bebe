import ObjectBoxSyncProtocol

extension Checker {
  /// Returns the identity of the object that an operation is meant for, or nil if it was not made.
  ///
  /// The server's decision about the making transaction tells the identity. An operation whose
  /// reference has no maker any more follows the decision that its device was told instead. The two
  /// differ after a restored server has lost the decision and a copied device has uploaded the making
  /// transaction again: the device's program has seen the told object.
  ///
  /// - Parameters:
  ///   - object: The object as the program meant it.
  ///   - reference: The operation's reference to the object; nil for an insert.
  ///   - told: The decisions that the operation's device was told.
  ///   - decided: The server's decided transactions.
  /// - Returns: The identity.
  func identity(
    of object: Meant.Object,
    by reference: ObjectReference?,
    told: [ToldDecision],
    _ decided: [TransactionToken: DecidedTransaction]
  ) -> ObjectIdentity? {
    guard case .made(let key, let maker) = object else {
      guard case .row(let identity) = object else { return nil }
      return identity
    }
    let made = ObjectIdentity(key: key, originID: maker.originID)
    guard let reference, reference.maker == nil else {
      guard let decision = decided[maker] else { return made }
      return decision.decision.outcome?.identity(of: key, madeBy: maker)
    }
    guard let decision = told.last(where: { $0.transaction.token == maker })?.decision else {
      return nil
    }
    // After a told rejection the object exists only if the server has lost the rejection and has made
    // the object since.
    var identity: ObjectIdentity? = made
    if let outcome = decision.outcome { identity = outcome.identity(of: key, madeBy: maker) }
    guard let identity else { return nil }
    if let outcome = decided[maker]?.decision.outcome,
      isOther(identity, than: key, madeBy: maker, outcome)
    {
      return nil
    }
    return identity
  }

  /// Returns the identity that an object has in what a device shows, or nil if it is not made.
  ///
  /// A copied device can receive an object of its own queue and forecast another decision than the
  /// server's, since the server has decided over earlier rows. The decision corrects the forecast.
  func identity(of object: Meant.Object, on store: TrialStore) -> ObjectIdentity? {
    switch object {
    case .row(let identity): return identity
    case .made(let key, let maker):
      let told = store.told.last { $0.transaction.token == maker }?.decision
      return (store.forecast(of: maker) ?? told)?.outcome?.identity(of: key, madeBy: maker)
    }
  }

  /// Returns true if a transaction gave an identity to another of its objects.
  private func isOther(
    _ identity: ObjectIdentity,
    than key: ObjectKey,
    madeBy maker: TransactionToken,
    _ outcome: MakerOutcome
  ) -> Bool {
    guard outcome.identity(of: key, madeBy: maker) != identity else { return false }
    return meant[maker]?.contains { meant in
      guard case .made(let other, maker) = meant.object, other != key else { return false }
      return outcome.identity(of: other, madeBy: maker) == identity
    } == true
  }
}

extension MakerOutcome {
  /// Returns the identity of an object that the transaction made, or nil if it was not made.
  fileprivate func identity(of made: ObjectKey, madeBy maker: TransactionToken) -> ObjectIdentity? {
    guard let new = identity(of: made) else {
      return ObjectIdentity(key: made, originID: maker.originID)
    }
    return new
  }
}

extension Operation {
  /// The reference to the changed object; nil for an insert.
  var reference: ObjectReference? {
    switch self {
    case .insert: nil
    case .update(let object, _, _), .increment(let object, _, _), .delete(let object),
      .addPair(let object, _, _), .removePair(let object, _, _, _):
      object
    }
  }

  /// The reference to the target of a pair or of the to-one relation.
  var target: ObjectReference? {
    switch self {
    case .insert(_, let values, _), .update(_, let values, _):
      guard case .target(let target) = values[TrialModel.parent] else { return nil }
      return target
    case .addPair(_, _, let target), .removePair(_, _, let target, _): return target
    case .increment, .delete: return nil
    }
  }
}
