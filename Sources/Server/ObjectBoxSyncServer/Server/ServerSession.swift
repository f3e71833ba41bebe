internal import Foundation
internal import ObjectBox
internal import ObjectBoxCluster
internal import ObjectBoxSyncConnection
internal import ObjectBoxSyncProtocol

/// The service of one device, from its login to the end of the connection.
///
/// Four tasks receive messages, read deltas, decide uploads and reserve IDs. A device asks for the next delta when it
/// has applied the last one, or already when it has received it if more of a first fill follows. The next part of a
/// first fill is read once the network has taken the last one; nothing else is read before a device asks. Uploads wait
/// as bytes, and after large ones no further message is received. So a slow device costs no more than its cursor, one
/// upload, and one delta.
///
/// Work that needs the database waits for the user's turn.
final class ServerSession: Sendable {
  private enum Request: Equatable {
    case deltaRequest(DeltaRequest)
    case digests(Digests)

    /// The sequence number of the last decision that the device has received.
    var confirmed: UInt64 {
      switch self {
      case .deltaRequest(let deltaRequest): deltaRequest.confirmed
      case .digests(let digests): digests.deltaRequest.confirmed
      }
    }

    /// True for a delta that contains nothing new for the device.
    func needsNo(_ answer: DeltaReading.Answer) -> Bool {
      if case .delta(let delta) = answer, case .deltaRequest(let deltaRequest) = self {
        !delta.differs(from: deltaRequest)
      } else {
        false
      }
    }

    /// The request that a device sends on receiving an answer to this one; nil unless more of a first fill follows.
    func following(_ answer: WireMessage) -> Request? {
      guard case .delta(let delta) = answer, !delta.scopes.isComplete,
        case .deltaRequest(let deltaRequest) = self
      else {
        return nil
      }
      return deltaRequest.following(delta).map { .deltaRequest($0) }
    }
  }

  /// The answer to an expected request, read ahead.
  private struct EarlyReading {
    let request: Request
    let task: Task<(DeltaReading.Answer, Grants), any Error>
  }

  private struct Progress {
    /// The scopes that the user may see, with the link targets of the last answer.
    var granted: Grants
    /// The scopes that the server watches for the session.
    var watched: [Scope]
    var early: EarlyReading?
  }

  private struct State {
    /// The newest request that has not been answered.
    var request: Request?
    /// The bytes of the unanswered uploads, in order.
    var uploads: [[UInt8]] = []
    /// True while the uploads have so many bytes that no further message is received.
    var isFull: Bool { uploads.reduce(0) { $0 + $1.count } > ServerSession.waitingSize }
    /// The grants by new filter variables, until the next answer is read.
    var replaced: Grants?
    /// Requests for IDs that have not been answered, by entity.
    var lends: [EntityUID: Lend] = [:]
    /// True if the request must be answered even without a change.
    ///
    /// The first request is always answered, so that a device knows that it has everything. Later ones are answered
    /// after a time, so that no cursor becomes too old.
    var isOld = true
  }

  /// The parts of a server that a session needs.
  struct Service: Sendable {
    let deltas: DeltaReading
    let resets: ResetReading
    let uploads: UploadReceiver
    let limits: SyncServer.Limits
    /// The turns of users.
    let turns: UserTurns
    /// The turns for a transaction above the limits of uploads.
    let largeTurns: UserTurns
    let figures: SessionFigures
    /// Makes the server read the log: its own commits need no notification by the database.
    let didCommit: @Sendable () -> Void
    /// Returns the sets of objects that the user sees with the device's filter variables.
    let visible: @Sendable (FilterVariables) throws -> [LinkedScope]
    /// Takes an amount of the user's share.
    let takeShare: SessionLimits.TakeShare
  }

  /// Makes the server watch the given scopes for the session, in place of the previous ones.
  typealias Follow = @Sendable (_ scopes: [Scope]) -> Void

