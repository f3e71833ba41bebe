/// The result of a cut that arrived.
package enum CutResult: Hashable, Sendable {
  /// The device shows the cut's state with what waits.
  case taken
  /// The cut was made for another state of the device, or for parts that it has not staged.
  case ignored
  /// Another store uses the device's identity; the device has a new one.
  case forked
}

extension Device {
  /// Replaces the hub's rows by those of a later state, and applies what waits to them again.
  ///
  /// - Parameters:
  ///   - cut: The cut.
  ///   - makeIdentity: Returns a random identity.
  /// - Returns: What became of the cut.
  /// - Throws: What the store throws.
  /// - Complexity: O(*c* + *w*) for *c* objects in the cut and the staged parts and *w* waiting
  ///   operations.
  package mutating func receive(
    _ cut: Cut,
    makeIdentity: () -> DeviceIdentity
  ) throws -> CutResult {
    guard try cut.state == stateKey || !ProtocolRule.cutState.holds else { return .ignored }
    // A cut without staged parts is complete in itself.
    guard try cut.stage == 0 || hasStaged(cut.stage) else { return .ignored }
    // Nothing is applied before all verdicts were compared with what waits.
    guard try areOfThisStore(cut.verdicts) else {
      try fork(as: makeIdentity())
      return .forked
    }
    try unwind()
    var state = try store.state
    try confirm(cut.verdicts)
    if let last = cut.verdicts.last { state.confirmed = last.sequence }
    if cut.stage != 0 { try replaceRows(byStaged: &state.seen) }
    try store.removeStage()
    try replaceRows(by: cut, before: state.scopes)
    state.seen = max(state.seen, cut.rows.latest)
    // A new identity has no record at the hub that keeps later writes after the decided ones.
    if ProtocolRule.decidedTimes.holds { state.seen = max(state.seen, cut.decidedTime) }
    if ProtocolRule.receivedStamps.holds { state.time = max(state.time, state.seen) }
    state.cursor = cut.cursor
    state.scopes = cut.scopes
    state.edition = state.nextEdition
    try store.setState(state)
    try noteReceived()
    try replay()
    return .taken
  }

  private func areOfThisStore(_ verdicts: [SequencedVerdict]) throws -> Bool {
    guard ProtocolRule.verdictTokens.holds else { return true }
    guard try verdicts.count <= store.waitingCount else { return false }
    for (index, verdict) in verdicts.enumerated() {
      let transaction = try store.waiting(at: index).transaction
      guard transaction.sequence == verdict.sequence, transaction.token == verdict.token else {
        return false
      }
    }
    return true
  }

  /// Tells the oldest waiting transactions their verdicts, and renames what the others refer to.
  private mutating func confirm(_ verdicts: [SequencedVerdict]) throws {
    var outcomes: [TransactionToken: MakerOutcome?] = [:]
    for verdict in verdicts where try store.waitingCount > 0 {
      var transaction = try store.waiting(at: 0).transaction
      transaction.confirmReferences(outcomes)
      try store.removeFirstWaiting()
      try store.tell(ToldVerdict(transaction: transaction, verdict: verdict.verdict))
      outcomes[transaction.token] = .some(verdict.verdict.outcome)
    }
    guard !outcomes.isEmpty else { return }
    for index in 0..<(try store.waitingCount) {
      var waiting = try store.waiting(at: index)
      if waiting.transaction.confirmReferences(outcomes) {
        try store.setWaiting(waiting, at: index)
      }
    }
  }

  private mutating func replaceRows(by cut: Cut, before old: ScopeMarks) throws {
    try forgetRows(in: cut.ranges)
    if cut.scopes.areLower(than: old) {
      try forgetRows(in: allKeys) { key, row in !cut.scopes.contain(row.values, at: key) }
    }
    for key in cut.leaves { try store.setShownRow(nil, at: key) }
    try store.setShownRows(cut.rows)
  }

  /// Takes the rows of the staged parts.
  ///
  /// - Parameter seen: The greatest time among the hub's rows, which is raised.
  /// - Throws: What the store throws.
  private mutating func replaceRows(byStaged seen: inout HybridTime) throws {
    var index = 0
    while let piece = try store.stagedPiece(at: index) {
      try replaceRows(by: piece)
      seen = max(seen, piece.rows.latest)
      try store.releaseRows()
      index += 1
    }
  }

  /// Shows the hub's rows of a part of a reset.
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

  /// Shows the hub's rows alone.
  mutating func unwind() throws {
    guard ProtocolRule.rebase.holds else { return }
    for key in try store.baseKeys {
      try store.setShownRow(try store.base(at: key)?.row, at: key)
    }
    try store.removeBases()
  }

  /// Applies what waits to the hub's rows.
  ///
  /// A transaction that the hub would reject is left out.
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
        waiting.forecast = changes.verdict
        try show(changes)
      }
      if waiting.forecast != before { try store.setWaiting(waiting, at: index) }
    }
  }
}

extension SyncTransaction {
  /// Replaces references to objects of confirmed transactions: they need no maker any more.
  ///
  /// - Parameter outcomes: The effects by transaction, nil for rejected ones. A reference to an object
  ///   of a rejected transaction leads to no object afterwards.
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
