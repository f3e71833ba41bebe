import Foundation
import ObjectBox
import ObjectBoxCare
import ObjectBoxEncryption
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

#if os(Linux) && OBJECTBOX_SODIUM
  /// Copies of stores into stores with another encryption.
  struct EncryptedCopyTests {
    private let otherKey = StoreEncryption.key([UInt8](1...32))

    private func target(_ path: String, _ key: StoreEncryption?) -> Store.Configuration {
      var configuration = Store.Configuration(directory: path)
      configuration.encryption = key
      return configuration
    }

    /// A store with 500 people, of whom the first 100 are removed.
    private func fill(_ store: Store) throws {
      let people = store.box(for: Person.self)
      try people.put(
        (1...500).map { Person("name \($0)", email: "\($0)@example.org", age: Int32($0)) }
      )
      let large = try #require(try people.get(500))
      large.photo = Data(repeating: 9, count: 20_000)
      try people.put(large)
      try people.remove((1...100).map { UInt64($0) })
    }

    private func check(_ path: String, _ key: StoreEncryption?) throws {
      let store = try EncryptedStore.open(path, key)
      defer { store.close() }
      let people = store.box(for: Person.self)
      #expect(try people.all().map(\.name) == (101...500).map { "name \($0)" })
      #expect(try people.query { Person.age == 300 }.build().findIds() == [300])
      #expect(try people.get(500)?.photo == Data(repeating: 9, count: 20_000))
      #expect(try store.verify().isSound)
      // No ID is given out again, and the store goes on.
      let person = Person("later")
      try people.put(person)
      #expect(person.id == 501)
    }

    @Test func `a plain store is copied to an encrypted one and back`() throws {
      let folder = try TemporaryDirectory()
      let (plain, sealed, back) = (
        folder.path + "/plain", folder.path + "/sealed", folder.path + "/back"
      )
      let store = try EncryptedStore.open(plain, nil)
      try fill(store)
      let version = try #require(try store.copy(to: target(sealed, otherKey)))
      store.close()
      for name in try FileManager.default.contentsOfDirectory(atPath: sealed) {
        #expect(name.hasPrefix("sealed."))
        let bytes = try Data(contentsOf: URL(fileURLWithPath: sealed + "/" + name))
        #expect(bytes.range(of: Data("name 300".utf8)) == nil)
      }
      let encrypted = try EncryptedStore.open(sealed, otherKey)
      #expect(try encrypted.copy(to: target(back, nil)) == version)
      encrypted.close()
      try check(sealed, otherKey)
      try check(back, nil)
      try check(plain, nil)
      // What the check has put is kept by the encrypted copy.
      let again = try EncryptedStore.open(sealed, otherKey)
      defer { again.close() }
      #expect(try again.box(for: Person.self).count() == 401)
    }

    @Test func `a copy of an encrypted store has a key of its own`() throws {
      let test = try EncryptedStore()
      try fill(test.store)
      let path = test.folder.path + "/copy"
      try test.store.copy(to: target(path, otherKey))
      #expect {
        _ = try EncryptedStore.open(path, test.key)
      } throws: {
        if case EncryptionError.wrongKey = $0 { true } else { false }
      }
      try check(path, otherKey)
      #expect(try test.people.count() == 400)
    }

    @Test func `a copy holds one version while others commit`() throws {
      let folder = try TemporaryDirectory()
      let store = try EncryptedStore.open(folder.path + "/plain", nil)
      defer { store.close() }
      let people = store.box(for: Person.self)
      try people.put((0..<2000).map { Person("\($0)") })
      try store.copy(to: target(folder.path + "/copy", otherKey)) { _ in
        (try? people.put(Person("later"))) != nil
      }
      let copy = try EncryptedStore.open(folder.path + "/copy", otherKey)
      defer { copy.close() }
      #expect(try copy.box(for: Person.self).count() == 2000)
      #expect(try copy.verify().isSound)
    }

    @Test func `a copy that is ended leaves no store behind`() throws {
      let test = try EncryptedStore()
      try fill(test.store)
      for key in [nil, otherKey] {
        let path = test.folder.path + "/copy"
        #expect(try test.store.copy(to: target(path, key), verifies: false) { _ in false } == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path) == [])
      }
    }

    @Test func `a copy replaces no store, and a key that no store can have is refused`() throws {
      let test = try EncryptedStore()
      try test.people.put(Person("Ada"))
      let path = test.folder.path + "/copy"
      #expect {
        try test.store.copy(to: target(path, .key([1, 2, 3])))
      } throws: {
        if case ObjectBoxError.illegalArgument = $0 { true } else { false }
      }
      try test.store.copy(to: target(path, otherKey))
      for key in [nil, otherKey] {
        #expect {
          try test.store.copy(to: target(path, key))
        } throws: {
          "\($0)".contains("there is a store already")
        }
      }
      let copy = try EncryptedStore.open(path, otherKey)
      defer { copy.close() }
      #expect(try copy.box(for: Person.self).count() == 1)
    }
  }
#endif
