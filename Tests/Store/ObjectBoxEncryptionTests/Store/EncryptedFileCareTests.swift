import Foundation
import ObjectBox
import ObjectBoxCare
import ObjectBoxEncryption
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

#if os(Linux) && OBJECTBOX_SODIUM
  /// Checks and backups of the files of an encrypted store, by a configuration with the key.
  struct EncryptedFileCareTests {
    private let test: EncryptedStore

    init() throws {
      test = try EncryptedStore()
      try test.people.put((1...300).map { Person("person \($0)", email: "\($0)") })
      test.close()
    }

    private func source(_ key: StoreEncryption?) -> Store.Configuration {
      var configuration = Store.Configuration(directory: test.path)
      configuration.encryption = key
      return configuration
    }

    @Test func `sound files are told as sound, open or not, and stay as they are`() throws {
      let before = try test.bytes(test.pagesName)
      let report = try Store.verify(source(test.key))
      #expect(report.isSound, "\(report.faults)")
      #expect(report.recordCount == 300)
      #expect(try test.bytes(test.pagesName) == before)
      try test.reopen()
      #expect(try Store.verify(source(test.key)) == test.store.verify())
    }

    @Test func `a page that does not open is a fault`() throws {
      let name = try test.pagesName
      var bytes = try test.bytes(name)
      // The last page that is in use, behind the log's 1024 blocks and the file's first.
      let page = try #require(
        (1025..<(bytes.count / 4096)).last { block in
          bytes[(block * 4096)..<((block + 1) * 4096)].contains { $0 != 0 }
        }
      )
      bytes[page * 4096 + 5] ^= 4
      try test.write(bytes, to: name)
      let report = try Store.verify(source(test.key))
      #expect(!report.isSound)
      let words = "page \(page - 1025) of version"
      #expect(report.faults.contains { $0.part == .page && $0.message.hasPrefix(words) })
    }

    @Test func `a plain store is checked and backed up by its configuration too`() throws {
      let plain = test.folder.path + "/plain"
      let store = try EncryptedStore.open(plain, nil)
      try store.box(for: Person.self).put(Person("Ada"))
      store.close()
      let own = Store.Configuration(directory: plain)
      #expect(try Store.verify(own) == Store.verify(directory: plain))
      try Store.backup(of: own, to: test.folder.path + "/backup")
      #expect(try Store.verify(directory: test.folder.path + "/backup").isSound)
    }

    @Test func `a backup of files opens with the same key, and has their permission bits`() throws {
      let (backup, again) = (test.folder.path + "/backup", test.folder.path + "/again")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600],
        ofItemAtPath: test.path + "/sealed.head"
      )
      let version = try #require(try Store.backup(of: source(test.key), to: backup))
      for name in try FileManager.default.contentsOfDirectory(atPath: backup) {
        let bits = try FileManager.default.attributesOfItem(atPath: backup + "/" + name)
        #expect(bits[.posixPermissions] as? Int == 0o600)
      }
      try test.reopen()
      #expect(try Store.backup(of: source(test.key), to: again) == version)
      for path in [backup, again] {
        let store = try EncryptedStore.open(path, test.key)
        defer { store.close() }
        #expect(try store.box(for: Person.self).count() == 300)
      }
    }

    @Test func `a wrong key, a missing key and a key too many are told`() throws {
      let target = test.folder.path + "/backup"
      let other = source(.key([UInt8](1...32)))
      #expect(throws: EncryptionError.self) { try Store.verify(other) }
      #expect(throws: EncryptionError.self) { try Store.backup(of: other, to: target) }
      #expect {
        try Store.verify(source(nil))
      } throws: {
        "\($0)".contains("is encrypted")
      }
      let plain = test.folder.path + "/plain"
      try EncryptedStore.open(plain, nil).close()
      var keyed = Store.Configuration(directory: plain)
      keyed.encryption = test.key
      #expect {
        try Store.verify(keyed)
      } throws: {
        "\($0)".contains("is not encrypted")
      }
    }
  }
#endif
