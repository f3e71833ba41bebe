import ObjectBoxSyncProtocol

extension Checker {
  /// Checks a device after a cut; `state` is the hub's state at the cut's snapshot.
  func checkCut(
    _ cut: Cut,
    _ state: HubState,
    on device: TrialDevice
  ) throws {
    let store = device.device.store
    let shadow = store.shadow
    let sent = cut.scopes.elements.map(\.scope)
    guard Set(sent) == scopes(state) else {
      throw Wrong("a cut has other scopes than the user's rules", "device \(device.number)")
    }
    // Properties that the server does not know keep the values that the device last received.
    let found = store.hasLate ? shadow : shadow.mapValues { Age.first.reduced($0, .first) }
    let expected = state.rows.filter { isSeen($0.value, at: $0.key, cut.scopes) }
    guard found == expected else {
      throw Wrong(
        "a cut is not the hub's state",
        "device \(device.number): \(difference(found, expected))"
      )
    }
    try checkDigests(expected, on: device, cut)
    try checkView(of: store, over: shadow)
    try checkUniques(store.rows, "device \(device.number)")
    for waiting in store.queue { try checkForecast(waiting, on: device) }
  }

  /// Checks that the device tells the hashes that the hub has for the same rows.
  private func checkDigests(
    _ rows: [ObjectKey: Row],
    on device: TrialDevice,
    _ cut: Cut
  ) throws {
    guard device.age == .second, cut.scopes.isComplete else { return }
    // A reset changes the leases of a device.
    var copy = device.device
    let reset = Reset(state: try copy.stateKey, epoch: cut.cursor.epoch)
    guard let digests = try copy.receive(reset, size: 1) else { return }
    for element in digests.ranges.elements {
      var sum = ObjectSum()
      for (key, row) in rows where element.range.contains(key) {
        sum.add(device.age.reduced(row, device.server).digest(at: key), id: key.id)
      }
      if sum != element.sum { throw Wrong("equal rows have other digests", "\(element.range)") }
    }
  }

  /// Checks that a device shows what it has shown before a message that was no cut for it.
  func checkUnchanged(_ device: TrialDevice, _ before: TrialStore) throws {
    let store = device.device.store
    guard store.rows == before.rows, store.bases == before.bases else {
      throw Wrong(
        "a view changed without a cut",
        "device \(device.number): \(difference(store.rows, before.rows))"
      )
    }
  }

  /// Checks that a cut lowers no mark, which would take objects out of a view until they come again.
  ///
  /// - Parameters:
  ///   - cut: The cut.
  ///   - old: The device's scopes before it.
  ///   - lost: The scopes that the user has lost during a comparison: they may have come back.
  /// - Throws: ``Wrong``.
  func checkMarks(_ cut: Cut, _ old: ScopeMarks, lost: Set<Scope>) throws {
    for element in old.elements where !lost.contains(element.scope) {
      guard let mark = cut.scopes[element.scope] else { continue }
      switch (mark, element.mark) {
      case (.complete, _): continue
      case (.filled(let id), .filled(let before)) where id >= before: continue
      default: throw Wrong("a cut lowers a mark", "\(element.mark) to \(mark)")
      }
    }
  }

  private func isSeen(_ row: Row, at key: ObjectKey, _ marks: ScopeMarks) -> Bool {
    marks.elements.contains { element in
      guard element.scope.entity == key.entity,
        element.scope.comparisons.allSatisfy({ passes($0, row, key) })
      else { return false }
      return switch element.mark {
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

  /// Checks that a view is the hub's rows with what waits.
  private func checkView(of store: TrialStore, over shadow: [ObjectKey: Row]) throws {
    guard !store.queue.isEmpty else {
      if store.rows != shadow { throw Wrong("a view is not the hub's state with what waits") }
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
      var verdict = waiting.forecast
      switch application {
      case .needs: throw Wrong("a device needs rows")
      case .rejected(let rejection): verdict = .rejected(rejection)
      case .changes(let changes):
        verdict = changes.verdict
        for (key, row) in changes.rows { rows.setShownRow(row, at: key) }
      }
      rows.appendWaiting(WaitingTransaction(transaction: waiting.transaction, forecast: verdict))
    }
    guard rows.rows == store.rows else {
      throw Wrong(
        "a view is not the hub's state with what waits",
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
        let row = store.rows[identity.key], row.birth == identity.birth
      else { continue }
      throw Wrong("a waiting operation misses its object", "\(identity)")
    }
  }
}
