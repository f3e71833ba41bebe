internal import Dispatch
internal import Foundation
internal import ObjectBox
internal import ObjectBoxSyncConnection
internal import ObjectBoxSyncProtocol
internal import ObjectBoxWebSockets

/// One connection of a store with a server.
///
/// One task receives, one uploads what the program writes, one sends. Work on the store runs on a
/// queue of its own, since it waits for the program's transactions.
final class ClientSession: Sendable {
  private struct State {
    /// True to take updates as they come.
    var isSubscribed = false
    /// True until the requested updates have arrived.
    var isFetching = false
    /// What the uploading task is to request; nil for nothing.
    var request: Request?
    /// The number of objects in a range of the first digests.
    var digestSize = 1
    /// The number of resets since the last cut.
    var resets = 0
    /// The greatest size of a message in bytes.
    var messageSize = 1 << 20
    /// The greatest number of operations of an upload.
    var uploadOperations = Int.max
    /// True once a transaction waits that the server does not take.
    var isBlocked = false
    /// The number of waiting transactions that are under way.
    var sent = 0
    /// The sequence numbers that the answers to the uploads under way should tell, in order.
    var expected: [UInt64] = []
    /// True if the server lacked a transaction: all are sent again after the answers under way.
    var hasGap = false
    /// True while a request for a cut is under way, or is being made.
    var isWanting = false
    /// The last request for a cut.
    var wanted: Want?
    /// True if the program has requested updates while a request for a cut was under way.
    var repeats = false
    /// Entities for which IDs are asked.
    var lends: Set<EntityUID> = []
    /// True once the program was told that the store has everything it requested.
    var isComplete = false

    /// True if the store takes cuts.
    var takesUpdates: Bool { isSubscribed || isFetching }

    /// Returns what follows on a cut.
    ///
    /// - Parameters:
    ///   - cut: The cut.
    ///   - result: What became of it.
    ///   - isAhead: True if the next request is under way already.
    /// - Returns: Whether to ask for another cut, whether its answer is urgent, and whether the program is
    ///   told that its updates have arrived.
    mutating func next(
      after cut: Cut,
      _ result: CutResult,
      isAhead: Bool
    ) -> (asks: Bool, isUrgent: Bool, isComplete: Bool) {
      if result == .taken { resets = 0 }
      if isAhead, result == .taken { return (false, false, false) }
      // An answer to a request before the present one, which is answered too.
      if result == .ignored, !isAhead, let wanted, wanted.state != cut.state {
        return (false, false, false)
      }
      isWanting = false
      guard result == .taken, cut.scopes.isComplete else { return (takesUpdates, false, false) }
      // The server may have read the cut before the program's request.
      if request != nil || repeats {
        defer { repeats = false }
        return (takesUpdates, repeats && takesUpdates, false)
      }
      isFetching = false
      defer { isComplete = true }
      return (isSubscribed, false, !isComplete)
    }

    /// Lets all waiting transactions be sent, as if none were under way.
    mutating func restart() {
      sent = 0
      expected = []
      hasGap = false
    }
  }

  /// A request for updates.
  private struct Request {
    /// True to get an answer also if there is nothing new.
    var isUrgent = false
    /// True to compare the whole store with the server.
    var comparesAnew = false
  }

  /// The greatest size of a message from the server in bytes.
  private static let receivedSize = 1 << 30
  /// The longest time that the server may take for a login.
  private static let loginTime = Duration.seconds(30)
  /// The most resets without a cut; each begins the comparison with the server anew.
  private static let resetLimit = 5

  private let connection: SyncConnection
  private let synced: SyncedStore
  private let listeners: SyncListeners
  private let log: SyncLog
  /// Hears of errors that do not end the connection.
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

  /// Tells the server who the device is, and waits for its answer.
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
    // Ends the wait for an answer that does not come.
    let timer = Task { [connection] in
      try await Task.sleep(for: Self.loginTime)
      connection.close()
    }
    defer { timer.cancel() }
    var messages = connection.messages(limit: SyncConnection.frameSize)
    do {
      try await connection.send(.hello(hello))
    } catch let closed as WebSocketError {
      // A server that has too many connections tells it before the login.
      if case .refused(let refused) = try await messages.next() { throw refused }
      throw closed
    }
    switch try await messages.next() {
    case .welcome(let welcome):
      try await onStore { try synced.begin(welcome.model) }
      if let part = synced.otherRule(in: welcome.model) {
        note(ObjectBoxError.illegalState(message: Self.different(part)))
      }
      state.withLock { state in
        state.digestSize = Int(clamping: welcome.digestSize)
        state.messageSize = Int(clamping: welcome.messageSize)
        state.uploadOperations = Int(clamping: welcome.uploadOperations)
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
      // The first one that ends ends the others.
      try await group.next()
    }
  }

  /// Lets the session look for transactions to upload.
  func upload() { uploading.yield() }

  /// Begins to ask for updates as the mode says, at the login.
  func begin(_ mode: RequestUpdatesMode) {
    // The server answers the first request of a connection anyway.
    if mode != .manual { request(subscribes: mode == .auto, isUrgent: false) }
  }

  /// Asks for updates as another mode says.
  func change(to mode: RequestUpdatesMode) {
    cancelUpdates()
    if mode != .manual { request(subscribes: mode == .auto) }
  }

  /// Asks for updates.
  ///
  /// - Parameters:
  ///   - subscribes: True to take later ones too; false leaves a subscription as it is.
  ///   - isUrgent: True to get an answer also if there is nothing new.
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

