import ObjectBox
import ObjectBoxDynamic
import ObjectBoxRuntimeTestSupport
import ObjectBoxSync
import ObjectBoxSyncProtocol
import ObjectBoxTestSupport
import Testing

@Suite struct SyncedStoreDeltaTests {
  @Test func `objects, values and relations reach another store`() throws {
    let server = try SyncModel.server
    let (one, two) = (try TestDevice(), try TestDevice())
    let red = try one.tags.put(["name": "red"])
    let first = try one.notes.put([
      "title": "Milk", "code": "m", "rank": 3, "price": 1.5, "done": true,
      "scores": [1, -2, 3] as [Int32], "words": ["a", "", "ü"],
    ])
    let second = try one.notes.put(["title": "Tea", "parent": first.value])
    try one.notes.add([red], to: "tags", of: second)
    try one.sync(with: server)
    try two.sync(with: server)
    #expect(try two.content() == one.content())
    #expect(try two.notes.targets("tags", of: second) == [red])
    #expect(try two.notes.query { $0["rank"] == 3 }.build().count() == 1)
    #expect(try two.digests(server) == server.digests(size: TestDevice.digestSize))
    #expect(try two.faults() == [])
    #expect(try two.synced.waitingCount == 0)
  }

  @Test func `a delta is one commit with the net change of each object`() throws {
    let server = try SyncModel.server
    let (one, two) = (try TestDevice(), try TestDevice())
    let id = try one.notes.put(["title": "Milk", "rank": 1])
    try one.sync(with: server)
    try two.sync(with: server)
    // Waits on the other device while the delta undoes and repeats it.
    let own = try two.notes.put(["title": "own"])
    for rank in 2...4 { try one.notes.put(["id": id.value, "rank": rank]) }
    try one.notes.put(["title": "new"])
    try one.sync(with: server)
    let (commits, token) = Commits.of(two.store)
    try two.take(from: server)
    let heard = commits.heard.copy
    try #require(heard.count == 1)
    let changes = heard[0].changes.values.flatMap(\.objects)
    #expect(changes.count == 2)
    #expect(!changes.contains { $0.key == own.value })
    withExtendedLifetime(token) {}
  }

  @Test func `a delta is stored as it comes where a put with a missing target is refused`() throws {
    let device = try TestDevice(refusesDanglingRelations: true)
    let deltaRequest = try device.synced.deltaRequest()
    let row = KeyedRow(
      key: ObjectKey(entity: SyncModel.note, id: 5),
      row: Row(
        originID: OriginID(1),
        values: PropertyList([(PropertyUID(1009), .integer(99))]),
        stamp: Stamp(
          precedence: 0,
          time: .distantPast,
          token: TransactionToken(Identifier128(high: 1, low: 1))
        )
      )
    )
    try device.synced.receive(
      Delta(
        state: deltaRequest.state,
        cursor: try SyncModel.server.cursor,
        scopes: deltaRequest.scopes,
        leaves: [],
        rows: RowBatch([row]),
        decisions: []
      )
    )
    #expect(try device.notes.get(5)?["parent"] as? Id == 99)
    #expect(throws: ObjectBoxError.self) { try device.notes.put(["title": "own", "parent": 98]) }
    #expect(try device.synced.waitingCount == 0)
    try device.notes.put(["title": "own", "parent": 5])
    #expect(try device.synced.waitingCount == 1)
  }

  @Test func `a delta is not sent back`() throws {
    let server = try SyncModel.server
    let (one, two) = (try TestDevice(), try TestDevice())
    try one.notes.put(["title": "Milk"])
    try one.sync(with: server)
    try two.sync(with: server)
    #expect(try two.synced.waitingCount == 0)
    try two.notes.put(["title": "Tea"])
    #expect(try two.synced.waitingCount == 1)
  }

