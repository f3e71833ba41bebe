#if os(Linux) && OBJECTBOX_SODIUM
  import Foundation
  import ObjectBox
  import ObjectBoxCare
  import ObjectBoxRuntimeTestSupport
  import ObjectBoxTestSupport
  import Testing

  @testable import ObjectBoxEncryption

  /// Whether this process may mount folders, as root may but in some containers.
  private let mayMount: Bool = {
    let path = NSTemporaryDirectory() + "/objectbox-mount-\(UUID().uuidString)"
    guard mkdir(path, 0o700) == 0, mount(path, path, "", UInt(MS_BIND), nil) == 0 else {
      rmdir(path)
      return false
    }
    umount2(path, 2)
    rmdir(path)
    return true
  }()

  /// Stores on a disk that drops what a sync which failed has left, as Linux does: it takes the bytes for written.
  struct ForgettingDiskTests {
    /// The pages file as the disk has it, and the bytes that wait for a sync.
    private final class Disk: Sendable {
      private struct State {
        var durable: [UInt8] = []
        var waiting: [Range<Int>] = []
        var fails = false
      }

      private let state = Guarded(State())
      private let path: String

      init(_ path: String) {
        self.path = path
        keepAll()
      }

      private var file: [UInt8] {
        [UInt8]((try? Data(contentsOf: URL(fileURLWithPath: path))) ?? Data())
      }

      /// Takes the whole file for durable.
      func keepAll() {
        let bytes = file
        state.withLock { ($0.durable, $0.waiting) = (bytes, []) }
      }

      func setFailing(_ fails: Bool) { state.withLock { $0.fails = fails } }

      func run<T>(_ body: () throws -> T) throws -> T {
        let didWrite: @Sendable (Int, Int) -> Void = { [self] offset, count in
          state.withLock { $0.waiting.append(offset..<offset + count) }
        }
        let synchronize: @Sendable (Int32) -> Int32 = { [self] _ in sync() }
        return try ImageFiles.$didWrite.withValue(didWrite) {
          try ImageFiles.$synchronize.withValue(synchronize) { try body() }
        }
      }

      private func sync() -> Int32 {
        let bytes = file
        return state.withLock { state in
          defer { state.waiting = [] }
          if state.fails { return EIO }
          if state.durable.count < bytes.count {
            state.durable += [UInt8](repeating: 0, count: bytes.count - state.durable.count)
          }
          for range in state.waiting { state.durable.replaceSubrange(range, with: bytes[range]) }
          return 0
        }
      }

      /// Leaves what a loss of power would.
      func losePower() throws {
        try Data(state.withLock { $0.durable }).write(to: URL(fileURLWithPath: path))
      }
    }

    @Test(arguments: [0, 1, 5])
    func `what an opening has shown after a sync that failed outlives a loss of power`(later: Int)
      throws
    {
      let test = try EncryptedStore()
      try test.people.put(Person("Ada"))
      let disk = Disk(test.path + "/" + (try test.pagesName))
      try disk.run {
        disk.setFailing(true)
        #expect(throws: ObjectBoxError.self) { try test.people.put(Person("Grace")) }
        disk.setFailing(false)
        try test.reopen()
        for number in 0..<later { try test.people.put(Person("\(number)")) }
      }
      let names = try test.names
      #expect(names == ["Ada", "Grace"] + (0..<later).map { "\($0)" })
      test.close()
      try disk.losePower()
      try test.reopen()
      #expect(try test.names == names)
    }

    @Test
    func `a sync that fails again at the opening refuses it, and the version before stays whole`()
      throws
    {
      let test = try EncryptedStore()
      try test.people.put(Person("Ada"))
      let disk = Disk(test.path + "/" + (try test.pagesName))
      try disk.run {
        disk.setFailing(true)
        #expect(throws: ObjectBoxError.self) { try test.people.put(Person("Grace")) }
        #expect(throws: ObjectBoxError.self) { try test.reopen() }
      }
      try disk.losePower()
      try test.reopen()
      #expect(try test.names == ["Ada"])
    }

    /// The place of the block behind the newest record, which has its mark.
    private func markPlace(_ bytes: [UInt8]) throws -> Int {
      let magic = Array("OBXDONE1".utf8)
      let places = stride(from: 4096, to: bytes.count, by: 4096).filter {
        bytes[$0..<($0 + 8)].elementsEqual(magic)
      }
      return try #require(places.last)
    }

    @Test
    func `an opening writes the mark again, so that later damage is told and not gone back from`()
      throws
    {
      let test = try EncryptedStore()
      for name in ["Ada", "Grace"] { try test.people.put(Person(name)) }
      test.close()
      let name = try test.pagesName
      var bytes = try test.bytes(name)
      let place = try markPlace(bytes)
      bytes.replaceSubrange(place..<(place + 4096), with: repeatElement(0, count: 4096))
      try test.write(bytes, to: name)
      try test.reopen()
      test.close()
      bytes = try test.bytes(name)
      #expect(try markPlace(bytes) == place)
      // Inside of the newest record.
      bytes[place - 4096 + 100] ^= 1
      try test.write(bytes, to: name)
      #expect {
        try test.reopen()
      } throws: {
        if case ObjectBoxError.fileCorrupt = $0 { true } else { false }
      }
    }

    @Test func `a commit that a loss of power has cut is gone back from, and that is told`()
      async throws
    {
      let test = try EncryptedStore()
      for name in ["Ada", "Grace"] { try test.people.put(Person(name)) }
      test.close()
      let name = try test.pagesName
      var bytes = try test.bytes(name)
      let place = try markPlace(bytes)
      bytes.replaceSubrange(place..<(place + 4096), with: repeatElement(0, count: 4096))
      bytes[place - 4096 + 100] ^= 1
      try test.write(bytes, to: name)
      let (told, tell) = AsyncStream.makeStream(of: String.self)
      let store = try EncryptedStore.open(test.path, test.key) {
        $0.onUnheardFailure = { failure in tell.yield("\(failure)") }
      }
      #expect(try store.box(for: Person.self).all().map(\.name) == ["Ada"])
      store.close()
      var iterator = told.makeAsyncIterator()
      let text = await iterator.next() ?? ""
      #expect(text.contains("is not whole; it goes on from that version"), "\(text)")
    }

    // MARK: Files

    @Test(arguments: ["backup", "copy", "compaction"])
    func `pages without a head are kept and told, also when their log is empty`(kind: String) throws
    {
      let test = try EncryptedStore()
      try test.people.put((0..<100).map { Person("\($0)") })
      let folder = try TemporaryDirectory()
      var path = folder.path + "/restored"
      switch kind {
      case "backup": _ = try test.store.backup(to: path)
      case "copy":
        var target = Store.Configuration(directory: path)
        target.encryption = test.key
        _ = try test.store.copy(to: target)
      default:
        _ = try test.store.compact()
        path = test.path
      }
      test.close()
      let head = path + "/sealed.head"
      let aside = folder.path + "/aside"
      try FileManager.default.moveItem(atPath: head, toPath: aside)
      let files = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
      for _ in 1...2 {
        #expect {
          _ = try EncryptedStore.open(path, test.key)
        } throws: {
          "\($0)".contains("'sealed.head' is missing")
        }
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: path).sorted() == files)
      try FileManager.default.moveItem(atPath: aside, toPath: head)
      let store = try EncryptedStore.open(path, test.key)
      #expect(try store.box(for: Person.self).count() == 100)
      store.close()
    }

    @Test func `a damaged part of a head hinders no opening while the disk is full, and is told`()
      async throws
    {
      let test = try EncryptedStore()
      try test.people.put(Person("Ada"))
      test.close()
      var head = try test.bytes("sealed.head")
      head[4200] ^= 1
      try test.write(head, to: "sealed.head")
      let (told, tell) = AsyncStream.makeStream(of: String.self)
      try ImageFiles.$synchronize.withValue({ _ in ENOSPC }) {
        let store = try EncryptedStore.open(test.path, test.key) {
          $0.onUnheardFailure = { failure in tell.yield("\(failure)") }
        }
        #expect(try store.box(for: Person.self).all().map(\.name) == ["Ada"])
        store.close()
      }
      var iterator = told.makeAsyncIterator()
      let text = await iterator.next() ?? ""
      #expect(text.contains("could not be written again"), "\(text)")
      try test.reopen()
      test.close()
      #expect(try test.bytes("sealed.head") != head)
    }

    @Test(
      .enabled(if: geteuid() != 0 || mayMount, "root may not mount here"),
      arguments: [true, false]
    )
    func `a store on a medium that cannot be written is read, checked and backed up`(hasLock: Bool)
      throws
    {
      let test = try EncryptedStore()
      try test.people.put(Person("Ada"))
      test.close()
      if !hasLock { try FileManager.default.removeItem(atPath: test.path + "/sealed.lock") }
      try withReadOnly(test.path) {
        var configuration = Store.Configuration(directory: test.path)
        configuration.encryption = test.key
        #expect(try Store.verify(configuration).isSound)
        let folder = try TemporaryDirectory()
        try Store.backup(of: configuration, to: folder.path + "/backup")
        let backup = try EncryptedStore.open(folder.path + "/backup", test.key)
        #expect(try backup.box(for: Person.self).count() == 1)
        backup.close()
        let store = try EncryptedStore.open(test.path, test.key) { $0.readOnly = true }
        #expect(try store.box(for: Person.self).all().map(\.name) == ["Ada"])
        store.close()
      }
    }

    /// Runs a body while a folder is a medium that cannot be written.
    private func withReadOnly(_ path: String, _ body: () throws -> Void) throws {
      // Root may write everywhere else, and others may not mount.
      guard geteuid() == 0 else {
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
          chmod(path + "/" + name, 0o400)
        }
        chmod(path, 0o500)
        defer { chmod(path, 0o700) }
        return try body()
      }
      try #require(mount(path, path, "", UInt(MS_BIND), nil) == 0)
      // Also while a file is open.
      defer { umount2(path, 2) }
      try #require(mount(path, path, "", UInt(MS_BIND | MS_REMOUNT | MS_RDONLY), nil) == 0)
      try body()
    }

    // MARK: Calls

    @Test
    func `a change of the key in a write transaction is refused, and in a read transaction done`()
      throws
    {
      let test = try EncryptedStore()
      try test.people.put(Person("Ada"))
      let other = StoreEncryption.key([UInt8](repeating: 9, count: 32))
      try test.store.runInTransaction {
        #expect {
          try test.store.changeEncryption(to: other)
        } throws: {
          if case ObjectBoxError.illegalState(let message) = $0 {
            message.contains("inside a write transaction")
          } else {
            false
          }
        }
      }
      try test.store.runInReadOnlyTransaction { try test.store.changeEncryption(to: other) }
      try test.reopen(key: other)
      #expect(try test.names == ["Ada"])
      test.close()
      #expect(throws: ObjectBoxError.self) { try test.store.changeEncryption(to: test.key) }
    }

    @Test
    func `changes of the key of two threads, beside writes and a clone, leave one of both keys`()
      async throws
    {
      let test = try EncryptedStore()
      let (store, people) = (test.store, test.people)
      let keys = (1...2).map { StoreEncryption.key([UInt8](repeating: UInt8($0), count: 32)) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for key in keys {
          group.addTask { for _ in 0..<10 { try store.changeEncryption(to: key) } }
        }
        group.addTask { for number in 0..<50 { try people.put(Person("\(number)")) } }
        try await group.waitForAll()
      }
      test.close()
      var opened = 0
      for key in keys {
        guard let store = try? EncryptedStore.open(test.path, key) else { continue }
        #expect(try store.box(for: Person.self).count() == 50)
        store.close()
        opened += 1
      }
      #expect(opened == 1)
    }

    @Test func `a former head is damage once the store has gone on from a later one`() throws {
      let test = try EncryptedStore()
      try test.people.put(Person("Ada"))
      // The log begins again with this head.
      try test.store.changeEncryption(to: .key([UInt8](repeating: 8, count: 32)))
      let former = try test.bytes("sealed.head")
      try test.store.changeEncryption(to: .key([UInt8](repeating: 9, count: 32)))
      try test.people.put(Person("Grace"))
      test.close()
      let present = try test.bytes("sealed.head")
      try test.write(former, to: "sealed.head")
      #expect {
        try test.reopen(key: .key([UInt8](repeating: 8, count: 32)))
      } throws: {
        if case ObjectBoxError.fileCorrupt = $0 { true } else { false }
      }
      try test.write(present, to: "sealed.head")
      try test.reopen(key: .key([UInt8](repeating: 9, count: 32)))
      #expect(try test.names == ["Ada", "Grace"])
    }

    @Test func `a damaged copy of a head is written again without a break of the log`() throws {
      let test = try EncryptedStore()
      for name in ["Ada", "Grace"] { try test.people.put(Person(name)) }
      for half in 0...1 {
        test.close()
        var head = try test.bytes("sealed.head")
        head[half * head.count / 2 + 4200] ^= 1
        try test.write(head, to: "sealed.head")
        try test.reopen()
        try test.people.put(Person("\(half)"))
      }
      try test.reopen()
      #expect(try test.names == ["Ada", "Grace", "0", "1"])
    }

    // MARK: Passphrases

    @Test func `passphrases that Swift calls equal open a store`() throws {
      let (one, two) = ("caf\u{e9}", "cafe\u{301}")
      let cost = PassphraseCost(passes: 1, memoryInBytes: 8192)
      let composed = StoreEncryption.passphrase(one, cost: cost)
      let parts = StoreEncryption.passphrase(two, cost: cost)
      #expect(composed == parts)
      for (first, second) in [(composed, parts), (parts, composed)] {
        let test = try EncryptedStore(key: first)
        try test.people.put(Person("Ada"))
        try test.reopen(key: second)
        #expect(try test.names == ["Ada"])
      }
      let test = try EncryptedStore(key: composed)
      test.close()
      #expect(throws: EncryptionError.self) {
        try test.reopen(key: .passphrase("cafe", cost: cost))
      }
    }
  }
#endif
