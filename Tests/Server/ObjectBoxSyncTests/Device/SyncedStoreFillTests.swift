import ObjectBox
import ObjectBoxDynamic
import ObjectBoxRuntimeTestSupport
@testable import ObjectBoxSync
import ObjectBoxSyncProtocol
import ObjectBoxTestSupport
import Testing

@Suite struct SyncedStoreFillTests {
  @Test(arguments: 1...TestLength.choose(short: 5, long: 12))
  func `objects that are inserted at once give the store that one by one gives`(seed: Int) throws {
    let models = [SyncModel.json, SyncModel.merging]
    var trial = try FillTrial(seed: seed, models[seed % models.count])
    for _ in 0..<8 { try trial.run() }
  }

  @Test func `IDs between stored objects and above them are filled`() throws {
    let server = try SyncModel.server
    let (one, two) = (try TestDevice(), try TestDevice())
    let tags = try (1...30).map { try one.tags.put(["name": "\($0)"]) }
    try one.sync(with: server)
    server.chunk = 7
    try two.take(from: server)
    // A gap among the objects of the first part, and an object of the device's own above all.
    _ = try one.tags.remove([tags[2], tags[3]])
    try one.sync(with: server)
    let own = try two.tags.put(["name": "own"])
    for _ in 1...6 { try two.sync(with: server) }
    try one.take(from: server)
    #expect(try two.tags.count() == 29)
    #expect(try two.content() == one.content())
    #expect(try one.tags.contains(own))
    #expect(try two.faults() == [])
  }

  @Test func `objects of one transaction share their versions until they change`() throws {
    let server = try SyncModel.server
    let (one, two) = (try TestDevice(), try TestDevice())
    var tags: [Id] = []
    try one.store.runInTransaction {
      for number in 1...30 { tags.append(try one.tags.put(["name": "\(number)"])) }
    }
    try one.sync(with: server)
    server.chunk = 20
    for _ in 1...3 { try two.take(from: server) }
    func sharing() throws -> Int {
      try two.synced.reading { store in
        try tags.filter { id in
          let key = ObjectKey(entity: SyncModel.tag, id: id.value)
          return try store.range(at: key) != nil
        }.count
      }
    }
    #expect(try sharing() == 30)
    try two.tags.put(["id": tags[9].value, "name": "changed"])
    _ = try two.tags.remove([tags[4]])
    try two.sync(with: server)
    #expect(try sharing() == 28)
    try one.take(from: server)
    #expect(try two.content() == one.content())
    #expect(try two.digests(server) == server.digests(size: TestDevice.digestSize))
    #expect(try two.faults() == [])
  }

  @Test func `the request that is sent ahead of a part is the one after it`() throws {
    let server = try SyncModel.server
    let (one, two) = (try TestDevice(), try TestDevice())
    for rank in 1...9 { try one.notes.put(["rank": rank]) }
    try one.sync(with: server)
    server.chunk = 2
    var parts = 0
    while try !two.synced.deltaRequest().scopes.isComplete || parts == 0 {
      let deltaRequest = try two.synced.deltaRequest()
      guard case .delta(let delta) = server.receive(deltaRequest) else {
        throw MemoryServerLog.Unexpected()
      }
      let next = deltaRequest.following(delta)
      #expect(try two.synced.receive(delta) == .taken)
      #expect(try two.synced.deltaRequest() == next)
      #expect(next?.following(delta) == nil)
      parts += 1
    }
    #expect(parts > 3)
  }

  @Test func `a request that would confirm a decision is not sent ahead`() throws {
    let server = try SyncModel.server
    let device = try TestDevice()
    try device.tags.put(["name": "red"])
    try device.send(to: server)
    let deltaRequest = try device.synced.deltaRequest()
    guard case .delta(let delta) = server.receive(deltaRequest) else {
      throw MemoryServerLog.Unexpected()
    }
    #expect(delta.decisions.count == 1)
    #expect(deltaRequest.following(delta) == nil)
  }
}

