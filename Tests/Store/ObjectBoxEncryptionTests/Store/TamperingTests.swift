import Foundation
import ObjectBox
import ObjectBoxEncryption
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

#if os(Linux) && OBJECTBOX_SODIUM
  struct TamperingTests {
    private static let blockSize = 4096

    /// The contents of a store that is opened anew; nil when it is told to be damaged.
    private func contents(_ test: EncryptedStore) throws -> [String]? {
      do {
        try test.reopen()
        defer { test.close() }
        return try test.names
      } catch ObjectBoxError.fileCorrupt { return nil }
    }

    /// A closed store with a few commits.
    private func store() throws -> EncryptedStore {
      let test = try EncryptedStore()
      for number in 0..<8 { try test.people.put(Person("person \(number)", age: Int32(number))) }
      try test.people.remove(3)
      test.close()
      return test
    }

    private func blocks(of bytes: [UInt8], from first: Int = 0) -> [Int] {
      (first..<(bytes.count / Self.blockSize)).filter { block in
        bytes[(block * Self.blockSize)..<((block + 1) * Self.blockSize)].contains { $0 != 0 }
      }
    }

    @Test func `a changed bit in any block of the pages file is told or without effect`() throws {
      let test = try store()
      let names = try #require(try contents(test))
      let file = try test.pagesName
      let bytes = try test.bytes(file)
      var random = SplitMix(seed: 1)
      var told = 0
      for block in blocks(of: bytes) {
        var changed = bytes
        let place = block * Self.blockSize + Int.random(in: 0..<Self.blockSize, using: &random)
        changed[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        try test.write(changed, to: file)
        let found = try contents(test)
        if found == nil { told += 1 }
        #expect(found == nil || found == names, "block \(block)")
      }
      #expect(told > 5)
      try test.write(bytes, to: file)
      #expect(try contents(test) == names)
    }

    @Test func `pages in each other's places are told`() throws {
      let test = try store()
      let file = try test.pagesName
      let bytes = try test.bytes(file)
      let pages = blocks(of: bytes, from: 1025)
      var changed = bytes
      for place in 0..<Self.blockSize {
        changed.swapAt(
          pages[pages.count - 1] * Self.blockSize + place,
          pages[pages.count - 2] * Self.blockSize + place
        )
      }
      try test.write(changed, to: file)
      #expect(try contents(test) == nil)
    }

    @Test func `a head that was put back beside newer pages is told`() throws {
      let test = try EncryptedStore()
      try test.people.put(Person("first"))
      try test.store.changeEncryption(to: .key(testKey))
      let head = try test.bytes("sealed.head")
      try test.people.put(Person("second"))
      try test.store.changeEncryption(to: .key(testKey))
      for number in 0..<6 { try test.people.put(Person("\(number)")) }
      test.close()
      try test.write(head, to: "sealed.head")
      #expect(try contents(test) == nil)
    }

    @Test func `a missing head or pages file is told, and nothing is made anew`() throws {
      let test = try store()
      let head = try test.bytes("sealed.head")
      try FileManager.default.removeItem(atPath: test.path + "/sealed.head")
      #expect(try contents(test) == nil)
      try test.write(head, to: "sealed.head")
      let name = try test.pagesName
      let pages = try test.bytes(name)
      try FileManager.default.removeItem(atPath: test.path + "/" + name)
      #expect(try contents(test) == nil)
      try test.write(pages, to: name)
      #expect(try contents(test)?.count == 7)
    }

    @Test func `garbage in a pages file that no head has named is no damage`() throws {
      let folder = try TemporaryDirectory()
      let path = folder.path + "/store"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      let garbage = Data(repeating: 7, count: 3 * Self.blockSize)
      let name = path + "/sealed.pages-00000000000000aa.new"
      try garbage.write(to: URL(fileURLWithPath: name))
      let store = try EncryptedStore.open(path, .key(testKey))
      defer { store.close() }
      try store.box(for: Person.self).put(Person("Ada"))
      #expect(!FileManager.default.fileExists(atPath: name))
    }

    @Test func `a damaged copy of the head is written again`() throws {
      let test = try store()
      var head = try test.bytes("sealed.head")
      head[4100] ^= 1
      try test.write(head, to: "sealed.head")
      #expect(try contents(test)?.count == 7)
      let healed = try test.bytes("sealed.head")
      #expect(healed.prefix(healed.count / 2).elementsEqual(healed.suffix(healed.count / 2)))
    }

    @Test func `a store that is older than the program has seen is refused`() throws {
      let test = try store()
      var key = test.key
      key.minimumVersion = 1000
      #expect {
        try test.reopen(key: key)
      } throws: {
        if case EncryptionError.outdated = $0 { true } else { false }
      }
      key.minimumVersion = 5
      try test.reopen(key: key)
    }

    @Test func `a folder that was emptied is no store for a program that has seen commits`() throws
    {
      let folder = try TemporaryDirectory()
      var key = StoreEncryption.key(testKey)
      key.minimumVersion = 1
      #expect(throws: EncryptionError.self) { _ = try EncryptedStore.open(folder.path + "/s", key) }
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/s")
      #expect(names == ["sealed.lock"])
    }

    // MARK: Cut commits

    /// A closed store, and its pages file before its newest commit.
    private func storeAndBefore() throws -> (test: EncryptedStore, before: [UInt8], after: [UInt8])
    {
      let test = try EncryptedStore()
      for number in 0..<5 { try test.people.put(Person("person \(number)")) }
      let before = try test.bytes(test.pagesName)
      try test.people.put(Person("newest"))
      test.close()
      var after = try test.bytes(test.pagesName)
      // The file may have been reserved further.
      after += [UInt8](repeating: 0, count: max(0, before.count - after.count))
      return (test, before + [UInt8](repeating: 0, count: after.count - before.count), after)
    }

    private func lastBlock(_ magic: String, in bytes: [UInt8]) throws -> Int {
      try #require(
        (1..<1025).last { bytes[($0 * Self.blockSize)...].starts(with: Array(magic.utf8)) }
      )
    }

    private func copy(_ block: Int, from source: [UInt8], to target: inout [UInt8]) {
      let range = (block * Self.blockSize)..<((block + 1) * Self.blockSize)
      target.replaceSubrange(range, with: source[range])
    }

    @Test func `a commit whose pages or record the loss of power has cut is undone`() throws {
      let (test, before, after) = try storeAndBefore()
      let file = try test.pagesName
      let mark = try lastBlock("OBXDONE1", in: after)
      let record = try lastBlock("OBXCOMM1", in: after)
      let newest = blocks(of: after, from: 1025).filter { block in
        let range = (block * Self.blockSize)..<((block + 1) * Self.blockSize)
        return before[range] != after[range]
      }
      #expect(!newest.isEmpty)
      for block in newest + [record] {
        var cut = after
        copy(mark, from: [UInt8](repeating: 0, count: after.count), to: &cut)
        copy(block, from: before, to: &cut)
        try test.write(cut, to: file)
        #expect(try contents(test) == (0..<5).map { "person \($0)" })
      }
      // Whole, and without its mark only.
      var whole = after
      copy(mark, from: [UInt8](repeating: 0, count: after.count), to: &whole)
      try test.write(whole, to: file)
      #expect(try contents(test)?.last == "newest")
      try test.reopen()
      try test.people.put(Person("later"))
      #expect(try contents(test)?.suffix(2) == ["newest", "later"])
    }

    @Test func `a commit with its mark is not undone`() throws {
      let (test, before, after) = try storeAndBefore()
      let file = try test.pagesName
      let newest = blocks(of: after, from: 1025).filter { block in
        let range = (block * Self.blockSize)..<((block + 1) * Self.blockSize)
        return before[range] != after[range]
      }
      for block in [newest[0], try lastBlock("OBXCOMM1", in: after)] {
        var cut = after
        copy(block, from: before, to: &cut)
        try test.write(cut, to: file)
        #expect(try contents(test) == nil)
      }
    }

    @Test func `a store goes on after an undone commit`() throws {
      let (test, _, after) = try storeAndBefore()
      var cut = after
      let zeros = [UInt8](repeating: 0, count: after.count)
      copy(try lastBlock("OBXDONE1", in: after), from: zeros, to: &cut)
      copy(try lastBlock("OBXCOMM1", in: after), from: zeros, to: &cut)
      try test.write(cut, to: test.pagesName)
      try test.reopen()
      try test.people.put(Person("again"))
      try test.reopen()
      #expect(try test.names == (0..<5).map { "person \($0)" } + ["again"])
    }
  }
#endif
