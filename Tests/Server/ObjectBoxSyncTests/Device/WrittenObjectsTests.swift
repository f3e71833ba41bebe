import ObjectBox
import ObjectBoxDynamic
@testable import ObjectBoxSync
import ObjectBoxSyncProtocol
import ObjectBoxTestSupport
import Testing

@Suite struct WrittenObjectsTests {
  @Test(arguments: 1...12)
  func `inserts are queued as the protocol forecasts them`(seed: Int) throws {
    var random = SplitMix(seed: seed)
    let model = SyncModel.model(flags: 2, choosesTagIDs: seed.isMultiple(of: 2))
    let server = try SyncModel.server(model)
    let device = try TestDevice(model: model)
    for number in 0..<4 { try device.notes.put(["title": "target \(number)"]) }
    let removed = try device.tags.put(["name": "removed"])
    if seed.isMultiple(of: 3) {
      for lend in try device.synced.lendsNeeded() { try device.synced.receive(server.lease(lend)) }
    }
    try device.sync(with: server)
    let targets = try device.notes.all().map(\.id)
    // A copy gives new objects the same IDs.
    let other = try device.copy()
    let inserts = (0..<Int.random(in: 1...40, using: &random)).map { _ in
      Insert(targets, choosesTagIDs: seed.isMultiple(of: 2), &random)
    }
    try device.store.runInTransaction { for insert in inserts { try insert.run(device) } }
    try other.store.runInTransaction {
      for insert in inserts { try insert.run(other) }
      // A removal needs the forecast.
      _ = try other.tags.remove(removed)
    }
    let extra = ObjectKey(entity: SyncModel.tag, id: removed.value)
    let made = try Captured(device)
    let forecast = try Captured(other)
    #expect(made.operations == forecast.operations.filter { $0.key != extra })
    #expect(Set(made.operations.map(\.key)).count == made.operations.count)
    for key in made.operations.map(\.key) {
      let (one, two) = (try made.object(key, device), try forecast.object(key, other))
      #expect(one == two)
      #expect(one.isMadeByTransaction && one.base == .absent && one.values != nil)
      #expect(try device.hasVersionsInRange(key))
      #expect(try !other.hasVersionsInRange(key))
    }
    #expect(try device.synced.reading { try Set($0.baseKeys) } == Set(made.operations.map(\.key)))
    try device.sync(with: server)
    #expect(try device.digests(server) == server.digests(size: TestDevice.digestSize))
    #expect(try device.synced.reading { try $0.baseKeys.isEmpty })
    #expect(try device.faults() == [])
  }

  @Test func `inserts that refer to waiting objects are queued after them`() throws {
    let server = try SyncModel.server
    let device = try TestDevice()
    let parent = try device.notes.put(["title": "parent"])
    try device.store.runInTransaction {
      let child = try device.notes.put(["title": "child", "parent": parent.value])
      try device.notes.put(["title": "grandchild", "parent": child.value])
    }
    let queued = try device.synced.upload(limit: 10).transactions
    let references = queued[1].operations.map { operation -> ObjectReference? in
      guard case .insert(_, let values, _) = operation,
        case .target(let target) = values[PropertyUID(1009)]
      else { return nil }
      return target
    }
    #expect(references.map { $0?.maker } == [queued[0].token, queued[1].token])
    try device.sync(with: server)
    let other = try TestDevice()
    try other.sync(with: server)
    #expect(try other.content() == device.content())
  }

