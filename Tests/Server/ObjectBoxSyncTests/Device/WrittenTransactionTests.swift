import Foundation
import ObjectBox
import ObjectBoxDynamic
@testable import ObjectBoxSync
import ObjectBoxSyncProtocol
import ObjectBoxTestSupport
import Testing

@Suite struct WrittenTransactionTests {
  /// Clocks of objects, with and without a precedence, beside the models of other tests.
  private static let models = [
    SyncModel.json, SyncModel.merging, SyncModel.resolved,
    SyncModel.model(flags: 2, rank: 131_080), SyncModel.model(flags: 2, rank: 262_152),
    SyncModel.model(flags: 536_870_914, rank: 1_073_741_832),
    SyncModel.model(flags: 2, choosesTagIDs: true, hasAllTypes: true),
  ]

  @Test(arguments: 1...TestLength.choose(short: 14, long: 42))
  func `a transaction leaves the table that the protocol's forecast leaves`(
    seed: Int
  ) throws {
    var trial = try ForecastTrial(seed: seed, Self.models[seed % Self.models.count])
    for _ in 0..<6 { try trial.run() }
    #expect(trial.queuedCount > 0)
    try trial.finish()
  }

  @Test func `updates that change nothing queue nothing`() throws {
    let device = try TestDevice()
    let ids = try (0..<3).map { try device.notes.put(["rank": $0]) }
    let before = try device.rawRows()
    try device.store.runInTransaction {
      for (rank, id) in ids.enumerated() { try device.notes.put(["id": id.value, "rank": rank]) }
    }
    #expect(try device.synced.waitingCount == 3)
    #expect(try device.rawRows() == before)
  }

  @Test func `a counter that is emptied becomes zero on the device`() throws {
    let server = try SyncModel.server(SyncModel.merging)
    let device = try TestDevice(model: SyncModel.merging)
    let id = try device.notes.put(["rank": 5])
    try device.sync(with: server)
    try device.notes.put(["id": id.value, "rank": nil as Int?])
    #expect(try device.notes.get(id)?["rank"] as? Int == 0)
    try device.sync(with: server)
    #expect(try device.digests(server) == server.digests(size: TestDevice.digestSize))
  }
}

/// Two equal devices that capture the same transactions: one as the product does, the other as rows in memory, whose
/// operations the protocol's state machine applies.
private struct ForecastTrial {
  private let server: MemoryServerLog
  private let writer: TestDevice
  private let hasAllTypes: Bool
  private var random: SplitMix
  /// The number of transactions that were queued.
  private(set) var queuedCount = 0

  init(seed: Int, _ model: String) throws {
    server = try SyncModel.server(model)
    writer = try TestDevice(model: model)
    hasAllTypes = model.contains("small")
    random = SplitMix(seed: seed)
  }

