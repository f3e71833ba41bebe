extension Device {
  /// Returns a reference to an object that the program sees, or nil if there is none.
  package func reference(to key: ObjectKey) throws -> ObjectReference? {
    guard let row = try store.shownRow(at: key) else { return nil }
    if let token = try store.waitingToken(originID: row.originID) {
      return ObjectReference(key, madeBy: token)
    }
    return ObjectReference(ObjectIdentity(key: key, originID: row.originID))
  }

  /// Applies a transaction of the program to the shown rows, and queues it for the server.
  ///
  /// - Parameters:
  ///   - operations: The changes. References to objects that the transaction itself inserts carry
  ///   `token`.
  ///   - token: The random identity of the transaction.
  ///   - wall: The wall clock, in milliseconds since 1970.
  /// - Returns: The forecast of the server's decision.
  /// - Throws: ``Rejection`` if the server would reject the transaction; nothing is queued then.
  @discardableResult package mutating func write(
    _ operations: [Operation],
    token: TransactionToken,
    wall: Int64
  ) throws -> Decision {
    var state = try store.state
    let transaction = state.nextTransaction(try withBases(operations), token: token, wall: wall)
    let decision: Decision
    switch try forecast(transaction) {
    case .rejected(let rejection): throw rejection
    case .needs: preconditionFailure("a device's store has all its rows")
    case .changes(let changes):
      decision = changes.decision
      try show(changes)
    }
    try store.setState(state)
    try store.appendWaiting(WaitingTransaction(transaction: transaction, forecast: decision))
    return decision
  }

  /// Returns the operations, with the values that the program saw before its updates.
  ///
  /// Only for entities whose rules ask for it: the base is as large as the object. An update of an object that the same
  /// transaction inserts needs no base, since no other device can have changed the object.
  private func withBases(_ operations: [Operation]) throws -> [Operation] {
    var views: [ObjectKey: PropertyList<PropertyValue>] = [:]
    var inserted: Set<ObjectKey> = []
    return try operations.map { operation in
      if case .insert(let key, _, _) = operation { inserted.insert(key) }
      guard case .update(let object, let values, _) = operation,
        let rules = rules[object.key.entity], rules.sendsBase, !inserted.contains(object.key),
        let base = try views[object.key] ?? base(at: object.key, rules)
      else { return operation }
      var view = base
      view.merge(values)
      views[object.key] = view
      return .update(object, values, base: base)
    }
  }

  /// Returns the values of an object that the program sees, or nil if there is none.
  ///
  /// Unconfirmed targets that waiting writes have set are references, so that the base follows them to their final IDs.
  /// Targets in the server's row stay IDs: on the device, another object may have this ID.
  private func base(
    at key: ObjectKey,
    _ rules: EntityRules
  ) throws -> PropertyList<PropertyValue>? {
    guard let shown = try store.shownRow(at: key) else { return nil }
    let server = try store.base(at: key).map(\.row) ?? shown
    guard var values = ProtocolRule.bases.holds ? shown.values : server?.values else { return nil }
    if let unreceived = try store.unreceived[key.entity] {
      values = values.filter { !unreceived.contains($0.property) }
    }
    for (property, entity) in rules.relations {
      guard let id = values[property]?.integerValue, id != 0,
        id != server?.values[property]?.integerValue
      else { continue }
      let target = ObjectKey(entity: entity, id: UInt64(bitPattern: id))
      if let reference = try reference(to: target), reference.maker != nil {
        values[property] = .target(reference)
      }
    }
    return values
  }

  /// Returns an ID for a new object: a leased one, or one of a random block before the first lease.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - randomBlock: Returns a block of random IDs above all leased ones, a different one at each call.
  /// - Returns: An ID that no object on this device has.
  /// - Throws: Errors of the store.
  package mutating func makeID(
    for entity: EntityUID,
    randomBlock: () -> IDBlock
  ) throws -> UInt64 {
    var state = try store.state
    while true {
      guard let index = state.leases.firstIndex(where: { $0.entity == entity }) else {
        state.leases.append(randomBlock())
        continue
      }
      let id = state.leases[index].ids.lowerBound
      if state.leases[index].ids.count > 1 {
        state.leases[index].ids = id + 1..<state.leases[index].ids.upperBound
      } else {
        state.leases.remove(at: index)
      }
      let key = ObjectKey(entity: entity, id: id)
      if try store.shownRow(at: key) == nil, try store.base(at: key)?.row == nil {
        try store.setState(state)
        return id
      }
    }
  }

  /// Adds a leased block of IDs; ignores a lease that arrives again.
  package mutating func receive(_ lease: Lease) throws {
    var state = try store.state
    let block = lease.block
    guard lease.device == state.device,
      block.ids.lowerBound >= state.leaseEnds[block.entity, default: 0]
    else { return }
    state.leases.append(block)
    state.leaseEnds[block.entity] = block.ids.upperBound
    try store.setState(state)
  }

  func forecast(_ transaction: SyncTransaction) throws -> Application {
    try .apply(
      transaction,
      at: transaction.time,
      to: store,
      rules: rules,
      side: .device,
      mayWrite: { _, _, _ in true }
    )
  }

  /// Applies the changes of a waiting transaction to the shown rows, and keeps the server's rows as bases.
  mutating func show(_ changes: Changes) throws {
    for (key, row) in changes.rows {
      let shown = try store.shownRow(at: key)
      guard shown != row else { continue }
      if try store.base(at: key) == nil {
        try store.setBase(shown.map(BaseRow.row) ?? .absent, at: key)
      }
      try store.setShownRow(row, at: key)
    }
  }
}
