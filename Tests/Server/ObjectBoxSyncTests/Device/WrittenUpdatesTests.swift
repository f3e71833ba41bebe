import ObjectBox
import ObjectBoxDynamic
@testable import ObjectBoxSync
import ObjectBoxSyncProtocol
import Testing

@Suite struct WrittenUpdatesTests {
  @Test func `updates of consecutive objects share rows of versions and of bases`() throws {
    let server = try SyncModel.server
    let device = try TestDevice()
    let ids = try device.filled(with: 6, server)
    try device.update(ids[1...4], by: 100)
    #expect(try device.ranges(.markedRange) == [ids[0]...ids[0], ids[1]...ids[4], ids[5]...ids[5]])
    #expect(try device.ranges(.bases) == [ids[1]...ids[4]])
    #expect(try device.ranges(.base) == [])
    try device.expectBases(Array(ids[1...4]), server)
    // What follows changes neither bases nor the versions of the others.
    try device.update(ids[2...3], by: 200)
    #expect(try device.ranges(.markedRange).map(\.count) == [1, 1, 2, 1, 1])
    try device.expectBases(Array(ids[1...4]), server)
    let content = try device.content()
    try device.sync(with: server)
    #expect(try device.content() == content)
    #expect(try device.digests(server) == server.digests(size: TestDevice.digestSize))
    #expect(try device.synced.reading { try $0.baseKeys.isEmpty })
  }

  @Test func `an object between those of a row of bases gets a base of its own`() throws {
    let server = try SyncModel.server
    let device = try TestDevice()
    let ids = try device.filled(with: 9, server)
    try device.update([ids[2], ids[4], ids[6]], by: 100)
    #expect(try device.ranges(.bases) == [ids[2]...ids[6]])
    try device.update(ids[...], by: 200)
    #expect(try device.ranges(.bases) == [ids[0]...ids[1], ids[2]...ids[6], ids[7]...ids[8]])
    #expect(try device.ranges(.base) == [ids[3]...ids[3], ids[5]...ids[5]])
    try device.expectBases(ids, server)
    server.readOnlyEntities = [SyncModel.note]
    try device.sync(with: server)
    #expect(try device.digests(server) == server.digests(size: TestDevice.digestSize))
    #expect(try device.synced.reading { try $0.baseKeys.isEmpty })
  }

  @Test func `a large update that the server rejects leaves the objects as they were`() throws {
    let server = try SyncModel.server
    let device = try TestDevice()
    let ids = try device.filled(with: 3_000, server)
    let content = try device.content()
    try device.update(ids[...], by: 10_000)
    let rows = try device.ranges(.bases)
    #expect(rows.count > 1)
    #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
    #expect(try device.ranges(.markedRange) == [ids[0]...ids[2_999]])
    try device.expectBases(ids, server)
    server.readOnlyEntities = [SyncModel.note]
    try device.sync(with: server)
    #expect(try device.synced.rejections.count == 1)
    #expect(try device.content() == content)
    #expect(try device.digests(server) == server.digests(size: TestDevice.digestSize))
  }

  @Test func `a new object between those of a row of bases is queued`() throws {
    let model = SyncModel.model(flags: 2, choosesTagIDs: true)
    let server = try SyncModel.server(model)
    let device = try TestDevice(model: model)
    try device.store.runInTransaction {
      for id in [3, 5] { try device.tags.put(["id": id, "name": "\(id)"]) }
    }
    try device.sync(with: server)
    try device.store.runInTransaction {
      for id in [3, 5] { try device.tags.put(["id": id, "name": "\(id)0"]) }
    }
    try device.tags.put(["id": 4, "name": "4"])
    let key = ObjectKey(entity: SyncModel.tag, id: 4)
    #expect(try device.synced.reading { try $0.base(at: key) } == .absent)
    #expect(try device.synced.reading { try $0.baseKeys.count } == 3)
    try device.sync(with: server)
    #expect(try device.content().sorted() == ["tag 3 30", "tag 4 4", "tag 5 50"])
    #expect(try device.digests(server) == server.digests(size: TestDevice.digestSize))
  }

  @Test func `a waiting transaction with unknown or missing operations is damage`() throws {
    let device = try TestDevice()
    try device.notes.put(["title": "new"])
    let bytes = try device.synced.reading { store in
      var bytes: [UInt8] = []
      try store.table.forEach(SyncKey(.waiting), in: store.storage) { bytes = Array($1) }
      return bytes
    }
    func read(_ bytes: [UInt8]) throws -> SyncTransaction {
      try SyncTable.decode(bytes, SyncKey(.waiting), as: WaitingTransaction.self).transaction
    }
    let waiting = try device.synced.upload(limit: 1).transactions
    #expect(try read(bytes) == waiting.first)
    for end in bytes.indices {
      #expect(throws: ObjectBoxError.self) { try read(Array(bytes[..<end])) }
    }
    var writer = WireWriter()
    writer.append(byte: StoredOperations.form)
    try #require(waiting.first).writeHead(operationCount: 1, to: &writer)
    let place = writer.bytes.count
    #expect(bytes[..<place] == writer.bytes[...])
    var other = bytes
    other[place] = 77
    #expect(throws: ObjectBoxError.self) { try read(other) }
  }
}

extension TestDevice {
  /// Puts notes in one transaction, and lets the server confirm them.
  fileprivate func filled(with count: Int, _ server: MemoryServerLog) throws -> [UInt64] {
    var ids: [UInt64] = []
    try store.runInTransaction {
      for rank in 0..<count { ids.append(try notes.put(["rank": rank]).value) }
    }
    try sync(with: server)
    #expect(ids == Array(ids[0]...ids[count - 1]))
    return ids
  }

  /// Puts notes with other ranks in one transaction.
  fileprivate func update(_ ids: ArraySlice<UInt64>, by difference: Int) throws {
    try store.runInTransaction {
      for (rank, id) in ids.enumerated() {
        try notes.put(["id": id, "rank": rank + difference])
      }
    }
  }

  /// The first and the last IDs of rows, whose keys have the last one.
  fileprivate func ranges(_ kind: SyncTable.Kind) throws -> [ClosedRange<UInt64>] {
    var ranges: [ClosedRange<UInt64>] = []
    try synced.reading { store in
      try store.table.forEach(SyncKey(kind), in: store.storage) { key, value in
        let last = key.object().id
        let first = kind == .base ? last : try BaseRun.first(key, value)
        ranges.append(first...last)
      }
    }
    return ranges
  }

  /// Compares the bases with the server's rows.
  fileprivate func expectBases(_ ids: [UInt64], _ server: MemoryServerLog) throws {
    let keys = ids.map { ObjectKey(entity: SyncModel.note, id: $0) }
    try synced.reading { (store) throws in
      #expect(try store.baseKeys.sorted() == keys)
      for key in keys { #expect(try store.base(at: key)?.row == server.rows[key]) }
    }
  }
}
