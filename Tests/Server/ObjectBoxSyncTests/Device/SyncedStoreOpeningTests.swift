import Foundation
import ObjectBox
import ObjectBoxCare
import ObjectBoxDynamic
import ObjectBoxStorage
import ObjectBoxSyncProtocol
import ObjectBoxTestSupport
import Testing

@testable import ObjectBoxSync

@Suite struct SyncedStoreOpeningTests {
  @Test func `a store without synchronized entities is refused and gets no table`() throws {
    let folder = try TemporaryDirectory()
    let store = try TestDevice.open(folder, SyncModel.model(flags: 0))
    defer { store.close() }
    let version = try store.version()
    #expect(throws: ObjectBoxError.self) { _ = try SyncedStore(store) }
    #expect(try store.version() == version)
    #expect(store.transactions.currentParticipant == nil)
    try store.box(named: "Note").put(["title": "Milk"])
    let hasTable = try store.inTransaction(isWritable: false) { transaction, _ in
      try transaction.storage.openTable("sync", .plain, create: false) != nil
    }
    #expect(!hasTable)
  }

  @Test func `objects from before synchronization are queued once, in order`() throws {
    let server = try SyncModel.server
    let folder = try TemporaryDirectory()
    let store = try TestDevice.open(folder)
    defer { store.close() }
    let notes = try store.box(named: "Note")
    let tag = try store.box(named: "Tag").put(["name": "red"])
    let first = try notes.put(["title": "first"])
    let second = try notes.put(["title": "second", "parent": first.value])
    try notes.put(["id": first.value, "parent": second.value])
    try notes.add([tag], to: "tags", of: first)
    let synced = try SyncedStore(store)
    let again = try SyncedStore(store)
    #expect(try again.waitingCount == synced.waitingCount)
    try synced.receive(try server.receive(try synced.upload(limit: 10)))
    guard case .delta(let delta) = server.receive(try synced.deltaRequest()) else {
      Issue.record("no delta")
      return
    }
    try synced.receive(delta)
    let other = try TestDevice()
    try other.sync(with: server)
    #expect(try other.notes.targets("parent", of: first) == [second])
    #expect(try other.notes.targets("parent", of: second) == [first])
    #expect(try other.notes.targets("tags", of: first) == [tag])
    #expect(try synced.rejections.isEmpty)
  }

  @Test func `objects from before synchronization are in memory in parts alone`() throws {
    let server = try SyncModel.server
    let folder = try TemporaryDirectory()
    let store = try TestDevice.open(folder)
    defer { store.close() }
    let notes = try store.box(named: "Note")
    var last: UInt64 = 0
    try store.runInTransaction {
      for number in 1...1_200 {
        // Each but the first ones refers to an object of another part.
        let parent = last > 600 ? last - 600 : 0
        last = try notes.put(["title": "\(number)", "parent": parent]).value
      }
    }
    let capture = try SyncedStore.capture(of: store)
    var adoption = try #require(try SyncedStore.reading(store, capture) { try Adoption($0) })
    for count in 1...3 {
      try SyncedStore.applying(in: store, capture) { device in
        let goesOn = try adoption.queueNext(in: device)
        #expect(goesOn)
        #expect(device.changes.isEmpty)
        #expect(device.waitingCount == count)
      }
    }
    let synced = try SyncedStore(store)
    #expect(try synced.waitingCount == 3)
    try synced.receive(try server.receive(try synced.upload(limit: 10)))
    let other = try TestDevice()
    try other.sync(with: server)
    #expect(try other.notes.count() == 1_200)
    #expect(try other.notes.targets("parent", of: Id(last)) == [Id(last - 601)])
  }

  @Test func `writes before the program makes a client are queued`() throws {
    let folder = try TemporaryDirectory()
    let first = try TestDevice.open(folder)
    _ = try SyncedStore(first)
    let id = try first.box(named: "Note").put(["title": "Milk"])
    first.close()
    let store = try TestDevice.open(folder)
    defer { store.close() }
    try store.box(named: "Note").put(["id": id.value, "title": "Tea"])
    #expect(try SyncedStore(store).waitingCount == 2)
  }

  @Test func `the table passes verification, backup and compaction`() throws {
    let server = try SyncModel.server
    let device = try TestDevice()
    try device.notes.put(["title": "Milk"])
    try device.sync(with: server)
    try device.notes.put(["title": "Tea"])
    #expect(try device.faults() == [])
    let copy = device.folder.path + "/copy"
    _ = try device.store.backup(to: copy)
    #expect(try Store.verify(directory: copy).faults == [])
    _ = try device.store.compact()
    #expect(try device.synced.waitingCount == 1)
    try device.sync(with: server)
    #expect(server.rows.count == 2)
    #expect(try device.faults() == [])
  }

  @Test func `what the server sent is refused inside a transaction of the program`() throws {
    let server = try SyncModel.server
    let device = try TestDevice()
    guard case .delta(let delta) = server.receive(try device.synced.deltaRequest()) else {
      Issue.record("no delta")
      return
    }
    try device.store.runInTransaction {
      #expect(throws: ObjectBoxError.self) { try device.synced.receive(delta) }
    }
    #expect(try device.synced.receive(delta) == .taken)
  }

  @Test func `new objects get leased IDs first, and random ones without a lease`() throws {
    let server = try SyncModel.server
    let device = try TestDevice()
    #expect(try device.notes.put(["title": "Milk"]).value >= 1 << 40)
    let lends = try device.synced.lendsNeeded()
    #expect(lends.map(\.entity) == [SyncModel.note, SyncModel.tag])
    let lease = server.lease(lends[0])
    try device.synced.receive(lease)
    let first = try device.notes.put(["title": "Tea"])
    #expect(first.value == lease.block.ids.lowerBound)
    try device.synced.receive(lease)
    #expect(try device.notes.put(["title": "Coffee"]).value == first.value + 1)
    #expect(try device.synced.lendsNeeded().map(\.entity) == [SyncModel.tag])
    try device.reopen()
    #expect(try device.notes.put(["title": "Juice"]).value == first.value + 2)
  }

  @Test func `a put without room is neither stored nor queued`() throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write(SyncModel.json, to: "model.json")
    let store = try Store(
      directoryPath: folder.path + "/store",
      modelJSON: URL(fileURLWithPath: file),
      maxDbSizeInKByte: 600
    )
    defer { store.close() }
    let synced = try SyncedStore(store)
    let notes = try store.box(named: "Note")
    let title = String(repeating: "x", count: 5000)
    var count: UInt64 = 0
    #expect(throws: ObjectBoxError.self) {
      while count < 1000 {
        try notes.put(["title": title])
        count += 1
      }
    }
    #expect(count > 0)
    #expect(try UInt64(notes.count()) == count)
    #expect(try UInt64(synced.waitingCount) == count)
  }
}
