import ObjectBox
import ObjectBoxDynamic
import ObjectBoxSync
import ObjectBoxSyncProtocol
import Testing

@Suite struct SyncedStoreWriteTests {
  private func operations(_ device: TestDevice) throws -> [[Operation]] {
    try device.synced.upload(limit: 100).transactions.map(\.operations)
  }

  @Test func `a put queues an insert with all values`() throws {
    let device = try TestDevice()
    let id = try device.notes.put(["title": "Milk", "rank": 3, "price": 1.5])
    let queued = try operations(device)
    try #require(queued.count == 1 && queued[0].count == 1)
    guard case .insert(let key, let values, .assigned) = queued[0][0] else {
      Issue.record("\(queued)")
      return
    }
    #expect(key == ObjectKey(entity: SyncModel.note, id: id.value))
    #expect(values[PropertyUID(1002)] == .bytes(Array("Milk".utf8)))
    #expect(values[PropertyUID(1004)] == .integer(3))
    #expect(values[PropertyUID(1005)] == .double(bits: 1.5.bitPattern))
    #expect(values[PropertyUID(1006)] == .null)
    #expect(values.elements.count == 8)
  }

  @Test func `an update queues the changed properties only`() throws {
    let device = try TestDevice()
    let id = try device.notes.put(["title": "Milk", "rank": 3])
    try device.notes.put(["id": id.value, "rank": 4])
    let queued = try operations(device)
    try #require(queued.count == 2 && queued[1].count == 1)
    guard case .update(let object, let values, nil) = queued[1][0] else {
      Issue.record("\(queued)")
      return
    }
    #expect(object.key.id == id.value)
    #expect(object.maker == (try device.synced.upload(limit: 1).transactions[0].token))
    #expect(values == PropertyList([(PropertyUID(1004), .integer(4))]))
  }

  @Test func `a transaction is one upload with its net changes`() throws {
    let device = try TestDevice()
    let old = try device.notes.put(["title": "old"])
    try device.store.runInTransaction {
      let first = try device.notes.put(["title": "first"])
      try device.notes.put(["id": first.value, "rank": 9])
      let gone = try device.notes.put(["title": "gone"])
      _ = try device.notes.remove(gone)
      _ = try device.notes.remove(old)
      let tag = try device.tags.put(["name": "red"])
      try device.notes.add([tag], to: "tags", of: first)
    }
    let queued = try operations(device)
    try #require(queued.count == 2)
    let kinds = queued[1].map { operation in
      switch operation {
      case .insert: "insert"
      case .delete: "delete"
      case .addPair: "addPair"
      default: "other"
      }
    }
    #expect(kinds == ["delete", "insert", "insert", "addPair"])
  }

  @Test func `an object comes before another one that refers to it`() throws {
    let device = try TestDevice()
    let server = try SyncModel.server
    try device.store.runInTransaction {
      let first = try device.notes.put(["title": "first"])
      let second = try device.notes.put(["title": "second"])
      try device.notes.put(["id": first.value, "parent": second.value])
      try device.notes.put(["id": second.value, "parent": first.value])
    }
    try device.sync(with: server)
    let other = try TestDevice()
    try other.sync(with: server)
    #expect(try other.content() == device.content())
    #expect(try device.synced.rejections.isEmpty)
  }

  @Test func `a transaction that rolls back queues nothing`() throws {
    let device = try TestDevice()
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try device.store.runInTransaction {
        try device.notes.put(["title": "Milk"])
        throw Stop()
      }
    }
    #expect(try device.synced.waitingCount == 0)
    try device.notes.put(["title": "Tea"])
    #expect(try device.synced.waitingCount == 1)
  }

  @Test func `changes of entities that are not synchronized queue nothing`() throws {
    let device = try TestDevice()
    try device.store.box(named: "Draft").put(["text": "mine"])
    #expect(try device.synced.waitingCount == 0)
  }

  @Test func `removals of all objects and by queries are queued`() throws {
    let device = try TestDevice()
    let server = try SyncModel.server
    for rank in 1...6 { try device.notes.put(["rank": rank]) }
    try device.tags.put(["name": "red"])
    try device.sync(with: server)
    #expect(server.rows.count == 7)
    let notes = device.notes
    _ = try notes.remove(try notes.all().filter { $0["rank"] as? Int == 2 }.map(\.id))
    _ = try device.tags.removeAll()
    try device.sync(with: server)
    #expect(server.rows.count == 5)
    try device.store.runInTransaction {
      _ = try notes.removeAll()
      try notes.put(["rank": 7])
    }
    try device.sync(with: server)
    #expect(server.rows.count == 1)
    #expect(try device.digests(server) == server.digests(size: TestDevice.digestSize))
  }

  @Test func `objects with the same chosen ID become one`() throws {
    let model = SyncModel.model(flags: 2, choosesTagIDs: true)
    let server = try SyncModel.server(model)
    let (one, two) = (try TestDevice(model: model), try TestDevice(model: model))
    try one.tags.put(["id": 7, "name": "red"])
    try two.tags.put(["id": 7, "name": "blue"])
    try one.sync(with: server)
    try two.sync(with: server)
    try one.sync(with: server)
    #expect(server.rows.count == 1)
    #expect(try one.content() == ["tag 7 blue"])
    #expect(try two.content() == ["tag 7 blue"])
    #expect(try two.synced.lendsNeeded().map(\.entity) == [SyncModel.note])
  }

  @Test func `an ID that the server cannot have is refused, and nothing is stored`() throws {
    let device = try TestDevice(model: SyncModel.model(flags: 2, choosesTagIDs: true))
    let id = UInt64(Int64.max) + 1
    do {
      try device.tags.put(["id": id, "name": "red"])
      Issue.record("the ID is accepted")
    } catch ObjectBoxError.illegalArgument(let message) {
      #expect(message.contains("'Tag' with ID \(id)"))
    }
    #expect(try device.tags.count() == 0)
    #expect(try device.synced.waitingCount == 0)
    try device.tags.put(["id": 3, "name": "red"])
    #expect(try device.synced.waitingCount == 1)
  }
}
