import CObjectBoxPages
import Foundation
import ObjectBoxStorage
import ObjectBoxTestSupport
import Testing

/// The changes between two versions are found by the pages that they do not share.
struct TableChangesTests {
  private let folder: TemporaryDirectory
  private let environment: StorageEnvironment
  private let table: StorageTable

  init() throws {
    folder = try TemporaryDirectory()
    var options = StorageEnvironment.Options(mapSizeInBytes: 64 << 20, maximumTableCount: 4)
    options.isDurable = false
    environment = try StorageEnvironment(directory: folder.path, options: options)
    let transaction = try environment.beginWrite()
    table = try #require(try transaction.openTable("table", .objects, create: true))
    try transaction.commit()
  }

  private func write(_ body: (StorageTransaction) throws -> Void) throws {
    let transaction = try environment.beginWrite()
    try body(transaction)
    try transaction.commit()
  }

  private func put(_ id: UInt64, _ bytes: [UInt8], _ transaction: StorageTransaction) throws {
    try bytes.withUnsafeBytes { try transaction.put(table, id: id, record: $0) }
  }

  private func content(_ transaction: StorageTransaction) throws -> [UInt64: [UInt8]] {
    var content: [UInt64: [UInt8]] = [:]
    let cursor = try transaction.cursor(table)
    var object = try cursor.firstObject()
    while let found = object {
      content[found.id] = Array(found.record)
      object = try cursor.nextObject()
    }
    return content
  }

  /// The changes, found by comparing all objects.
  private func expected(
    _ before: [UInt64: [UInt8]],
    _ after: [UInt64: [UInt8]]
  ) -> [[[UInt8]?]] {
    Set(before.keys).union(after.keys).sorted()
      .map { [withUnsafeBytes(of: $0) { Array($0) }, before[$0], after[$0]] }
      .filter { $0[1] != $0[2] }
  }

  private func found(
    since older: StorageTransaction,
    in newer: StorageTransaction
  ) throws -> [[[UInt8]?]] {
    let changes = try TableChanges(of: table, since: older, in: newer)
    var found: [[[UInt8]?]] = []
    while let change = try changes.next() {
      let id = try #require(change.after?.id ?? change.before?.id)
      if let before = change.before, let after = change.after { #expect(before.id == after.id) }
      found.append([
        withUnsafeBytes(of: id) { Array($0) }, change.before.map { Array($0.record) },
        change.after.map { Array($0.record) },
      ])
    }
    return found
  }

  @Test(arguments: 0..<20)
  func `they are those that comparing all objects gives`(seed: Int) throws {
    var random = SplitMix(seed: seed)
    defer { environment.close() }
    for _ in 0..<6 {
      let older = try environment.beginRead()
      defer { older.abort() }
      let before = try content(older)
      // Many rounds reuse free pages; the older version must keep its pages.
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        let kind = Int.random(in: 0..<10, using: &random)
        let count = random.pick([1, 2, 30, 700])
        try write { transaction in
          if kind == 0 { return try transaction.drop(table, delete: false) }
          let first = UInt64.random(in: 1...2000, using: &random)
          for index in 0..<UInt64(count) {
            let id = kind < 3 ? first + index : UInt64.random(in: 1...2000, using: &random)
            if kind % 3 == 1 {
              _ = try transaction.delete(table, id: id)
            } else {
              let size = random.pick([0, 8, 40, 900, 6000])
              let byte = UInt8.random(in: 0...3, using: &random)
              try put(id, [UInt8](repeating: byte, count: size), transaction)
            }
          }
        }
      }
      let newer = try environment.beginRead()
      defer { newer.abort() }
      let changes = try found(since: older, in: newer)
      let after = try content(newer)
      #expect(changes == expected(before, after))
    }
  }

  @Test func `the pages that both versions have are not opened`() throws {
    defer { environment.close() }
    try write { transaction in
      for id in 1...20_000 { try put(UInt64(id), [UInt8](repeating: 7, count: 60), transaction) }
    }
    try write { try put(9_000, [UInt8](repeating: 8, count: 60), $0) }
    let image = try environment.image()
    let heads = image.heads().compactMap(\.head).sorted { $0.version < $1.version }
    let versions = try heads.map { try image.version($0) }
    let tables = try versions.map { version in
      let table = try Array("table".utf8).withUnsafeBytes { try version.table($0) }
      return PageTable(try #require(table), of: version)
    }
    let changes = try tables[1].changes(since: tables[0])
    #expect(changes.list.count == 1)
    #expect(changes.list.first?.before?.value.first == 7)
    #expect(changes.list.first?.after?.value.first == 8)
    #expect(changes.opened == tables[0].depth + tables[1].depth)
    #expect(tables[0].depth > 2)
  }

  @Test func `a table of an index is refused`() throws {
    defer { environment.close() }
    var index: StorageTable?
    try write { transaction in
      index = try transaction.openTable("index", .index, create: true)
      guard let index else { return }
      try [UInt8](1...3).withUnsafeBytes { try transaction.insert(index, key: $0, id: 1) }
    }
    let read = try environment.beginRead()
    defer { read.abort() }
    let opened = try #require(index)
    #expect(throws: StorageError.self) { try TableChanges(of: opened, since: read, in: read) }
  }
}
