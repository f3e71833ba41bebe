import Foundation
import ObjectBox
import ObjectBoxCare
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// The first write checks all pages of a small file, since LMDB's own cursors trust them.
struct FirstWriteTests {
  @Test func `a write to a file with a damaged leaf is refused with the page, and changes nothing`()
    throws
  {
    let temporary = try DamagedLeaf.makeStore()
    let page = try DamagedLeaf.damage(temporary.path)
    try temporary.reopen()
    let before = try Data(contentsOf: URL(fileURLWithPath: temporary.path + "/data.mdb"))
    let people = temporary.store.box(for: Person.self)
    for _ in 0..<3 {
      #expect {
        try people.put(Person("Jane"))
      } throws: { error in
        guard case ObjectBoxError.fileCorrupt(let message) = error else { return false }
        return message.contains("page \(page) of the table 'e1'")
          && message.contains(temporary.path) && message.contains("restore it")
      }
    }
    #expect(throws: ObjectBoxError.self) { try temporary.store.runInTransaction {} }
    #expect(throws: ObjectBoxError.self) { try people.removeAll() }
    #expect(try people.get(1)?.name == "name 1")
    temporary.store.close()
    #expect(try Data(contentsOf: URL(fileURLWithPath: temporary.path + "/data.mdb")) == before)
  }

  @Test(arguments: [0x10, 0x4000, 0x8000])
  func `a write to a file with a flag of LMDB's own memory on a page is refused`(flag: Int) throws {
    let temporary = try DamagedLeaf.makeStore(photoSize: 5000)
    let pages = try DamagedPages(temporary.path)
    let record = try #require(pages.records("e1").last)
    let size = Int(sysconf(Int32(_SC_PAGESIZE)))
    // A leaf page, then the first overflow page of a value.
    for page in [record.leaf, try #require(record.pages.filter { $0 != record.leaf }.min())] {
      func flip() throws {
        try ChangedFile.changeBytes(temporary.path) { bytes in
          bytes[Int(page) * size + 10] ^= UInt8(flag & 0xFF)
          bytes[Int(page) * size + 11] ^= UInt8(flag >> 8)
        }
      }
      try flip()
      let faults = try Store.verify(directory: temporary.path).faults
      #expect(faults.count == 1)
      let fault = try #require(faults.first)
      #expect(fault.message.contains("page \(page) of the table 'e1' is of another kind"))
      try temporary.reopen()
      let people = temporary.store.box(for: Person.self)
      #expect(try people.get(2000)?.name == "name 2000")
      #expect(throws: ObjectBoxError.self) { try people.put(Person("Jane")) }
      temporary.store.close()
      try flip()
    }
  }

  @Test(arguments: [0x10, 0x4000, 0x8000])
  func `a write to a file with a wrong flag on a set of IDs within a page is refused`(
    flag: Int
  ) throws {
    let temporary = try TemporaryStore(indexes: PersonIndexes(name: [], email: []))
    try temporary.store.box(for: Person.self).put(
      (1...30).map { Person("name \($0)", email: "", age: Int32($0 % 3)) }
    )
    temporary.store.close()
    // A sub-page of 8-byte IDs. Its flags: leaf, keys only, sub-page, and LMDB's flag of a dirty
    // page, which is valid there.
    let header = Data([8, 0, 0x72, 0])
    let page = Int(try DamagedPages(temporary.path).root("i3"))
    let size = Int(sysconf(Int32(_SC_PAGESIZE)))
    try ChangedFile.changeBytes(temporary.path) { bytes in
      guard let found = bytes.range(of: header, in: page * size..<(page + 1) * size) else {
        return
      }
      bytes[found.lowerBound + 2] ^= UInt8(flag & 0xFF)
      bytes[found.lowerBound + 3] ^= UInt8(flag >> 8)
    }
    let fault = try #require(try Store.verify(directory: temporary.path).faults.first)
    #expect(fault.message.contains("page \(page) of the table 'i3' has a damaged set of IDs"))
    try temporary.reopen(indexes: PersonIndexes(name: [], email: []))
    let people = temporary.store.box(for: Person.self)
    #expect(try people.count() == 30)
    #expect(throws: ObjectBoxError.self) { try people.put(Person("Jane")) }
  }

  @Test func `a write by another thread goes on after one that was refused`() async throws {
    let temporary = try DamagedLeaf.makeStore()
    _ = try DamagedLeaf.damage(temporary.path)
    try temporary.reopen()
    let store = temporary.store
    // If a refused write kept the write lock, the next write would block for ever.
    for _ in 0..<3 {
      await #expect(throws: ObjectBoxError.self) {
        try await store.write { _ in _ = try store.box(for: Person.self).put(Person("Jane")) }
      }
      #expect(throws: ObjectBoxError.self) {
        try store.box(for: Person.self).put(Person("John"))
      }
    }
  }

  @Test func `a large file is written to without the check, which validateOnOpen makes up for`()
    throws
  {
    let temporary = try DamagedLeaf.makeStore(photoSize: 12_000)
    let file = temporary.path + "/data.mdb"
    let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
    #expect((size ?? 0) > 16 << 20)
    try temporary.reopen()
    try temporary.store.box(for: Person.self).put(Person("Jane"))
    temporary.store.close()
    _ = try DamagedLeaf.damage(temporary.path)
    try temporary.reopen()
    temporary.store.close()
    var configuration = Store.Configuration(directory: temporary.path)
    configuration.validateOnOpen = .withleaves
    #expect(throws: ObjectBoxError.self) {
      _ = try Store(model: try TemporaryStore.model(), configuration: configuration)
    }
  }
}

/// A store with a damaged page that opening does not check.
enum DamagedLeaf {
  /// Makes a store of 2,000 people and closes it.
  static func makeStore(photoSize: Int = 0) throws -> TemporaryStore {
    let temporary = try TemporaryStore()
    let photo = photoSize == 0 ? nil : Data(repeating: 7, count: photoSize)
    try temporary.store.box(for: Person.self).put(
      (1...2000).map { number in
        let person = Person("name \(number)", email: "\(number)@example.org", age: Int32(number))
        person.photo = photo
        return person
      }
    )
    temporary.store.close()
    return temporary
  }

  /// Swaps two entries of the last leaf of the people's table, and returns the page's number.
  static func damage(_ path: String) throws -> Int {
    let file = URL(fileURLWithPath: path + "/data.mdb")
    let bytes = [UInt8](try Data(contentsOf: file))
    func number(_ place: Int) -> Int { Int(bytes[place]) + Int(bytes[place + 1]) << 8 }
    for page in (2..<bytes.count / 4096).reversed() {
      let start = page * 4096
      // A leaf (flags 2) with at least three entries, whose keys have 8 bytes.
      guard number(start + 10) == 2, number(start + 12) >= 22,
        number(start + number(start + 16) + 6) == 8
      else { continue }
      var changed = bytes
      for place in 0..<2 {
        changed[start + 16 + place] = bytes[start + 18 + place]
        changed[start + 18 + place] = bytes[start + 16 + place]
      }
      try Data(changed).write(to: file)
      let faults = try Store.verify(directory: path).faults
      if faults.contains(where: { $0.message.contains("page \(page) of the table 'e1'") }) {
        return page
      }
      try Data(bytes).write(to: file)
    }
    throw RawStore.MissingTable(name: "a leaf of e1")
  }
}
