internal import Foundation
internal import ObjectBox
internal import ObjectBoxCluster
internal import ObjectBoxSyncConnection
internal import ObjectBoxSyncProtocol
internal import ObjectBoxSyncSchema
internal import ObjectBoxWebSockets

/// The state that all sessions of a server share.
final class ServerCore: Sendable {
  /// The time between two readings of the log for plain SQL.
  private static let pollInterval = Duration.seconds(1)
  private static let sweepInterval = Duration.seconds(60)

  private struct State {
    var sessions = ServerSessions()
    var connections: ConnectionCounts
    var count = 0

    init(_ limits: SyncServer.Limits) {
      connections = ConnectionCounts(limits)
    }
  }

  let limits: SyncServer.Limits
  private let figureKeeper: FigureKeeper
  private let cluster: Cluster
  private let serverLog: ServerLog
  private let rules: ServedRules
  private let authentication: SyncAuthentication
  private let uploads: UploadReceiver
  private let turns: UserTurns
  private let largeTurns = UserTurns(width: 1)
  private let report: @Sendable (any Error) -> Void
  private let state: Guarded<State>
  /// Each element makes ``LogWatch`` read the log.
  private let ticks: AsyncStream<Void>
  private let tick: AsyncStream<Void>.Continuation

  init(
    cluster: Cluster,
    serverLog: ServerLog,
    rules: ServedRules,
    authentication: SyncAuthentication,
    limits: SyncServer.Limits,
    report: @escaping @Sendable (any Error) -> Void
  ) {
    self.cluster = cluster
    self.serverLog = serverLog
    self.rules = rules
    self.authentication = authentication
    self.limits = limits
    let figureKeeper = FigureKeeper(rules)
    self.figureKeeper = figureKeeper
    self.report = { error in
      figureKeeper.note(error)
      report(error)
    }
    state = Guarded(State(limits))
    (ticks, tick) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    turns = UserTurns(connections: serverLog.pool.configuration.connectionLimit)
    uploads = UploadReceiver(
      serverLog,
      of: cluster,
      rules: SyncRules(cluster.tables.model, resolutions: rules.resolutions)
    )
  }

  var sessionCount: Int { state.withLock { $0.count } }

  var figures: SyncServerFigures { figureKeeper.figures }

  /// Reports an error that no device gets.
  func tell(_ error: any Error) { report(error) }

