import ObjectBox
import ObjectBoxDynamic
import ObjectBoxSync
import ObjectBoxSyncProtocol
import Testing

/// Stores whose conflicts a function of the server resolves.
@Suite struct SyncedStoreResolutionTests {
  private static let title = PropertyUID(1002)
  private static let rank = PropertyUID(1004)

  /// A server whose function takes the greater rank, and the title of the device.
  private static var server: MemoryServerLog {
    get throws {
      try SyncModel.server(
        SyncModel.resolved,
        resolutions: [
          SyncModel.note: { conflict in
            var result = conflict.theirs
            let ranks = [conflict.mine, conflict.theirs].compactMap { $0[rank]?.integerValue }
            result[rank] = ranks.max().map(PropertyValue.integer)
            result[title] = conflict.mine[title]
            return result
          }
        ]
      )
    }
  }

  private func operations(_ device: TestDevice) throws -> [Operation] {
    try device.synced.upload(limit: 100).transactions.flatMap(\.operations)
  }

  @Test func `an update queues the whole object before it`() throws {
    let device = try TestDevice(model: SyncModel.resolved)
    let id = try device.notes.put(["title": "Milk", "rank": 3])
    try device.notes.put(["id": id.value, "rank": 4])
    try device.notes.put(["id": id.value, "title": "Tea"])
    let queued = try operations(device)
    try #require(queued.count == 3)
    guard case .update(_, let values, let first?) = queued[1],
      case .update(_, _, let second?) = queued[2]
    else {
      Issue.record("\(queued)")
      return
    }
    #expect(values == PropertyList([(Self.rank, .integer(4))]))
    #expect(first[Self.rank] == .integer(3))
    #expect(first.elements.count == 8)
    #expect(second[Self.rank] == .integer(4))
    #expect(second[Self.title] == .bytes(Array("Milk".utf8)))
  }

  @Test func `a base has the server's target as an ID, and a waiting write's as its maker's`()
    throws
  {
    let device = try TestDevice(model: SyncModel.resolved)
    let parent = PropertyUID(1009)
    let made = try device.notes.put(["title": "Milk"])
    let id = PropertyValue.integer(Int64(made.value))
    let token = TransactionToken(Identifier128(high: 1, low: 1))
    // The server's note 5 has a target with the ID of the new note, which is another one there.
    let theirs = [(5, id), (6, .null)].map { note, target in
      KeyedRow(
        key: ObjectKey(entity: SyncModel.note, id: note),
        row: Row(
          originID: OriginID(1),
          values: PropertyList([(parent, target)]),
          stamp: Stamp(precedence: 0, time: .distantPast, token: token)
        )
      )
    }
    let deltaRequest = try device.synced.deltaRequest()
    try device.synced.receive(
      Delta(
        state: deltaRequest.state,
        cursor: try SyncModel.server.cursor,
        scopes: deltaRequest.scopes,
        leaves: [],
        rows: RowBatch(theirs),
        decisions: []
      )
    )
    for note in [5, 6] {
      for rank in [1, 2] { try device.notes.put(["id": note, "parent": made.value, "rank": rank]) }
    }
    let parents = try operations(device).compactMap { operation -> PropertyValue? in
      guard case .update(_, _, let base?) = operation else { return nil }
      return base[parent]
    }
    let maker = try #require(try device.synced.upload(limit: 1).transactions.first).token
    let key = ObjectKey(entity: SyncModel.note, id: made.value)
    let reference = PropertyValue.target(ObjectReference(key, madeBy: maker))
    #expect(parents == [id, id, .null, reference])
  }

  @Test func `the members of one commit each tell what they saw`() throws {
    let device = try TestDevice(model: SyncModel.resolved)
    let id = try device.notes.put(["rank": 0])
    try device.store.runInTransaction {
      for rank in 1...3 { try device.notes.put(["id": id.value, "rank": rank]) }
    }
    let queued = try operations(device)
    // A transaction queues its net change.
    guard queued.count == 2, case .update(_, _, let base?) = queued[1] else {
      Issue.record("\(queued)")
      return
    }
    #expect(base[Self.rank] == .integer(0))
  }

  @Test func `both devices show the function's result, and one is told what it lost`() throws {
    let server = try Self.server
    let (a, b) = (
      try TestDevice(model: SyncModel.resolved), try TestDevice(model: SyncModel.resolved)
    )
    let id = try a.notes.put(["title": "Milk", "rank": 3])
    try a.sync(with: server)
    try b.sync(with: server)
    try a.notes.put(["id": id.value, "rank": 9])
    try b.notes.put(["id": id.value, "rank": 5, "title": "Tea"])
    try a.sync(with: server)
    try b.sync(with: server)
    try a.sync(with: server)
    for device in [a, b] {
      #expect(try device.notes.get(id)?["rank"] as? Int == 9)
      #expect(try device.notes.get(id)?["title"] as? String == "Tea")
      #expect(try device.synced.waitingCount == 0)
    }
    #expect(try a.synced.rejections.isEmpty)
    let told = try #require(try b.synced.rejections.first?.told.decision)
    guard case .merged(let dropped, _) = told else {
      Issue.record("\(told)")
      return
    }
    #expect(dropped.map(\.reason) == [.resolved(Self.rank)])
  }

  @Test func `waiting updates of one device do not call the function`() throws {
    let server = try SyncModel.server(
      SyncModel.resolved,
      resolutions: [SyncModel.note: { _ in throw MemoryServerLog.Unexpected() }]
    )
    let device = try TestDevice(model: SyncModel.resolved)
    let tag = try device.tags.put(["name": "red"])
    let id = try device.notes.put(["title": "Milk", "rank": 3])
    try device.notes.put(["id": id.value, "parent": id.value])
    try device.sync(with: server)
    for rank in 4...7 { try device.notes.put(["id": id.value, "rank": rank]) }
    try device.notes.add([tag], to: "tags", of: id)
    try device.notes.put(["id": id.value, "title": "Tea", "price": 0.1, "words": ["a", ""]])
    try device.notes.put(["id": id.value, "parent": nil, "done": true])
    try device.notes.put(["id": id.value, "scores": [1, -2] as [Int32]])
    try device.sync(with: server)
    #expect(try device.synced.rejections.isEmpty)
    #expect(try device.notes.get(id)?["rank"] as? Int == 7)
  }

  @Test func `a rejection by the function's error is undone and has the text`() throws {
    struct Locked: Error, CustomStringConvertible { let description = "the note is locked" }
    let server = try SyncModel.server(
      SyncModel.resolved,
      resolutions: [SyncModel.note: { _ in throw Locked() }]
    )
    let (a, b) = (
      try TestDevice(model: SyncModel.resolved), try TestDevice(model: SyncModel.resolved)
    )
    let id = try a.notes.put(["title": "Milk"])
    try a.sync(with: server)
    try b.sync(with: server)
    try a.notes.put(["id": id.value, "title": "Tea"])
    try b.notes.put(["id": id.value, "title": "Ale"])
    try a.sync(with: server)
    try b.sync(with: server)
    #expect(try b.notes.get(id)?["title"] as? String == "Tea")
    let rejected = try #require(try b.synced.rejections.first)
    #expect(
      rejected.told.decision
        == .rejected(
          Rejection(
            entity: SyncModel.note,
            property: nil,
            reason: .resolution,
            message: "the note is locked"
          )
        )
    )
    // Queued again, it is a write over what the device has now.
    try b.synced.resubmit(rejected)
    try b.sync(with: server)
    #expect(try b.notes.get(id)?["title"] as? String == "Ale")
    #expect(try b.synced.rejections.isEmpty)
  }
}
