import ObjectBoxSyncConnection
import ObjectBoxSyncProtocol
import ObjectBoxSyncSchema
import ObjectBoxSyncTestSupport
import ObjectBoxWebSockets
import Testing

@testable import ObjectBoxCluster
@testable import ObjectBoxSyncServer

/// A device with its store in memory, connected with a server over a WebSocket.
struct SocketDevice {
  var own: TestDevice
  private(set) var welcome: Welcome?
  private let socket: WebSocketConnection
  private let connection: SyncConnection
  private var messages: SyncConnection.Messages

  /// Connects, and logs in.
  ///
  /// - Throws: ``Refused`` when the server refuses.
  init(
    _ own: TestDevice,
    port: Int,
    credentials: Credentials = .none,
    without property: PropertyUID? = nil,
    version: UInt32 = Hello.currentVersion
  ) async throws {
    self.own = own
    var settings = WebSocketClient.Configuration()
    settings.subprotocol = SyncConnection.subprotocol
    let client = try await WebSocketClient.start(settings)
    socket = try await client.connect(to: "ws://127.0.0.1:\(port)/")
    connection = SyncConnection(socket)
    messages = connection.messages(limit: 1 << 28)
    let model = own.test.serverLog.entities.map { entity in
      let whole = EntityDescription(entity.table.schema)
      return EntityDescription(
        entity: whole.entity,
        properties: whole.properties.filter { $0.property != property },
        relations: whole.relations
      )
    }
    do {
      try await send(
        .hello(
          Hello(
            version: version,
            device: own.device.store.state.device,
            credentials: credentials,
            clock: 0,
            model: model
          )
        )
      )
    } catch is WebSocketError {
      // The server has told why.
    }
    guard case .welcome(let welcome) = try await next() else {
      Issue.record("no welcome")
      return
    }
    self.welcome = welcome
  }

  /// The number of bytes that have arrived and were not read.
  var unreadBytes: Int { socket.unreadBytes }

  func send(_ message: WireMessage) async throws { try await connection.send(message) }

  /// Sends a message, also in another task.
  var sender: @Sendable (WireMessage) async throws -> Void {
    { [connection] in try await connection.send($0) }
  }

  mutating func next() async throws -> WireMessage? {
    let message = try await messages.next()
    if case .refused(let refused) = message { throw refused }
    return message
  }

  /// Uploads what waits, and takes deltas until a condition holds.
  mutating func synchronize(until isDone: (TestDevice) throws -> Bool) async throws {
    if own.device.store.waitingCount > 0 {
      try await send(.upload(own.device.upload(limit: 100)))
    }
    try await send(.deltaRequest(own.device.deltaRequest()))
    while try !isDone(own) || !own.device.store.state.scopes.isComplete {
      guard let message = try await next() else {
        Issue.record("the server closed the connection")
        return
      }
      try await take(message)
    }
  }

  private mutating func take(_ message: WireMessage) async throws {
    let fresh = { DeviceIdentity(Identifier128(high: .random(in: 1_000 ... .max), low: 0)) }
    switch message {
    case .delta(let delta):
      _ = try own.device.receive(delta, makeIdentity: fresh)
      try await send(.deltaRequest(own.device.deltaRequest()))
    case .reply(let reply):
      let before = own.device.store.state.device
      try own.device.receive(reply, makeIdentity: fresh)
      guard own.device.store.state.device != before else { return }
      try await send(.upload(own.device.upload(limit: 100)))
      try await send(.deltaRequest(own.device.deltaRequest()))
    case .reset(let reset):
      let size = try #require(welcome?.digestSize)
      let digests = try #require(try own.device.receive(reset, size: Int(size)))
      try await send(.digests(digests))
    case .refine(let refine):
      try own.device.stagingArea(refine)
      try await send(.digests(try #require(try own.device.receive(refine))))
    default: Issue.record("unexpected message \(message)")
    }
  }

  /// An upload of one transaction, whatever its operations are.
  func upload(_ operations: [ObjectBoxSyncProtocol.Operation]) -> Upload {
    Upload(
      device: own.device.store.state.device,
      seen: .distantPast,
      transactions: [
        SyncTransaction(
          sequence: 1,
          token: TransactionToken(Identifier128(high: 1, low: .random(in: 1 ... .max))),
          previous: nil,
          time: .distantPast,
          operations: operations
        )
      ]
    )
  }

  func close() { connection.close() }
}
