import Foundation
import ObjectBox
import ObjectBoxEncryption
import ObjectBoxRuntimeTestSupport
import ObjectBoxStorage
import ObjectBoxTestSupport
import Testing

#if os(Linux) && OBJECTBOX_SODIUM
  @testable import ObjectBoxEncryption

  struct DurabilityTests {
    @Test func `nobody sees a commit that is not on the disk`() throws {
      let test = try EncryptedStore()
      try test.people.put(Person("Ada"))
      let (people, seen) = (test.people, Guarded<[Int]>([]))
      // Another thread begins to read while the commit waits for the disk.
      let reading: @Sendable (Int32) -> Int32 = { _ in
        let done = DispatchSemaphore(value: 0)
        Thread {
          let count = (try? people.count()) ?? -1
          seen.withLock { $0.append(count) }
          done.signal()
        }.start()
        done.wait()
        return 0
      }
      try ImageFiles.$synchronize.withValue(reading) {
        for name in ["Grace", "Alan", "Edsger"] { try people.put(Person(name)) }
      }
      #expect(seen.copy == [1, 2, 3])
      #expect(try people.count() == 4)
    }

    @Test func `a version that is pinned during a commit stays whole`() throws {
      let test = try EncryptedStore()
      try test.people.put((0..<500).map { Person("\($0)", age: $0) })
      let (people, store) = (test.people, test.store)
      let results = Guarded<[DispatchSemaphore]>([])
      let sums = Guarded<[Int]>([])
      // Each thread keeps the version that it begins to read for some commits.
      let reading: @Sendable (Int32) -> Int32 = { _ in
        let (began, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let goOn = DispatchSemaphore(value: 0)
        results.withLock { $0.append(goOn) }
        results.withLock { $0.append(ended) }
        Thread {
          try? store.runInReadOnlyTransaction {
            let before = try people.all().reduce(0) { $0 + Int($1.age) }
            began.signal()
            goOn.wait()
            let after = try people.all().reduce(0) { $0 + Int($1.age) }
            sums.withLock { $0 += [before, after] }
          }
          ended.signal()
        }.start()
        began.wait()
        return 0
      }
      for _ in 0..<6 {
        let all = try people.all()
        for person in all { person.age += 1 }
        try ImageFiles.$synchronize.withValue(reading) { try people.put(all) }
      }
      let all = results.copy
      for index in stride(from: 0, to: all.count, by: 2) {
        all[index].signal()
        all[index + 1].wait()
      }
      let first = (0..<500).reduce(0, +)
      #expect(Set(sums.copy) == Set((0..<6).map { first + 500 * $0 }))
      #expect(sums.copy.count == 12)
    }

    @Test func `after a sync that failed the store refuses writes until it is opened again`() throws
    {
      let test = try EncryptedStore()
      try test.people.put(Person("Ada"))
      let isShutdown: (any Error) -> Bool = {
        if case ObjectBoxError.storeMustShutdown = $0 { true } else { false }
      }
      ImageFiles.$synchronize.withValue({ _ in EIO }) {
        #expect(throws: ObjectBoxError.self) { try test.people.put(Person("Grace")) }
      }
      #expect(try test.names == ["Ada"])
      #expect {
        try test.people.put(Person("Alan"))
      } throws: {
        isShutdown($0)
      }
      #expect(try test.names == ["Ada"])
      try test.reopen()
      // The system kept what was written, so the commit lasts.
      #expect(try test.names == ["Ada", "Grace"])
      try test.people.put(Person("Alan"))
      #expect(try test.names.count == 3)
    }

    @Test func `a full disk refuses the commit, and nothing is lost`() throws {
      let test = try EncryptedStore()
      try test.people.put(Person("Ada"))
      ImageFiles.$takeRoom.withValue({ _, _, _ in ENOSPC }) {
        #expect {
          try test.people.put((0..<20_000).map { Person("\($0)") })
        } throws: {
          if case ObjectBoxError.dbFull(let message) = $0 {
            message.contains("disk")
          } else {
            false
          }
        }
      }
      #expect(try test.names == ["Ada"])
      try test.people.put(Person("Grace"))
      try test.reopen()
      #expect(try test.names == ["Ada", "Grace"])
    }

    @Test func `too little memory refuses growth and opening, and names the limit`() throws {
      let root = try TemporaryDirectory()
      try root.write("MemAvailable: 5 kB\nSwapFree: 3 kB\n", to: "proc/meminfo")
      let isRefused: (any Error) -> Bool = {
        if case ObjectBoxError.dbFull(let message) = $0 {
          message.contains(
            /takes [1-9][0-9]* KiB (of memory|more), and the machine's free memory \(5 KiB, and 3 KiB of swap space\) leaves 8 KiB/
          )
        } else {
          false
        }
      }
      let test = try EncryptedStore()
      try test.people.put(Person("Ada"))
      MemoryRoom.$root.withValue(root.path) {
        #expect {
          try test.people.put((0..<20_000).map { Person("\($0)") })
        } throws: {
          isRefused($0)
        }
        test.close()
        #expect {
          try test.reopen()
        } throws: {
          isRefused($0)
        }
      }
      try test.reopen()
      #expect(try test.names == ["Ada"])
      try test.people.put(Person("Grace"))
    }

    @Test func `a store that is open elsewhere is not opened`() throws {
      let test = try EncryptedStore()
      #expect(throws: ObjectBoxError.self) { _ = try EncryptedStore.open(test.path, test.key) }
      test.close()
      let lock = try #require(
        FileLock(path: test.path + "/sealed.lock", mode: 0o600, isReadOnly: false)
      )
      #expect(try lock.lock(0, isExclusive: true))
      #expect {
        try test.reopen()
      } throws: {
        if case ObjectBoxError.illegalState(let message) = $0 {
          message.contains("another process")
        } else {
          false
        }
      }
      lock.close()
      try test.reopen()
    }

    @Test func `a long log ends in a new head`() throws {
      let test = try EncryptedStore()
      let head = try test.bytes("sealed.head")
      for number in 0..<700 { try test.people.put(Person("\(number)")) }
      #expect(try test.bytes("sealed.head") != head)
      try test.reopen()
      #expect(try test.people.count() == 700)
    }

    @Test func `a transaction whose record is larger than the log is kept`() throws {
      let folder = try TemporaryDirectory()
      var key = StoreEncryption.key(testKey)
      key.newLogBlocks = 2
      let opening = ImageOpening(store: StoreOpening.test(folder.path), encryption: key)
      do {
        let image = try opening.run()
        let environment = try MirroredTable(image)
        for round in 0..<4 { try environment.put(2000, from: round * 2000) }
        try environment.remove(100)
        environment.close()
      }
      let image = try opening.run()
      let environment = try MirroredTable(image)
      #expect(try environment.count() == 7900)
      environment.close()
    }
  }
#endif