  mutating func run() throws {
    // Objects with versions of their own and in ranges, confirmed and waiting ones, with and without
    // bases.
    try writer.store.runInTransaction {
      for _ in 0..<Int.random(in: 2...6, using: &random) { try insert(writer) }
    }
    if Int.random(in: 0..<4, using: &random) == 0 {
      for lend in try writer.synced.lendsNeeded() { try writer.synced.receive(server.lease(lend)) }
    }
    if Bool.random(using: &random) { try writer.sync(with: server) }
    for _ in 0..<Int.random(in: 0..<3, using: &random) { try change(writer) }
    if Bool.random(using: &random) { try writer.take(from: server) }
    let (one, two) = (try writer.copy(), try writer.copy())
    #expect(try one.rawRows() == two.rawRows())
    let before = try one.rawRows()
    let token = TransactionToken(.random())
    let inserts = Bool.random(using: &random)
    let start = random
    let isQueued = try capturing(one, inserts) { changed, device in
      let objects = try WrittenObjects(changed, device)
      let written = WrittenTransaction(
        objects: objects,
        token: token,
        wall: 1_000,
        members: [],
        device: device
      )
      return try written.queue()
    }
    if !isQueued { #expect(try one.rawRows() == before) }
    random = start
    let isCaptured = try capturing(two, inserts) { changed, device in
      try CapturedChanges(changed, device).queue(token, wall: 1_000)
    }
    #expect(isCaptured == isQueued)
    if !isQueued { return }
    #expect(try one.expandedRows() == two.expandedRows())
    #expect(try one.content() == two.content())
    #expect(try one.faults() == [])
    queuedCount += 1
  }

  /// Runs a transaction of the program, and captures it otherwise than its store does.
  private mutating func capturing<Result>(
    _ device: TestDevice,
    _ inserts: Bool,
    _ capture: ([Int: EntityChanges], StoredDevice) throws -> Result
  ) throws -> Result {
    let store = device.synced.capture
    return try device.store.inTransaction(isWritable: true) { transaction, _ in
      for _ in 0..<Int.random(in: 1...random.pick([5, 5, 30]), using: &random) {
        if inserts, Bool.random(using: &random) { try insert(device) } else { try change(device) }
      }
      let changed = transaction.notedChanges.filter { store.model[$0.key] != nil }
      transaction.leaveOutParticipant()
      return try capture(
        changed,
        StoredDevice(store.model, store.table, in: transaction)
      )
    }
  }

  mutating func finish() throws {
    for _ in 0..<3 { try writer.sync(with: server) }
    #expect(try writer.synced.waitingCount == 0)
    #expect(try writer.digests(server) == server.digests(size: TestDevice.digestSize))
  }

  // MARK: Writes

  private mutating func insert(_ device: TestDevice) throws {
    if Int.random(in: 0..<4, using: &random) == 0 {
      try device.tags.put(["name": code()])
    } else {
      let note = try device.notes.put(try values(device))
      let tags = try device.tags.all().map(\.id)
      if !tags.isEmpty, Bool.random(using: &random) {
        try device.notes.add([random.pick(tags)], to: "tags", of: note)
      }
    }
  }

  private mutating func change(_ device: TestDevice) throws {
    let tags = try device.tags.all().map(\.id)
    if !tags.isEmpty, Int.random(in: 0..<5, using: &random) == 0 {
      try device.tags.put(["id": random.pick(tags).value, "name": code()])
      return
    }
    let notes = try device.notes.all().map(\.id)
    if notes.isEmpty { return try insert(device) }
    switch Int.random(in: 0..<12, using: &random) {
    case 0:
      _ = try device.notes.remove(random.pick(notes))
      return
    case 1 where !tags.isEmpty:
      _ = try device.tags.remove(random.pick(tags))
      return
    case 2 where hasAllTypes && !tags.isEmpty:
      // It loses its pairs.
      let tag = random.pick(tags)
      _ = try device.tags.remove(tag)
      try device.tags.put(["id": tag.value, "name": code()])
      return
    case 3 where hasAllTypes:
      // Others may have had the ID.
      try device.tags.put(["id": Int.random(in: 1...9, using: &random), "name": code()])
      return
    case 4 where Int.random(in: 0..<6, using: &random) == 0:
      _ = Bool.random(using: &random) ? try device.tags.removeAll() : try device.notes.removeAll()
      return
    default: break
    }
    if !tags.isEmpty, Int.random(in: 0..<3, using: &random) == 0 {
      let (note, tag) = (random.pick(notes), random.pick(tags))
      if Bool.random(using: &random) {
        return try device.notes.remove([tag], from: "tags", of: note)
      }
      return try device.notes.add([tag], to: "tags", of: note)
    }
    var values = try values(device)
    values["id"] = random.pick(notes).value
    try device.notes.put(values)
  }

  private mutating func values(_ device: TestDevice) throws -> [String: Any?] {
    let number = Int.random(in: 0..<1 << 30, using: &random)
    let typed: [(String, Any?)] = [
      ("small", Int8(truncatingIfNeeded: number)), ("short", Int16(number & 0x7FFF)),
      ("letter", UInt16(65)),
      ("large", Int64(number) << 20), ("exact", Double(number) / 3),
      ("date", Date(timeIntervalSince1970: Double(number))), ("date", nil),
      ("data", [UInt8](repeating: UInt8(number & 7), count: number & 31)), ("data", nil),
      ("numbers", [Int64(number), -1]), ("floats", [Float(number) / 9, 0]), ("floats", nil),
    ]
    let all: [(String, Any?)] = [
      ("title", "t\(number)"), ("code", code()), ("rank", number % 99), ("rank", 0),
      ("price", Double(number) / 7), ("done", number.isMultiple(of: 2)), ("words", ["w", "", "ü"]),
      ("scores", [Int32(number % 1000), -1]), ("title", nil), ("rank", nil), ("price", nil),
      ("parent", UInt64(number)), ("parent", nil), ("parent", nil),
    ]
    var values: [String: Any?] = [:]
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      let (name, value) = random.pick(hasAllTypes ? all + typed : all)
      values[name] = .some(value)
    }
    let notes = try device.notes.all().map(\.id)
    if !notes.isEmpty, Bool.random(using: &random) { values["parent"] = random.pick(notes).value }
    return values
  }

