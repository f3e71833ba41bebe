import Foundation
import ObjectBox
import ObjectBoxCare
import ObjectBoxLive
import ObjectBoxProcessTestSupport
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// Compactions of a store that other processes have open, and compactions that are killed.
@Suite(.serialized)
struct CompactionProcessTests: SharedRows {
  let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  /// Compares the rows of a writer with its reports: the last fifty rows, and at most one later
  /// row.
  private func check(_ store: Store, writer: Int64, told lines: [String], _ ids: inout Set<Id>)
    throws
  {
    var last: Int64 = 0
    for line in lines {
      let words = line.split(separator: " ").compactMap { Int64($0) }
      guard words.count == 2 else {
        Issue.record("\(line)")
        continue
      }
      #expect(words[0] == last + 1)
      last = words[0]
      #expect(ids.insert(Id(words[1])).inserted, "the ID \(words[1]) was given twice")
    }
    let own = try store.box(for: Row.self).all().map(\.number)
      .filter { $0 >> 32 == writer }.map { $0 & 0xffff_ffff }.sorted()
    let newest = try #require(own.last)
    #expect(newest == last || newest == last + 1)
    #expect(own == Array(max(1, newest - 49)...newest))
  }

  /// The text of the refusal.
  private func refusal(_ store: Store) -> String {
    do {
      try store.compact()
      return ""
    } catch ObjectBoxError.illegalState(let message) {
      return message
    } catch { return "another error: \(error)" }
  }

  @Test(.tags(.slow))
  func `while two processes write a third one compacts nothing, and nothing is lost`() throws {
    try shared().box(for: Row.self).put(Row(0))
    let writers = try (1...2).map { try ChildProcess(path, "churn", $0) }
    var told = try writers.map { [try #require($0.line())] }
    let compactor = try ChildProcess(path, "compact", 60)
    #expect(compactor.line() == "open")
    let answers = compactor.lines()
    #expect(answers.count == 61 && answers.last == "done")
    let isRefusal = { (line: String) in
      writers.contains { line.contains("process \($0.processID) has it open") }
    }
    #expect(answers.dropLast().allSatisfy(isRefusal), "\(answers)")
    for (index, writer) in writers.enumerated() {
      // On a busy machine a writer's second commit may come after all attempts.
      told[index].append(try #require(writer.line()))
      writer.kill()
      told[index] += writer.lines()
    }
    let store = try Row.store(path)
    var ids: Set<Id> = []
    for index in 0..<2 { try check(store, writer: Int64(index + 1), told: told[index], &ids) }
    let report = try #require(try store.compact())
    #expect(report.bytesAfter < report.bytesBefore)
    #expect(try store.verify().faults == [])
  }

  @Test(.tags(.slow))
  func `compactions that are killed at any time lose nothing`() throws {
    var random = SplitMix(seed: 71)
    var store = try shared()
    try store.box(for: Row.self).put((0..<3000).map { Row(Int64($0)) })
    for round in 0..<20 {
      let rows = store.box(for: Row.self)
      // Makes garbage to leave out, and several commits.
      try rows.remove(try rows.all().suffix(20))
      try rows.put((0..<20).map { Row(Int64($0)) })
      store.close()
      let compactor = try ChildProcess(path, "compact", 1_000_000)
      #expect(compactor.line() == "open")
      usleep(UInt32.random(in: 0...20000, using: &random))
      compactor.kill()
      store = try shared()
      #expect(try store.box(for: Row.self).count() == 3000)
      if round.isMultiple(of: 5) { #expect(try store.verify().faults == []) }
    }
    let newest = try #require(try store.box(for: Row.self).all().map(\.id).max())
    store.close()
    let again = try Row.store(path)
    #expect(try again.box(for: Row.self).count() == 3000)
    #expect(try again.box(for: Row.self).put(Row(1)).value == newest + 1)
    #expect(try again.verify().faults == [])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: path).sorted() == [
        "data.mdb", "lock.mdb",
      ]
    )
  }

  @Test(arguments: ["open-shared", "open-read-only", "read"])
  func `while another process has the store open, the refusal names it`(job: String) throws {
    let store = try shared()
    let rows = store.box(for: Row.self)
    try rows.put((0..<100).map { Row(Int64($0)) })
    let snapshot = try store.freeze()
    let other = try ChildProcess(path, job)
    _ = other.line()
    let message = refusal(store)
    for part in [path, "process \(other.processID) has it open", "close it there"] {
      #expect(message.contains(part), "\(message)")
    }
    #expect(try rows.put(Row(7)).value == 101)
    #expect(try snapshot.count(Row.self) == 100)
    other.kill()
    #expect(refusal(store) == "")
    #expect(try rows.put(Row(8)).value == 102)
    #expect(try ChildProcess(path, "put", 10).lines().last == "done")
    #expect(try rows.count() == 112)
    #expect(try store.verify().faults == [])
  }

  @Test func `a program that uses LMDB without this library is named as well`() throws {
    let store = try Row.store(path)
    let rows = store.box(for: Row.self)
    try rows.put((0..<100).map { Row(Int64($0)) })
    let other = try ChildProcess(path, "lock")
    #expect(other.line() == "locked")
    #expect(refusal(store).contains("process \(other.processID) has it open"))
    other.kill()
    #expect(refusal(store) == "")
    #expect(try rows.count() == 100)
  }

  @Test func `a store that another process has open alone is not opened, and the error names it`()
    throws
  {
    let other = try ChildProcess(path, "open")
    #expect(other.line() == "open 0")
    do {
      _ = try shared()
      Issue.record("it was opened")
    } catch ObjectBoxError.illegalState(let message) {
      #expect(message.contains("process \(other.processID) has it open for writing"))
    }
  }

  @Test func `processes that open the store during compactions wait, and find everything`() throws {
    let store = try shared()
    let rows = store.box(for: Row.self)
    try rows.put((0..<100).map { Row(Int64($0)) })
    let writers = try (0..<3).map { _ in try ChildProcess(path, "put", 5) }
    for _ in 0..<50 { _ = refusal(store) }
    for writer in writers { #expect(writer.lines().last == "done") }
    #expect(refusal(store) == "")
    #expect(try rows.count() == 115)
    #expect(try store.verify().faults == [])
  }

  @Test func `a shared store whose file was replaced by hand writes nothing to the former one`()
    throws
  {
    let store = try shared()
    let rows = store.box(for: Row.self)
    try rows.put(Row(1))
    let copy = folder.path + "/copy"
    try store.backup(to: copy)
    #expect(rename(copy + "/data.mdb", path + "/data.mdb") == 0)
    do {
      try rows.put(Row(2))
      Issue.record("it was written")
    } catch ObjectBoxError.illegalState(let message) {
      #expect(message.contains("replaced by another one") && message.contains("open it again"))
    }
    #expect(refusal(store).contains("replaced by another one"))
    store.close()
    let again = try shared()
    #expect(try again.box(for: Row.self).all().map(\.number) == [1])
  }
}
