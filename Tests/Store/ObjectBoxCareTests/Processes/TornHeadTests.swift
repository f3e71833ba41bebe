import Foundation
import ObjectBox
import ObjectBoxCare
import ObjectBoxProcessTestSupport
import ObjectBoxRuntimeTestSupport
import ObjectBoxStorage
import ObjectBoxTestSupport
import Testing

/// A commit's number decides which of the two head pages it writes.
@Suite(.enabled(if: MemoryLayout<Int>.size == 8))
struct TornHeadTests {
  private let folder: TemporaryDirectory
  private var path: String { folder.path + "/store" }
  private var file: String { path + "/" + StorageEnvironment.fileNames[0] }

  init() throws {
    folder = try TemporaryDirectory()
  }

  /// Makes a store with a commit for each number; returns the last commit's number and the page
  /// size.
  private func makeStore(commits: ClosedRange<Int64>) throws -> (version: Int, pageSize: Int) {
    let store = try Row.store(path)
    for number in commits { try store.box(for: Row.self).put(Row(number)) }
    let version = try store.version()
    store.close()
    let environment = try StorageEnvironment(
      directory: path,
      options: .init(mapSizeInBytes: 100 << 20, maximumTableCount: 10)
    )
    defer { environment.close() }
    return (version, try environment.information().pageSizeInBytes)
  }

  private func clear(page: Int, size: Int) throws {
    let handle = try #require(FileHandle(forUpdatingAtPath: file))
    try handle.seek(toOffset: UInt64(page * size))
    try handle.write(contentsOf: Data(count: size))
    try handle.close()
  }

  @Test(arguments: [2, 3])
  func `a store whose newest head page is torn opens at the version before`(
    count: Int64
  ) throws {
    let (version, pageSize) = try makeStore(commits: 1...count)
    try clear(page: version % 2, size: pageSize)
    let store = try Row.store(path)
    let rows = store.box(for: Row.self)
    #expect(try rows.all().map(\.number) == Array(1..<count))
    #expect(try store.version() == version - 1)
    try rows.put(Row(7))
    store.close()
    #expect(try Row.store(path).box(for: Row.self).all().map(\.number) == Array(1..<count) + [7])
  }

  @Test
  func `going back to the version before is told, and so is a damaged page that is left behind`()
    throws
  {
    let (version, pageSize) = try makeStore(commits: 1...3)
    // Damages the root of the main table, so that the newest version is unreadable.
    let image = try StorageImage(path: file)
    let root = try #require(try Self.mainRoot(of: image))
    try clear(page: root, size: pageSize)
    let store = try Row.store(path)
    #expect(try store.box(for: Row.self).all().map(\.number) == [1, 2])
    #expect(try store.version() == version - 1)
    #expect(try store.statistics.unheardFailures == 1)
    try store.box(for: Row.self).put(Row(7))
    store.close()
    #expect(try Store.verify(directory: path).faults == [])
  }

  /// Returns the root page of the newest version's main table.
  private static func mainRoot(of image: StorageImage) throws -> Int? {
    guard let head = image.newestHead() else { return nil }
    return image.withBytes { bytes in
      Int(
        bytes.loadUnaligned(
          fromByteOffset: head.number * head.pageSizeInBytes + 128,
          as: UInt64.self
        )
      )
    }
  }

  @Test func `an empty file is a new store`() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Data().write(to: URL(fileURLWithPath: file))
    let store = try Row.store(path)
    try store.box(for: Row.self).put(Row(1))
    store.close()
    #expect(try Row.store(path).box(for: Row.self).all().map(\.number) == [1])
  }

  @Test(
    arguments: [
      "another program's file", String(repeating: "x", count: 8192),
      String(repeating: "\0", count: 8192),
    ]
  )
  func `a small file of another program is refused and stays as it is`(text: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    #expect {
      _ = try Row.store(path)
    } throws: { error in
      guard case ObjectBoxError.fileCorrupt = error else { return false }
      return true
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data(text.utf8))
  }

  @Test func `a new store leaves no other files than its own`() throws {
    let store = try Row.store(path)
    #expect(
      Set(try FileManager.default.contentsOfDirectory(atPath: path))
        == Set(StorageEnvironment.fileNames)
    )
    store.close()
  }

  @Test func `a store whose older head page is torn loses nothing`() throws {
    let (version, pageSize) = try makeStore(commits: 1...3)
    try clear(page: (version + 1) % 2, size: pageSize)
    #expect(try Row.store(path).box(for: Row.self).all().map(\.number) == [1, 2, 3])
  }

  @Test(arguments: [true, false])
  func
    `a torn head page is told and nothing is touched when the other is torn, or nothing may be written`(
      isReadOnly: Bool
    ) throws
  {
    let (version, pageSize) = try makeStore(commits: 1...2)
    try clear(page: version % 2, size: pageSize)
    if !isReadOnly { try clear(page: (version + 1) % 2, size: pageSize) }
    let before = try Data(contentsOf: URL(fileURLWithPath: file))
    #expect {
      _ = try Row.store(path) { $0.readOnly = isReadOnly }
    } throws: { error in
      guard case ObjectBoxError.fileCorrupt(let message) = error else { return false }
      return message.contains("without readOnly") == isReadOnly
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
  }

  @Test func `a put that fills the store is refused whole, and a smaller one is stored next`()
    throws
  {
    let store = try Store(
      model: try TemporaryStore.model(),
      directory: path,
      maxDbSizeInKByte: 1024
    )
    let people = store.box(for: Person.self)
    try people.put(Person("Jane", email: "jane"))
    let big = (0..<200).map { Person(String(repeating: "x", count: 10_000), email: "\($0)") }
    #expect {
      try store.write { transaction in _ = try transaction.put(big) }
    } throws: { error in
      if case ObjectBoxError.dbFull = error { true } else { false }
    }
    #expect(big.allSatisfy { $0.id == 0 })
    #expect(try people.all().map(\.name) == ["Jane"])
    try people.put(Person("John", email: "0"))
    store.close()
    let again = try Store(
      model: try TemporaryStore.model(),
      directory: path,
      maxDbSizeInKByte: 1024
    )
    #expect(try again.box(for: Person.self).all().map(\.name) == ["Jane", "John"])
  }
}