/// A device whose deltas are applied twice: to one copy of its store at once, to another row by row.
private struct FillTrial {
  private let server: MemoryServerLog
  private let writer: TestDevice
  private var device: TestDevice
  private var random: SplitMix

  init(seed: Int, _ model: String) throws {
    server = try SyncModel.server(model)
    writer = try TestDevice(model: model)
    device = try TestDevice(model: model)
    random = SplitMix(seed: seed)
  }

  mutating func run() throws {
    for _ in 0..<12 { try write(writer) }
    for _ in 0..<Int.random(in: 0..<4, using: &random) { try write(device) }
    try writer.sync(with: server)
    if Bool.random(using: &random) { try device.send(to: server) }
    let other = try device.copy()
    for _ in 0..<3 {
      server.chunk = random.pick([2, 5, .max])
      defer { server.chunk = .max }
      guard case .delta(let delta) = server.receive(try device.synced.deltaRequest()) else {
        return
      }
      #expect(try device.synced.deltaRequest() == other.synced.deltaRequest())
      let heard = try changes(on: device) { try device.synced.receive(delta) }
      let expected = try changes(on: other) {
        try SyncedStore.applying(in: other.store, other.synced.capture) { store in
          var rows = Device(store: RowByRow(store: store), rules: server.rules)
          return try rows.receive(delta, makeIdentity: DeviceIdentity.random)
        }
      }
      #expect(heard == expected)
      try expectEqual(device, other)
    }
  }

  /// Applies a delta, and returns the changed objects that a listener hears of.
  private func changes(
    on device: TestDevice,
    by receive: () throws -> DeltaResult
  ) throws -> [Int: [UInt64: EntityChanges.Change]] {
    let (commits, token) = Commits.of(device.store)
    #expect(try receive() == .taken)
    withExtendedLifetime(token) {}
    let heard = commits.heard.copy
    #expect(heard.count <= 1)
    return heard.first?.changes.mapValues(\.objects).filter { !$0.value.isEmpty } ?? [:]
  }

  private func expectEqual(_ one: TestDevice, _ two: TestDevice) throws {
    #expect(try one.content() == two.content())
    #expect(try one.synced.deltaRequest() == two.synced.deltaRequest())
    #expect(try one.synced.upload(limit: 100) == two.synced.upload(limit: 100))
    #expect(try one.digests(server) == two.digests(server))
    #expect(try one.faults() == [])
    #expect(try two.faults() == [])
  }

  private mutating func write(_ device: TestDevice) throws {
    let notes = try device.notes.all().map(\.id)
    let tags = try device.tags.all().map(\.id)
    // A unique value may be taken.
    do {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: try device.tags.put(["name": "n\(Int.random(in: 0..<9, using: &random))"])
      case 1 where !notes.isEmpty: _ = try device.notes.remove(random.pick(notes))
      case 2 where !tags.isEmpty: _ = try device.tags.remove(random.pick(tags))
      case 3 where !notes.isEmpty && !tags.isEmpty:
        try device.notes.add([random.pick(tags)], to: "tags", of: random.pick(notes))
      case 4 where !notes.isEmpty:
        try device.notes.put(["id": random.pick(notes).value, "code": code()])
      default:
        var values: [String: Any?] = [
          "title": "t", "rank": Int.random(in: 0..<9, using: &random), "price": 1.5, "done": true,
          "scores": [1, -2] as [Int32], "words": ["a", "ü"],
        ]
        if Bool.random(using: &random) { values["code"] = code() }
        if !notes.isEmpty, Bool.random(using: &random) {
          values["parent"] = random.pick(notes).value
        }
        let note = try device.notes.put(values)
        if !tags.isEmpty { try device.notes.add([random.pick(tags)], to: "tags", of: note) }
      }
    } catch ObjectBoxError.uniqueViolation {}
  }

  private mutating func code() -> String { "c\(Int.random(in: 0..<12, using: &random))" }
}
