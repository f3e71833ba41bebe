import ObjectBox
import ObjectBoxSyncConnection
import ObjectBoxSyncProtocol
import ObjectBoxWebSockets

/// A server of synchronization over connections, with a server in memory.
actor MemoryServer {
  /// The fate of the next uploads.
  enum Fault {
    /// They are taken, and the connection ends without an answer.
    case noAnswer
    /// They are lost.
    case loss
    /// They are taken, and answered at the end of the fault.
    case delay
    /// They are taken. Comparisons begin anew, as if the log were swept meanwhile.
    case forgetfulness
  }

  /// The sequence numbers of each upload that arrived.
  nonisolated let uploads: AsyncStream<[UInt64]>
  private let uploaded: AsyncStream<[UInt64]>.Continuation
  /// The last decision that the device has, of each request that arrived.
  nonisolated let confirmations: AsyncStream<UInt64>
  private let confirming: AsyncStream<UInt64>.Continuation
  /// The filter variables of each message that has some.
  nonisolated let variables: AsyncStream<[String: String]>
  private let saidVariables: AsyncStream<[String: String]>.Continuation
  /// The number of comparisons that clients have begun.
  private(set) var comparisonCount = 0
  private let serverLog: MemoryServerLog
  private let secret: [UInt8]?
  private var fault: Fault?
  private var delayed: [(SyncConnection, ServerReply)] = []
  private var wants:
    [ObjectIdentifier: (connection: SyncConnection, deltaRequest: DeltaRequest, isFirst: Bool)] =
      [:]
  private var server: WebSocketServer?

  init(secret: [UInt8]? = nil) throws {
    serverLog = try SyncModel.server
    self.secret = secret
    (uploads, uploaded) = AsyncStream.makeStream()
    (confirmations, confirming) = AsyncStream.makeStream()
    (variables, saidVariables) = AsyncStream.makeStream()
  }

  /// The number of the server's rows.
  var rowCount: Int { serverLog.rows.count }

  /// The number of requests that wait for something new.
  var requestCount: Int { wants.count }

  /// Removes all rows without telling it in the log.
  func loseRows() { serverLog.rows = [:] }

  /// Sets the number of objects of a first fill in one delta.
  func setChunk(_ count: Int) { serverLog.chunk = count }

  /// Begins another history, as after the restore of a dump; see ``MemoryServerLog/beginHistory()``.
  func beginHistory() { serverLog.beginHistory() }

  /// Begins another history, and limits the parts of the resets that follow.
  func loseCursors(partSize: Int) {
    serverLog.beginHistory()
    serverLog.limits.directCount = 0
    serverLog.limits.partSize = partSize
  }

  /// Listens.
  ///
  /// - Parameters:
  ///   - port: The port; 0 for any.
  ///   - files: The files of a certificate and of its key, for TLS.
  /// - Returns: The port.
  /// - Throws: `WebSocketError` when the port is taken.
  func start(
    port: Int = 0,
    files: (certificate: String, key: String)? = nil
  ) async throws -> Int {
    var configuration = WebSocketServer.Configuration()
    configuration.port = port
    configuration.certificate = files.map {
      WebSocketCertificate(chainPath: $0.certificate, keyPath: $0.key)
    }
    configuration.subprotocols = [SyncConnection.subprotocol]
    let server = try await WebSocketServer.start(
      configuration,
      admit: { _ in },
      serve: { socket, _ in try await self.serve(SyncConnection(socket)) },
      report: { _, _ in }
    )
    self.server = server
    return server.port
  }

  func stop() async {
    let server = server
    self.server = nil
    await server?.stop(within: .zero)
  }

  /// Sets what becomes of the next uploads; nil ends it, and answers those that were delayed.
  func setFault(_ new: Fault?) async throws {
    fault = new
    let replies = delayed
    delayed = []
    for (connection, reply) in replies { try await connection.send(.reply(reply)) }
    try await answerAll()
  }

  private func serve(_ connection: SyncConnection) async throws {
    var messages = connection.messages(limit: 1 << 20)
    guard case .hello(let hello) = try await messages.next() else { return }
    if let secret, hello.credentials != .sharedSecret(secret) {
      connection.close(Refused(.credentials, "another secret"), .normal)
      return
    }
    try await connection.send(
      .welcome(
        Welcome(
          clock: 0,
          messageSize: 1 << 20,
          uploadOperations: 1_000,
          digestSize: UInt64(TestDevice.digestSize),
          model: hello.model
        )
      )
    )
    defer { wants[ObjectIdentifier(connection)] = nil }
    var isFirst = true
    while let message = try await messages.next() {
      switch message {
      case .upload(let upload): try await take(upload, from: connection)
      case .deltaRequest(let deltaRequest):
        wants[ObjectIdentifier(connection)] = (connection, deltaRequest, isFirst)
        isFirst = false
        confirming.yield(deltaRequest.confirmed)
        try await answerAll()
      case .digests(let digests): try await compare(digests, connection)
      case .lend(let lend): try await connection.send(.lease(serverLog.lease(lend)))
      case .demand:
        isFirst = wants[ObjectIdentifier(connection)] == nil
        wants[ObjectIdentifier(connection)]?.isFirst = true
        try await answerAll()
      case .variables(let variables): saidVariables.yield(variables.values)
      default: throw WebSocketClosure.goingAway
      }
    }
  }

  private func reply(_ answer: MemoryServerLog.Answer) -> WireMessage {
    switch answer {
    case .delta(let delta): .delta(delta)
    case .reset(let reset): .reset(reset)
    case .refine(let refine): .refine(refine)
    case .reply(let reply): .reply(reply)
    }
  }

  private func compare(_ digests: Digests, _ connection: SyncConnection) async throws {
    if digests.base == nil { comparisonCount += 1 }
    let isForgotten = fault == .forgetfulness
    let forgotten = Reset(state: digests.deltaRequest.state, epoch: serverLog.cursor.epoch)
    try await connection.send(
      isForgotten ? .reset(forgotten) : reply(try serverLog.receive(digests))
    )
  }

  private func take(_ upload: Upload, from connection: SyncConnection) async throws {
    let last = upload.transactions.last?.sequence ?? 0
    let reply =
      fault == .loss ? .acknowledged(upload.device, last: 0) : try serverLog.receive(upload)
    // Answered before the test hears of it, so that a change of the fault comes later.
    let now = fault
    if now == .delay { delayed.append((connection, reply)) }
    uploaded.yield(upload.transactions.map(\.sequence))
    if now == .noAnswer, last > 0 { throw WebSocketClosure.goingAway }
    guard now != .delay else { return }
    try await connection.send(.reply(reply))
    try await answerAll()
  }

  /// Answers the requests for which there is something new.
  private func answerAll() async throws {
    for (key, (connection, deltaRequest, isFirst)) in wants {
      let answer = serverLog.receive(deltaRequest)
      switch answer {
      case .delta(let delta):
        guard
          isFirst || !delta.rows.isEmpty || !delta.leaves.isEmpty || !delta.decisions.isEmpty
            || delta.scopes != deltaRequest.scopes
        else { continue }
        wants[key] = nil
        // The connection of another device may have ended.
        try? await connection.send(.delta(delta))
      case .reply, .reset, .refine:
        wants[key] = nil
        try? await connection.send(reply(answer))
      }
    }
  }
}