  /// Takes no more updates until the next request.
  func cancelUpdates() {
    state.withLock { state in
      state.isSubscribed = false
      state.isFetching = false
      state.request = nil
      state.repeats = false
    }
  }

  /// Tells the server the filter variables.
  func send(_ variables: FilterVariables) { sending.yield(.variables(variables)) }

  /// Sends the server a sign of life.
  func beat() { connection.ping() }

  // MARK: Receiving

  private func receive() async throws {
    var messages = connection.messages(limit: Self.receivedSize)
    while let message = try await messages.next() {
      switch message {
      case .cut(let cut): try await take(cut)
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
      case .hello, .welcome, .upload, .want, .digests, .lend, .variables, .demand:
        throw Refused(.message, "the server sent a message that only devices send")
      }
    }
  }

  /// Sends the request after a part of a first fill before the store has the part, so that the server
  /// reads the next one meanwhile.
  ///
  /// - Returns: False if there was nothing to send.
  private func askAhead(of cut: Cut) -> Bool {
    state.withLock { state in
      guard !cut.scopes.isComplete, let next = state.wanted?.following(cut) else { return false }
      state.wanted = next
      sending.yield(.want(next))
      return true
    }
  }

  /// Returns false for an answer that comes after the program has cancelled updates.
  ///
  /// The next request gets it again.
  private func takesAnswer() -> Bool {
    state.withLock { state in
      if !state.takesUpdates { state.isWanting = false }
      return state.takesUpdates
    }
  }

  private func take(_ cut: Cut) async throws {
    guard takesAnswer() else { return }
    let synced = synced
    let isAhead = askAhead(of: cut)
    // With the cut, since the next upload counts from the transactions that wait then.
    let (result, changes) = try await onStore { [self] in
      let changes = listeners.hearChanges ? try synced.changes(of: cut) : [:]
      let result = try synced.receive(cut)
      state.withLock { state in
        switch result {
        case .taken: state.sent = max(0, state.sent - cut.verdicts.count)
        case .forked: state.restart()
        case .ignored: break
        }
      }
      return (result, changes)
    }
    let next = state.withLock { $0.next(after: cut, result, isAhead: isAhead) }
    if result == .taken {
      log.writeTransactions("received \(cut.rows.count) objects and \(cut.leaves.count) removals")
      listeners.tell(changes)
      if !listeners.hearRejections {
        for verdict in cut.verdicts.map(\.verdict) { synced.tellUnheard(verdict) }
      }
      if !cut.verdicts.isEmpty {
        try await listeners.tellDecisions { try await onStore { try synced.waitingCount } }
      }
      if next.isComplete { listeners.tellCompleted() }
    }
    if next.asks { try await want() }
    if next.isUrgent { sending.yield(.demand) }
    upload()
  }

  private func take(_ reply: HubReply) async throws {
    let synced = synced
    try await onStore { try synced.receive(reply) }
    switch reply {
    case .forked:
      state.withLock { state in
        state.restart()
        state.isWanting = false
        state.wanted = nil
      }
      // The request was for the old identity.
      if state.withLock({ $0.takesUpdates }) { try await want() }
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
    if let digests, reset.mayLackCommits(of: digests.want) {
      // Decided transactions are not in the queue, so they do not come again.
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

  /// Sends digests, or asks again when there are none, since the store has changed its state.
  ///
  /// - Parameters:
  ///   - digests: The digests.
  ///   - asked: The state that the server asked for.
  /// - Throws: Errors of the store.
  private func answer(_ digests: Digests?, to asked: StateKey) async throws {
    if let digests {
      state.withLock { $0.wanted = digests.want }
      sending.yield(.digests(digests))
      return
    }
    let isOfPresent = state.withLock { state in
      if let wanted = state.wanted, wanted.state != asked { return false }
      state.isWanting = false
      return true
    }
    if isOfPresent { try await want() }
  }

  // MARK: Sending

  /// Asks for a cut; returns false if a request for one is under way.
  @discardableResult private func want() async throws -> Bool {
    let isFirst = state.withLock { state in
      defer { state.isWanting = true }
      return !state.isWanting
    }
    guard isFirst else { return false }
    let synced = synced
    let want = try await onStore { try synced.want() }
    state.withLock { $0.wanted = want }
    sending.yield(.want(want))
    return true
  }

  private func send(_ request: Request) async throws {
    if request.comparesAnew {
      let synced = synced
      try await onStore { [self] in
        try synced.compareAnew()
        state.withLock { state in
          // The answer to the present request does not fit the store any more.
          state.isWanting = false
          state.isFetching = true
          state.isComplete = false
          state.resets = 0
        }
      }
    }
    let isSent = try await want()
    guard request.isUrgent else { return }
    if !isSent { state.withLock { $0.repeats = true } }
    sending.yield(.demand)
  }

  private func uploadAll() async throws {
    for await _ in uploads {
      let request = state.withLock { state in
        defer { state.request = nil }
        return state.request
      }
      if let request { try await send(request) }
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
      if let reason = Self.excess(of: upload, bytes, size: size, operations: operations) {
        // Cuts go on. The next connection tries again: the server may take more then.
        state.withLock { $0.isBlocked = true }
        note(ObjectBoxError.illegalState(message: reason))
        return false
      }
      state.withLock { state in
        // An answer in between can begin anew.
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
