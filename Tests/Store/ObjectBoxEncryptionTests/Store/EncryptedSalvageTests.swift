import Foundation
import ObjectBox
import ObjectBoxCare
import ObjectBoxEncryption
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

#if os(Linux) && OBJECTBOX_SODIUM
  /// Salvage of the readable parts of damaged images.
  struct EncryptedSalvageTests {
    private static let blockSize = 4096
    /// The first block of pages in a pages file: one block names the store, and the log has 1024.
    private static let firstPage = 1025

    private func salvage(
      _ test: EncryptedStore,
      key: StoreEncryption? = nil
    ) throws -> (report: SalvageReport, names: [String]) {
      var source = Store.Configuration(directory: test.path)
      source.encryption = key ?? test.key
      var target = Store.Configuration(
        directory: test.folder.path + "/saved-\(UUID().uuidString)"
      )
      target.encryption = test.key
      let report = try #require(try Store.salvage(source, to: target))
      let files = try FileManager.default.contentsOfDirectory(atPath: target.directory)
      #expect(files.allSatisfy { $0.hasPrefix("sealed.") })
      let store = try EncryptedStore.open(target.directory, test.key)
      defer { store.close() }
      #expect(try store.verify().isSound)
      return (report, try store.box(for: Person.self).all().map(\.name))
    }

    /// A closed store with some pages of people.
    private func store() throws -> EncryptedStore {
      let test = try EncryptedStore()
      try test.people.put((1...600).map { Person("person \($0)") })
      try test.store.changeEncryption(to: test.key)
      for number in 601...603 { try test.people.put(Person("person \(number)")) }
      test.close()
      return test
    }

    private func names(_ numbers: ClosedRange<Int>) -> [String] { numbers.map { "person \($0)" } }

    /// The blocks of a pages file from a block on that have values.
    private func blocks(of bytes: [UInt8], from first: Int) -> [Int] {
      (first..<(bytes.count / Self.blockSize)).filter { block in
        bytes[(block * Self.blockSize)..<((block + 1) * Self.blockSize)].contains { $0 != 0 }
      }
    }

    @Test func `of a sound image everything is saved, and the files stay as they are`() throws {
      let test = try store()
      let before = try test.bytes(test.pagesName)
      let (report, names) = try salvage(test)
      #expect(report.isWhole, "\(report)")
      #expect(names == self.names(1...603))
      #expect(try test.bytes(test.pagesName) == before)
    }

    @Test func `a page that does not open is left out and told, whichever it is`() throws {
      let test = try store()
      let name = try test.pagesName
      let bytes = try test.bytes(name)
      let all = Set(names(1...603))
      var source = Store.Configuration(directory: test.path)
      source.encryption = test.key
      var partial = 0
      for page in blocks(of: bytes, from: Self.firstPage) {
        var changed = bytes
        changed[page * Self.blockSize + 77] ^= 1
        try test.write(changed, to: name)
        let path = test.folder.path + "/saved-\(page)"
        // Without the schema nothing is saved.
        guard
          let report = try? Store.salvage(source, to: Store.Configuration(directory: path))
        else {
          #expect(!FileManager.default.fileExists(atPath: path))
          continue
        }
        // Pages that the version has freed are not read.
        if report.isWhole { continue }
        let number = UInt64(page - Self.firstPage)
        #expect(report.findings.contains { $0.kind == .file && $0.page == number }, "\(report)")
        let store = try EncryptedStore.open(path, nil)
        defer { store.close() }
        let names = Set(try store.box(for: Person.self).all().map(\.name))
        #expect(names.isSubset(of: all))
        if names.count > 300, names.count < all.count { partial += 1 }
      }
      #expect(partial > 2)
    }

    @Test func `after damage in the log, the version before it is read`() throws {
      let test = try store()
      let name = try test.pagesName
      var bytes = try test.bytes(name)
      let records = (1..<Self.firstPage).filter {
        bytes[($0 * Self.blockSize)...].starts(with: Array("OBXCOMM1".utf8))
      }
      #expect(records.count >= 3)
      bytes[records[1] * Self.blockSize + 100] ^= 1
      try test.write(bytes, to: name)
      #expect(throws: ObjectBoxError.self) { try test.reopen() }
      let (report, names) = try salvage(test)
      #expect(!report.isWhole)
      #expect(report.findings.contains { $0.message.contains("the log cannot be read") })
      #expect(Set(names).isSubset(of: Set(self.names(1...603))))
    }

    @Test func `a cut pages file is read up to its end`() throws {
      let test = try store()
      let name = try test.pagesName
      let bytes = try test.bytes(name)
      var isPartial = false
      // The last pages of the file may be free ones, and without the schema nothing is saved.
      for block in blocks(of: bytes, from: Self.firstPage).reversed() where !isPartial {
        try test.write(Array(bytes[..<(block * Self.blockSize)]), to: name)
        guard let (report, names) = try? salvage(test), !report.isWhole else { continue }
        #expect(Set(names).isSubset(of: Set(self.names(1...603))))
        isPartial = true
      }
      #expect(isPartial)
    }

    @Test func `a wrong key and a head without a whole copy are refused`() throws {
      let test = try store()
      #expect(throws: EncryptionError.self) {
        try salvage(test, key: .key([UInt8](1...32)))
      }
      var head = try test.bytes("sealed.head")
      head[3] ^= 1
      head[head.count / 2 + 3] ^= 1
      try test.write(head, to: "sealed.head")
      #expect {
        try salvage(test)
      } throws: {
        if case ObjectBoxError.fileCorrupt = $0 { true } else { false }
      }
    }

    @Test func `the remains of an interrupted salvage are removed`() throws {
      let test = try store()
      var source = Store.Configuration(directory: test.path)
      source.encryption = test.key
      var target = Store.Configuration(directory: test.folder.path + "/saved")
      target.encryption = test.key
      let left = try EncryptedStore.open(target.directory + ".salvage", test.key)
      left.close()
      #expect(try Store.salvage(source, to: target)?.isWhole == true)
      #expect(!FileManager.default.fileExists(atPath: target.directory + ".salvage"))
      let ended = Store.Configuration(directory: test.folder.path + "/ended")
      #expect(try Store.salvage(source, to: ended) { _ in false } == nil)
      #expect(!FileManager.default.fileExists(atPath: ended.directory))
    }
  }
#endif
