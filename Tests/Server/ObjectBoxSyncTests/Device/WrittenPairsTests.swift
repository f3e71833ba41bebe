import ObjectBox
import ObjectBoxDynamic
@testable import ObjectBoxSync
import ObjectBoxSyncProtocol
import Testing

@Suite struct WrittenPairsTests {
  @Test func `pairs that are added one by one leave the versions of their source alone`() throws {
    let (server, device) = (try SyncModel.server, try TestDevice())
    let tags = try (0..<6).map { try device.tags.put(["name": "\($0)"]) }
    let note = try device.notes.put(["title": "source"])
    try device.notes.add([tags[0]], to: "tags", of: note)
    try device.sync(with: server)
    let key = ObjectKey(entity: SyncModel.note, id: note.value)
    let before = try device.versions(at: key)
    for tag in tags[1...] { try device.notes.add([tag], to: "tags", of: note) }
    #expect(try device.versions(at: key) == before)
    #expect(try device.targets(of: key) == tags.map(\.value))
    #expect(try device.addedPairs() == 6)
    // The server's row is that before the first of them.
    #expect(try device.synced.reading { try $0.base(at: key)?.row } == server.rows[key])
    try device.reopen()
    #expect(try device.targets(of: key) == tags.map(\.value))
    try device.sync(with: server)
    #expect(server.rows[key]?.pairs.map(\.target.id) == tags.map(\.value))
    #expect(try device.digests(server) == server.digests(size: TestDevice.digestSize))
    #expect(try device.faults() == [])
  }

  @Test func `pairs that are removed one by one leave the versions of their source alone`() throws {
    let (server, device) = (try SyncModel.server, try TestDevice())
    let tags = try (0..<6).map { try device.tags.put(["name": "\($0)"]) }
    let note = try device.notes.put(["title": "source"])
    try device.notes.add(tags, to: "tags", of: note)
    try device.sync(with: server)
    let key = ObjectKey(entity: SyncModel.note, id: note.value)
    try device.notes.remove([tags[5]], from: "tags", of: note)
    let before = try device.versions(at: key)
    for tag in tags[3...4] { try device.notes.remove([tag], from: "tags", of: note) }
    #expect(try device.versions(at: key) == before)
    #expect(try device.targets(of: key) == tags[..<3].map(\.value))
    #expect(try device.addedPairs() == 3)
    #expect(try device.synced.reading { try $0.base(at: key)?.row } == server.rows[key])
    try device.sync(with: server)
    #expect(server.rows[key]?.pairs.map(\.target.id) == tags[..<3].map(\.value))
    #expect(try device.digests(server) == server.digests(size: TestDevice.digestSize))
  }

  @Test func `an object that is removed and put again loses its pairs everywhere`() throws {
    let model = SyncModel.model(flags: 2, choosesTagIDs: true)
    let server = try SyncModel.server(model)
    let (device, other) = (try TestDevice(model: model), try TestDevice(model: model))
    try device.tags.put(["id": 7, "name": "first"])
    let note = try device.notes.put(["title": "source"])
    try device.notes.add([Id(7)], to: "tags", of: note)
    try device.sync(with: server)
    try device.store.runInTransaction {
      _ = try device.tags.remove(Id(7))
      try device.tags.put(["id": 7, "name": "second"])
    }
    #expect(try device.notes.targets("tags", of: note).isEmpty)
    try device.sync(with: server)
    try other.sync(with: server)
    #expect(try other.content() == device.content())
    #expect(try device.digests(server) == server.digests(size: TestDevice.digestSize))
  }

  @Test func `a pair beside versions is removed, and goes with its source`() throws {
    let (server, device) = (try SyncModel.server, try TestDevice())
    let tags = try (0..<3).map { try device.tags.put(["name": "\($0)"]) }
    let notes = try (0..<2).map { try device.notes.put(["title": "\($0)"]) }
    let keys = notes.map { ObjectKey(entity: SyncModel.note, id: $0.value) }
    try device.sync(with: server)
    for tag in tags {
      for note in notes { try device.notes.add([tag], to: "tags", of: note) }
    }
    try device.notes.remove([tags[1]], from: "tags", of: notes[0])
    #expect(try device.targets(of: keys[0]) == [tags[0].value, tags[2].value])
    #expect(try device.addedPairs() == 5)
    _ = try device.notes.remove(notes[1])
    #expect(try device.addedPairs() == 2)
    let other = try TestDevice()
    try device.sync(with: server)
    try other.sync(with: server)
    #expect(try other.content() == device.content())
    #expect(try device.digests(server) == server.digests(size: TestDevice.digestSize))
  }

  @Test func `a pair to a removed object is not added again`() throws {
    let (server, device, other) = (try SyncModel.server, try TestDevice(), try TestDevice())
    let tags = try (0..<2).map { try device.tags.put(["name": "\($0)"]) }
    let note = try device.notes.put(["title": "source"])
    try device.sync(with: server)
    try other.sync(with: server)
    _ = try other.tags.remove(tags[0])
    try other.sync(with: server)
    for tag in tags { try device.notes.add([tag], to: "tags", of: note) }
    try device.sync(with: server)
    let key = ObjectKey(entity: SyncModel.note, id: note.value)
    #expect(try device.targets(of: key) == [tags[1].value])
    try other.sync(with: server)
    #expect(try other.content() == device.content())
    #expect(try device.digests(server) == server.digests(size: TestDevice.digestSize))
    #expect(try device.faults() == [])
  }
}

extension TestDevice {
  /// The bytes of an object's versions, without pairs beside them.
  fileprivate func versions(at key: ObjectKey) throws -> [UInt8] {
    try synced.reading { store in
      var versions: [UInt8] = []
      try store.table.forEach(SyncKey(.versions, key), in: store.storage) { versions = Array($1) }
      return versions
    }
  }

  /// The IDs of the targets that the server is told.
  fileprivate func targets(of key: ObjectKey) throws -> [UInt64] {
    try synced.reading { try $0.storedRow(at: key)?.pairs.map(\.target.id) ?? [] }
  }

  /// The number of pairs beside versions.
  fileprivate func addedPairs() throws -> Int {
    try synced.reading { store in
      var count = 0
      try store.table.forEach(SyncKey(.addedPair), in: store.storage) { _, _ in count += 1 }
      return count
    }
  }
}
