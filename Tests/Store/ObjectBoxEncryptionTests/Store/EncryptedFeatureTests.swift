import Foundation
import ObjectBox
import ObjectBoxCare
import ObjectBoxEncryption
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

#if os(Linux) && OBJECTBOX_SODIUM
  struct EncryptedFeatureTests {
    @Test func `puts of several threads share commits and are kept`() throws {
      let test = try EncryptedStore()
      let people = test.people
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        for number in 0..<50 { _ = try? people.put(Person("\(thread) \(number)")) }
      }
      try test.reopen()
      #expect(Set(try test.names).count == 200)
    }

    @Test func `asynchronous puts are kept`() throws {
      let test = try EncryptedStore()
      for number in 0..<100 { _ = try test.people.async.put(Person("\(number)")) }
      test.store.close()
      try test.reopen()
      #expect(try test.people.count() == 100)
    }

    @Test func `a snapshot keeps its version while others are committed`() throws {
      let test = try EncryptedStore()
      try test.people.put((0..<200).map { Person("\($0)") })
      let snapshot = try test.store.freeze()
      defer { snapshot.invalidate() }
      for _ in 0..<5 { try test.people.put((0..<200).map { _ in Person("new") }) }
      try test.people.removeAll()
      #expect(try snapshot.count(Person.self) == 200)
      #expect(try test.people.count() == 0)
    }

    @Test func `observers hear of a commit and read it`() throws {
      let test = try EncryptedStore()
      let recorder = Recorder<Int>()
      let people = test.people
      let subscription = people.subscribe(dispatchQueue: recorder.queue) { _, _ in
        recorder.note((try? people.count()) ?? -1)
      }
      _ = recorder.values
      try people.put(Person("Ada"))
      #expect(recorder.values.last == 1)
      withExtendedLifetime(subscription) {}
    }

    @Test func `an observer of a query gets the changes`() throws {
      let test = try EncryptedStore()
      let recorder = Recorder<Int>()
      let query = try test.people.query { Person.age > 10 }.build()
      let observer = query.subscribe(dispatchQueue: recorder.queue) { people, _ in
        recorder.note(people.count)
      }
      _ = recorder.values
      try test.people.put([Person("Ada", age: 36), Person("child", age: 3)])
      #expect(recorder.values.last == 1)
      withExtendedLifetime(observer) {}
    }

    @Test func `verification finds no fault`() throws {
      let test = try EncryptedStore()
      try test.people.put((0..<500).map { Person("\($0)", email: "\($0)@example.org", age: $0) })
      try test.people.remove((1...100).map { UInt64($0) })
      let report = try test.store.verify()
      #expect(report.isSound)
      #expect(report.recordCount == 400)
      try test.reopen()
      #expect(try test.store.verify().isSound)
    }

    @Test func `a backup is sealed, and opens with the same key`() throws {
      let test = try EncryptedStore()
      try test.people.put((0..<500).map { Person("name \($0)") })
      let backup = test.folder.path + "/backup"
      _ = try test.store.backup(to: backup)
      try test.people.removeAll()
      let names = try FileManager.default.contentsOfDirectory(atPath: backup)
      #expect(names.contains("sealed.head") && !names.contains("data.mdb"))
      for name in names {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: backup + "/" + name))
        #expect(bytes.range(of: Data("name 1".utf8)) == nil)
      }
      let store = try EncryptedStore.open(backup, test.key)
      defer { store.close() }
      let people = store.box(for: Person.self)
      #expect(try people.count() == 500)
      try people.put(Person("later"))
    }

    @Test func `a backup of the directory of an open store is sealed`() throws {
      let test = try EncryptedStore()
      try test.people.put(Person("Ada"))
      let backup = test.folder.path + "/backup"
      _ = try Store.backup(test.path, to: backup)
      #expect(!FileManager.default.fileExists(atPath: backup + "/data.mdb"))
      test.close()
      #expect {
        _ = try Store.backup(test.path, to: test.folder.path + "/other")
      } throws: {
        "\($0)".contains("is encrypted")
      }
    }

    @Test func `a backup goes on while others commit`() throws {
      let test = try EncryptedStore()
      try test.people.put((0..<2000).map { Person("\($0)") })
      let backup = test.folder.path + "/backup"
      let people = test.people
      _ = try test.store.backup(to: backup) { _ in
        (try? people.put(Person("later"))) != nil
      }
      let store = try EncryptedStore.open(backup, test.key)
      defer { store.close() }
      #expect(try store.box(for: Person.self).count() == 2000)
      #expect(try store.verify().isSound)
    }

    @Test func `a backup that is ended leaves nothing behind`() throws {
      let test = try EncryptedStore()
      try test.people.put(Person("Ada"))
      let backup = test.folder.path + "/backup"
      #expect(try test.store.backup(to: backup, verifies: false) { _ in false } == nil)
      #expect(try FileManager.default.contentsOfDirectory(atPath: backup) == [])
    }

    @Test func `options that encryption excludes are refused`() throws {
      let folder = try TemporaryDirectory()
      #expect(throws: ObjectBoxError.self) {
        _ = try EncryptedStore.open(folder.path + "/store", .key(testKey)) {
          $0.isSharedWithOtherProcesses = true
        }
      }
      #expect(throws: ObjectBoxError.self) {
        _ = try EncryptedStore.open("memory:encrypted", .key(testKey))
      }
    }

    @Test func `an open store is shared with the same key only`() throws {
      let test = try EncryptedStore()
      let same = try EncryptedStore.open(test.path, .key(testKey)) { $0.sharesOpenStore = true }
      same.close()
      for key in [nil, StoreEncryption.key([UInt8](1...32))] {
        #expect {
          _ = try EncryptedStore.open(test.path, key) { $0.sharesOpenStore = true }
        } throws: {
          if case ObjectBoxError.mismatchedConfiguration = $0 { true } else { false }
        }
      }
    }

    @Test(arguments: [ValidateOnOpenMode.regular, .withleaves, .full])
    func `a store is checked when it is opened`(mode: ValidateOnOpenMode) throws {
      let test = try EncryptedStore()
      try test.people.put((0..<100).map { Person("\($0)") })
      test.close()
      let store = try EncryptedStore.open(test.path, test.key) { $0.validateOnOpen = mode }
      #expect(try store.box(for: Person.self).count() == 100)
      store.close()
    }
  }
#endif
