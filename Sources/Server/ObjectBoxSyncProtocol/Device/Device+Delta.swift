/// The result of receiving a delta.
package enum DeltaResult: Hashable, Sendable {
  /// The device shows the delta's state and, on top, its waiting transactions.
  case taken
  /// The delta was made for another state of the device, or for parts that it has not staged.
  case ignored
  /// Another store uses the device's identity; the device has taken a new one.
  case forked
}

extension Device {
  /// Replaces the server's rows by the rows of a later state, and applies the waiting transactions to them again.
  ///
  /// - Parameters:
  ///   - delta: The delta.
  ///   - makeIdentity: Returns a random identity.
  /// - Returns: The result.
  /// - Throws: Errors of the store.
  /// - Complexity: O(*c* + *w*) for *c* objects in the delta and the staged parts and *w* waiting
  ///   operations.
  package mutating func receive(
    _ delta: Delta,
    makeIdentity: () -> DeviceIdentity
  ) throws -> DeltaResult {
    guard try delta.state == stateKey || !ProtocolRule.deltaState.holds else { return .ignored }
    // A delta without staged parts is complete in itself.
    guard try delta.stagingArea == 0 || hasStaged(delta.stagingArea) else { return .ignored }
    // All decisions are compared with the waiting transactions before anything is applied.
    guard try areOfThisStore(delta.decisions) else {
      try fork(as: makeIdentity())
      return .forked
    }
    try unwind()
    var state = try store.state
    try confirm(delta.decisions)
    if let last = delta.decisions.last { state.confirmed = last.sequence }
    if delta.stagingArea != 0 { try replaceRows(byStaged: &state.seen) }
    try store.removeStagingArea()
    try replaceRows(by: delta, before: state.scopes)
    state.seen = max(state.seen, delta.rows.latest)
    // The server has no record of a new identity that would keep its later writes after the decided ones.
    if ProtocolRule.decidedTimes.holds { state.seen = max(state.seen, delta.decidedTime) }
    if ProtocolRule.receivedStamps.holds { state.time = max(state.time, state.seen) }
    state.cursor = delta.cursor
    state.scopes = delta.scopes
    state.edition = state.nextEdition
    try store.setState(state)
    try noteReceived()
    try replay()
    return .taken
  }

  private func areOfThisStore(_ decisions: [SequencedDecision]) throws -> Bool {
    guard ProtocolRule.decisionTokens.holds else { return true }
    guard try decisions.count <= store.waitingCount else { return false }
    for (index, decision) in decisions.enumerated() {
      let transaction = try store.waiting(at: index).transaction
      guard transaction.sequence == decision.sequence, transaction.token == decision.token else {
        return false
      }
    }
    return true
  }

  /// Removes the decided transactions, the oldest waiting ones, and reports their decisions; renames the objects that
  /// the other transactions refer to.
  private mutating func confirm(_ decisions: [SequencedDecision]) throws {
    var outcomes: [TransactionToken: MakerOutcome?] = [:]
    for decision in decisions where try store.waitingCount > 0 {
      var transaction = try store.waiting(at: 0).transaction
      transaction.confirmReferences(outcomes)
      try store.removeFirstWaiting()
      try store.tell(ToldDecision(transaction: transaction, decision: decision.decision))
      outcomes[transaction.token] = .some(decision.decision.outcome)
    }
    guard !outcomes.isEmpty else { return }
    for index in 0..<(try store.waitingCount) {
      var waiting = try store.waiting(at: index)
      if waiting.transaction.confirmReferences(outcomes) {
        try store.setWaiting(waiting, at: index)
      }
    }
  }

  private mutating func replaceRows(by delta: Delta, before old: ScopeProgress) throws {
    try forgetRows(in: delta.ranges)
    if delta.scopes.areLower(than: old) {
      try forgetRows(in: allKeys) { key, row in !delta.scopes.contain(row.values, at: key) }
    }
    for key in delta.leaves { try store.setShownRow(nil, at: key) }
    try store.setShownRows(delta.rows)
  }

  /// Applies the rows of the staged parts.
  ///
  /// - Parameter seen: The greatest time among the server's rows; raised by the staged ones.
  /// - Throws: Errors of the store.
  private mutating func replaceRows(byStaged seen: inout HybridTime) throws {
    var index = 0
    while let piece = try store.stagedPiece(at: index) {
      try replaceRows(by: piece)
      seen = max(seen, piece.rows.latest)
      try store.releaseRows()
      index += 1
    }
  }

  /// Replaces the shown rows in the ranges of a part by the part's rows.
  mutating func replaceRows(by part: ResetPart) throws {
    try forgetRows(in: part.ranges)
    try store.setShownRows(part.rows)
  }

  private mutating func forgetRows(
    in ranges: [KeyRange],
    where isGone: (ObjectKey, Row) -> Bool = { _, _ in true }
  ) throws {
    if ranges.isEmpty { return }
    var gone: [ObjectKey] = []
    try store.forEachShownRow(in: ranges) { key, row in
      if isGone(key, row) { gone.append(key) }
      return true
    }
    for key in gone { try store.setShownRow(nil, at: key) }
  }

  /// Restores the server's rows in place of the shown ones, and removes the bases.
  mutating func unwind() throws {
    guard ProtocolRule.rebase.holds else { return }
    for key in try store.baseKeys {
      try store.setShownRow(try store.base(at: key)?.row, at: key)
    }
    try store.removeBases()
  }

  /// Applies the waiting transactions to the server's rows.
  ///
  /// Leaves out transactions that the server would reject.
  mutating func replay() throws {
    guard ProtocolRule.rebase.holds else { return }
    for index in 0..<(try store.waitingCount) {
      var waiting = try store.waiting(at: index)
      #if SYNC_MUTATIONS
        if waiting.isAcknowledged { continue }
      #endif
      let before = waiting.forecast
      switch try forecast(waiting.transaction) {
      case .needs: preconditionFailure("a device's store has all its rows")
      case .rejected(let rejection): waiting.forecast = .rejected(rejection)
      case .changes(let changes):
        waiting.forecast = changes.decision
        try show(changes)
      }
      if waiting.forecast != before { try store.setWaiting(waiting, at: index) }
    }
  }
}

extension SyncTransaction {
  /// Replaces references to objects of confirmed transactions by references without a maker.
  ///
  /// - Parameter outcomes: The effects by transaction, nil for rejected ones. Afterwards, a reference to an object of a
  ///   rejected transaction leads to no object.
  /// - Returns: True if the transaction changed.
  @discardableResult mutating func confirmReferences(
    _ outcomes: [TransactionToken: MakerOutcome?]
  ) -> Bool {
    guard ProtocolRule.renames.holds, !outcomes.isEmpty else { return false }
    var hasChanged = false
    for index in operations.indices {
      let operation = operations[index].mapReferences { reference in
        guard let maker = reference.maker, let outcome = outcomes[maker] else { return reference }
        let new =
          ProtocolRule.toldIdentities.holds ? outcome?.identity(of: reference.key) : outcome?.first
        return ObjectReference((new ?? nil) ?? reference.identity)
      }
      guard operation != operations[index] else { continue }
      operations[index] = operation
      hasChanged = true
    }
    return hasChanged
  }
}
