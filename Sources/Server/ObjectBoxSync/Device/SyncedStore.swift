package import ObjectBox
package import ObjectBoxSyncProtocol

/// A store whose synchronized entities are kept equal to a server's.
///
/// From the first instance on until the store closes, each write transaction of the program queues
/// its changes for the server. Each function is one transaction of the store, and may be called on
/// any thread outside of the thread's own transaction.
package final class SyncedStore: Sendable {
  let store: Store
  let capture: CommitCapture
  private let token: NotificationToken
  /// Emits after each commit that changed synchronized entities; there may be something to send.
  package let changes: AsyncStream<Void>

  /// Begins to queue the changes of a store.
  ///
  /// Objects that were stored before the first time are queued as new ones. Other threads can write in the meantime.
  ///
  /// - Parameter store: An open store.
  /// - Throws: ``ObjectBoxError/illegalState(message:)`` when no entity is synchronized, when the store is read-only,
  ///   or when other processes may write to it; other errors when the file cannot be written.
  package init(_ store: Store) throws {
    self.store = store
    capture = try Self.capture(of: store)
    try Self.adopt(in: store, capture)
    let (changes, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    self.changes = changes
    token = store.subscribe(
      CommitSignal { continuation.yield() },
      to: CommitInterest(entities: capture.model.numbers, includesSilentCommits: true),
      onEnd: { continuation.finish() }
    )
  }

  // MARK: Sending

  /// Returns the device's identity, and the descriptions of its entities.
  ///
  /// - Throws: ``ObjectBoxError`` when the store is closed or damaged.
  package func hello() throws -> (device: DeviceIdentity, model: [EntityDescription]) {
    (try reading { $0.state.device }, capture.model.descriptions)
  }

  /// Sets the parts of the model that the server shares; must be called at each login, before anything else is sent or
  /// received.
  ///
  /// - Parameter shared: The entities, properties and relations that both know.
  /// - Throws: ``ObjectBoxError`` when the store cannot be written.
  package func begin(_ shared: [EntityDescription]) throws {
    let parts = ModelParts(shared)
    if try reading({ try $0.models?.shared }) == parts { return }
    try applying { try $0.begin(parts) }
  }

  /// Returns the first part with a conflict rule that differs from the server's, in words.
  ///
  /// - Parameter shared: The shared entities, properties and relations, in the server's description.
  /// - Returns: The part, or nil if all rules are equal.
  package func otherRule(in shared: [EntityDescription]) -> String? {
    capture.model.otherRule(in: shared)
  }

  /// Returns a part of a waiting transaction that the server's model lacks, in words; it prevents the upload.
  ///
  /// - Parameter index: The position in the queue.
  /// - Returns: The part; nil if the transaction can be uploaded, and if there is no transaction.
  /// - Throws: ``ObjectBoxError`` when the store is closed or damaged.
  package func unknownPart(ofWaiting index: Int) throws -> String? {
    let part = try reading { stored in
      guard index < stored.waitingCount else { return nil as ModelPart? }
      return try Device(store: stored, rules: rules).unknownPart(ofWaiting: index)
    }
    return part.map(capture.model.words)
  }

  /// Returns the oldest waiting transactions, up to the first one with parts that the server's model lacks.
  ///
  /// - Parameters:
  ///   - first: The number of waiting transactions to leave out, since they were sent already.
  ///   - limit: The number of transactions at most.
  /// - Returns: The upload; it can be empty.
  /// - Throws: ``ObjectBoxError`` when the store is closed or damaged.
  package func upload(from first: Int = 0, limit: Int) throws -> Upload {
    try reading { try Device(store: $0, rules: rules).upload(from: first, limit: limit) }
  }

  /// The number of transactions that wait for their decisions.
  package var waitingCount: Int { get throws { try reading { $0.waitingCount } } }

  /// Returns the request for the next delta.
  ///
  /// - Throws: ``ObjectBoxError`` when the store is closed or damaged.
  package func deltaRequest() throws -> DeltaRequest {
    try reading { try Device(store: $0, rules: rules).deltaRequest() }
  }

  /// Makes the server compare all objects at the next request; see ``Device/compareAnew()``.
  ///
  /// - Throws: ``ObjectBoxError`` when the store cannot be written.
  package func compareAnew() throws { try applying { try $0.compareAnew() } }

  /// Returns requests for IDs of entities with few unused leased IDs.
  ///
  /// - Parameter minimum: The number of unused leased IDs that an entity should have.
  /// - Returns: One request for each such entity.
  /// - Throws: ``ObjectBoxError`` when the store is closed or damaged.
  package func lendsNeeded(minimum: Int = 500) throws -> [Lend] {
    try reading { device in
      device.leasedCounts.filter { $0.count < minimum }.map {
        Lend(device: device.state.device, entity: $0.entity)
      }
    }
  }

  // MARK: Receiving

  /// Applies a delta: objects, relations and the queue change in one transaction, and observers get one commit.
  ///
  /// - Parameter delta: The delta.
  /// - Returns: The result.
  /// - Throws: ``ObjectBoxError`` when the store cannot be written; nothing changes then.
  @discardableResult package func receive(_ delta: Delta) throws -> DeltaResult {
    try applying { device in
      let result = try device.receive(delta, makeIdentity: DeviceIdentity.random)
      if result == .forked { device.store.openBlocks() }
      return result
    }
  }

  /// Processes a reply of the server; see ``Device/receive(_:makeIdentity:)``.
  ///
  /// - Throws: ``ObjectBoxError`` when the store cannot be written.
  package func receive(_ reply: ServerReply) throws {
    guard case .forked = reply else { return }
    try applying { device in
      try device.receive(reply, makeIdentity: DeviceIdentity.random)
      device.store.openBlocks()
    }
  }

  /// Hashes the server's rows in the store, or the rows that remain to be compared if parts of the reset are staged.
  ///
  /// A separate transaction reads the hashes, so that the program can write in the meantime.
  ///
  /// - Parameters:
  ///   - reset: The server's answer to a request with a useless cursor.
  ///   - size: The greatest number of objects in a range, at least 1.
  /// - Returns: The hashes, or nil if the reset is not for the store's state.
  /// - Throws: ``ObjectBoxError`` when the store cannot be written.
  package func receive(_ reset: Reset, size: Int) throws -> Digests? {
    let rules = rules
    if try reading({ try Device(store: $0, rules: rules).mustPrepare(for: reset) }) {
      try applying { device in
        let leases = device.store.state.leases
        try device.prepare(for: reset)
        if device.store.state.leases != leases { device.store.openBlocks() }
      }
    }
    return try reading { try Device(store: $0, rules: rules).digests(for: reset, size: size) }
  }

  /// Stages the part that came with a refinement, and hashes the server's rows in parts of the differing ranges.
  ///
  /// A separate transaction reads the hashes, so that the program can write in the meantime.
  ///
  /// - Parameter refine: The server's answer to hashes.
  /// - Returns: The hashes, or nil if the answer is not for the store's state.
  /// - Throws: ``ObjectBoxError`` when the store cannot be written.
  package func receive(_ refine: Refine) throws -> Digests? {
    if refine.part != nil { try applying { _ = try $0.stagingArea(refine) } }
    return try reading { try Device(store: $0, rules: rules).receive(refine) }
  }

  /// Adds a leased block of IDs; ignores a lease that arrives again.
  ///
  /// - Throws: ``ObjectBoxError`` when the store cannot be written.
  package func receive(_ lease: Lease) throws {
    try applying { device in
      let ends = device.store.state.leaseEnds
      try device.receive(lease)
      if device.store.state.leaseEnds != ends { device.store.add(lease.block) }
    }
  }

  private var rules: SyncRules { capture.model.rules }

  // MARK: Transactions

  func reading<T>(_ body: (StoredDevice) throws -> T) throws -> T {
    try Self.reading(store, capture, body)
  }

  static func reading<T>(
    _ store: Store,
    _ capture: CommitCapture,
    _ body: (StoredDevice) throws -> T
  ) throws -> T {
    try store.checkOpen()
    return try store.inTransaction(isWritable: false) { transaction, _ in
      try body(try StoredDevice(capture.model, capture.table, in: transaction))
    }
  }

  func applying<T>(_ body: (inout Device<StoredDevice>) throws -> T) throws -> T {
    try Self.applying(in: store, capture) { stored in
      var device = Device(store: stored, rules: rules)
      return try body(&device)
    }
  }

  /// Runs a body in a separate transaction whose changes are not queued.
  static func applying<T>(
    in store: Store,
    _ capture: CommitCapture,
    _ body: (StoredDevice) throws -> T
  ) throws -> T {
    try store.checkOpen()
    guard store.transactions.openTransaction == nil else {
      throw ObjectBoxError.illegalState(
        message:
          "what a server has sent cannot be stored inside a transaction of the program; do it on another "
          + "thread, or after the transaction"
      )
    }
    return try store.inTransaction(isWritable: true) { transaction, _ in
      transaction.leaveOutParticipant()
      let stored = try StoredDevice(capture.model, capture.table, in: transaction)
      // The cursors end before the transaction, even after an error.
      defer { stored.insertions = [:] }
      let result = try body(stored)
      try stored.flush()
      return result
    }
  }
}