  @Test func `a rejected write is undone and told`() throws {
    let server = try SyncModel.server
    let (one, two) = (try TestDevice(), try TestDevice())
    try one.notes.put(["title": "first", "code": "x"])
    try two.notes.put(["title": "second", "code": "x"])
    try one.sync(with: server)
    try two.sync(with: server)
    #expect(try two.content() == one.content())
    let told = try two.synced.rejections
    try #require(told.count == 1)
    guard case .rejected(let rejection) = told[0].told.decision else {
      Issue.record("\(told)")
      return
    }
    #expect(rejection.reason == .unique)
    #expect(throws: Rejection.self) { try two.synced.resubmit(told[0]) }
    let first = try #require(try two.notes.all().first)
    try two.notes.put(["id": first.id.value, "code": "y"])
    try two.synced.resubmit(told[0])
    #expect(try two.synced.rejections.isEmpty)
    try two.sync(with: server)
    try one.take(from: server)
    #expect(try one.notes.count() == 2)
    #expect(try one.content() == two.content())
    #expect(try two.faults() == [])
  }

  @Test func `discarding removes a told decision`() throws {
    let server = try SyncModel.server
    server.readOnlyEntities = [SyncModel.tag]
    let device = try TestDevice()
    try device.tags.put(["name": "red"])
    try device.sync(with: server)
    #expect(try device.tags.count() == 0)
    let told = try device.synced.rejections
    try #require(told.count == 1)
    try device.synced.discard(told[0])
    #expect(try device.synced.rejections.isEmpty)
  }

  @Test func `an object with a taken ID gets another one, with its references`() throws {
    let server = try SyncModel.server
    let (one, two) = (try TestDevice(), try TestDevice())
    let id = try one.notes.put(["title": "one"])
    try one.sync(with: server)
    // A copy of a store has the same reserved IDs.
    try two.store.writingStored { writing in
      let note = try #require(two.store.schema.index(ofEntity: "Note"))
      let title = two.store.schema.entities[note].properties[1]
      try writing.put(entity: note, id: id.value) { set in
        Array("two".utf8).withUnsafeBytes { set(title, .bytes($0)) }
      }
    }
    try two.notes.put(["title": "child", "parent": id.value])
    let red = try two.tags.put(["name": "red"])
    try two.notes.add([red], to: "tags", of: id)
    let drafts = try two.store.box(named: "Draft")
    let draft = try drafts.put(["text": "mine", "note": id.value])
    try two.sync(with: server)
    try one.take(from: server)
    #expect(try two.content() == one.content())
    let all = try one.notes.all()
    let moved = try #require(all.first { $0["title"] as? String == "two" })
    #expect(moved.id != id)
    #expect(try one.notes.targets("tags", of: moved.id) == [red])
    let child = try #require(all.first { $0["title"] as? String == "child" })
    #expect(try one.notes.targets("parent", of: child.id) == [moved.id])
    #expect(try drafts.targets("note", of: draft) == [moved.id])
    #expect(try two.faults() == [])
  }

  @Test func `a reopened store has its queue and cursor`() throws {
    let server = try SyncModel.server
    let device = try TestDevice()
    try device.notes.put(["title": "Milk"])
    try device.sync(with: server)
    try device.notes.put(["title": "Tea"])
    let (deltaRequest, upload) = (
      try device.synced.deltaRequest(), try device.synced.upload(limit: 10)
    )
    try device.reopen()
    #expect(try device.synced.deltaRequest() == deltaRequest)
    #expect(try device.synced.upload(limit: 10) == upload)
    try device.sync(with: server)
    #expect(server.rows.count == 2)
    #expect(try device.digests(server) == server.digests(size: TestDevice.digestSize))
  }

  @Test func `another history of the server resets without wiping`() throws {
    let server = try SyncModel.server
    let device = try TestDevice()
    for rank in 1...40 { try device.notes.put(["rank": rank]) }
    try device.sync(with: server)
    let mine = try device.notes.put(["title": "waits"])
    server.beginHistory()
    let (commits, token) = Commits.of(device.store)
    #expect(try device.take(from: server) == .taken)
    #expect(commits.heard.copy.flatMap { $0.changes.values.flatMap(\.objects) }.isEmpty)
    #expect(try device.notes.contains(mine))
    try device.sync(with: server)
    #expect(server.rows.count == 41)
    withExtendedLifetime(token) {}
  }

