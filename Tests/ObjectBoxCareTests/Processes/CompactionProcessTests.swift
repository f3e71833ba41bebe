import Foundation
import ObjectBox
import ObjectBoxCare
import ObjectBoxLive
import ObjectBoxProcessTestSupport
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// Several processes on a store whose file is replaced.
@Suite(.serialized)
struct CompactionProcessTests: SharedRows {
  let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  /// Holds the rows of a writer to what it told: the last fifty and at most one more.
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

  @Test(.tags(.slow))
  func `two processes write while a third compacts in a loop, and nothing is lost`() throws {
    try shared().box(for: Row.self).put(Row(0))
    let writers = try (1...2).map { try ChildProcess(path, "churn", $0) }
    var told = try writers.map { [try #require($0.line())] }
    let compactor = try ChildProcess(path, "compact", 60)
    #expect(compactor.line() == "open")
    #expect(compactor.lines().count == 61)
    for (index, writer) in writers.enumerated() {
      writer.kill()
      told[index] += writer.lines()
      #expect(told[index].count > 1)
    }
    let store = try Row.store(path)
    var ids: Set<Id> = []
    for index in 0..<2 { try check(store, writer: Int64(index + 1), told: told[index], &ids) }
    #expect(try store.verify().faults == [])
  }

  @Test(.tags(.slow))
  func `compactions that are killed at any time lose nothing`() throws {
    var random = SplitMix(seed: 71)
    let store = try shared()
    let rows = store.box(for: Row.self)
    try rows.put((0..<3000).map { Row(Int64($0)) })
    for round in 0..<20 {
      let compactor = try ChildProcess(path, "compact", 1_000_000)
      #expect(compactor.line() == "open")
      // So that there is something to leave out, and the file has more than one commit.
      try rows.remove(try rows.all().suffix(20))
      usleep(UInt32.random(in: 0...20000, using: &random))
      compactor.kill()
      try rows.put((0..<20).map { Row(Int64($0)) })
      #expect(try rows.count() == 3000)
      if round.isMultiple(of: 5) { #expect(try store.verify().faults == []) }
    }
    let newest = try #require(try rows.all().map(\.id).max())
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

  @Test func `a process that only reads follows, and so does one that waits`() throws {
    let store = try shared()
    try store.box(for: Row.self).put((0..<100).map { Row(Int64($0)) })
    #expect(try store.box(for: Row.self).count() == 100)
    let compactor = try ChildProcess(path, "compact", 3)
    #expect(compactor.lines().last == "done")
    let writer = try ChildProcess(path, "put", 10)
    #expect(writer.lines().last == "done")
    #expect(try store.box(for: Row.self).count() == 110)
    #expect(try store.compact() != nil)
    #expect(try store.box(for: Row.self).put(Row(7)).value > 110)
    #expect(try store.verify().faults == [])
  }

  @Test func `a read-only store reads on while other processes compact the file and write to it`()
    throws
  {
    let store = try shared()
    try store.box(for: Row.self).put((0..<100).map { Row(Int64($0)) })
    store.close()
    let reader = try Row.store(path) { $0.readOnly = true }
    let rows = reader.box(for: Row.self)
    let query = try rows.query { Row.number < 5 }.build()
    #expect(try rows.count() == 100)
    let snapshot = try reader.freeze()
    #expect(try ChildProcess(path, "compact", 3).lines().last == "done")
    #expect(try rows.count() == 100)
    #expect(try ChildProcess(path, "put", 10).lines().last == "done")
    #expect(try rows.count() == 110)
    #expect(try query.count() == 10)
    #expect(try ChildProcess(path, "compact", 1).lines().last == "done")
    #expect(try rows.all().count == 110)
    #expect(try snapshot.count(Row.self) == 100)
    #expect(throws: ObjectBoxError.self) { try rows.put(Row(1)) }
    #expect(try reader.verify().faults == [])
  }

  @Test func `a store that another process replaced and has alone is refused, and lost nothing`()
    throws
  {
    let store = try shared()
    try store.box(for: Row.self).put(Row(1))
    #expect(try ChildProcess(path, "compact", 1).lines().last == "done")
    // This process has locked the former file only.
    let alone = try ChildProcess(path, "open")
    #expect(alone.line() == "open 1")
    #expect(throws: ObjectBoxError.self) { try store.box(for: Row.self).put(Row(2)) }
    alone.kill()
    try store.box(for: Row.self).put(Row(3))
    #expect(try store.box(for: Row.self).all().map(\.number) == [1, 3])
  }
}
