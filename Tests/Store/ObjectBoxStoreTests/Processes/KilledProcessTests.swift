import Foundation
import ObjectBox
import ObjectBoxProcessTestSupport
import ObjectBoxRuntimeTestSupport
import ObjectBoxStorage
import ObjectBoxTestSupport
import Testing

@Suite(.serialized)
struct KilledProcessTests: SharedRows {
  let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  /// Starts a process that repeatedly sets all rows to the next number, and kills it at a random
  /// time.
  ///
  /// - Returns: The last number that it reported.
  private func killInRounds(_ random: inout SplitMix) throws -> Int64 {
    let child = try ChildProcess(path, "rounds")
    var last = try #require(child.line())
    usleep(UInt32.random(in: 1000...25000, using: &random))
    child.kill()
    last = child.lines().last ?? last
    return try #require(Int64(last))
  }

  /// Starts a process that sets all rows to the next number, and kills it in the next transaction.
  private func killInTransaction() throws -> Int64 {
    let child = try ChildProcess(path, "hold")
    let last = try #require(child.line().flatMap(Int64.init))
    #expect(child.line() == "holding")
    child.kill()
    return last
  }

  /// Expects all rows to show one commit, no older than the last reported one, and writes at once.
  private func check(_ store: Store, told: Int64) throws {
    let rows = store.box(for: Row.self)
    let numbers = Set(try rows.all().map(\.number))
    #expect(numbers.count == 1)
    #expect(try #require(numbers.first) >= told)
    try store.runInTransaction {
      #expect(try rows.count() == 200)
      try rows.put(try #require(try rows.get(1)))
    }
  }

  @Test(.onPlainFiles("the other process has no key"), .tags(.slow))
  func `a process killed at any time leaves a whole commit, when the store is opened anew`() throws
  {
    var random = SplitMix(seed: 32)
    try Row.store(path).box(for: Row.self).put((0..<200).map { _ in Row(0) })
    for _ in 0..<100 {
      let told = try killInRounds(&random)
      let environment = try environment()
      #expect(try environment.information().readerCount == 0)
      environment.close()
      let store = try Row.store(path)
      try check(store, told: told)
      store.close()
    }
  }

  @Test(.tags(.slow))
  func `a process killed at any time hinders no other one that has the store open`() throws {
    var random = SplitMix(seed: 33)
    let store = try shared()
    try store.box(for: Row.self).put((0..<200).map { _ in Row(0) })
    for index in 0..<100 {
      let told = index.isMultiple(of: 2) ? try killInRounds(&random) : try killInTransaction()
      try check(store, told: told)
    }
  }

  /// Opens the file as a store does, to read its reader slots.
  private func environment(isShared: Bool = true) throws -> StorageEnvironment {
    var options = StorageEnvironment.Options(mapSizeInBytes: 100 << 20, maximumTableCount: 10)
    options.maximumReaderCount = 1024
    options.isShared = isShared
    return try StorageEnvironment(directory: path, options: options)
  }

  @Test(arguments: [false, true])
  func
    `a write frees the reader slots of a process that was killed while it read, where stores are shared`(
      isShared: Bool
    ) throws
  {
    try Row.store(path).box(for: Row.self).put(Row(0))
    let environment = try environment(isShared: isShared)
    defer { environment.close() }
    let child = try ChildProcess(path, "read")
    #expect(child.line() == "reading")
    child.kill()
    try environment.beginWrite().abort()
    #expect(try (environment.freeDeadReaders() == 0) == isShared)
  }

  @Test func `the reader slots of a killed process are free when all are taken`() throws {
    try Row.store(path).box(for: Row.self).put(Row(0))
    let environment = try environment()
    defer { environment.close() }
    let child = try ChildProcess(path, "read")
    #expect(child.line() == "reading")
    child.kill()
    #expect(try environment.information().readerCount > 0)
    var readers: [StorageTransaction] = []
    while let reader = try? environment.beginRead() { readers.append(reader) }
    #expect(readers.count == 1024)
    for reader in readers { reader.abort() }
  }

  @Test func `a process killed in a group leaves all of the groups before and nothing of it`()
    throws
  {
    let child = try ChildProcess(path, "group")
    var told: [Int64] = []
    while let line = child.line(), line != "tenth" { told.append(try #require(Int64(line))) }
    child.kill()
    let numbers = try Row.store(path).box(for: Row.self).all().map(\.number)
    #expect(told == Array(1...20))
    #expect(numbers == told)
  }
}
