import Foundation
import ObjectBox
import ObjectBoxCare
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// A compaction makes the file smaller and changes no data.
struct CompactionTests {
  private let temporary: TemporaryStore
  private var store: Store { temporary.store }
  private var box: Box<Person> { store.box(for: Person.self) }
  private var file: String { temporary.path + "/data.mdb" }

  init() throws {
    temporary = try TemporaryStore()
    try box.put((0..<3000).map { Person("person \($0)", email: "\($0)") })
    try store.runInTransaction {
      for id in try box.all().map(\.id) where id > 100 { try box.remove(id) }
    }
  }

  private func size() throws -> Int {
    try #require(
      FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
    )
  }

  private func names() throws -> [String] { try box.all().map(\.name) }

  @Test func `the file shrinks, and holds what it held`() throws {
    let (before, version) = (try names(), try store.version())
    let sizeBefore = try size()
    let report = try #require(try store.compact())
    #expect(report.bytesBefore == sizeBefore)
    #expect(try size() == report.bytesAfter)
    #expect(report.bytesAfter * 4 < sizeBefore)
    #expect(report.version == UInt64(version))
    #expect(try store.version() == version)
    #expect(try names() == before)
    #expect(try box.query { Person.name == "person 7" }.build().findIds().count == 1)
    #expect(try store.verify().faults == [])
  }

  @Test func `the store goes on after it, and gives no ID twice`() throws {
    try box.remove(100)
    try store.compact()
    #expect(try box.put(Person("next")) == 3001)
    try store.compact()
    try box.remove(3001)
    try temporary.reopen()
    #expect(try box.count() == 99)
    #expect(try box.put(Person("later")) == 3002)
    #expect(try store.verify().faults == [])
  }

  @Test func `a compaction of a compact file changes nothing`() throws {
    let first = try #require(try store.compact())
    let second = try #require(try store.compact())
    #expect(second.bytesBefore == first.bytesAfter)
    #expect(second.bytesAfter == first.bytesAfter)
  }

  @Test func `a snapshot shows its version in both files`() throws {
    let before = try names()
    let snapshot = try store.freeze()
    let results = try snapshot.query(Person.self)
    let seventh = try #require(try snapshot.object(Person.self, 7))
    try box.removeAll()
    try store.compact()
    #expect(try snapshot.query(Person.self).find().map(\.name) == before)
    let empty = try store.freeze()
    try box.put(Person("after"))
    try store.compact()
    #expect(try empty.count(Person.self) == 0)
    #expect(try results.find().map(\.name) == before)
    #expect(seventh.name == "person 6")
    #expect(try snapshot.query(Person.self) { Person.email == "42" }.find().count == 1)
    #expect(try names() == ["after"])
    #expect(try store.verify().faults == [])
  }

  @Test func `a read that is open on another thread goes on, and the next one is in the new file`()
    throws
  {
    let (isOpen, goesOn, isDone) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let counts = Guarded<[Int]>([])
    let store = store
    Thread {
      try? store.runInReadOnlyTransaction {
        let box = store.box(for: Person.self)
        counts.withLock { $0.append((try? box.all().count) ?? 0) }
        isOpen.signal()
        goesOn.wait()
        counts.withLock { $0.append((try? box.all().count) ?? 0) }
      }
      counts.withLock { $0.append((try? store.box(for: Person.self).all().count) ?? 0) }
      isDone.signal()
    }.start()
    isOpen.wait()
    try store.compact()
    try box.put(Person("new"))
    goesOn.signal()
    isDone.wait()
    #expect(counts.withLock { $0 } == [100, 100, 101])
  }

  @Test func `queries, live views and observers go on`() throws {
    let query = try box.query { Person.name.startsWith("person") }.build()
    let (notified, counts) = (DispatchSemaphore(value: 0), Guarded<[Int]>([]))
    let queue = SerialQueue(label: "observer")
    let store = store
    let token = try query.observe(on: queue) { _ in
      let count = try? store.box(for: Person.self).all().count
      counts.withLock { $0.append(count ?? 0) }
      notified.signal()
    }
    defer { token.invalidate() }
    notified.wait()
    try store.compact()
    try box.put(Person("person new"))
    notified.wait()
    #expect(counts.withLock { $0.last } == 101)
    #expect(try query.count() == 101)
  }

  @Test func `a store with the same file follows`() throws {
    let other = try Store.attachTo(directory: temporary.path)
    defer { other.close() }
    try store.compact()
    try box.put(Person("new"))
    #expect(try other.box(for: Person.self).count() == 101)
    try other.compact()
    #expect(try names().count == 101)
  }

  @Test func `a full store is compacted, and its error names a version that is held after that`()
    throws
  {
    let full = try FullStore()
    try full.fill()
    try full.people.query { Person.age < 50 }.build().remove(inBatchesOf: 20)
    let count = try full.people.count()
    let snapshot = try full.store.freeze()
    let report = try #require(try full.store.compact())
    #expect(report.bytesAfter < report.bytesBefore)
    // Until the next commit a snapshot reads the old file, and pins no pages of the new file.
    try full.people.put(FullStore.person(99_999))
    let second = try full.store.freeze()
    guard case .dbFull(let message) = try full.fill(from: 100_000) else {
      Issue.record("another error")
      return
    }
    for part in [
      full.temporary.path, "greatest size of 800 KiB", "the file has", "wait for version",
      "snapshot", "CompactionTests.swift", "let go", "maximumSize",
    ] {
      #expect(message.contains(part), "\(message)")
    }
    #expect(try full.people.count() > count)
    #expect(try full.pages() <= full.limit() + 2)
    #expect(try snapshot.count(Person.self) == count)
    #expect(try second.count(Person.self) == count + 1)
    snapshot.invalidate()
    second.invalidate()
    try full.people.query().build().remove(inBatchesOf: 20)
    let emptied = try #require(try full.store.compact())
    #expect(emptied.bytesAfter < emptied.bytesBefore)
    try full.expectSound()
  }

  @Test func `progress rises, and false leaves the file as it is`() throws {
    var parts: [Double] = []
    try store.compact {
      parts.append($0)
      return true
    }
    #expect(parts == parts.sorted())
    #expect(parts.allSatisfy { (0...1).contains($0) })
    try box.removeAll()
    let before = try size()
    #expect(try store.compact { _ in false } == nil)
    #expect(try size() == before)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: temporary.path).sorted()
        == ["data.mdb", "lock.mdb"]
    )
    try box.put(Person("a"))
    #expect(try store.verify().faults == [])
  }

  @Test func `the permission bits stay`() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
    try store.compact()
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
  }

  @Test func `a compaction is refused where it cannot be`() throws {
    func refusal(_ store: Store) -> String {
      do {
        _ = try store.compact()
        return ""
      } catch { return "\(error)" }
    }
    let store = store
    try store.runInTransaction { #expect(refusal(store).contains("transaction open")) }
    try store.runInReadOnlyTransaction { #expect(refusal(store).contains("transaction open")) }
    try FileManager.default.linkItem(atPath: file, toPath: temporary.folder.path + "/second")
    #expect(refusal(store).contains("hard links"))
    try FileManager.default.removeItem(atPath: temporary.folder.path + "/second")
    #expect(refusal(store) == "")
    store.close()
    #expect(refusal(store).contains("closed"))
    let reader = try Store(
      model: try TemporaryStore.model(),
      directory: temporary.path,
      maxDbSizeInKByte: 100_000,
      readOnly: true
    )
    #expect(refusal(reader).contains("readOnly"))
    reader.close()
    let memory = try Store(
      model: try TemporaryStore.model(),
      directory: Store.inMemoryPrefix + "compaction-test"
    )
    #expect(refusal(memory).contains("in memory"))
    memory.close()
  }

  @Test func `opening removes what a killed compaction has left`() throws {
    store.close()
    let folder = file + ".compact"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    try Data("half".utf8).write(to: URL(fileURLWithPath: folder + "/data.mdb"))
    try temporary.reopen()
    #expect(!FileManager.default.fileExists(atPath: folder))
    #expect(try box.count() == 100)
  }
}