  /// Watches and sweeps the database until the task is cancelled.
  func work() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [self] in
        await LogWatch(
          cluster: cluster,
          deltas: DeltaReading(serverLog),
          interval: Self.pollInterval,
          sessions: { self.state.withLock { $0.sessions } },
          report: report,
          figures: figureKeeper
        ).run(ticks, tick)
      }
      group.addTask { [self] in
        while !Task.isCancelled {
          do {
            let sweep = ServerLogSweep(
              serverLog,
              keeping: limits.logMemory,
              uploads: limits.uploadMemory,
              decisions: limits.decisionMemory
            )
            _ = try await sweep.run()
          } catch {
            if !Task.isCancelled { report(error) }
          }
          do {
            try await inspect()
          } catch {
            if !Task.isCancelled { report(error) }
          }
          // Frees the memory of users who are no longer connected.
          state.withLock { $0.connections.forgetIdle(at: .now) }
          try? await Task.sleep(for: Self.sweepInterval)
        }
      }
    }
  }

  /// Searches for tables that were changed without the log, and makes their devices compare them.
  func inspect() async throws {
    let unlogged = try await ServerLogInspection(serverLog).run()
    if unlogged.isEmpty { return }
    for one in unlogged { report(SyncServerError.unloggedChanges(message: one.message)) }
    // The cursors of their devices get a reset, but no change of the log wakes the sessions.
    state.withLock { $0.sessions }.all.forEach { $0.wake() }
  }

  // MARK: Sessions

  /// Serves a device, and sends it the reason when the connection ends.
  func serve(_ socket: WebSocketConnection) async throws {
    let connection = SyncConnection(socket)
    do {
      try await logIn(connection)
    } catch let refused as Refused {
      end(connection, refused)
    } catch is WebSocketError {
      // The device connects again.
    } catch let closure as WebSocketClosure {
      throw closure
    } catch is CancellationError {
      end(connection, Refused(.unavailable, "the server ends; connect again"))
    } catch let error as SyncServerError {
      report(error)
      end(
        connection,
        Refused(.unavailable, "the server cannot follow its rules for this user; ask who runs it")
      )
    } catch {
      report(error)
      end(connection, Refused(.unavailable, "the server cannot use its database at present"))
    }
  }

  private func end(_ connection: SyncConnection, _ refused: Refused) {
    figureKeeper.note(refused)
    connection.close(
      refused,
      refused.code == .unavailable ? .goingAway : WebSocketClosure(code: 1008, reason: "refused")
    )
  }

  private func logIn(_ connection: SyncConnection) async throws {
    let (hello, login) = try await checked(connection)
    let user = login.user
    let rights = try rules.rights(of: user)
    let model = try SharedModel(hello.model, serverLog)
    let resets = ResetReading(serverLog) { row, key in model.reduced(row, at: key) }
    let figures = SessionFigures(hello.device, of: user, connection, rules: rights.rules)
    let service = ServerSession.Service(
      deltas: DeltaReading(serverLog),
      resets: resets,
      uploads: uploads,
      limits: limits,
      turns: turns,
      largeTurns: largeTurns,
      figures: figures,
      didCommit: { [tick] in tick.yield() },
      visible: { [rules] in try rules.visible(to: user, $0) },
      takeShare: { [state, address = connection.address] count, share in
        state.withLock { $0.connections.take(count, of: share, by: user, address, at: .now) }
      }
    )
    let session = ServerSession(connection, of: user, model, rights, service)
    let number = try begin(session, of: user)
    defer { end(number, of: user) }
    figureKeeper.begin(figures, number)
    defer { figureKeeper.end(number) }
    let welcome = Welcome(
      clock: Int64(Date().timeIntervalSince1970 * 1_000),
      messageSize: UInt64(limits.messageSize),
      uploadOperations: UInt64(limits.uploadOperations),
      transactionSize: UInt64(limits.largestUpload),
      transactionOperations: UInt64(limits.largestTransaction),
      digestSize: UInt64(RangeDigests.firstSize),
      model: model.entities,
      user: user.id
    )
    try await connection.send(.welcome(welcome))
    do {
      try await session.run(until: end(of: login)) { [state] scopes in
        state.withLock { $0.sessions.move(number, to: scopes) }
      }
    } catch let error as Grants.TooMany {
      throw rules.tooMany(error, for: user)
    }
  }

  /// The time at which a login ends, with the reason that the device gets then; nil for a login without end.
  private func end(of login: SyncAuthentication.Login) -> (date: Date, reason: Refused)? {
    if login.isAskedAgain {
      return (
        Date().addingTimeInterval(limits.loginAge.inSeconds),
        Refused(.unavailable, "the server asks for the credentials again; connect again")
      )
    }
    return login.end.map {
      ($0, Refused(.credentials, "the token has expired; log in with a new one"))
    }
  }

  /// Reads the login of a device, and checks its credentials.
  ///
  /// - Throws: ``Refused``.
  private func checked(
    _ connection: SyncConnection
  ) async throws -> (Hello, SyncAuthentication.Login) {
    let address = connection.address
    try state.withLock { try $0.connections.beginLogin(from: address) }
    let hello: Hello
    do {
      hello = try await self.hello(of: connection)
    } catch {
      endLogin(from: address)
      throw error
    }
    guard let login = try await login(hello.credentials, from: address) else {
      throw Refused(.credentials, "the server does not accept these credentials")
    }
    return (hello, login)
  }

  private func endLogin(from address: String) {
    state.withLock { $0.connections.endLogin(from: address) }
  }

  /// Checks credentials, and ends the login.
  ///
  /// The program's function runs in a separate task, so that it cannot hold the connection if it does not end. It
  /// counts as a login until it ends.
  private func login(
    _ credentials: Credentials,
    from address: String
  ) async throws -> SyncAuthentication.Login? {
    let limit = limits.authenticationTime
    let (logins, result) = AsyncThrowingStream.makeStream(of: SyncAuthentication.Login?.self)
    let check = Task { [self] in
      defer { endLogin(from: address) }
      do {
        result.yield(try await authentication.login(credentials, report: report))
      } catch {
        result.finish(throwing: error)
      }
    }
    let timer = Task { [report] in
      try await Task.sleep(for: limit)
      report(
        SyncServerError.slowAuthentication(
          message:
            "the check of a device's credentials did not end within \(limit), and the device was refused; let "
            + "'authenticate' answer faster, or raise 'limits.authenticationTime'"
        )
      )
      result.finish(
        throwing: Refused(
          .unavailable,
          "the server could not check the credentials within \(limit); connect again"
        )
      )
    }
    defer {
      check.cancel()
      timer.cancel()
    }
    for try await login in logins { return login }
    throw CancellationError()
  }

  private func hello(of connection: SyncConnection) async throws -> Hello {
    let limits = limits
    return try await withThrowingTaskGroup(of: Hello?.self) { group in
      group.addTask {
        var messages = connection.messages(limit: SyncConnection.frameSize)
        guard let message = try await messages.next() else { throw WebSocketClosure.normal }
        guard case .hello(let hello) = message else {
          throw Refused(.message, "the first message of a device must be its login")
        }
        guard hello.version == Hello.currentVersion else {
          throw Refused(
            .version,
            "the device speaks version \(hello.version) of the messages, the server \(Hello.currentVersion); "
              + "update the older of them"
          )
        }
        return hello
      }
      group.addTask {
        try await Task.sleep(for: limits.loginTime)
        return nil
      }
      defer { group.cancelAll() }
      guard let hello = try await group.next() ?? nil else {
        throw Refused(.message, "no login came within \(limits.loginTime)")
      }
      return hello
    }
  }

  private func begin(_ session: ServerSession, of user: SyncUser) throws -> Int32 {
    try state.withLock { state in
      try state.connections.begin(user)
      state.count += 1
      return state.sessions.add(session, of: user.id)
    }
  }

  /// Ends the sessions of a user, and returns their number.
  func disconnect(_ user: String) -> Int {
    let sessions = state.withLock { $0.sessions.sessions(of: user) }
    for session in sessions {
      session.end(
        Refused(.unavailable, "the server has ended the connections of this user; connect again")
      )
    }
    return sessions.count
  }

  private func end(_ number: Int32, of user: SyncUser) {
    state.withLock { state in
      state.sessions.remove(number)
      state.count -= 1
      state.connections.end(user)
    }
  }
}
