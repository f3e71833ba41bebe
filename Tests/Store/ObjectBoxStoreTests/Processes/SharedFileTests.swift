import Foundation
import ObjectBox
import ObjectBoxProcessTestSupport
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

@Suite(.serialized)
struct SharedFileTests: SharedRows {
  let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  @Test(.tags(.slow))
  func `increments of four processes are all there, and a fifth reads each newest one`() throws {
    let store = try shared()
    let rows = store.box(for: Row.self)
    try rows.put(Row(0))
    let children = try (0..<4).map { _ in try ChildProcess(path, "increment", 250) }
    var last: Int64 = 0
    while last < 1000 {
      let number = try #require(try rows.get(1)).number
      #expect(number >= last)
      last = number
    }
    for child in children { #expect(child.lines() == ["done"]) }
    #expect(try rows.get(1)?.number == 1000)
  }

  @Test(.tags(.slow))
  func `new objects of four processes and this one never share an ID`() throws {
    let store = try shared()
    let rows = store.box(for: Row.self)
    let children = try (0..<4).map { _ in try ChildProcess(path, "put", 200) }
    var told: [String] = []
    for index in 0..<100 {
      let row = Row(Int64(index))
      told.append(
        "\(index.isMultiple(of: 2) ? try rows.put(row).value : try rows.async.put(row).value)"
      )
    }
    _ = store.awaitAsyncSubmitted()
    for child in children {
      let lines = child.lines()
      #expect(lines.last == "done")
      told += lines.dropLast()
    }
    #expect(Set(told).count == 900)
    #expect(Set(try rows.all().map { "\($0.id)" }) == Set(told))
  }

  @Test func `the new objects of many processes, created at once, start from an empty directory`()
    throws
  {
    let children = try (0..<4).map { _ in try ChildProcess(path, "put", 3) }
    for child in children { #expect(child.lines().last == "done") }
    #expect(try shared().box(for: Row.self).count() == 12)
  }

  @Test func `IDs of objects that another process removed do not come again`() throws {
    let store = try shared()
    let rows = store.box(for: Row.self)
    try rows.put(Row(1))
    let child = try ChildProcess(path, "put", 1)
    let id = try #require(child.line().flatMap(Id.init))
    _ = child.lines()
    try rows.remove(id)
    #expect(try rows.put(Row(2)).value > id)
  }

  @Test func `an object that another process has put can be changed asynchronously`() throws {
    let store = try shared()
    let rows = store.box(for: Row.self)
    #expect(try rows.isEmpty())
    #expect(try ChildProcess(path, "put", 1).lines() == ["1", "done"])
    let row = try #require(try rows.get(1))
    row.number = 7
    try rows.async.put(row)
    _ = store.awaitAsyncSubmitted()
    #expect(try rows.get(1)?.number == 7)
  }

  @Test
  func `asynchronous puts of new objects are refused in a write transaction, not in a read one`()
    throws
  {
    let store = try shared()
    let rows = store.box(for: Row.self)
    try store.read { _ in _ = try rows.async.put(Row(1)) }
    _ = store.awaitAsyncSubmitted()
    #expect {
      try store.write { _ in _ = try rows.async.put(Row(2)) }
    } throws: { error in
      guard case ObjectBoxError.illegalState(let message) = error else { return false }
      return message.contains("put it synchronously")
    }
    #expect(try rows.all().map(\.number) == [1])
  }

  // MARK: Opening

  @Test(
    .onPlainFiles("several processes open the store"),
    arguments: [
      ("open", false, false), ("open", true, false), ("open-shared", false, false),
      ("open-shared", true, true), ("open-read-only", false, true), ("open-read-only", true, true),
    ]
  )
  func `a store opens beside that of another process when both share it or one only reads`(
    job: String,
    isShared: Bool,
    isAdmitted: Bool
  ) throws {
    try Row.store(path).close()
    let child = try ChildProcess(path, job)
    #expect(child.line() == "open 0")
    func open() throws -> Store { try Row.store(path) { $0.isSharedWithOtherProcesses = isShared } }
    if isAdmitted {
      #expect(try open().box(for: Row.self).isEmpty())
    } else {
      #expect {
        _ = try open()
      } throws: { error in
        guard case ObjectBoxError.illegalState(let message) = error else { return false }
        return message.contains("another process")
      }
      // Reading is always allowed.
      #expect(try Row.store(path) { $0.readOnly = true }.box(for: Row.self).isEmpty())
    }
    child.kill()
    #expect(try open().box(for: Row.self).isEmpty())
  }

  @Test func `the files of a store are not removed while another process has it open`() throws {
    let store = try shared()
    let child = try ChildProcess(path, "open-shared")
    #expect(child.line() == "open 0")
    #expect {
      try store.closeAndDeleteAllFiles()
    } throws: { error in
      guard case ObjectBoxError.illegalState(let message) = error else { return false }
      return message.contains("another process")
    }
    #expect(FileManager.default.fileExists(atPath: path))
    child.kill()
    try store.closeAndDeleteAllFiles()
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `a schema is not changed while another process has the store open`() throws {
    let store = try shared()
    try store.box(for: Row.self).put(Row(1))
    let refused = try ChildProcess(path, "open-newer")
    #expect(try #require(refused.line()).hasPrefix("error schema: cannot open store"))
    try store.box(for: Row.self).put(Row(2))
    store.close()
    let admitted = try ChildProcess(path, "open-newer")
    #expect(admitted.line() == "open 2")
  }
}