  private mutating func code() -> String { "c\(Int.random(in: 0..<1 << 40, using: &random))" }
}

extension TestDevice {
  /// The rows of the table of synchronization.
  fileprivate func rawRows() throws -> [[UInt8]: [UInt8]] {
    try synced.reading { store in
      var rows: [[UInt8]: [UInt8]] = [:]
      for kind in UInt8.min ... .max {
        guard let kind = SyncTable.Kind(rawValue: kind) else { continue }
        try store.table.forEach(SyncKey(kind), in: store.storage) { rows[$0.bytes] = Array($1) }
      }
      return rows
    }
  }

  /// The rows as they were if each object had versions with all its pairs and a base of its own, and if
  /// transactions waited in the form of messages.
  fileprivate func expandedRows() throws -> [[UInt8]: [UInt8]] {
    var rows = try rawRows()
    func encoded(_ value: some WireValue) -> [UInt8] {
      var writer = WireWriter()
      writer.append(value)
      return writer.bytes
    }
    try synced.reading { store in
      let shared = [SyncTable.Kind.markedRange, .bases, .addedPair].map(\.rawValue)
      rows = rows.filter { row in row.key.first.map { !shared.contains($0) } ?? true }
      try store.table.forEach(SyncKey(.waiting), in: store.storage) { key, value in
        let waiting = try SyncTable.decode(Array(value), key, as: WaitingTransaction.self)
        rows[key.bytes] = encoded(waiting)
      }
      try store.table.forEach(SyncKey(.bases), in: store.storage) { key, value in
        let run = try BaseRun(key, value)
        for id in run.ids {
          let own = SyncKey(.base, ObjectKey(entity: key.object().entity, id: id))
          #expect(rows[own.bytes] == nil)
          rows[own.bytes] = encoded(BaseRow.row(try #require(run.row(id: id))))
        }
      }
      for entity in store.model.ordered {
        for range in try store.ranges(of: entity.uid) {
          for key in range.keys { rows[SyncKey(.versions, key).bytes] = encoded(range.versions) }
        }
      }
      try store.table.forEach(SyncKey(.addedPair), in: store.storage) { key, _ in
        let versions = try #require(try store.storedVersions(at: key.object()))
        rows[SyncKey(.versions, key.object()).bytes] = encoded(versions)
      }
      var state = try #require(try store.table.state(in: store.storage))
      for block in state.absentBases {
        for id in block.ids {
          let key = ObjectKey(entity: block.entity, id: id)
          rows[SyncKey(.base, key).bytes] = encoded(BaseRow.absent)
        }
      }
      state.absentBases = []
      rows[SyncKey(.state).bytes] = encoded(state)
    }
    return rows
  }
}
