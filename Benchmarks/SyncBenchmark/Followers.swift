import Foundation
import ObjectBox
import ObjectBoxCluster
import ObjectBoxSync
import ObjectBoxSyncConnection
import ObjectBoxSyncProtocol
import ObjectBoxSyncSchema
import ObjectBoxWebSockets

/// A device without a store: it asks for deltas, and counts what it is sent.
struct Follower {
  private let connection: SyncConnection
  private var messages: SyncConnection.Messages
  private var deltaRequest: DeltaRequest

  /// Connects devices and logs them in.
  ///
  /// - Parameters:
  ///   - url: The server's address.
  ///   - count: The number of devices.
  ///   - name: Returns the user of a device.
  /// - Returns: The devices, which have everything that the server had.
  /// - Throws: When a connection fails.
  static func connect(
    to url: String,
    count: Int,
    as name: (Int) -> String
  ) async throws -> [Follower] {
    let folder = try Folder()
    let store = try Store(directoryPath: folder.path)
    let model = store.file.schema.entities
      .filter { $0.flags & EntityFlags.syncEnabled.rawValue != 0 }
      .map { EntityDescription($0) }
    var settings = WebSocketClient.Configuration()
    settings.subprotocol = SyncConnection.subprotocol
    var clients: [WebSocketClient] = []
    var followers: [Follower] = []
    for number in 0..<count {
      // A client has a limited number of connections.
      if number % 200 == 0 { clients.append(try await WebSocketClient.start(settings)) }
      let identity = DeviceIdentity(Identifier128(high: 7, low: UInt64(number)))
      let hello = Hello(
        device: identity,
        credentials: .user(name: name(number), password: ""),
        clock: Int64(Date().timeIntervalSince1970 * 1_000),
        model: model
      )
      let connection = SyncConnection(try await clients[number / 200].connect(to: url))
      var follower = Follower(connection, identity)
      try await follower.logIn(hello)
      followers.append(follower)
    }
    return followers
  }

  private init(_ connection: SyncConnection, _ identity: DeviceIdentity) {
    self.connection = connection
    messages = connection.messages(limit: 64 << 20)
    deltaRequest = DeltaRequest(
      state: StateKey(device: identity, edition: 0),
      cursor: nil,
      scopes: ScopeProgress(),
      confirmed: 0
    )
  }

  private mutating func logIn(_ hello: Hello) async throws {
    try await connection.send(.hello(hello))
    guard case .welcome? = try await messages.next() else { Main.fail("no welcome") }
    try await connection.send(.deltaRequest(deltaRequest))
    repeat { _ = try await delta() } while !deltaRequest.scopes.isComplete
  }

  /// Waits for the next delta, asks for the one after it, and returns the number of its objects.
  mutating func delta() async throws -> Int {
    guard case .delta(let delta)? = try await messages.next(),
      let next = deltaRequest.following(delta)
    else {
      Main.fail("no delta")
    }
    deltaRequest = next
    try await connection.send(.deltaRequest(next))
    return delta.rows.count
  }

  func close() { connection.close() }

  // MARK: Processes

  /// Connects devices of different users, which have nothing to do until the parent ends.
  static func idle(url: String, count: Int) async throws {
    let followers = try await connect(to: url, count: count) { "idle \($0)" }
    Report.say("ready")
    await Child.waitForParent()
    for follower in followers { follower.close() }
  }

  /// Connects devices of one user, and tells when each has been sent a number of objects.
  static func receive(url: String, count: Int, objects: Int) async throws {
    let followers = try await connect(to: url, count: count) { _ in Push.user }
    Report.say("ready")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for var follower in followers {
        group.addTask {
          var received = 0
          while received < objects { received += try await follower.delta() }
        }
      }
      try await group.waitForAll()
    }
    Report.say("\(Usage.own)")
    await Child.waitForParent()
    for follower in followers { follower.close() }
  }
}

/// Changes that concern many devices: how many are pushed in a second.
struct Push {
  static let user = "everybody"
  private static let devices = 100
  private static let commits = 100
  private static let changes = 100

  private let database: Database

  init(_ database: Database) { self.database = database }

  func run() async throws {
    let server = try Child([database.address, "serve", database.schema])
    let url = "ws://127.0.0.1:\(try server.line())"
    let objects = Self.commits * Self.changes
    let followers = try Child([url, "followers", "\(Self.devices)", "\(objects)"])
    _ = try followers.line()
    let before = Usage.time(of: server.pid)
    let start = Usage.clock
    // Each object once: a delta has an object once, however often it was changed.
    try database.sql(
      """
      DO $$ BEGIN
        FOR i IN 0..\(Self.commits - 1) LOOP
          INSERT INTO @"Item" (id, owner, title, count, price)
          SELECT n, '\(Self.user)', 'item ' || n, n, 0
          FROM generate_series(i * \(Self.changes) + 1, (i + 1) * \(Self.changes)) AS n;
          COMMIT;
        END LOOP;
      END $$
      """
    )
    let own = try followers.line()
    let matches = Double(Self.devices * objects)
    Report.atLeast(
      "pushing changes to \(Self.devices) devices of one user",
      100_000,
      matches / (Usage.clock - start),
      " matches a second"
    )
    func share(_ seconds: Double) -> String { "\(Report.short(seconds * 1e6 / matches)) µs" }
    Report.line("… processor time a match: server", share(Usage.time(of: server.pid) - before))
    Report.line("… devices, with their logins", share(Double(own) ?? .nan))
    try followers.stop()
    try server.stop()
  }
}
