import Foundation
import ObjectBox
import ObjectBoxSyncConnection
import ObjectBoxSyncProtocol
import ObjectBoxSyncSchema
import ObjectBoxTestSupport
import ObjectBoxWebSockets

/// A client that speaks the wire itself, and keeps no promise of a device.
struct Attacker {
  /// The numbers of an attack.
  struct Counts: Sendable {
    var uploads = 0
    var accepted = 0
    var rejected = 0
    var garbage = 0
    var connections = 0

    mutating func add(_ other: Self) {
      uploads += other.uploads
      accepted += other.accepted
      rejected += other.rejected
      garbage += other.garbage
      connections += other.connections
    }
  }

  private let number: UInt64
  private let port: Int
  private let model: [EntityDescription]
  private var upload: RandomUpload
  private var random: SplitMix
  private var device: DeviceIdentity
  private var sequence: UInt64 = 0
  private var previous: TransactionToken?
  /// A cursor that the attacker has seen, old or new.
  private var cursors: [(Cursor?, ScopeMarks)] = [(nil, ScopeMarks())]
  private(set) var counts = Counts()

  /// - Parameters:
  ///   - number: The user's name; the identities of the user's devices begin with it, so that the database can tell
  ///     whose uploads it has.
  ///   - port: The server's port.
  ///   - entities: The entities of the server's model.
  ///   - seed: The seed.
  init(_ number: UInt64, port: Int, entities: [EntitySchema], seed: Int) {
    self.number = number
    self.port = port
    model = entities.map(EntityDescription.init)
    random = SplitMix(seed: seed &* 31 &+ Int(number))
    upload = RandomUpload(
      random: SplitMix(seed: seed &* 37 &+ Int(number)),
      entities: entities,
      user: "\(number)"
    )
    device = DeviceIdentity(Identifier128(high: number, low: random.next()))
  }

  /// Attacks until a time has passed.
  mutating func run(until end: Date) async {
    while Date() < end, !Task.isCancelled {
      counts.connections += 1
      // The server ends what breaks the protocol; another device goes on.
      do { try await attack(until: end) } catch {
        begin()
      }
    }
  }

  private mutating func attack(until end: Date) async throws {
    if random.happens(0.1) { return try await floodWithSilence() }
    var settings = WebSocketClient.Configuration()
    settings.subprotocol = SyncConnection.subprotocol
    let client = try await WebSocketClient.start(settings)
    let socket = try await client.connect(to: "ws://127.0.0.1:\(port)/")
    defer { socket.close() }
    if random.happens(0.1) { return try await sendGarbage(socket) }
    let connection = SyncConnection(socket)
    var messages = connection.messages(limit: 1 << 28)
    try await connection.send(
      .hello(
        Hello(
          device: device,
          credentials: .user(name: random.happens(0.02) ? "h\0" : "\(number)", password: ""),
          clock: random.pick([0, .min, .max]),
          model: random.happens(0.05) ? [] : model
        )
      )
    )
    for _ in 0..<Int.random(in: 1...40, using: &random) where Date() < end {
      if random.happens(0.3) {
        let (cursor, scopes) = random.pick(cursors)
        let edition = random.happens(0.1) ? random.next() : 0
        try await connection.send(
          .want(
            Want(
              state: StateKey(device: device, edition: edition),
              cursor: cursor,
              scopes: scopes,
              confirmed: random.pick([0, sequence, .max])
            )
          )
        )
      } else if random.happens(0.05) {
        let entity = EntityUID(random.pick(upload.entities).identity.uid)
        try await connection.send(.lend(Lend(device: device, entity: entity)))
      } else {
        try await send(connection)
        try await read(&messages)
      }
      if random.happens(0.03) {
        // The half of a message, and then the end.
        let bytes = WireMessage.upload(nextUpload()).encoded()
        return try await socket.send([0] + bytes.prefix(bytes.count / 2))
      }
    }
  }

  private mutating func nextUpload() -> Upload {
    let transaction = upload.transaction(sequence + 1, behind: previous)
    return Upload(
      device: device,
      seen: HybridTime(milliseconds: random.pick([.min, 0, .max])),
      transactions: Array(repeating: transaction, count: random.happens(0.05) ? 3 : 1)
    )
  }

  private mutating func send(_ connection: SyncConnection) async throws {
    let next = nextUpload()
    counts.uploads += 1
    try await connection.send(.upload(next))
    previous = next.transactions[0].token
    sequence = next.transactions[0].sequence
  }

  /// Reads until the answer to an upload has come: not every request has one.
  private mutating func read(_ messages: inout SyncConnection.Messages) async throws {
    while let message = try await messages.next() {
      switch message {
      case .reply(.acknowledged(_, let last)):
        if last != sequence { begin() }
        return
      case .reply(.forked):
        begin()
        return
      case .cut(let cut):
        cursors = Array((cursors + [(cut.cursor, cut.scopes)]).suffix(10))
        for verdict in cut.verdicts {
          if case .rejected = verdict.verdict { counts.rejected += 1 } else { counts.accepted += 1 }
        }
        cut.rows.forEach { row in
          upload.births[row.key] = row.row.birth
          upload.tokens = Array((upload.tokens + [row.row.stamp.token]).suffix(50))
        }
      case .refused(let refused): throw refused
      default: break
      }
    }
  }

  /// Begins as another device of the user.
  private mutating func begin() {
    device = DeviceIdentity(Identifier128(high: number, low: random.next()))
    sequence = 0
    previous = nil
  }

  /// Sends bytes that are no message, or one that tells of far more than it has.
  private mutating func sendGarbage(_ socket: WebSocketConnection) async throws {
    counts.garbage += 1
    for _ in 0..<10 {
      var bytes = (0..<Int.random(in: 1..<400, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      if random.happens(0.5) {
        // An upload, or a login, with a huge number of elements.
        bytes = [0, random.pick([1, 4, 6])] + bytes.prefix(40) + [0xFF, 0xFF, 0xFF, 0xFF, 0x0F]
      }
      try await socket.send(bytes)
    }
    while try await socket.receive() != nil {}
  }

  /// Opens sockets that say nothing, and one that stops within its request.
  private mutating func floodWithSilence() async throws {
    let sockets = (0..<300).compactMap { _ in try? RawSocket(port: port, from: UInt8(number + 1)) }
    try? sockets.last?.write(Array("GET / HTTP/1.1\r\nHost: a\r\n".utf8))
    try await Task.sleep(for: .milliseconds(300))
    withExtendedLifetime(sockets) {}
  }
}
