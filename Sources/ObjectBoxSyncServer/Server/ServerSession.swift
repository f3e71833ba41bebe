internal import Foundation
internal import ObjectBox
internal import ObjectBoxCluster
internal import ObjectBoxSyncConnection
internal import ObjectBoxSyncProtocol

/// The service of one device, from its login to the end of the connection.
///
/// One task receives messages, one reads cuts, one sends. A device asks for the next cut when it has
/// applied the last one, so that a slow device costs no more than its cursor.
final class ServerSession: Sendable {
  private struct State {
    /// The newest request that has not been answered.
    var want: Want?
    /// True to answer it although nothing has changed.
    ///
    /// The first request is always answered, so that a device knows that it has everything; later
    /// ones are after a time, so that no cursor grows old.
    var isOld = true
  }

  /// What a session needs of its server.
  struct Service: Sendable {
    let cuts: CutReading
    let resets: ResetReading
    let uploads: UploadReceiver
    let limits: SyncServer.Limits
  }

  private let connection: SyncConnection
  private let service: Service
  private let model: SharedModel
  private let rights: ServedRules.Rights
  private let visible: [Scope]
  private let state = Guarded(State())
  private let wakes: AsyncStream<Void>
  private let waking: AsyncStream<Void>.Continuation
  private let outgoing: AsyncStream<WireMessage>
  private let sending: AsyncStream<WireMessage>.Continuation

  /// Begins a session.
  ///
  /// - Parameters:
  ///   - connection: The connection, over which the device has logged in.
  ///   - model: What both know.
  ///   - rights: What the user may see and write.
  ///   - service: What the session needs of its server.
  init(
    _ connection: SyncConnection,
    _ model: SharedModel,
    _ rights: ServedRules.Rights,
    _ service: Service
  ) {
    self.connection = connection
    self.service = service
    self.model = model
    self.rights = rights
    visible = model.known(rights.visible)
    (wakes, waking) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    (outgoing, sending) = AsyncStream.makeStream()
  }

  /// The scopes of the device.
  var scopes: [Scope] { visible }

  /// Lets the session look for changes.
  func wake() { waking.yield() }

  /// Serves the device until the connection ends.
  ///
  /// - Parameter end: The time at which the user's proof ends; nil for none.
  /// - Throws: ``Refused``, errors of the connection and the database.
  func run(until end: Date?) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await self.receive() }
      group.addTask { try await self.answer() }
      group.addTask { try await self.send() }
      group.addTask { try await self.refresh() }
      if let end {
        group.addTask {
          try await Task.sleep(for: .seconds(max(0, end.timeIntervalSinceNow)))
          throw Refused(.credentials, "the token has expired; log in with a new one")
        }
      }
      defer { group.cancelAll() }
      // The first one that ends ends the others.
      try await group.next()
    }
  }

  // MARK: Tasks

  private func receive() async throws {
    var messages = connection.messages(limit: service.limits.messageSize)
    while let message = try await messages.next() {
      switch message {
      case .upload(let upload): try await take(upload)
      case .want(let want):
        state.withLock { $0.want = want }
        wake()
      case .digests(let digests):
        reply(to: try await service.resets.read(digests, granted: visible))
      case .lend(let lend):
        if let lease = try await service.uploads.lease(lend, count: service.limits.leasedIDs) {
          sending.yield(.lease(lease))
        }
      case .hello, .welcome, .refused, .reply, .cut, .reset, .lease:
        throw Refused(.message, "the server did not expect this message of a device")
      }
    }
  }

  private func answer() async throws {
    for await _ in wakes {
      guard let want = state.withLock({ $0.want }) else { continue }
      let answer = try await service.cuts.read(want, granted: visible)
      let isDue = state.withLock { state in
        if case .cut(let cut) = answer, !state.isOld, !cut.differs(from: want) { return false }
        // A newer request stays.
        if state.want == want { state.want = nil }
        state.isOld = false
        return true
      }
      if isDue { reply(to: answer) }
    }
  }

  private func send() async throws {
    for await message in outgoing { try await connection.send(message) }
  }

  private func refresh() async throws {
    while true {
      try await Task.sleep(for: service.limits.cursorAge)
      state.withLock { $0.isOld = true }
      wake()
    }
  }

  // MARK: Messages

  private func take(_ upload: Upload) async throws {
    let rights = rights
    let reply = try await service.uploads.receive(
      upload,
      now: { Int64(Date().timeIntervalSince1970 * 1_000) },
      mayWrite: { key, row in rights.mayWrite(key, row) }
    )
    sending.yield(.reply(reply))
    // Its verdicts are a difference.
    wake()
  }

  private func reply(to answer: CutReading.Answer) {
    switch answer {
    case .cut(let cut): sending.yield(.cut(model.reduced(cut)))
    case .reset(let reset): sending.yield(.reset(reset))
    case .forked(let reply): sending.yield(.reply(reply))
    }
  }
}

extension Cut {
  /// True if the device learns something by the cut, besides a later cursor.
  fileprivate func differs(from want: Want) -> Bool {
    want.cursor == nil || !rows.isEmpty || !leaves.isEmpty || !verdicts.isEmpty || !ranges.isEmpty
      || scopes != want.scopes
  }
}
