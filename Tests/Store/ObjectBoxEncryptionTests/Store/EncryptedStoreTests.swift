import Foundation
import ObjectBox
import ObjectBoxCare
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

@testable import ObjectBoxEncryption

#if os(Linux) && OBJECTBOX_SODIUM
  struct EncryptedStoreTests {
    @Test func `objects are there again after the store was opened anew`() throws {
      let test = try EncryptedStore()
      try test.people.put((0..<100).map { Person("person \($0)", age: $0) })
      try test.people.put(Person("Ada", email: "ada@example.org"))
      try test.reopen()
      #expect(try test.people.count() == 101)
      let ada = try test.people.query { Person.email == "ada@example.org" }.build().findUnique()
      #expect(ada?.name == "Ada")
      #expect(try test.people.query { Person.age > 89 }.build().count() == 10)
    }

    @Test func `an encrypted store refuses relations to missing objects when it shall`() throws {
      let folder = try TemporaryDirectory()
      var configuration = Store.Configuration(directory: folder.path + "/store")
      configuration.encryption = .key(testKey)
      configuration.refusesDanglingRelations = true
      let store = try Store(model: try RelationModel().build(), configuration: configuration)
      defer { store.close() }
      let orders = store.box(for: Order.self)
      let order = Order("o")
      order.customer.targetId = 9
      #expect(throws: ObjectBoxError.self) { try orders.put(order) }
      #expect(try orders.isEmpty())
      try orders.put(Order("o", Customer("c")))
      #expect(try orders.count() == 1)
    }

    @Test func `many commits survive many openings`() throws {
      let test = try EncryptedStore()
      for round in 0..<5 {
        for number in 0..<40 { try test.people.put(Person("\(round) \(number)")) }
        try test.people.remove(UInt64(round * 40 + 1))
        try test.reopen()
      }
      #expect(try test.people.count() == 5 * 39)
      #expect(try test.names.last == "4 39")
    }

    @Test func `large values and large transactions are kept`() throws {
      let test = try EncryptedStore()
      let photos = (0..<20).map { number in
        let person = Person("\(number)")
        person.photo = Data(repeating: UInt8(number), count: 50_000 * (number % 4))
        return person
      }
      try test.people.put(photos)
      try test.people.put((0..<20_000).map { Person("person \($0)", age: $0 % 100) })
      try test.people.remove((1...10).map { UInt64($0) })
      try test.reopen()
      #expect(try test.people.count() == 20_010)
      let photo = try test.people.get(20)?.photo
      #expect(photo == Data(repeating: 19, count: 150_000))
    }

    @Test func `neither names nor values are in the files`() throws {
      let test = try EncryptedStore()
      try test.people.put(Person("a name that is easily found", email: "found@example.org"))
      test.close()
      for name in try FileManager.default.contentsOfDirectory(atPath: test.path) {
        let bytes = Data(try test.bytes(name))
        for word in ["easily found", "found@example.org", "Person", "email"] {
          #expect(bytes.range(of: Data(word.utf8)) == nil)
        }
      }
    }

    @Test func `another key and another passphrase are refused as wrong keys`() throws {
      let cost = PassphraseCost(passes: 1, memoryInBytes: 8192)
      let keys: [(StoreEncryption, [StoreEncryption])] = [
        (.key(testKey), [.key([UInt8](1...32)), .passphrase("secret", cost: cost)]),
        (
          .passphrase("secret", cost: cost),
          [.passphrase("secreT", cost: cost), .key(testKey)]
        ),
      ]
      for (right, wrong) in keys {
        let test = try EncryptedStore(key: right)
        try test.people.put(Person("Ada"))
        test.close()
        for key in wrong {
          #expect {
            _ = try EncryptedStore.open(test.path, key)
          } throws: {
            if case EncryptionError.wrongKey = $0 { true } else { false }
          }
        }
        try test.reopen()
        #expect(try test.names == ["Ada"])
      }
    }

    @Test func `keys that no store can have are refused`() throws {
      let folder = try TemporaryDirectory()
      let keys: [StoreEncryption] = [
        .key([]), .key([UInt8](0..<31)), .passphrase(""),
        .passphrase("x", cost: PassphraseCost(passes: 0)),
        .passphrase("x", cost: PassphraseCost(memoryInBytes: 1)),
      ]
      for key in keys {
        #expect {
          _ = try EncryptedStore.open(folder.path + "/store", key)
        } throws: {
          if case ObjectBoxError.illegalArgument = $0 { true } else { false }
        }
      }
    }

    @Test func `a changed key opens the store, and the former one does not`() throws {
      let test = try EncryptedStore()
      try test.people.put(Person("Ada"))
      let pages = try test.bytes(test.pagesName)
      let new = StoreEncryption.passphrase(
        "new",
        cost: PassphraseCost(passes: 1, memoryInBytes: 8192)
      )
      try test.store.changeEncryption(to: new)
      #expect(try test.bytes(test.pagesName) == pages)
      try test.people.put(Person("Grace"))
      #expect(throws: EncryptionError.self) { try test.reopen() }
      try test.reopen(key: new)
      #expect(try test.names == ["Ada", "Grace"])
    }

    @Test func `an encrypted store is not opened without a key`() throws {
      let test = try EncryptedStore()
      test.close()
      let before = try FileManager.default.contentsOfDirectory(atPath: test.path).sorted()
      #expect {
        _ = try EncryptedStore.open(test.path, nil)
      } throws: {
        "\($0)".contains("is encrypted")
      }
      #expect {
        _ = try Store(existing: Store.Configuration(directory: test.path))
      } throws: {
        "\($0)".contains("is encrypted")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: test.path).sorted() == before)
    }

    @Test func `a plain store is not opened with a key`() throws {
      let plain = try TemporaryStore()
      plain.store.close()
      #expect {
        _ = try EncryptedStore.open(plain.path, .key(testKey))
      } throws: {
        "\($0)".contains("is not encrypted")
      }
    }

    @Test func `a store that is read only takes no writes`() throws {
      let test = try EncryptedStore()
      try test.people.put(Person("Ada"))
      test.close()
      let store = try EncryptedStore.open(test.path, test.key) { $0.readOnly = true }
      defer { store.close() }
      let people = store.box(for: Person.self)
      #expect(try people.all().map(\.name) == ["Ada"])
      #expect(throws: ObjectBoxError.self) { try people.put(Person("Grace")) }
    }

    @Test func `a missing store is not made for reading only`() throws {
      let folder = try TemporaryDirectory()
      let path = folder.path + "/store"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      #expect(throws: ObjectBoxError.self) {
        _ = try EncryptedStore.open(path, .key(testKey)) { $0.readOnly = true }
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: path) == [])
    }

    @Test func `a new model upgrades the file`() throws {
      let test = try EncryptedStore()
      try test.people.put([Person("Ada", age: 36), Person("Grace", age: 85)])
      try test.reopen(indexes: .none)
      try test.people.put(Person("Alan", age: 41))
      try test.reopen(indexes: .all)
      try test.reopen()
      #expect(
        try test.people.query { Person.age < 50 }.build().find().map(\.name) == ["Ada", "Alan"]
      )
    }

    @Test func `the store opens with the schema of its file`() throws {
      let test = try EncryptedStore()
      try test.people.put(Person("Ada"))
      test.close()
      var configuration = Store.Configuration(directory: test.path)
      configuration.encryption = test.key
      let store = try Store(existing: configuration)
      defer { store.close() }
      #expect(try store.box(for: Person.self).count() == 1)
    }

    @Test func `a transaction that fails changes nothing`() throws {
      struct Failure: Error {}
      let test = try EncryptedStore()
      try test.people.put(Person("Ada"))
      #expect(throws: Failure.self) {
        try test.store.runInTransaction {
          try test.people.put(Person("Grace"))
          throw Failure()
        }
      }
      #expect(try test.names == ["Ada"])
      try test.reopen()
      #expect(try test.names == ["Ada"])
    }

    @Test func `removing the store removes all files`() throws {
      let test = try EncryptedStore()
      try test.people.put(Person("Ada"))
      try test.store.closeAndDeleteAllFiles()
      #expect(!FileManager.default.fileExists(atPath: test.path))
    }

    /// The name by which the system lists the memory of a store, and its descriptor.
    private func memory(of test: EncryptedStore) throws -> (link: String, name: String) {
      let image = try #require(test.store.transactions.mirror as? SealedImage)
      let link = "/proc/self/fd/\(image.memory.descriptor)"
      let name = try FileManager.default.destinationOfSymbolicLink(atPath: link)
      #expect(name.hasPrefix("/memfd:objectbox-"))
      return (link, name)
    }

    @Test(arguments: [false, true])
    func `core dumps have no page of the store, compacted or not`(isCompacted: Bool) throws {
      let test = try EncryptedStore()
      try test.people.put(Person("Ada"))
      if isCompacted { try test.store.compact() }
      let name = try memory(of: test).name
      // Foundation's functions for whole files stop early in /proc.
      let file = try #require(FileHandle(forReadingAtPath: "/proc/self/smaps"))
      let text = String(decoding: file.readDataToEndOfFile(), as: UTF8.self)
      var (isOfStore, count) = (false, 0)
      for line in text.split(separator: "\n") {
        if line.first?.isUppercase == false { isOfStore = line.contains(name) }
        if isOfStore, line.hasPrefix("VmFlags") {
          count += 1
          #expect(line.split(separator: " ").contains("dd"))
        }
      }
      // LMDB's map, and the one that pages are read from.
      #expect(count >= 2)
    }

    @Test func `the memory is given back when the store is closed`() throws {
      let test = try EncryptedStore()
      try test.people.put(Person("Ada"))
      let (link, name) = try memory(of: test)
      test.close()
      #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: link)) != name)
    }

    @Test func `no folder is left in the temporary directory`() throws {
      let test = try EncryptedStore()
      let link = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        .compactMap {
          try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }
      #expect(link.contains { $0.contains("memfd:objectbox-") })
      #expect(!FileManager.default.fileExists(atPath: test.path + "/data.mdb"))
      #expect(!FileManager.default.fileExists(atPath: test.path + "/lock.mdb"))
    }

    @Test func `a description shows no key`() {
      #expect("\(StoreEncryption.passphrase("secret"))" == "StoreEncryption.passphrase")
      var text = ""
      dump(StoreEncryption.passphrase("secret"), to: &text)
      #expect(!text.contains("secret"))
    }
  }
#endif
