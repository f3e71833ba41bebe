import ObjectBox
import ObjectBoxDynamic
@testable import ObjectBoxSync
import ObjectBoxSyncProtocol
import Testing

@Suite struct WrittenPairsTests {
  @Test func `pairs that are added one by one leave the marks of their source alone`() throws {
    let (hub, device) = (try SyncModel.hub, try TestDevice())
    let tags = try (0..<6).map { try device.tags.put(["name": "\($0)"]) }
    let note = try device.notes.put(["title": "source"])
    try device.notes.add([tags[0]], to: "tags", of: note)
    try device.sync(with: hub)
    let key = ObjectKey(entity: SyncModel.note, id: note.value)
    let before = try device.marks(at: key)
    for tag in tags[1...] { try device.notes.add([tag], to: "tags", of: note) }
    #expect(try device.marks(at: key) == before)
    #expect(try device.targets(of: key) == tags.map(\.value))
    #expect(try device.addedPairs() == 6)
    // The server's row is that before the first of them.
    #expect(try device.synced.reading { try $0.base(at: key)?.row } == hub.rows[key])
    try device.reopen()
    #expect(try device.targets(of: key) == tags.map(\.value))
    try device.sync(with: hub)
    #expect(hub.rows[key]?.pairs.map(\.target.id) == tags.map(\.value))
    #expect(try device.digests(hub) == hub.digests(size: TestDevice.digestSize))
    #expect(try device.faults() == [])
  }

  @Test func `a pair beside marks is removed, and goes with its source`() throws {
    let (hub, device) = (try SyncModel.hub, try TestDevice())
    let tags = try (0..<3).map { try device.tags.put(["name": "\($0)"]) }
    let notes = try (0..<2).map { try device.notes.put(["title": "\($0)"]) }
    let keys = notes.map { ObjectKey(entity: SyncModel.note, id: $0.value) }
    try device.sync(with: hub)
    for tag in tags {
      for note in notes { try device.notes.add([tag], to: "tags", of: note) }
    }
    try device.notes.remove([tags[1]], from: "tags", of: notes[0])
    #expect(try device.targets(of: keys[0]) == [tags[0].value, tags[2].value])
    #expect(try device.addedPairs() == 3)
    _ = try device.notes.remove(notes[1])
    #expect(try device.addedPairs() == 0)
    let other = try TestDevice()
    try device.sync(with: hub)
    try other.sync(with: hub)
    #expect(try other.content() == device.content())
    #expect(try device.digests(hub) == hub.digests(size: TestDevice.digestSize))
  }

  @Test func `a pair to a removed object is not added again`() throws {
    let (hub, device, other) = (try SyncModel.hub, try TestDevice(), try TestDevice())
    let tags = try (0..<2).map { try device.tags.put(["name": "\($0)"]) }
    let note = try device.notes.put(["title": "source"])
    try device.sync(with: hub)
    try other.sync(with: hub)
    _ = try other.tags.remove(tags[0])
    try other.sync(with: hub)
    for tag in tags { try device.notes.add([tag], to: "tags", of: note) }
    try device.sync(with: hub)
    let key = ObjectKey(entity: SyncModel.note, id: note.value)
    #expect(try device.targets(of: key) == [tags[1].value])
    try other.sync(with: hub)
    #expect(try other.content() == device.content())
    #expect(try device.digests(hub) == hub.digests(size: TestDevice.digestSize))
    #expect(try device.faults() == [])
  }
}

extension TestDevice {
  /// The bytes of an object's marks, without pairs beside them.
  fileprivate func marks(at key: ObjectKey) throws -> [UInt8] {
    try synced.reading { store in
      var marks: [UInt8] = []
      try store.table.forEach(SyncKey(.marks, key), in: store.storage) { marks = Array($1) }
      return marks
    }
  }

  /// The IDs of the targets that the server is told.
  fileprivate func targets(of key: ObjectKey) throws -> [UInt64] {
    try synced.reading { try $0.storedRow(at: key)?.pairs.map(\.target.id) ?? [] }
  }

  /// The number of pairs beside marks.
  fileprivate func addedPairs() throws -> Int {
    try synced.reading { store in
      var count = 0
      try store.table.forEach(SyncKey(.addedPair), in: store.storage) { _, _ in count += 1 }
      return count
    }
  }
}