  /// The most unanswered uploads.
  ///
  /// A device that takes a new identity may send a full window while answers to earlier uploads are under way.
  private static let window = 2 * Upload.window
  /// The bytes of waiting uploads above which a session receives nothing before the next decision.
  private static let waitingSize = 1 << 20

  private let connection: SyncConnection
  private let user: SyncUser
  private let service: Service
  private let model: SharedModel
  private let rights: ServedRules.Rights
  /// The holder of turns: the user, or the network address of an anonymous user.
  private let holder: String
  private let visible: Grants
  private let state = Guarded(State())
  private let wakes: AsyncStream<Void>
  private let waking: AsyncStream<Void>.Continuation
  private let arrivals: AsyncStream<Void>
  private let arriving: AsyncStream<Void>.Continuation
  private let decisions: AsyncStream<Void>
  private let deciding: AsyncStream<Void>.Continuation
  private let lends: AsyncStream<Void>
  private let lending: AsyncStream<Void>.Continuation
  private let ends: AsyncStream<Refused>
  private let ending: AsyncStream<Refused>.Continuation
  private let outbox: Outbox
  private let large: LargeUpload
  private let reading: UploadReading
  private let limits: SessionLimits

  /// Begins a session.
  ///
  /// - Parameters:
  ///   - connection: The connection of the logged in device.
  ///   - user: The user.
  ///   - model: The shared parts of the model.
  ///   - rights: The rights of the user.
  ///   - service: The parts of the server that the session needs.
  init(
    _ connection: SyncConnection,
    of user: SyncUser,
    _ model: SharedModel,
    _ rights: ServedRules.Rights,
    _ service: Service
  ) {
    self.connection = connection
    self.user = user
    self.service = service
    self.model = model
    self.rights = rights
    holder = user.id.isEmpty ? connection.address : user.id
    visible = Grants(model.known(rights.visible), limit: service.limits.scopes)
    (wakes, waking) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    (arrivals, arriving) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    (decisions, deciding) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    (lends, lending) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    (ends, ending) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
    let outbox = Outbox(connection)
    self.outbox = outbox
    large = LargeUpload(
      service.largeTurns,
      holder: holder,
      limit: service.limits.transactionTime
    ) { [ending] in ending.yield($0) }
    limits = SessionLimits(service.limits, takeShare: service.takeShare) {
      try await outbox.send(.notice($0))
    }
    reading = UploadReading(service.limits, limits, model, large)
  }

  /// The scopes that the server watches for the session at its start.
  var scopes: [Scope] { visible.watched }

  /// Makes the session look for changes.
  func wake() { waking.yield() }

  /// Makes the session look for a change of the database that may concern it.
  func wakeForChange() {
    service.figures.noteChange()
    wake()
  }

  /// Ends the session, and sends the device the reason.
  func end(_ reason: Refused) { ending.yield(reason) }

