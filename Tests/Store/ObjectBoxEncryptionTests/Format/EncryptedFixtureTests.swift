#if os(Linux) && OBJECTBOX_SODIUM
  import Foundation
  import ObjectBox
  import ObjectBoxRuntimeTestSupport
  import ObjectBoxTestSupport
  import Testing

  @testable import ObjectBoxEncryption

  /// Recorded stores of the present format; `Tests/Store/FormatReader/read_encrypted.py` reads them too.
  struct EncryptedFixtureTests {
    private static let folder = Repository.fixtures.appendingPathComponent("EncryptedStores")

    private static let keys: [String: StoreEncryption] = [
      "key": .key(testKey),
      "passphrase": .passphrase(
        "correct horse battery staple",
        cost: PassphraseCost(passes: 1, memoryInBytes: 8192)
      ),
    ]

    @Test(arguments: ["key", "passphrase"])
    func `a recorded store opens`(name: String) throws {
      let copy = try TemporaryDirectory()
      let path = copy.path + "/store"
      let source = Self.folder.appendingPathComponent(name)
      if ProcessInfo.processInfo.environment["OBJECTBOX_RECORD_FIXTURES"] != nil {
        try Self.record(source, Self.keys[name])
      }
      try FileManager.default.copyItem(at: source, to: URL(fileURLWithPath: path))
      let store = try EncryptedStore.open(path, Self.keys[name])
      defer { store.close() }
      let people = store.box(for: Person.self)
      #expect(try people.all().map(\.name) == ["Ada", "Grace", "Alan", "Edsger"])
      #expect(try people.query { Person.age > 80 }.build().find().map(\.name) == ["Grace"])
      try people.put(Person("later"))
    }

    /// Writes a fixture; never replaces one.
    private static func record(_ folder: URL, _ key: StoreEncryption?) throws {
      guard let key, !FileManager.default.fileExists(atPath: folder.path) else { return }
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      // A small log, which makes small files.
      var small = key
      small.newLogBlocks = 12
      try ImageOpening(store: .test(folder.path), encryption: small).run().close()
      let store = try EncryptedStore.open(folder.path, key)
      let people = store.box(for: Person.self)
      for (name, age) in [("Ada", 36), ("Grace", 85), ("Alan", 41), ("Edsger", 72)] {
        try people.put(Person(name, email: "\(name)@example.org", age: Int32(age)))
      }
      store.close()
      let text =
        key.kind == .key
        ? testKey.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        : "passphrase:correct horse battery staple"
      try Data((text + "\n").utf8).write(to: folder.appendingPathComponent("key.txt"))
    }
  }
#endif
