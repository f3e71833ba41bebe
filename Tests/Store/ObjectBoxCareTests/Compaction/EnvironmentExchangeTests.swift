import Foundation
import ObjectBoxCare
import ObjectBoxStorage
import ObjectBoxTestSupport
import Testing

/// An environment that a compaction reopens over the new file.
struct EnvironmentExchangeTests {
  private let folder: TemporaryDirectory
  private let environment: StorageEnvironment

  init() throws {
    folder = try TemporaryDirectory()
    var options = StorageEnvironment.Options(mapSizeInBytes: 1 << 30, maximumTableCount: 8)
    options.isDurable = false
    environment = try StorageEnvironment(directory: folder.path, options: options)
    let writing = try environment.beginWrite()
    for name in ["a", "b", "c"] {
      try put(name, in: try #require(try writing.openTable(name, .objects, create: true)), writing)
    }
    try writing.commit()
  }

  private func put(_ text: String, in table: StorageTable, _ writing: StorageTransaction) throws {
    try Array(text.utf8).withUnsafeBytes { try writing.put(table, id: 1, record: $0) }
  }

  private func text(_ table: StorageTable, _ reading: StorageTransaction) throws -> String? {
    try reading.get(table, id: 1).map { String(decoding: $0, as: UTF8.self) }
  }

  private func table(_ name: String, create: Bool = false) throws -> StorageTable {
    let writing = try environment.beginWrite()
    let table = try #require(try writing.openTable(name, .objects, create: create))
    try writing.commit()
    return table
  }

  private func newText(_ table: StorageTable) throws -> String? {
    let reading = try environment.beginRead()
    defer { reading.abort() }
    return try text(table, reading)
  }

  @discardableResult
  private func compact(claim: (String) throws -> Void = { _ in }) throws
    -> StorageEnvironment.Compaction?
  {
    try environment.compact(
      write: { try $0.write(admit: { _, _ in }, progress: { _ in true }) },
      claim: claim,
      settle: {}
    )
  }

  @Test func `tables keep their numbers across it, also behind one that was removed`() throws {
    defer { environment.close() }
    let tables = try ["a", "b", "c"].map { try table($0) }
    let removing = try environment.beginWrite()
    try removing.drop(tables[1], delete: true)
    try removing.commit()
    for round in 0..<3 {
      try compact()
      let writing = try environment.beginWrite()
      try put("a \(round)", in: tables[0], writing)
      try put("c \(round)", in: tables[2], writing)
      try writing.commit()
      #expect(try newText(tables[0]) == "a \(round)")
      #expect(try newText(tables[2]) == "c \(round)")
    }
    #expect(try table("c") == tables[2])
    let new = try ["d", "e"].map { try table($0, create: true) }
    let writing = try environment.beginWrite()
    try put("d", in: new[0], writing)
    try put("e", in: new[1], writing)
    try writing.commit()
    try compact()
    #expect(try newText(new[0]) == "d")
    #expect(try newText(new[1]) == "e")
    #expect(try newText(tables[0]) == "a 2")
    #expect(try newText(tables[2]) == "c 2")
    #expect(Set(tables).union(new).count == 5)
  }

  @Test func `a table whose making was rolled back stands in no other's way`() throws {
    defer { environment.close() }
    let rolledBack = try environment.beginWrite()
    _ = try rolledBack.openTable("x", .objects, create: true)
    rolledBack.abort()
    try compact()
    let (a, y) = (try table("a"), try table("y", create: true))
    let writing = try environment.beginWrite()
    try put("y", in: y, writing)
    try writing.commit()
    #expect(try newText(a) == "a")
    #expect(try newText(y) == "y")
  }

  @Test func `reads in use go on at their version, and the next ones are in the new file`() throws {
    defer { environment.close() }
    let a = try table("a")
    let (reading, idle) = (try environment.beginRead(), try environment.beginRead(isShared: true))
    defer {
      reading.abort()
      idle.abort()
    }
    idle.reset()
    try compact()
    for round in 0..<20 {
      let writing = try environment.beginWrite()
      try put("\(round)", in: a, writing)
      try writing.commit()
    }
    #expect(try text(a, reading) == "a")
    #expect(try environment.readerSlots().compactMap(\.version) == [])
    try idle.renew()
    #expect(try text(a, idle) == "19")
    reading.reset()
    try reading.renew()
    #expect(try text(a, reading) == "19")
    #expect(try environment.readerSlots().compactMap(\.version).count == 2)
  }

  @Test func `a reset transaction does not keep the former file`() throws {
    defer { environment.close() }
    let reading = try environment.beginRead()
    defer { reading.abort() }
    #expect(try newText(try table("a")) == "a")
    let before = try openDataFiles()
    reading.reset()
    for _ in 0..<3 { try compact() }
    #expect(try openDataFiles() == before)
  }

  /// The number of descriptors of the folder's data files, deleted files included.
  private func openDataFiles() throws -> Int {
    let descriptors = "/proc/self/fd"
    let real = try #require(realpath(folder.path, nil))
    defer { free(real) }
    guard FileManager.default.fileExists(atPath: descriptors) else { return 0 }
    return try FileManager.default.contentsOfDirectory(atPath: descriptors).count { name in
      let file = try? FileManager.default.destinationOfSymbolicLink(
        atPath: descriptors + "/" + name
      )
      return file?.hasPrefix(String(cString: real) + "/data.mdb") ?? false
    }
  }

  @Test func `what cannot be opened again refuses everything, and the file has it all`() throws {
    let a = try table("a")
    let (reading, idle) = (try environment.beginRead(), try environment.beginRead())
    idle.reset()
    let lockFile = folder.path + "/lock.mdb"
    #expect(throws: StorageError.self) {
      try compact { _ in
        try FileManager.default.removeItem(atPath: lockFile)
        try FileManager.default.createDirectory(
          atPath: lockFile,
          withIntermediateDirectories: false
        )
      }
    }
    #expect(try text(a, reading) == "a")
    reading.abort()
    #expect(throws: StorageError.lostFile) { try idle.renew() }
    #expect(throws: StorageError.lostFile) { _ = try environment.beginRead() }
    #expect(throws: StorageError.lostFile) { _ = try environment.beginWrite() }
    #expect(throws: StorageError.lostFile) { _ = try environment.information() }
    #expect(throws: StorageError.lostFile) { try compact() }
    idle.abort()
    environment.close()
    try FileManager.default.removeItem(atPath: lockFile)
    let options = StorageEnvironment.Options(mapSizeInBytes: 1 << 30, maximumTableCount: 8)
    let again = try StorageEnvironment(directory: folder.path, options: options)
    defer { again.close() }
    let writing = try again.beginWrite()
    let table = try #require(try writing.openTable("a", .objects, create: false))
    writing.abort()
    let last = try again.beginRead()
    defer { last.abort() }
    #expect(try text(table, last) == "a")
  }
}
