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
    var mode = RequestUpdatesMode.manual
    /// True if a request for updates waits for the uploading task.
    var isRequested = false
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
    /// Entities for which IDs are asked.
    var lends: Set<EntityUID> = []
    /// True once the store had everything of this login.
    var isComplete = false

    /// Lets all waiting transactions be sent, as if none were under way.
    mutating func restart() {
      sent = 0
      expected = []
      hasGap = false
    }
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
    note: @escaping @Sendable (any Error) -> Void
  ) {
    self.connection = connection
    self.synced = synced
    self.listeners = listeners
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

  /// Asks for updates as the mode says.
  func request(_ mode: RequestUpdatesMode) {
    state.withLock { state in
      state.mode = mode
      state.isRequested = mode != .manual
    }
    uploading.yield()
  }

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
      case .hello, .welcome, .upload, .want, .digests, .lend:
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

  private func take(_ cut: Cut) async throws {
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
    let mustGoOn = state.withLock { state in
      if result == .taken { state.resets = 0 }
      // The next request is under way already.
      if isAhead, result == .taken { return false }
      // An answer to a request before the present one, which is answered too.
      if result == .ignored, !isAhead, let wanted = state.wanted, wanted.state != cut.state {
        return false
      }
      state.isWanting = false
      return result != .taken || state.mode == .auto || !cut.scopes.isComplete
    }
    if result == .taken {
      listeners.tell(changes)
      if !listeners.hearRejections {
        for verdict in cut.verdicts.map(\.verdict) { synced.tellUnheard(verdict) }
      }
      if !cut.verdicts.isEmpty {
        // The streams before the number: what was written before a stream began is in its numbers.
        let streams = listeners.decisionStreams
        let count = try await onStore { try synced.waitingCount }
        for stream in streams { stream.yield(count) }
      }
      let isComplete = state.withLock { state in
        guard cut.scopes.isComplete, !state.isComplete else { return false }
        state.isComplete = true
        return true
      }
      if isComplete { listeners.tellCompleted() }
    }
    if mustGoOn { try await want() }
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
      try await want()
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

  private func want() async throws {
    let isFirst = state.withLock { state in
      defer { state.isWanting = true }
      return !state.isWanting
    }
    guard isFirst else { return }
    let synced = synced
    let want = try await onStore { try synced.want() }
    state.withLock { $0.wanted = want }
    sending.yield(.want(want))
  }

  private func uploadAll() async throws {
    for await _ in uploads {
      let isRequested = state.withLock { state in
        defer { state.isRequested = false }
        return state.isRequested
      }
      if isRequested { try await want() }
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
        sending.yield(.upload(upload))
      }
      return true
    }
  }

  /// Returns why the server would refuse an upload; nil for one that it takes.
  private static func excess(
    of upload: Upload,
    _ bytes: Int,
    size: Int,
    operations: Int
  ) -> String? {
    if bytes > size {
      return
        "a transaction of \(bytes) bytes waits, and the server takes \(size) bytes; nothing is "
        + "uploaded until the server's 'limits.messageSize' is raised"
    }
    guard upload.operationCount > operations else { return nil }
    return
      "a transaction of \(upload.operationCount) changes waits, and the server takes "
      + "\(operations); nothing is uploaded until the server's 'limits.uploadOperations' is raised"
  }

  /// Returns why a transaction waits whose part the server's model lacks.
  private static func missing(_ part: String) -> String {
    "a transaction with \(part) waits, which the server's model or this program's lacks; nothing is "
      + "uploaded until both have it: update the server first, then the programs"
  }

  /// Returns what a device cannot forecast.
  private static func different(_ part: String) -> String {
    "the server decides conflicts of \(part) by another rule than this program's model has, so that "
      + "the device shows other results until the server has answered; use one model.json for both"
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

extension SyncedStore {
  /// The greatest number of transactions in an upload.
  private static let batch = 200

  /// Returns the next transactions to upload, as many as a message may have; nil if none waits.
  ///
  /// - Parameters:
  ///   - sent: The number of waiting transactions that are under way.
  ///   - size: The greatest size of a message in bytes; one transaction may be larger.
  ///   - operations: The greatest number of operations; one transaction may have more.
  /// - Returns: The upload and its size in bytes.
  /// - Throws: `ObjectBoxError` when the store is closed or damaged.
  fileprivate func upload(
    from sent: Int,
    size: Int,
    operations: Int
  ) throws -> (Upload, Int)? {
    var limit = Self.batch
    while true {
      let upload = try upload(from: sent, limit: limit)
      if upload.transactions.isEmpty { return nil }
      let bytes = WireMessage.upload(upload).encoded().count
      let isSmall = bytes <= size && upload.operationCount <= operations
      if isSmall || upload.transactions.count == 1 { return (upload, bytes) }
      limit = max(1, upload.transactions.count / 2)
    }
  }
}
