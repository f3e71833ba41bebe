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
    /// Steps of resets that the server has answered.
    var resets = 0
    /// Objects of others that the server has sent.
    var foreign = 0

    mutating func add(_ other: Self) {
      uploads += other.uploads
      accepted += other.accepted
      rejected += other.rejected
      garbage += other.garbage
      connections += other.connections
      resets += other.resets
      foreign += other.foreign
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
  /// Cursors that the attacker has seen, old and new ones.
  private var cursors: [(Cursor?, ScopeProgress)] = [(nil, ScopeProgress())]
  /// The bases of resets that the attacker has begun.
  private var bases: [ComparisonBase?] = [nil]
  private let judge: ReadingJudge
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
    judge = ReadingJudge(entities, user: "\(number)")
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
        try await connection.send(.deltaRequest(nextWant()))
      } else if random.happens(0.3) {
        try await connection.send(.digests(nextDigests()))
        // Or the half of a reset, or several at once.
        if random.happens(0.6) { try await readAnswer(&messages) }
      } else if random.happens(0.05) {
        try await connection.send(.demand)
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

  /// A request with any cursor that there was.
  private mutating func nextWant() -> DeltaRequest {
    let (cursor, scopes) = random.pick(cursors)
    return DeltaRequest(
      state: StateKey(device: device, edition: random.happens(0.1) ? random.next() : 0),
      cursor: cursor,
      scopes: random.happens(0.1) ? random.pick(cursors).1 : scopes,
      confirmed: random.pick([0, sequence, .max])
    )
  }

  /// A step of a reset: the first one, a later one of any reset that was begun, or one that nobody asked for.
  private mutating func nextDigests() -> Digests {
    let deltaRequest = nextWant()
    let base = random.pick(bases)
    var ranges: [KeyRange] = []
    for entity in model.map(\.entity).sorted() where random.happens(0.8) {
      let middle = UInt64.random(in: 1...60, using: &random)
      if random.happens(0.5) { ranges.append(KeyRange(entity, 1...middle)) }
      ranges.append(KeyRange(entity, middle + 1...KeyRange.greatestID))
    }
    let size = random.pick([0, 0, 1, 8, 64])
    return Digests(
      deltaRequest: deltaRequest,
      epoch: base?.cursor.epoch ?? deltaRequest.cursor?.epoch
        ?? Epoch(system: random.next(), database: 1, timeline: 1),
      base: base,
      stagingArea: random.happens(0.2) ? random.next() : 0,
      ranges: RangeDigests(size: size, ranges.map { RangeDigests.Element($0) })
    )
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

  /// The end of a connection whose device cannot go on.
  private struct Ended: Error {}

  /// Reads until the answer to an upload has come: not every request has one.
  private mutating func read(_ messages: inout SyncConnection.Messages) async throws {
    while let message = try await messages.next() {
      try take(message)
      guard case .reply(.acknowledged(_, let last)) = message else { continue }
      if last != sequence { throw Ended() }
      return
    }
  }

  /// Reads until the answer to a step of a reset has come.
  private mutating func readAnswer(_ messages: inout SyncConnection.Messages) async throws {
    while let message = try await messages.next() {
      try take(message)
      switch message {
      case .delta, .reset, .refine: return
      default: continue
      }
    }
  }

  private mutating func take(_ message: WireMessage) throws {
    switch message {
    case .reply(.forked): throw Ended()
    case .delta(let delta):
      note(delta.cursor, delta.scopes)
      for decision in delta.decisions {
        if case .rejected = decision.decision { counts.rejected += 1 } else { counts.accepted += 1 }
      }
      learn(delta.rows)
    case .reset: counts.resets += 1
    case .refine(let refine):
      counts.resets += 1
      bases = Array((bases + [refine.base]).suffix(10))
      note(refine.base.cursor, refine.base.scopes)
      if let part = refine.part { learn(part.rows) }
    case .refused(let refused): throw refused
    default: break
    }
  }

  /// Keeps a cursor in the place of any other.
  private mutating func note(_ cursor: Cursor, _ scopes: ScopeProgress) {
    if cursors.count < 20 { return cursors.append((cursor, scopes)) }
    cursors[Int.random(in: 1..<cursors.count, using: &random)] = (cursor, scopes)
  }

  private mutating func learn(_ rows: RowBatch) {
    counts.foreign += judge.foreign(in: rows)
    for row in rows {
      upload.originIDs[row.key] = row.row.originID
      upload.tokens = Array((upload.tokens + [row.row.stamp.token]).suffix(50))
      let pairs = row.row.pairs.map { (row.key, $0) }
      upload.pairs = Array((upload.pairs + pairs).suffix(50))
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
