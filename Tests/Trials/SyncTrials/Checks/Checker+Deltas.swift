import ObjectBoxSyncProtocol

extension Checker {
  /// Checks a device after a delta; `state` is the server's state at the delta's snapshot.
  func checkDelta(
    _ delta: Delta,
    _ state: ServerState,
    on device: TrialDevice
  ) throws {
    let store = device.device.store
    let shadow = store.shadow
    let sent = delta.scopes.elements.map(\.scope)
    guard Set(sent) == scopes(state) else {
      throw Wrong("a delta has other scopes than the user's rules", "device \(device.number)")
    }
    // Properties that the server does not know keep the values that the device last received.
    let found = store.hasLate ? shadow : shadow.mapValues { Age.first.reduced($0, .first) }
    let expected = state.rows.filter { isSeen($0.value, at: $0.key, delta.scopes) }
    guard found == expected else {
      throw Wrong(
        "a delta is not the server's state",
        "device \(device.number): \(difference(found, expected))"
      )
    }
    try checkDigests(expected, on: device, delta)
    try checkView(of: store, over: shadow)
    try checkUniques(store.rows, "device \(device.number)")
    for waiting in store.queue { try checkForecast(waiting, on: device) }
  }

  /// Checks that the device tells the hashes that the server has for the same rows.
  private func checkDigests(
    _ rows: [ObjectKey: Row],
    on device: TrialDevice,
    _ delta: Delta
  ) throws {
    guard device.age == .second, delta.scopes.isComplete else { return }
    // A reset changes the leases of a device.
    var copy = device.device
    let reset = Reset(state: try copy.stateKey, epoch: delta.cursor.epoch)
    guard let digests = try copy.receive(reset, size: 1) else { return }
    for element in digests.ranges.elements {
      var sum = ObjectSum()
      for (key, row) in rows where element.range.contains(key) {
        sum.add(device.age.reduced(row, device.server).digest(at: key), id: key.id)
      }
      if sum != element.sum { throw Wrong("equal rows have other digests", "\(element.range)") }
    }
  }

  /// Checks that a device shows what it has shown before a message that was no delta for it.
  func checkUnchanged(_ device: TrialDevice, _ before: TrialStore) throws {
    let store = device.device.store
    guard store.rows == before.rows, store.bases == before.bases else {
      throw Wrong(
        "a view changed without a delta",
        "device \(device.number): \(difference(store.rows, before.rows))"
      )
    }
  }

  /// Checks that a delta lowers no progress, which would take objects out of a view until they come again.
  ///
  /// - Parameters:
  ///   - delta: The delta.
  ///   - old: The device's scopes before it.
  ///   - lost: The scopes that the user has lost during a comparison: they may have come back.
  /// - Throws: ``Wrong``.
  func checkProgress(_ delta: Delta, _ old: ScopeProgress, lost: Set<Scope>) throws {
    for element in old.elements where !lost.contains(element.scope) {
      guard let progress = delta.scopes[element.scope] else { continue }
      switch (progress, element.progress) {
      case (.complete, _): continue
      case (.filled(let id), .filled(let before)) where id >= before: continue
      default:
        throw Wrong("a delta lowers a scope's progress", "\(element.progress) to \(progress)")
      }
    }
  }

  private func isSeen(_ row: Row, at key: ObjectKey, _ progress: ScopeProgress) -> Bool {
    progress.elements.contains { element in
      guard element.scope.entity == key.entity,
        element.scope.comparisons.allSatisfy({ passes($0, row, key) })
      else { return false }
      return switch element.progress {
      case .complete: true
      case .filled(let id): key.id <= id
      }
    }
  }

  /// By the forms of comparisons that the rules of the trials have.
  private func passes(_ comparison: Scope.Comparison, _ row: Row, _ key: ObjectKey) -> Bool {
    switch comparison.test {
    case .isObject: comparison.value == .integer(Int64(bitPattern: key.id))
    case .atLeast:
      (row.values[comparison.property]?.integerValue ?? .min) >= comparison.value.integerValue
        ?? .max
    default: comparison.value == row.values[comparison.property]
    }
  }

  /// Checks that a view is the server's rows with what waits.
  private func checkView(of store: TrialStore, over shadow: [ObjectKey: Row]) throws {
    guard !store.queue.isEmpty else {
      if store.rows != shadow { throw Wrong("a view is not the server's state with what waits") }
      return
    }
    var rows = TrialStore(device: store.state.device, store.age)
    for (key, row) in shadow { rows.setShownRow(row, at: key) }
    for waiting in store.queue {
      let application = try Application.apply(
        waiting.transaction,
        at: waiting.transaction.time,
        to: rows,
        rules: store.age.rules,
        side: .device,
        mayWrite: { _, _, _ in true }
      )
      var decision = waiting.forecast
      switch application {
      case .needs: throw Wrong("a device needs rows")
      case .rejected(let rejection): decision = .rejected(rejection)
      case .changes(let changes):
        decision = changes.decision
        for (key, row) in changes.rows { rows.setShownRow(row, at: key) }
      }
      rows.appendWaiting(WaitingTransaction(transaction: waiting.transaction, forecast: decision))
    }
    guard rows.rows == store.rows else {
      throw Wrong(
        "a view is not the server's state with what waits",
        difference(store.rows, rows.rows)
      )
    }
  }

  /// Checks that a waiting operation finds its object if the device shows it.
  private func checkForecast(_ waiting: WaitingTransaction, on device: TrialDevice) throws {
    guard waiting.forecast != .accepted else { return }
    let token = waiting.transaction.token
    device.expectFlicker(of: waiting)
    guard case .merged(let dropped, _) = waiting.forecast, let meant = meant[token] else { return }
    let store = device.device.store
    for drop in dropped where drop.reason == .deleted || drop.reason == .otherObject {
      guard !waiting.transaction.mayRemove(before: drop.index),
        let identity = identity(of: meant[drop.index].object, on: store),
        let row = store.rows[identity.key], row.originID == identity.originID
      else { continue }
      throw Wrong("a waiting operation misses its object", "\(identity)")
    }
  }
}
