import Dispatch
import Foundation
import ObjectBox
import ObjectBoxSync
import ObjectBoxSyncConnection
import ObjectBoxSyncProtocol
import ObjectBoxSyncSchema
import ObjectBoxWebSockets

/// A store with a client.
final class Device {
  let folder: Folder
  let store: Store
  let items: Box<Item>
  let client: any SyncClient

  init(url: String, user: String) throws {
    folder = try Folder()
    // Room for a million objects with their marks.
    store = try Store(directoryPath: folder.path, maxDbSizeInKByte: 4 << 20)
    items = store.box()
    guard let url = URL(string: url) else { Main.fail("'\(url)' is no address") }
    client = try Sync.makeClient(
      configuration: .init(store: store, urls: [url], credentials: [.makeUserPassword(user, "")])
    )
  }

  /// The listener that waits for the first complete state.
  private final class Completion: SyncCompletedListener, Sendable {
    let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }
    func updatesCompleted() { continuation.yield() }
  }

  /// Starts the client, and waits until the device has everything.
  func fill() async throws {
    let completion = Completion()
    client.completedListener = completion
    try client.start()
    for await _ in completion.stream { return }
  }

  /// Fills a store, and prints objects, elapsed seconds, processor seconds, the peak of memory, and of it what is
  /// not of files.
  static func run(url: String, user: String) async throws {
    let device = try Device(url: url, user: user)
    let (start, own) = (Usage.clock, Usage.own)
    try await device.fill()
    let (end, used) = (Usage.clock, Usage.own)
    let pid = ProcessInfo.processInfo.processIdentifier
    Report.say(
      "\(try device.items.count()) \(end - start) \(used - own) \(Usage.memory("VmHWM", of: pid)) "
        + "\(Usage.memory("RssAnon", of: pid))"
    )
  }
}

/// Devices without changes: connections that have logged in and asked for the next cut.
enum IdleDevices {
  static func run(url: String, count: Int) async throws {
    let folder = try Folder()
    let store = try Store(directoryPath: folder.path)
    let model = store.file.schema.entities
      .filter { $0.flags & EntityFlags.syncEnabled.rawValue != 0 }
      .map { EntityDescription($0) }
    var settings = WebSocketClient.Configuration()
    settings.subprotocol = SyncConnection.subprotocol
    var clients: [WebSocketClient] = []
    var connections: [SyncConnection] = []
    for number in 0..<count {
      // A client has a limited number of connections.
      if number % 200 == 0 { clients.append(try await WebSocketClient.start(settings)) }
      let sockets = clients[number / 200]
      let connection = SyncConnection(try await sockets.connect(to: url))
      let identity = DeviceIdentity(Identifier128(high: 7, low: UInt64(number)))
      let hello = Hello(
        device: identity,
        credentials: .user(name: "idle \(number)", password: ""),
        clock: Int64(Date().timeIntervalSince1970 * 1_000),
        model: model
      )
      try await connection.send(.hello(hello))
      var messages = connection.messages(limit: 1 << 20)
      guard case .welcome? = try await messages.next() else { Main.fail("no welcome") }
      var state = StateKey(device: identity, edition: 0)
      var want = Want(state: state, cursor: nil, scopes: ScopeMarks(), confirmed: 0)
      try await connection.send(.want(want))
      guard case .cut(let cut)? = try await messages.next() else { Main.fail("no cut") }
      state = StateKey(device: identity, edition: 1)
      want = Want(state: state, cursor: cut.cursor, scopes: cut.scopes, confirmed: 0)
      try await connection.send(.want(want))
      // The answer to a session's first request is not awaited again.
      connections.append(connection)
    }
    Report.say("ready")
    await Child.waitForParent()
    for connection in connections { connection.close() }
  }
}

/// A server with many devices that have nothing to do.
struct Idle {
  private let database: Database

  init(_ database: Database) { self.database = database }

  func run() async throws {
    let count = Main.number("DEVICES", 1_000)
    let server = try Child(["\(database.address)", "serve", database.schema])
    let url = "ws://127.0.0.1:\(try server.line())"
    let before = Usage.memory("VmRSS", of: server.pid)
    let devices = try Child([url, "devices", "\(count)"])
    _ = try devices.line()
    try await Task.sleep(for: .seconds(3))
    Report.atMost(
      "memory of a server with \(count) idle devices",
      100,
      Usage.memory("VmRSS", of: server.pid),
      " MB"
    )
    Report.line("… before they came", "\(Report.short(before)) MB")
    let start = Usage.time(of: server.pid)
    try await Task.sleep(for: .seconds(5))
    Report.line(
      "… its processor time while nothing happens",
      "\(Report.short((Usage.time(of: server.pid) - start) / 5 * 1_000)) ms a second"
    )
    try devices.stop()
    try server.stop()
  }
}