  @Test func `objects that change leave the range of their versions`() throws {
    let server = try SyncModel.server
    let device = try TestDevice()
    var ids: [Id] = []
    try device.store.runInTransaction {
      for rank in 0..<6 { ids.append(try device.notes.put(["rank": rank])) }
    }
    let keys = ids.map { ObjectKey(entity: SyncModel.note, id: $0.value) }
    let before = try device.synced.reading { store in
      try keys.map { try store.storedVersions(at: $0) }
    }
    #expect(try device.markedRanges().map(\.count) == [6])
    // In the middle, the last one, the first one, and the rest of a range.
    try device.notes.put(["id": ids[2].value, "rank": 20])
    #expect(try device.markedRanges().map(\.count) == [2, 3])
    #expect(try device.markedKeys() == keys)
    _ = try device.notes.remove(ids[5])
    _ = try device.notes.remove(ids[0])
    try device.notes.put(["id": ids[1].value, "rank": 10])
    #expect(try device.markedRanges() == [ids[3].value...ids[4].value])
    let after = try device.synced.reading { store in
      try keys.map { try store.storedVersions(at: $0) }
    }
    #expect(after[0] == nil && after[5] == nil)
    #expect(after[3] == before[3] && after[4] == before[4])
    for index in [1, 2] {
      #expect(after[index]?.originID == before[index]?.originID)
      #expect(try #require(after[index]).stamp > #require(before[index]).stamp)
    }
    #expect(try device.markedKeys() == Array(keys[1...4]))
    let content = try device.content()
    try device.sync(with: server)
    #expect(try device.content() == content)
    #expect(try device.digests(server) == server.digests(size: TestDevice.digestSize))
    #expect(server.rows.keys.sorted() == Array(keys[1...4]))
    _ = try device.notes.removeAll()
    #expect(try device.markedKeys().isEmpty)
    try device.sync(with: server)
    #expect(server.rows.isEmpty)
  }

  @Test func `inserts that the server rejects leave neither objects nor versions`() throws {
    let server = try SyncModel.server
    server.readOnlyEntities = [SyncModel.tag]
    let device = try TestDevice()
    try device.store.runInTransaction {
      for number in 0..<5 { try device.tags.put(["name": "\(number)"]) }
    }
    try device.notes.put(["title": "stays"])
    try device.sync(with: server)
    #expect(try device.synced.rejections.count == 1)
    #expect(try device.tags.count() == 0)
    #expect(try device.notes.count() == 1)
    #expect(try device.markedKeys().map(\.entity) == [SyncModel.note])
    #expect(try device.synced.reading { try $0.baseKeys.isEmpty })
  }

  @Test func `an object with the ID of a removed one keeps the server's row as its base`() throws {
    let model = SyncModel.model(flags: 2, choosesTagIDs: true)
    let server = try SyncModel.server(model)
    let device = try TestDevice(model: model)
    try device.tags.put(["id": 7, "name": "first"])
    try device.sync(with: server)
    let key = ObjectKey(entity: SyncModel.tag, id: 7)
    let row = server.rows[key]
    _ = try device.tags.remove(Id(7))
    try device.tags.put(["id": 7, "name": "second"])
    #expect(try device.synced.reading { try $0.base(at: key)?.row } == row)
    try device.sync(with: server)
    #expect(try device.content() == ["tag 7 second"])
    #expect(try device.digests(server) == server.digests(size: TestDevice.digestSize))
  }

  @Test(
    arguments: [
      (5, "no release of the library wrote it; make a new store"),
      (7, "use the version of the library that wrote it, or a later one"),
    ] as [(UInt8, String)]
  )
  func `a table of another form is refused with both numbers and advice`(
    form: UInt8,
    advice: String
  ) throws {
    let device = try TestDevice()
    try SyncedStore.applying(in: device.store, device.synced.capture) { store in
      var writer = WireWriter()
      writer.append(StateRecord(store.state))
      let bytes = [form] + writer.bytes.dropFirst()
      try store.table.set(encoded: bytes, at: SyncKey(.state), in: store.storage)
    }
    #expect {
      try device.reopen()
    } throws: { error in
      guard case ObjectBoxError.schema(let message) = error else { return false }
      return message.contains("is \(form), and this version of the library reads 6; \(advice)")
    }
  }

  @Test func `bases of many ranges of new objects are kept`() throws {
    let model = SyncModel.model(flags: 2, choosesTagIDs: true)
    let server = try SyncModel.server(model)
    let device = try TestDevice(model: model)
    for number in 1...80 { try device.tags.put(["id": number * 3, "name": "\(number)"]) }
    #expect(try device.synced.reading { $0.absentBases.count } == 64)
    #expect(try device.synced.reading { Set(try $0.baseKeys).count } == 80)
    try device.tags.put(["id": 4, "name": "between"])
    let key = ObjectKey(entity: SyncModel.tag, id: 4)
    #expect(try device.synced.reading { try $0.base(at: key) } == .absent)
    try device.sync(with: server)
    #expect(try device.synced.reading { try $0.baseKeys.isEmpty })
    #expect(server.rows.count == 81)
    #expect(try device.digests(server) == server.digests(size: TestDevice.digestSize))
  }
}

