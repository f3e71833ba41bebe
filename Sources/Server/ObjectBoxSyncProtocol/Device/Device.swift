/// The protocol on a device, over the state in its store.
///
/// Each call is one write transaction of the store, so its changes are durable together or not at all.
package struct Device<Store: DeviceStore> {
  /// The durable state.
  package var store: Store
  /// The rules of all entities.
  package let rules: SyncRules
  /// The number of ranges in digests.
  ///
  /// At twice this number, the first digests of a large store put more objects into each range; later digests leave
  /// further ranges to the next step.
  package var digestLimit = 1 << 16

  /// Creates the protocol over a store.
  package init(store: Store, rules: SyncRules) {
    self.store = store
    self.rules = rules
  }

  /// The key of the state that the device has received.
  package var stateKey: StateKey {
    get throws {
      let state = try store.state
      return StateKey(device: state.device, edition: state.edition)
    }
  }

  /// Returns the oldest waiting transactions, up to the first one with parts that the server's model lacks.
  ///
  /// - Parameters:
  ///   - first: The number of waiting transactions to leave out, since they were sent already.
  ///   - limit: The number of transactions at most.
  /// - Returns: The upload; it can be empty.
  /// - Throws: Errors of the store.
  package func upload(from first: Int = 0, limit: Int) throws -> Upload {
    let end = try min(store.waitingCount, first + limit)
    var transactions: [SyncTransaction] = []
    let limits = try uploadedParts
    for index in first..<max(first, end) {
      let transaction = try store.waiting(at: index).transaction
      if limits?.unknownPart(of: transaction) != nil { break }
      transactions.append(transaction)
    }
    let state = try store.state
    return Upload(device: state.device, seen: state.seen, transactions: transactions)
  }

  /// Returns the request for the next delta.
  package func deltaRequest() throws -> DeltaRequest {
    let state = try store.state
    return DeltaRequest(
      state: try stateKey,
      cursor: state.cursor,
      scopes: state.scopes,
      confirmed: state.confirmed
    )
  }

  /// Processes a reply of the server.
  ///
  /// An acknowledgement changes nothing in the store.
  ///
  /// - Parameters:
  ///   - reply: The answer.
  ///   - makeIdentity: Returns a random identity.
  /// - Throws: Errors of the store.
  package mutating func receive(
    _ reply: ServerReply,
    makeIdentity: () -> DeviceIdentity
  ) throws {
    switch reply {
    case .forked(let device):
      if try device == store.state.device { try fork(as: makeIdentity()) }
    case .acknowledged(let device, let last):
      #if SYNC_MUTATIONS
        guard !ProtocolRule.confirmationByDelta.holds, try device == store.state.device else {
          return
        }
        try confirmAcknowledged(upTo: last)
      #else
        _ = (device, last)
      #endif
    }
  }

  /// Takes a new identity, since another store uses the old one.
  ///
  /// Keeps the waiting transactions.
  mutating func fork(as identity: DeviceIdentity) throws {
    var state = try store.state
    state.device = identity
    state.edition = state.nextEdition
    state.confirmed = 0
    state.leases = []
    state.leaseEnds = [:]
    try store.removeStagingArea()
    if ProtocolRule.forkRenumbers.holds {
      state.sequence = 0
      state.lastToken = nil
      for index in 0..<(try store.waitingCount) {
        var waiting = try store.waiting(at: index)
        state.sequence += 1
        waiting.transaction.sequence = state.sequence
        waiting.transaction.previous = state.lastToken
        state.lastToken = waiting.transaction.token
        try store.setWaiting(waiting, at: index)
      }
    }
    try store.setState(state)
  }

  #if SYNC_MUTATIONS
    /// Removes the effects of acknowledged transactions from the shown rows before a delta contains them.
    private mutating func confirmAcknowledged(upTo last: UInt64) throws {
      try unwind()
      for index in 0..<(try store.waitingCount) {
        var waiting = try store.waiting(at: index)
        if waiting.transaction.sequence <= last { waiting.isAcknowledged = true }
        try store.setWaiting(waiting, at: index)
      }
      try replay()
    }
  #endif
}