  @Test(arguments: [0, 256], [1 << 10, 4 << 20])
  func `a reset brings each difference, whatever its steps and parts are`(
    directCount: Int,
    partSize: Int
  ) throws {
    let server = try SyncModel.server
    server.limits.directCount = directCount
    server.limits.partSize = partSize
    let (one, two) = (try TestDevice(), try TestDevice())
    let notes = try (1...90).map { try one.notes.put(["rank": $0]) }
    try one.sync(with: server)
    try two.sync(with: server)
    // The other device has written, changed and removed meanwhile.
    for place in stride(from: 0, to: 90, by: 7) {
      try one.notes.put(["id": notes[place].value, "rank": -place])
    }
    _ = try one.notes.remove(notes[40...44].map(\.self))
    for rank in 91...99 { try one.notes.put(["rank": rank]) }
    try one.sync(with: server)
    let waiting = try two.notes.put(["id": notes[50].value, "title": "waits"])
    #expect(waiting == notes[50])
    server.beginHistory()
    try two.take(from: server)
    #expect(try two.synced.waitingCount == 1)
    #expect(try two.synced.deltaRequest().scopes.isComplete)
    #expect(try two.digests(server) == server.digests(size: TestDevice.digestSize))
    try two.sync(with: server)
    #expect(try two.faults() == [])
    // The other history has reset this device too.
    try one.sync(with: server)
    #expect(try one.notes.get(notes[50])?["title"] as? String == "waits")
    #expect(try two.content() == one.content())
    #expect(try two.digests(server) == server.digests(size: TestDevice.digestSize))
  }

  @Test func `a first fill in chunks keeps pairs and references to later objects`() throws {
    let server = try SyncModel.server
    let (one, two) = (try TestDevice(), try TestDevice())
    let notes = try (1...9).map { try one.notes.put(["rank": $0]) }
    try one.notes.put(["id": notes[0].value, "parent": notes[8].value])
    let tags = try (1...7).map { try one.tags.put(["name": "\($0)"]) }
    for note in notes { try one.notes.add([tags[6]], to: "tags", of: note) }
    try one.sync(with: server)
    server.chunk = 2
    for _ in 1...6 {
      try two.sync(with: server)
      #expect(try two.faults() == [])
    }
    #expect(try two.content() == one.content())
  }

  @Test func `references of other entities to removed objects are cleared`() throws {
    let server = try SyncModel.server
    let (one, two) = (try TestDevice(), try TestDevice())
    let note = try one.notes.put(["title": "Milk"])
    try one.sync(with: server)
    try two.sync(with: server)
    let drafts = try two.store.box(named: "Draft")
    let draft = try drafts.put(["text": "mine", "note": note.value])
    _ = try one.notes.remove(note)
    try one.sync(with: server)
    try two.sync(with: server)
    #expect(try two.notes.count() == 0)
    #expect(try drafts.targets("note", of: draft) == [])
  }

  @Test func `a property that the server lacks keeps its value on each device`() throws {
    let server = try SyncModel.server
    server.unknownProperties = [PropertyUID(1002)]
    let (one, two) = (try TestDevice(), try TestDevice())
    let id = try one.notes.put(["title": "one", "rank": 1])
    try one.sync(with: server)
    #expect(try one.notes.get(id)?["title"] as? String == "one")
    try two.sync(with: server)
    #expect(try two.notes.get(id)?["title"] == nil)
    try two.notes.put(["id": id.value, "title": "two", "rank": 2])
    try two.sync(with: server)
    try one.notes.put(["id": id.value, "title": "mine"])
    try one.sync(with: server)
    let (mine, other) = (try #require(try one.notes.get(id)), try #require(try two.notes.get(id)))
    #expect(mine["title"] as? String == "mine")
    #expect(mine["rank"] as? Int == 2)
    #expect(other["title"] as? String == "two")
  }
}
