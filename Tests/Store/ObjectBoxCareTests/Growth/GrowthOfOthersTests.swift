import Foundation
import ObjectBox
import ObjectBoxCare
import ObjectBoxProcessTestSupport
import ObjectBoxRuntimeTestSupport
import ObjectBoxStorage
import ObjectBoxTestSupport
import Testing

@Suite(.serialized)
struct GrowthOfOthersTests: SharedRows {
  let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  private func grow(by count: Int) throws {
    #expect(try ChildProcess(path, "grow", count).lines() == ["done"])
  }

  @Test
  func `a file that another process makes larger than the limit is read, changed and emptied`()
    throws
  {
    let store = try Row.store(path) {
      $0.isSharedWithOtherProcesses = true
      $0.maxDbSizeInKByte = 200
    }
    let rows = store.box(for: Row.self)
    try rows.put(Row(1))
    try grow(by: 20_000)
    #expect(try store.statistics.pages > 2 * 50)
    #expect(try rows.query { Row.number < 10 }.build().count() == 11)
    #expect(fullMessage { try rows.put((0..<20_000).map { Row(Int64($0)) }) } != nil)
    #expect(try rows.query { Row.number >= 100 }.build().remove(inBatchesOf: 200) == 19_900)
    let row = try #require(try rows.get(1))
    row.number = 7
    try rows.put(row)
    try rows.put((0..<1000).map { Row(Int64(1000 + $0)) })
    #expect(try rows.count() == 1101)
    #expect(try store.verify().faults == [])
    store.close()
    // Opening a store larger than its limit needs no page.
    let again = try Row.store(path) { $0.maxDbSizeInKByte = 200 }
    try again.box(for: Row.self).removeAll()
    #expect(try again.box(for: Row.self).isEmpty())
  }

  @Test(.disabled(if: Sanitizer.isPresent, "a sanitizer takes addresses of its own"))
  func `a store works in a process with few addresses, up to its limit`() throws {
    let child = try ChildProcess(path, "limited", 1000, kilobytesOfAddresses: 1 << 20)
    #expect(child.lines() == ["990", "true", "0", "done"])
    #expect(try Store.verify(directory: path).faults == [])
  }

  @Test func `a map that another process has outgrown is replaced once no transaction is open`()
    throws
  {
    try grow(by: 10)
    var options = StorageEnvironment.Options(mapSizeInBytes: 1 << 18, maximumTableCount: 10)
    options.isShared = true
    let environment = try StorageEnvironment(directory: path, options: options)
    defer { environment.close() }
    func count(_ transaction: StorageTransaction) throws -> Int {
      let table = try #require(try transaction.openTable("e1", .objects, create: false))
      let cursor = try transaction.cursor(table)
      var (count, entry) = (0, try cursor.firstObject())
      while entry != nil { (count, entry) = (count + 1, try cursor.nextObject()) }
      return count
    }
    let kept = try environment.beginRead()
    #expect(try count(kept) == 10)
    kept.reset()
    let held = try environment.beginRead()
    try grow(by: 20_000)
    // The held transaction still shows its version; no other transaction can begin.
    #expect(try count(held) == 10)
    #expect(throws: StorageError.self) { try environment.beginRead() }
    #expect(throws: StorageError.self) { try environment.beginWrite() }
    held.abort()
    try kept.renew()
    #expect(try count(kept) == 20_010)
    kept.abort()
    let writing = try environment.beginWrite()
    #expect(try count(writing) == 20_010)
    try writing.commit()
    let reading = try environment.beginRead()
    #expect(try count(reading) == 20_010)
    reading.abort()
  }

  @Test(arguments: [1 << 54, 1 << 62])
  func `a head that tells more pages than there can be is an error`(lastPage: UInt64) throws {
    try grow(by: 10)
    let file = URL(fileURLWithPath: path + "/data.mdb")
    var bytes = try Data(contentsOf: file)
    let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
    for head in [0, pageSize] {
      // The offset of the last page: after the page header, the magic, version, address and size,
      // and two tables.
      let place = head + 16 + 24 + 2 * 48
      withUnsafeBytes(of: lastPage.littleEndian) {
        bytes.replaceSubrange(place..<place + 8, with: $0)
      }
    }
    try bytes.write(to: file)
    var options = StorageEnvironment.Options(mapSizeInBytes: 1 << 18, maximumTableCount: 10)
    options.isShared = true
    #expect(throws: StorageError.self) {
      let environment = try StorageEnvironment(directory: path, options: options)
      defer { environment.close() }
      try environment.beginRead().abort()
    }
  }
}