/// A put of a new object with random values.
private struct Insert {
  private var note: [String: Any?]?
  private var tag: [String: Any?] = [:]

  init(_ targets: [Id], choosesTagIDs: Bool, _ random: inout SplitMix) {
    let number = Int.random(in: 0..<1 << 40, using: &random)
    if Bool.random(using: &random) {
      var values: [String: Any?] = ["title": "t\(number)"]
      if Bool.random(using: &random) { values["code"] = "c\(number)" }
      if Bool.random(using: &random) { values["rank"] = -number % 1_000_000 }
      if Bool.random(using: &random) { values["price"] = Double(number) / 7 }
      if Bool.random(using: &random) { values["done"] = number.isMultiple(of: 2) }
      if Bool.random(using: &random) { values["words"] = ["w", "", "\(number)"] }
      if Bool.random(using: &random) { values["scores"] = [Int32(number % 1000), -1] }
      if Bool.random(using: &random) { values["parent"] = random.pick(targets).value }
      note = values
    } else {
      tag = ["name": "n\(number)"]
      if choosesTagIDs, Bool.random(using: &random) { tag["id"] = UInt64(number % 100_000) + 1 }
    }
  }

  func run(_ device: TestDevice) throws {
    if let note { try device.notes.put(note) } else { try device.tags.put(tag) }
  }
}

/// The last transaction that a device has queued.
private struct Captured {
  let operations: [Operation]
  private let token: TransactionToken
  private let time: HybridTime

  init(_ device: TestDevice) throws {
    let last = try #require(try device.synced.upload(limit: 100).transactions.last)
    operations = last.operations
    token = last.token
    time = last.time
  }

  /// An object as a device has it.
  struct Object: Equatable {
    let values: PropertyList<PropertyValue>?
    let pairs: [Pair]?
    let stamps: PropertyList<Stamp>?
    /// True if origin ID and stamp are those of the transaction.
    let isMadeByTransaction: Bool
    let base: BaseRow?
  }

  func object(_ key: ObjectKey, _ device: TestDevice) throws -> Object {
    try device.synced.reading { store in
      let row = try store.storedRow(at: key)
      return Object(
        values: row?.values,
        pairs: row?.pairs,
        stamps: row?.stamps,
        isMadeByTransaction: row?.originID == token.originID
          && row?.stamp == Stamp(time: time, token: token),
        base: try store.base(at: key)
      )
    }
  }
}

extension TestDevice {
  /// The ranges of notes that share a row of versions.
  fileprivate func markedRanges() throws -> [ClosedRange<UInt64>] {
    try synced.reading { try $0.ranges(of: SyncModel.note).map(\.ids) }
  }

  /// The objects with versions, by entity and ID as the store passes them.
  fileprivate func markedKeys() throws -> [ObjectKey] {
    var keys: [ObjectKey] = []
    try synced.reading { store in
      for entity in [SyncModel.note, SyncModel.tag] {
        _ = try store.forEachVersions(of: entity) { key, _ in
          keys.append(key)
          return true
        }
      }
    }
    return keys
  }

  fileprivate func hasVersionsInRange(_ key: ObjectKey) throws -> Bool {
    try synced.reading { try $0.range(at: key) != nil }
  }
}
