internal import Dispatch
internal import Foundation
internal import ObjectBox
internal import ObjectBoxSyncConnection
internal import ObjectBoxSyncProtocol
internal import ObjectBoxWebSockets

/// One connection of a store to a server.
///
/// One task receives, one uploads the program's transactions, one sends. Work on the store runs on a separate queue,
/// since it waits for the program's transactions.
final class ClientSession: Sendable {
  /// The greatest size of a message from the server in bytes.
  private static let receivedSize = 1 << 30
  /// The longest time that the server may take for a login.
  private static let loginTime = Duration.seconds(30)
  /// The most resets without a delta; each one restarts the comparison with the server.
  private static let resetLimit = 5

  private let connection: SyncConnection
  private let synced: SyncedStore
  private let listeners: SyncListeners
  private let log: SyncLog
  /// Receives errors that do not end the connection.
  private let note: @Sendable (any Error) -> Void
  private let queue = DispatchQueue(label: "ObjectBox sync")
  private let state: Guarded<State>
  private let outgoing: AsyncStream<WireMessage>
  private let sending: AsyncStream<WireMessage>.Continuation
  private let uploads: AsyncStream<Void>
  private let uploading: AsyncStream<Void>.Continuation

  init(
    _ connection: SyncConnection,
    _ synced: SyncedStore,
    _ listeners: SyncListeners,
    _ log: SyncLog,
    note: @escaping @Sendable (any Error) -> Void
  ) {
    self.connection = connection
    self.synced = synced
    self.listeners = listeners
    self.log = log
    self.note = note
    state = Guarded(State())
    (outgoing, sending) = AsyncStream.makeStream()
    (uploads, uploading) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Logs in: sends the identity and the credentials, and waits for the server's answer.
  ///
  /// - Throws: ``Refused``, errors of the connection and the store.
  func logIn(_ credentials: Credentials) async throws {
    let synced = synced
    let (device, model) = try await onStore { try synced.hello() }
    let hello = Hello(
      device: device,
      credentials: credentials,
      clock: Int64(Date().timeIntervalSince1970 * 1_000),
      model: model
    )
    // Ends the wait if no answer comes.
    let timer = Task { [connection] in
      try await Task.sleep(for: Self.loginTime)
      connection.close()
    }
    defer { timer.cancel() }
    var messages = connection.messages(limit: SyncConnection.frameSize)
    do {
      try await connection.send(.hello(hello))
    } catch let closed as WebSocketError {
      // A server with too many connections sends its refusal before the login.
      if case .refused(let refused) = try await messages.next() { throw refused }
      throw closed
    }
    switch try await messages.next() {
    case .welcome(let welcome):
      try await onStore {
        try synced.checkWriter(is: welcome.user)
        try synced.begin(welcome.model)
      }
      if let part = synced.otherRule(in: welcome.model) {
        note(ObjectBoxError.illegalState(message: Self.different(part)))
      }
      state.withLock { state in
        state.digestSize = Int(clamping: welcome.digestSize)
        state.messageSize = Int(clamping: welcome.messageSize)
        state.uploadOperations = Int(clamping: welcome.uploadOperations)
        state.transactionSize = Int(clamping: welcome.transactionSize)
        state.transactionOperations = Int(clamping: welcome.transactionOperations)
      }
    case .refused(let refused): throw refused
    case nil: throw Refused(.unavailable, "the server closed the connection before the login")
    default: throw Refused(.message, "the server answered the login with another message")
    }
  }

  /// Synchronizes until the connection ends.
  ///
  /// - Throws: ``Refused``, errors of the connection and the store.
  func run() async throws {
    upload()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await self.receive() }
      group.addTask { try await self.uploadAll() }
      group.addTask {
        for await message in self.outgoing { try await self.connection.send(message) }
      }
      defer { group.cancelAll() }
      // The first task that ends ends the others.
      try await group.next()
    }
  }

  /// Makes the session look for transactions to upload.
  func upload() { uploading.yield() }

  /// Requests updates according to the mode, at the login.
  func begin(_ mode: RequestUpdatesMode) {
    // The server answers the first request of a connection in any case.
    if mode != .manual { request(subscribes: mode == .auto, isUrgent: false) }
  }

  /// Requests updates according to a new mode.
  func change(to mode: RequestUpdatesMode) {
    cancelUpdates()
    if mode != .manual { request(subscribes: mode == .auto) }
  }

  /// Requests updates.
  ///
  /// - Parameters:
  ///   - subscribes: True to receive later updates too; false leaves a subscription unchanged.
  ///   - isUrgent: True to get an answer even without a difference.
  ///   - comparesAnew: True to compare the whole store with the server.
  func request(subscribes: Bool = false, isUrgent: Bool = true, comparesAnew: Bool = false) {
    state.withLock { state in
      if subscribes { state.isSubscribed = true }
      state.isFetching = true
      state.isComplete = false
      var request = state.request ?? Request()
      if isUrgent { request.isUrgent = true }
      if comparesAnew { request.comparesAnew = true }
      state.request = request
    }
    uploading.yield()
  }

  /// Stops updates until the next request.
  func cancelUpdates() {
    state.withLock { state in
      state.isSubscribed = false
      state.isFetching = false
      state.request = nil
      state.repeats = false
    }
  }

  /// Sends the server the filter variables.
  func send(_ variables: FilterVariables) { sending.yield(.variables(variables)) }

  /// Sends a heartbeat to the server.
  func beat() { connection.ping() }

  // MARK: Receiving

  private func receive() async throws {
    var messages = connection.messages(limit: Self.receivedSize)
    while let message = try await messages.next() {
      switch message {
      case .delta(let delta): try await take(delta)
      case .reply(let reply): try await take(reply)
      case .reset(let reset): try await take(reset)
      case .refine(let refine): try await take(refine)
      case .lease(let lease):
        let synced = synced
        try await onStore { try synced.receive(lease) }
        state.withLock { _ = $0.lends.remove(lease.block.entity) }
        try await askForIDs()
      case .refused(let refused): throw refused
      case .notice(let notice): note(notice)
      case .hello, .welcome, .upload, .deltaRequest, .digests, .lend, .variables, .demand:
        throw Refused(.message, "the server sent a message that only devices send")
      }
    }
  }

  /// Sends the next request before the store has applied a part of a first fill, so that the server reads the next part
  /// in the meantime.
  ///
  /// - Returns: False if there was nothing to send.
  private func askAhead(of delta: Delta) -> Bool {
    state.withLock { state in
      guard !delta.scopes.isComplete, let next = state.wanted?.following(delta) else {
        return false
      }
      state.wanted = next
      sending.yield(.deltaRequest(next))
      return true
    }
  }

  /// Returns false for an answer that comes after the program has cancelled updates.
  ///
  /// The next request gets the same content again.
  private func takesAnswer() -> Bool {
    state.withLock { state in
      if !state.takesUpdates { state.isWanting = false }
      return state.takesUpdates
    }
  }

  private func take(_ delta: Delta) async throws {
    guard takesAnswer() else { return }
    let synced = synced
    let isAhead = askAhead(of: delta)
    // Done with the delta, since the next upload counts from the transactions that wait after it.
    let (result, changes) = try await onStore { [self] in
      let changes = listeners.hearChanges ? try synced.changes(of: delta) : [:]
      let result = try synced.receive(delta)
      state.withLock { state in
        switch result {
        case .taken: state.sent = max(0, state.sent - delta.decisions.count)
        case .forked: state.restart()
        case .ignored: break
        }
      }
      return (result, changes)
    }
    let next = state.withLock { $0.next(after: delta, result, isAhead: isAhead) }
    if result == .taken {
      log.writeTransactions(
        "received \(delta.rows.count) objects and \(delta.leaves.count) removals"
      )
      listeners.tell(changes)
      if !listeners.hearRejections {
        for decision in delta.decisions.map(\.decision) { synced.tellUnheard(decision) }
      }
      if !delta.decisions.isEmpty {
        try await listeners.tellDecisions { try await onStore { try synced.waitingCount } }
      }
      if next.isComplete { listeners.tellCompleted() }
    }
    if next.asks { try await requestDelta() }
    if next.isUrgent { sending.yield(.demand) }
    upload()
  }

  private func take(_ reply: ServerReply) async throws {
    let synced = synced
    try await onStore { try synced.receive(reply) }
    switch reply {
    case .forked:
      state.withLock { state in
        state.restart()
        state.isWanting = false
        state.wanted = nil
      }
      // The pending request was for the old identity.
      if state.withLock({ $0.takesUpdates }) { try await requestDelta() }
    case .acknowledged(_, let last):
      state.withLock { state in
        guard !state.expected.isEmpty else { return }
        let expected = state.expected.removeFirst()
        if last < expected { state.hasGap = true }
        if state.hasGap, state.expected.isEmpty { state.restart() }
      }
    }
    upload()
  }

  private func take(_ reset: Reset) async throws {
    guard takesAnswer() else { return }
    let synced = synced
    let (size, resets) = state.withLock { state in
      state.resets += 1
      return (state.digestSize, state.resets)
    }
    guard resets <= Self.resetLimit else {
      throw ObjectBoxError.illegalState(
        message:
          "the comparison of the store with the server began anew \(Self.resetLimit) times, since the server forgot its "
          + "changes meanwhile; raise the server's 'limits.logMemory'"
      )
    }
    let digests = try await onStore { try synced.receive(reset, size: size) }
    if let digests, reset.mayLackCommits(of: digests.deltaRequest) {
      // Decided transactions have left the queue, so they are not uploaded again.
      note(
        ObjectBoxError.illegalState(
          message:
            "the server's database lacks commits that the store has received: it was restored, or a replica "
            + "without its last commits was promoted; writes of the store that it had decided may be missing"
        )
      )
    }
    try await answer(digests, to: reset.state)
  }

  private func take(_ refine: Refine) async throws {
    guard takesAnswer() else { return }
    let synced = synced
    try await answer(try await onStore { try synced.receive(refine) }, to: refine.state)
  }

  /// Sends digests; if there are none, since the store's state has changed, requests a delta again.
  ///
  /// - Parameters:
  ///   - digests: The digests.
  ///   - asked: The state of the server's request.
  /// - Throws: Errors of the store.
  private func answer(_ digests: Digests?, to asked: StateKey) async throws {
    if let digests {
      state.withLock { $0.wanted = digests.deltaRequest }
      sending.yield(.digests(digests))
      return
    }
    let isOfPresent = state.withLock { state in
      if let wanted = state.wanted, wanted.state != asked { return false }
      state.isWanting = false
      return true
    }
    if isOfPresent { try await requestDelta() }
  }

  // MARK: Sending

  /// Requests a delta, unless a request is under way.
  ///
  /// - Parameter request: The program's request; nil without one. If it is urgent and a request for a delta is under
  ///   way, the session requests again after its answer. A cancelled request has no effect.
  /// - Throws: Errors of the store.
  private func requestDelta(for request: Request? = nil) async throws {
    let (isFirst, isUrgent) = state.withLock { state in
      if let request {
        guard let present = state.request else { return (false, false) }
        if present == request { state.request = nil }
        if state.isWanting, request.isUrgent { state.repeats = true }
      }
      let isFirst = !state.isWanting
      if isFirst { state.isReading = true }
      state.isWanting = true
      return (isFirst, request?.isUrgent ?? false)
    }
    if isFirst {
      let deltaRequest = try await onStore { [self] in
        let deltaRequest = try synced.deltaRequest()
        state.withLock { state in
          state.isReading = false
          state.wanted = deltaRequest
        }
        return deltaRequest
      }
      sending.yield(.deltaRequest(deltaRequest))
    }
    if isUrgent { sending.yield(.demand) }
  }

  private func send(_ request: Request) async throws {
    if request.comparesAnew {
      let synced = synced
      try await onStore { [self] in
        try synced.compareAnew()
        state.withLock { state in
          // A pending answer was requested for an earlier state, so the store ignores it.
          if !state.isReading { state.isWanting = false }
          state.resets = 0
        }
      }
    }
    try await requestDelta(for: request)
  }

  private func uploadAll() async throws {
    for await _ in uploads {
      while let request = state.withLock({ $0.request }) { try await send(request) }
      while try await uploadNext() {}
      try await askForIDs()
    }
  }

  private func uploadNext() async throws -> Bool {
    let synced = synced
    return try await onStore { [self] in
      let (sent, size, operations, isOpen) = state.withLock {
        (
          $0.sent, $0.messageSize, $0.uploadOperations,
          $0.expected.count < Upload.window && !$0.hasGap && !$0.isBlocked
        )
      }
      guard isOpen else { return false }
      let next = try synced.upload(from: sent, size: size, operations: operations)
      guard let (upload, bytes) = next else {
        if let part = try synced.unknownPart(ofWaiting: sent) {
          state.withLock { $0.isBlocked = true }
          note(ObjectBoxError.illegalState(message: Self.missing(part)))
        }
        return false
      }
      let (largest, most) = state.withLock { ($0.transactionSize, $0.transactionOperations) }
      if let reason = Self.excess(of: upload, bytes, size: largest, operations: most) {
        // Deltas continue. The next connection tries again, since the server may accept more then.
        state.withLock { $0.isBlocked = true }
        note(ObjectBoxError.illegalState(message: reason))
        return false
      }
      state.withLock { state in
        // An answer in the meantime may have restarted the uploads.
        guard state.sent == sent, !state.hasGap else { return }
        state.sent += upload.transactions.count
        state.expected.append(upload.transactions.last?.sequence ?? 0)
        log.writeTransactions("sent \(upload.transactions.count) transactions")
        sending.yield(.upload(upload))
      }
      return true
    }
  }

  private func askForIDs() async throws {
    let synced = synced
    for lend in try await onStore({ try synced.lendsNeeded() }) {
      let isNew = state.withLock { $0.lends.insert(lend.entity).inserted }
      if isNew { sending.yield(.lend(lend)) }
    }
  }

  private func onStore<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try body() }) }
    }
  }
}
