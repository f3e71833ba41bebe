#if os(Linux) && OBJECTBOX_SODIUM
  import Foundation
  import ObjectBox
  import ObjectBoxCare
  import ObjectBoxLive
  import ObjectBoxRuntimeTestSupport
  import ObjectBoxTestSupport
  import Testing

  @testable import ObjectBoxEncryption

  /// A compaction makes an encrypted store smaller, under a new data key, and changes no data.
  struct EncryptedCompactionTests {
    private let test: EncryptedStore
    private let names = (1...50).map { "person \($0)" }

    init() throws {
      test = try EncryptedStore()
      try Self.fill(test)
    }

    /// Puts people of whom most are removed again.
    private static func fill(_ test: EncryptedStore) throws {
      try test.people.put(
        (1...2000).map { Person("person \($0)", email: "\($0)@example.org", age: Int32($0)) }
      )
      _ = try test.people.remove((51...2000).map { UInt64($0) })
    }

    private func files(_ path: String? = nil) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: path ?? test.path).sorted()
    }

    /// Returns the data key of a store.
    private func dataKey(_ test: EncryptedStore, _ key: StoreEncryption) throws -> [UInt8] {
      let found = try SealedHead.find(test.bytes("sealed.head"))
      let keys = try found.wrapped.unwrapped(by: key)
      // The bytes are freed with the keys.
      return withExtendedLifetime(keys) { Array(keys.data) }
    }

    @Test func `the files shrink, and hold what they held under a new data key`() throws {
      let (version, pages) = (try test.store.version(), try test.pagesName)
      let (size, key) = (try test.bytes(pages).count, try dataKey(test, test.key))
      let report = try #require(try test.store.compact())
      #expect(report.bytesAfter * 4 < report.bytesBefore)
      #expect(report.version == UInt64(version))
      #expect(try test.store.version() == version)
      #expect(try files().count == 3)
      #expect(try test.pagesName != pages)
      #expect(try test.bytes(test.pagesName).count < size)
      #expect(try dataKey(test, test.key) != key)
      for _ in 0..<2 {
        #expect(try test.names == names)
        #expect(try test.people.query { Person.age == 30 }.build().findIds() == [30])
        #expect(try test.store.verify().faults == [])
        try test.reopen()
      }
      #expect(try test.people.put(Person("next")) == 2001)
    }

    @Test func `the store goes on after it, and again`() throws {
      for round in 0..<4 {
        try test.store.compact()
        for number in 0..<30 {
          let person = Person("round \(round) \(number)")
          person.photo = Data(repeating: 1, count: 9000)
          try test.people.put(person)
        }
        #expect(try test.people.count() == 50 + 30 * (round + 1))
      }
      try test.reopen()
      #expect(try test.people.count() == 170)
      #expect(try test.store.verify().faults == [])
    }

    @Test
    func `the key of the program stays, also after a change and with the cost of a passphrase`()
      throws
    {
      let cost = PassphraseCost(passes: 2, memoryInBytes: 1 << 16)
      try test.store.changeEncryption(to: .passphrase("secret", cost: cost))
      let head = try test.bytes("sealed.head")[16..<32]
      try test.store.compact()
      #expect(try test.bytes("sealed.head")[16..<32] == head)
      // The cost of an existing store counts.
      try test.reopen(key: .passphrase("secret"))
      try test.store.compact()
      #expect(try test.bytes("sealed.head")[16..<32] == head)
      #expect(throws: EncryptionError.self) { try test.reopen() }
      try test.reopen(key: .passphrase("secret", cost: cost))
      #expect(try test.names == names)
    }

    @Test func `snapshots keep the former content, and threads read and write on`() throws {
      let snapshot = try test.store.freeze()
      let (store, people) = (test.store, test.people)
      let faults = Guarded<[String]>([])
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        do {
          switch thread {
          case 0: for _ in 0..<10 { try store.compact() }
          case 1: for number in 0..<60 { try people.put(Person("new", age: Int32(number))) }
          case 2:
            for _ in 0..<60 {
              let snapshot = try store.freeze()
              let first = try snapshot.query(Person.self).find().map(\.id)
              if try snapshot.query(Person.self).find().map(\.id) != first {
                faults.withLock { $0.append("a snapshot changed") }
              }
            }
          default:
            for _ in 0..<100 where try people.count() < 50 {
              faults.withLock { $0.append("objects are missing") }
            }
          }
        } catch { faults.withLock { $0.append("\(error)") } }
      }
      #expect(faults.copy == [])
      #expect(try snapshot.query(Person.self).find().map(\.name) == names)
      snapshot.invalidate()
      #expect(try people.count() == 110)
      #expect(try store.verify().faults == [])
      try test.reopen()
      #expect(try test.people.count() == 110)
    }

    @Test func `a backup that has begun keeps the former files`() throws {
      let backup = test.folder.path + "/backup"
      let store = test.store
      let isCompacted = Guarded(false)
      _ = try store.backup(to: backup) { _ in
        isCompacted.withLock { isCompacted in
          if !isCompacted { isCompacted = (try? store.compact()) != nil }
          return isCompacted
        }
      }
      #expect(isCompacted.copy)
      let copy = try EncryptedStore.open(backup, test.key)
      defer { copy.close() }
      #expect(try copy.box(for: Person.self).all().map(\.name) == names)
      #expect(try copy.verify().isSound)
    }

    @Test func `a compaction that is ended changes nothing`() throws {
      let before = try files()
      for limit in [0.0, 0.2, 0.3, 0.5, 0.7] {
        #expect(try test.store.compact { $0 < limit } == nil)
        #expect(try files().filter { $0 != "sealed.head.new" } == before)
      }
      try test.people.put(Person("next"))
      #expect(try test.names == names + ["next"])
    }

    @Test func `whenever the process ends, the files are the former or the new ones`() throws {
      let (path, folder) = (test.path, test.folder.path)
      let pages = try test.pagesName
      let former = try test.bytes(pages)
      let moments = Guarded<[String]>([])
      let note: @Sendable () -> Void = {
        moments.withLock { moments in
          let copy = folder + "/moment-\(moments.count)"
          try? FileManager.default.copyItem(atPath: path, toPath: copy)
          moments.append(copy)
        }
      }
      let sync: @Sendable (Int32) -> Int32 = { descriptor in
        note()
        let code = fdatasync(descriptor) == 0 ? 0 : errno
        note()
        return code
      }
      try ImageFiles.$synchronize.withValue(sync) {
        try test.store.compact { _ in
          note()
          return true
        }
      }
      note()
      // The former pages file is removed after the new head is in place.
      let last = folder + "/moment-last"
      try FileManager.default.copyItem(atPath: path, toPath: last)
      try Data(former).write(to: URL(fileURLWithPath: last + "/" + pages))
      #expect(moments.copy.count > 6)
      #expect(Set(try (moments.copy + [last]).map { try files($0).count }).count > 1)
      for moment in moments.copy + [last] {
        let store = try EncryptedStore.open(moment, test.key)
        defer { store.close() }
        #expect(try store.box(for: Person.self).all().map(\.name) == names)
        #expect(try store.verify().isSound)
        #expect(try files(moment).count(where: { $0.hasPrefix("sealed.pages-") }) == 1)
      }
    }

    @Test(arguments: 0..<4)
    func `a disk that refuses a step loses nothing`(step: Int) throws {
      let calls = Guarded(0)
      let sync: @Sendable (Int32) -> Int32 = { descriptor in
        calls.withLock { calls in
          calls += 1
          return calls == step + 1 ? EIO : (fdatasync(descriptor) == 0 ? 0 : errno)
        }
      }
      let isDone =
        (try? ImageFiles.$synchronize.withValue(sync) { try test.store.compact() }) != nil
      #expect(isDone == (calls.copy <= step))
      #expect(try test.names == names)
      try test.people.put(Person("next"))
      try test.reopen()
      #expect(try test.names == names + ["next"])
      #expect(try test.store.compact() != nil)
      #expect(try test.names == names + ["next"])
    }

    @Test func `a full disk and too little memory refuse it, and nothing is lost`() throws {
      let before = try files()
      ImageFiles.$takeRoom.withValue({ _, _, _ in ENOSPC }) {
        #expect {
          try test.store.compact()
        } throws: {
          if case ObjectBoxError.dbFull(let message) = $0 {
            message.contains("disk")
          } else {
            false
          }
        }
      }
      let root = try TemporaryDirectory()
      try root.write("MemAvailable: 8 kB\n", to: "proc/meminfo")
      MemoryRoom.$root.withValue(root.path) {
        #expect {
          try test.store.compact()
        } throws: {
          if case ObjectBoxError.dbFull(let message) = $0 {
            message.contains("the compact copy") && message.contains("leaves 8 KiB")
          } else {
            false
          }
        }
      }
      #expect(try files() == before)
      try test.people.put(Person("next"))
      #expect(try test.names == names + ["next"])
    }

    @Test func `a former head and its pages beside the pages of later commits are refused`() throws
    {
      let former = ["sealed.head", try test.pagesName]
      let bytes = try former.map { try test.bytes($0) }
      try test.store.compact()
      let present = try test.pagesName
      try test.people.put(Person("next"))
      test.close()
      let head = try test.bytes("sealed.head")
      for (name, bytes) in zip(former, bytes) { try test.write(bytes, to: name) }
      let all = try files()
      for _ in 1...2 {
        #expect {
          try test.reopen()
        } throws: {
          if case ObjectBoxError.fileCorrupt(let message) = $0 {
            message.contains("'\(present)' has version")
          } else {
            false
          }
        }
      }
      #expect(try files() == all)
      try test.write(head, to: "sealed.head")
      try test.reopen()
      #expect(try test.names == names + ["next"])
    }
  }
#endif
