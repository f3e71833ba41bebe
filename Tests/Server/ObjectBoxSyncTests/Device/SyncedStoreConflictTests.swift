import ObjectBox
import ObjectBoxDynamic
import ObjectBoxSync
import ObjectBoxSyncProtocol
import ObjectBoxSyncTestSupport
import Testing

/// Counters, merged unique values, and clocks of properties.
@Suite struct SyncedStoreConflictTests {
  private let one: TestDevice
  private let two: TestDevice
  private let server: MemoryServerLog

  init() throws {
    one = try TestDevice(model: SyncModel.merging)
    two = try TestDevice(model: SyncModel.merging)
    server = try SyncModel.server(SyncModel.merging)
  }

  private func operations(_ device: TestDevice) throws -> [[Operation]] {
    try device.synced.upload(limit: 100).transactions.map(\.operations)
  }

  @Test func `a changed counter is queued as a difference beside the other properties`() throws {
    let id = try one.notes.put(["title": "Milk", "rank": 3])
    try one.notes.put(["id": id.value, "title": "Tea", "rank": 10])
    try one.notes.put(["id": id.value, "rank": 8])
    let queued = try operations(one)
    let reference = ObjectReference(
      ObjectKey(entity: SyncModel.note, id: id.value),
      madeBy: try one.synced.upload(limit: 1).transactions[0].token
    )
    #expect(
      queued.dropFirst() == [
        [
          .increment(reference, PropertyUID(1004), by: 7),
          .update(reference, PropertyList([(PropertyUID(1002), .bytes(Array("Tea".utf8)))])),
        ],
        [.increment(reference, PropertyUID(1004), by: -2)],
      ]
    )
  }

  @Test func `differences of counters wrap`() throws {
    let id = try one.notes.put(["title": "Milk", "rank": Int64.max])
    try one.notes.put(["id": id.value, "rank": Int64.min])
    guard case .increment(_, _, by: 1) = try operations(one)[1].first else {
      Issue.record("\(try operations(one))")
      return
    }
    try one.sync(with: server)
    #expect(try one.notes.get(id)?["rank"] as? Int == Int.min)
    #expect(try one.digests(server) == server.digests(size: TestDevice.digestSize))
  }

  @Test func `zero in place of nothing is queued, so that device and server have the same`() throws
  {
    let id = try one.notes.put(["title": "Milk"])
    try one.sync(with: server)
    try one.notes.put(["id": id.value, "rank": 0])
    try one.sync(with: server)
    #expect(try one.notes.get(id)?["rank"] as? Int == 0)
    #expect(try one.digests(server) == server.digests(size: TestDevice.digestSize))
  }

  @Test func `two devices that count apart both count, and show their own counts before`() throws {
    let id = try one.notes.put(["title": "Milk", "rank": 5])
    try one.sync(with: server)
    try two.sync(with: server)
    try one.notes.put(["id": id.value, "rank": 7])
    try two.notes.put(["id": id.value, "rank": 15])
    try one.sync(with: server)
    // What waits is added to the server's count before it is decided.
    try two.take(from: server)
    #expect(try two.notes.get(id)?["rank"] as? Int == 17)
    try two.sync(with: server)
    try one.take(from: server)
    #expect(try one.notes.get(id)?["rank"] as? Int == 17)
    #expect(try two.content() == one.content())
    #expect(try two.synced.rejections.isEmpty)
  }

  @Test func `blocks that share a commit count one by one`() async throws {
    let id = try one.notes.put(["title": "Milk", "rank": 0])
    let (store, notes) = (one.store, one.notes)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...60 {
        group.addTask {
          try await store.write { _ in
            let rank = try notes.get(id)?["rank"] as? Int ?? 0
            try notes.put(["id": id.value, "rank": rank + 1])
          }
        }
      }
      try await group.waitForAll()
    }
    let differences = try operations(one).dropFirst().joined().map { operation in
      guard case .increment(_, _, let difference) = operation else { return Int64.min }
      return difference
    }
    #expect(differences == Array(repeating: 1, count: 60))
    try one.sync(with: server)
    #expect(try one.notes.get(id)?["rank"] as? Int == 60)
    #expect(try one.digests(server) == server.digests(size: TestDevice.digestSize))
  }

  @Test func `a new object is merged into the one with its value, and references follow`() throws {
    let holder = try one.notes.put(["title": "first", "code": "x", "rank": 5])
    passMillisecond()
    let merged = try two.notes.put(["title": "second", "code": "x", "rank": 3])
    let child = try two.notes.put(["title": "child", "parent": merged.value])
    let draft = try two.store.box(named: "Draft").put(["text": "d", "note": merged.value])
    try one.sync(with: server)
    try two.sync(with: server)
    try one.take(from: server)
    #expect(try two.notes.contains(merged) == false)
    #expect(try two.notes.get(child)?["parent"] as? Id == holder)
    // Entities that are not synchronized follow too.
    #expect(try two.store.box(named: "Draft").get(draft)?["note"] as? Id == holder)
    #expect(try one.notes.get(holder)?["title"] as? String == "second")
    #expect(try one.notes.get(holder)?["rank"] as? Int == 8)
    #expect(try one.content() == two.content())
    #expect(try two.synced.rejections.isEmpty)
    #expect(try two.faults() == [])
  }

  @Test func `on one device a second object with the value is refused`() throws {
    try one.notes.put(["title": "first", "code": "x"])
    #expect(throws: ObjectBoxError.self) { try one.notes.put(["title": "b", "code": "x"]) }
    #expect(try one.notes.count() == 1)
  }

  @Test func `the later write of each property wins, in whatever order the server gets them`()
    throws
  {
    let id = try one.notes.put(["title": "Milk", "price": 1.0])
    try one.sync(with: server)
    try two.sync(with: server)
    try two.notes.put(["id": id.value, "title": "early", "price": 2.0])
    // More writes than the other device made are later also within one millisecond.
    for title in ["a", "b", "c", "late"] { try one.notes.put(["id": id.value, "title": title]) }
    try one.sync(with: server)
    try two.sync(with: server)
    try one.take(from: server)
    for device in [one, two] {
      #expect(try device.notes.get(id)?["title"] as? String == "late")
      #expect(try device.notes.get(id)?["price"] as? Float == 2)
      #expect(try device.digests(server) == server.digests(size: TestDevice.digestSize))
    }
  }
}