  /// Serves the device until the connection ends.
  ///
  /// - Parameters:
  ///   - end: The time at which the login ends, with the reason that the device gets then; nil for no end.
  ///   - follow: Called when the targets of links have changed.
  /// - Throws: ``Refused``, `Grants.TooMany`, errors of the connection and the database.
  func run(until end: (date: Date, reason: Refused)?, follow: @escaping Follow) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await self.receive() }
      group.addTask { try await self.answer(follow) }
      group.addTask { try await self.decide() }
      group.addTask { try await self.lend() }
      group.addTask { try await self.refresh() }
      group.addTask { for await reason in self.ends { throw reason } }
      if let end {
        group.addTask {
          // A token may contain any number of seconds, and not every one fits into a duration.
          let seconds = min(max(0, end.date.timeIntervalSinceNow), Double(Int32.max))
          try await Task.sleep(for: .seconds(seconds))
          throw end.reason
        }
      }
      defer {
        group.cancelAll()
        large.end()
      }
      // The first task that ends ends the others.
      try await group.next()
    }
  }

  // MARK: Tasks

  private func receive() async throws {
    let limits = limits
    let (largest, size) = (service.limits.largestUpload, service.limits.messageSize)
    var messages = connection.messages(limit: largest) { [large] part in
      try await limits.takeFrame()
      guard part.size > size else { return }
      guard part.isUpload else {
        throw Refused(.message, "a message has over \(size) bytes, which is the limit")
      }
      try await large.begin()
    }
    var decided = decisions.makeAsyncIterator()
    while let bytes = try await messages.nextBytes() {
      if WireMessage.isUpload(bytes.first) {
        try take(bytes)
        while state.withLock({ $0.isFull }) {
          // The stream ends with the session.
          guard await decided.next() != nil else { throw CancellationError() }
        }
        continue
      }
      switch try WireMessage(received: bytes, limit: limits.elements) {
      case .deltaRequest(let deltaRequest):
        state.withLock { $0.request = .deltaRequest(deltaRequest) }
        wake()
      case .digests(let digests):
        state.withLock { $0.request = .digests(digests) }
        wake()
      case .lend(let lend):
        // Objects that the user may not write need no IDs.
        guard rights.mayWrite(entity: lend.entity) else { continue }
        state.withLock { $0.lends[lend.entity] = lend }
        lending.yield()
      case .variables(let variables):
        let visible = Grants(
          model.known(try service.visible(variables)),
          limit: service.limits.scopes
        )
        state.withLock { $0.replaced = visible }
        wake()
      case .demand:
        state.withLock { $0.isOld = true }
        wake()
      case .hello, .welcome, .refused, .notice, .upload, .reply, .delta, .reset, .refine, .lease:
        throw Refused(.message, "the server did not expect this message of a device")
      }
    }
  }

  private func answer(_ follow: @escaping Follow) async throws {
    let progress = Guarded(Progress(granted: visible, watched: visible.watched))
    defer { progress.withLock { $0.early?.task.cancel() } }
    for await _ in wakes {
      guard state.withLock({ $0.request != nil }) else { continue }
      // A separate task, since this one would keep the memory of its longest answer for as long as the connection
      // lasts.
      try await Task { try await answer(progress, follow) }.ownValue
    }
  }

  /// Answers the newest request.
  private func answer(_ progress: Guarded<Progress>, _ follow: Follow) async throws {
    let (waiting, replaced) = state.withLock { state in
      defer { state.replaced = nil }
      return (state.request, state.replaced)
    }
    let (before, early) = progress.withLock { progress in
      if let replaced { progress.granted = replaced }
      defer { progress.early = nil }
      return (progress.granted, progress.early)
    }
    guard let request = waiting else { return }
    let answer: DeltaReading.Answer
    let granted: Grants
    if let early, early.request == request, replaced == nil {
      (answer, granted) = try await early.task.ownValue
      // The request must wait for the next change; `wake` checks for a change that came before it.
      if answer.delta == nil || request.needsNo(answer) { return wake() }
    } else {
      early?.task.cancel()
      (answer, granted) = try await read(request, before)
    }
    let watched = granted.watched
    let isMoved = progress.withLock { progress in
      defer { (progress.granted, progress.watched) = (granted, watched) }
      return progress.watched != watched
    }
    if isMoved {
      follow(watched)
      // Changes since the delta were matched with the previous scopes.
      wake()
    }
    let isDue = state.withLock { state in
      if request.needsNo(answer), !state.isOld { return false }
      // A newer request stays.
      if state.request == request { state.request = nil }
      state.isOld = false
      return true
    }
    var next: Request?
    if isDue {
      let message = message(of: answer)
      // Waits until the device has taken the message.
      try await outbox.send(message)
      next = request.following(message)
    }
    // Before the next reading, since the figures record its start.
    service.figures.endAnswer(isDue ? answer.delta : nil, confirmed: request.confirmed)
    if let next {
      let task = Task { try await read(next, granted) }
      progress.withLock { $0.early = EarlyReading(request: next, task: task) }
    }
  }

  private func read(
    _ request: Request,
    _ granted: Grants
  ) async throws -> (DeltaReading.Answer, Grants) {
    service.figures.beginAnswer()
    return try await service.turns.run(for: holder) {
      var granted = granted
      let answer =
        switch request {
        case .deltaRequest(let deltaRequest):
          try await service.deltas.read(deltaRequest, granted: &granted)
        case .digests(let digests): try await service.resets.read(digests, granted: &granted)
        }
      return (answer, granted)
    }
  }

  private func decide() async throws {
    let (rights, user) = (rights, user.id)
    for await _ in arrivals {
      while let bytes = state.withLock({ $0.uploads.first }) {
        let upload = try await reading.upload(bytes)
        try await limits.take(upload)
        let (reply, idle) = try await service.turns.run(for: holder) {
          var idle = 0
          let reply = try await service.uploads.receive(
            upload,
            of: user,
            now: { Int64(Date().timeIntervalSince1970 * 1_000) },
            mayWrite: { key, row, related in try rights.mayWrite(key, row, related) },
            idleCount: &idle
          )
          return (reply, idle)
        }
        service.didCommit()
        // Before the answer, since the device may then send the next upload.
        state.withLock { _ = $0.uploads.removeFirst() }
        large.finish()
        deciding.yield()
        try await outbox.send(.reply(reply))
        // The decisions are a difference for the next delta.
        wake()
        // Later uploads wait for the rows of these decisions.
        try await limits.take(idleTransactions: idle)
      }
    }
  }

  private func lend() async throws {
    for await _ in lends {
      while let lend = state.withLock({ $0.lends.values.first }) {
        let count = service.limits.leasedIDs
        try await limits.take(leasedIDs: count)
        let lease = try await service.turns.run(for: holder) {
          try await service.uploads.lease(lend, count: count)
        }
        state.withLock { state in
          // A newer request stays.
          if state.lends[lend.entity] == lend { state.lends[lend.entity] = nil }
        }
        if let lease { try await outbox.send(.lease(lease)) }
      }
    }
  }

  private func refresh() async throws {
    while true {
      try await Task.sleep(for: service.limits.cursorAge)
      state.withLock { $0.isOld = true }
      wake()
    }
  }

  // MARK: Messages

  /// Keeps an upload until earlier ones are decided, so that the requests after it are answered.
  ///
  /// - Throws: ``Refused`` for more unanswered uploads than a device may send.
  private func take(_ upload: [UInt8]) throws {
    let isTooMuch = state.withLock { state in
      state.uploads.append(upload)
      return state.uploads.count > Self.window
    }
    if isTooMuch {
      throw Refused(
        .rate,
        "the device sent more than \(Self.window) uploads without waiting for an answer; send the next one after it"
      )
    }
    arriving.yield()
  }

  private func message(of answer: DeltaReading.Answer) -> WireMessage {
    switch answer {
    case .delta(let delta): .delta(model.reduced(delta))
    case .reset(let reset): .reset(reset)
    case .refine(let refine): .refine(model.reduced(refine))
    case .forked(let reply): .reply(reply)
    }
  }
}

extension Task where Failure == any Error {
  /// The value of a task that is cancelled when the waiting task is cancelled.
  fileprivate var ownValue: Success {
    get async throws {
      try await withTaskCancellationHandler {
        try await value
      } onCancel: {
        cancel()
      }
    }
  }
}

extension DeltaReading.Answer {
  fileprivate var delta: Delta? {
    if case .delta(let delta) = self { delta } else { nil }
  }
}

extension Delta {
  /// True if the delta contains more than a later cursor.
  fileprivate func differs(from deltaRequest: DeltaRequest) -> Bool {
    deltaRequest.cursor == nil || !rows.isEmpty || !leaves.isEmpty || !decisions.isEmpty
      || !ranges.isEmpty
      || scopes != deltaRequest.scopes
  }
}
