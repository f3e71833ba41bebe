import ObjectBoxSyncProtocol

extension Checker {
  /// Checks that updates of objects with a function have what the function makes of the view that
  /// their program had, and that the function was called only for rows that differ from this view.
  ///
  /// `objects` are the identities of the objects that the operations are meant for.
  func checkResolutions(
    _ objects: [ObjectIdentity?],
    _ decided: TrialServer.Decided,
    _ server: TrialServer
  ) throws {
    guard let changes = decided.changes, let views = views[decided.transaction.token],
      !views.isEmpty, !decided.transaction.hasChosenIDs
    else { return }
    for (index, view) in views {
      guard let object = objects[index],
        case .update(_, let values, let base) = decided.transaction.operations[index],
        !changes.dropped.contains(where: { $0.index == index && $0.isWhole }),
        let before = decided.row(object.key, server), before.originID == object.originID,
        let after = changes.rows[object.key] ?? before
      else { continue }
      for property in Self.watched {
        let expected = merged(property, of: values, over: view, before)
        guard after.values[property] != expected else { continue }
        throw Wrong(
          "a conflict has another result than its function gives",
          "\(object): \(String(describing: expected)), not \(after.values): "
            + brief(decided.transaction)
        )
      }
      if hasForgottenTarget(base, server) { continue }
      // The program may have seen a target by an ID that was provisional, and that another object has.
      if let seen = target(in: base, server), seen != before.values[TrialModel.parent]?.integerValue
      {
        continue
      }
      try checkCalls(of: object, values, over: view, before, after, decided)
    }
  }

  /// Returns true if the server does not know any more which object the target of a base is.
  private func hasForgottenTarget(_ base: PropertyList<PropertyValue>?, _ server: TrialServer)
    -> Bool
  {
    guard case .target(let reference) = base?[TrialModel.parent], let maker = reference.maker else {
      return false
    }
    return server.decided[maker] != nil && server.known(maker) == nil
  }

  /// Returns the ID that the target of a base has now, 0 if it was not made; nil for a base without a
  /// target.
  private func target(in base: PropertyList<PropertyValue>?, _ server: TrialServer) -> Int64? {
    guard case .target(let reference) = base?[TrialModel.parent] else { return nil }
    let maker = reference.maker.flatMap { server.decided[$0] }
    let outcome = maker?.decision.outcome
    // The row may lead to another object with the ID, which the device had given away before.
    if maker != nil, outcome == nil { return 0 }
    let made = outcome?.identity(of: reference.key) ?? nil
    return Int64(bitPattern: made?.key.id ?? reference.key.id)
  }

  private func merged(
    _ property: PropertyUID,
    of values: PropertyList<PropertyValue>,
    over view: PropertyList<PropertyValue>,
    _ before: Row
  ) -> PropertyValue? {
    let theirs = before.values[property]
    // What the device did not know is as the server has it.
    let base = property == TrialModel.late ? view[property] ?? theirs : view[property]
    guard let mine = values[property], mine != base else { return theirs }
    guard theirs != base, let other = TrialValue.number(theirs), let own = TrialValue.number(mine)
    else {
      return mine
    }
    return TrialValue.make(max(own, other))
  }

  /// Checks the progress that the function leaves at each call.
  private func checkCalls(
    of object: ObjectIdentity,
    _ values: PropertyList<PropertyValue>,
    over view: PropertyList<PropertyValue>,
    _ before: Row,
    _ after: Row,
    _ decided: TrialServer.Decided
  ) throws {
    let isLateUnseen = Age.added.prefix(1).contains { property in
      guard let seen = view[property], let own = before.values[property] else { return false }
      return seen != own
    }
    let isUnseen =
      isLateUnseen
      || [
        TrialModel.owner, TrialModel.code, TrialModel.first, TrialModel.second, TrialModel.rank,
        TrialModel.region,
      ].contains { view[$0] != before.values[$0] }
    func parent(_ values: PropertyList<PropertyValue>) -> Int64 {
      values[TrialModel.parent]?.integerValue ?? 0
    }
    // The program may have seen a target by an ID that was provisional.
    if !isUnseen, parent(view) != parent(before.values) { return }
    func progress(_ row: Row) -> Int64 { row.values[TrialModel.region]?.integerValue ?? 0 }
    let isCalled = progress(after) != progress(before)
    if isCalled == isUnseen { return }
    throw Wrong(
      isCalled
        ? "a function was called for a row that the program had seen"
        : "a function was not called for a conflict",
      "\(object), seen as \(view), was \(before.values): \(brief(decided.transaction))"
    )
  }
}

extension DroppedOperation {
  /// True if the operation found no object.
  fileprivate var isWhole: Bool { reason == .deleted || reason == .otherObject }
}

extension SyncTransaction {
  /// True if an insert may update an object that exists.
  fileprivate var hasChosenIDs: Bool {
    operations.contains { operation in
      guard case .insert(_, _, .chosen) = operation else { return false }
      return true
    }
  }
}

extension Operation {
  /// True if the operation changes other values of its object than counters.
  var setsValues: Bool {
    switch self {
    case .insert, .update, .delete: true
    case .increment, .addPair, .removePair: false
    }
  }
}
