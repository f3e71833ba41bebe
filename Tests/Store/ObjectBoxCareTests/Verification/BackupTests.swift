import Foundation
import ObjectBox
import ObjectBoxCare
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// A backup is a complete store of the newest version, or does not exist.
struct BackupTests {
  private func people(_ path: String) throws -> [String] {
    let store = try Store(model: try TemporaryStore.model(), directory: path)
    defer { store.close() }
    return try store.box(for: Person.self).all().map(\.name)
  }

  @Test func `a backup of an open store has its newest version, and goes on from there`() throws {
    let temporary = try TemporaryStore()
    let box = temporary.store.box(for: Person.self)
    for number in 0..<20 { try box.put(Person("\(number)", email: "\(number)")) }
    try box.remove(3)
    let backup = temporary.folder.path + "/backup"
    let version = try temporary.store.backup(to: backup)
    #expect(version == UInt64(try temporary.store.version()))
    try box.put(Person("later"))
    #expect(try people(backup) == (0..<20).filter { $0 != 2 }.map { "\($0)" })
    let copy = try Store(model: try TemporaryStore.model(), directory: backup)
    #expect(try copy.box(for: Person.self).put(Person("next")) == 21)
    #expect(try copy.verify().faults == [])
    copy.close()
    #expect(temporary.store.activeVersions.isEmpty)
  }

  /// A process that is killed while its commit reaches the disk leaves a head page without publishing it.
  @Test func `a backup has the newest published version after an unpublished commit`() throws {
    let temporary = try TemporaryStore()
    let box = temporary.store.box(for: Person.self)
    for number in 0..<50 { try box.put(Person("\(number)", email: "\(number)")) }
    let newest = UInt64(try temporary.store.version())
    let file = try FileHandle(
      forUpdating: URL(fileURLWithPath: temporary.path + "/lock.mdb")
    )
    defer { try? file.close() }
    let words = try #require(try file.read(upToCount: 128)).withUnsafeBytes {
      Array($0.bindMemory(to: UInt64.self))
    }
    let place = try #require(words.firstIndex(of: newest))
    try #require(words.count { $0 == newest } == 1)
    func publish(_ version: UInt64) throws {
      try file.seek(toOffset: UInt64(8 * place))
      try file.write(contentsOf: withUnsafeBytes(of: version) { Data($0) })
    }
    try publish(newest - 1)
    let backup = temporary.folder.path + "/backup"
    #expect(try temporary.store.backup(to: backup) == newest - 1)
    #expect(try temporary.store.verify().faults == [])
    try publish(newest)
    #expect(try people(backup) == (0..<49).map { "\($0)" })
  }

  @Test func `a closed store, and one in memory, are backed up too`() throws {
    let temporary = try TemporaryStore()
    try temporary.store.box(for: Person.self).put(Person("a"))
    temporary.store.close()
    let first = temporary.folder.path + "/first"
    #expect(try Store.backup(temporary.path, to: first) != nil)
    #expect(try people(first) == ["a"])
    let memory = try Store(
      model: try TemporaryStore.model(),
      directory: Store.inMemoryPrefix + "backup-test"
    )
    try memory.box(for: Person.self).put([Person("b"), Person("c")])
    let second = temporary.folder.path + "/second"
    #expect(try memory.backup(to: second) != nil)
    memory.close()
    #expect(try people(second) == ["b", "c"])
  }

  @Test func `a backup has the permission bits of the store's file`() throws {
    let folder = try TemporaryDirectory()
    let store = try Store(
      model: try TemporaryStore.model(),
      directory: folder.path + "/store",
      fileMode: 0o600
    )
    try store.box(for: Person.self).put(Person("a"))
    try store.backup(to: folder.path + "/backup")
    store.close()
    try Store.backup(folder.path + "/store", to: folder.path + "/second")
    for name in ["backup", "second"] {
      let path = folder.path + "/\(name)/data.mdb"
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path + "/\(name)") == [
          "data.mdb"
        ]
      )
    }
  }

  @Test func `a backup never replaces a store`() throws {
    let temporary = try TemporaryStore()
    try temporary.store.box(for: Person.self).put(Person("a"))
    let backup = temporary.folder.path + "/backup"
    try temporary.store.backup(to: backup)
    let before = try Data(contentsOf: URL(fileURLWithPath: backup + "/data.mdb"))
    for directory in [backup, temporary.path] {
      #expect {
        try temporary.store.backup(to: directory)
      } throws: { error in
        guard case ObjectBoxError.illegalArgument = error else { return false }
        return "\(error)".contains("there is a store already")
      }
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: backup + "/data.mdb")) == before)
    #expect(throws: ObjectBoxError.self) {
      try temporary.store.backup(to: temporary.folder.path + "/missing/backup")
    }
  }

  @Test func `a backup that is ended, and one of a store with a fault, leave nothing`() throws {
    let temporary = try TemporaryStore()
    try temporary.store.box(for: Person.self).put((0..<5000).map { Person("\($0)") })
    let backup = temporary.folder.path + "/backup"
    #expect(try temporary.store.backup(to: backup) { _ in false } == nil)
    #expect(try temporary.store.backup(to: backup) { $0 < 0.6 } == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: backup) == [])
    temporary.store.close()
    try ChangedFile.changeEntry(
      temporary.path,
      table: "i3",
      key: [1, 0x80, 0, 0, 0],
      id: 7,
      isThere: false
    )
    #expect {
      try Store.backup(temporary.path, to: backup)
    } throws: { error in
      guard case ObjectBoxError.fileCorrupt = error else { return false }
      return "\(error)".contains("lacks the object with ID 7")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: backup) == [])
    #expect(try Store.backup(temporary.path, to: backup, verifies: false) != nil)
  }
}
