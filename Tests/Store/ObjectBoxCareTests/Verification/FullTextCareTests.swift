import Foundation
import ObjectBox
import ObjectBoxCare
import ObjectBoxRuntimeTestSupport
import ObjectBoxSearch
import ObjectBoxStorage
import ObjectBoxTestSupport
import Testing

/// Care of stores with full-text indexes.
struct FullTextCareTests {
  private let pages: PageStore
  private static let indexes = PageIndexes(prefixLengths: [2], titleWeight: 2)

  init() throws {
    pages = try PageStore(Self.indexes)
    try pages.box.put((0..<400).map { Page("word\($0 % 7) text\($0)", title: "title\($0 % 3)") })
    for id in [3, 50, 77] as [Id] { try pages.box.remove(id) }
    try pages.box.put(Page("word1 new"))
  }

  private func rows(_ table: String) throws -> [(key: [UInt8], value: [UInt8])] {
    var rows: [(key: [UInt8], value: [UInt8])] = []
    try ChangedFile.change(pages.path) { transaction in
      let table = try #require(try transaction.openTable(table, .plain, create: false))
      let cursor = try transaction.cursor(table)
      var row = try cursor.firstRow()
      while let found = row {
        rows.append(([UInt8](found.key), [UInt8](found.value)))
        row = try cursor.nextRow()
      }
    }
    return rows
  }

  private func put(_ value: [UInt8], for key: [UInt8], in table: String) throws {
    try ChangedFile.change(pages.path) { transaction in
      let table = try #require(try transaction.openTable(table, .plain, create: false))
      try transaction.put(table, key: key, value: value)
    }
  }

  /// Returns what searches find, with their scores.
  private static func found(_ store: Store) throws -> [String] {
    let box = store.box(for: Page.self)
    return try [
      Page.text.matches("word1"), Page.text.matches("text12 OR word3"), Page.text.matches("te*"),
      Page.text.matches("\"word1 text1\""), Page.words.matches("title1 word2"),
      Page.words.matches("title:title2"),
    ].flatMap { condition in
      try box.query { condition }.build().findIdsWithScores().map { "\($0.id) \($0.score)" }
    }
  }

  @Test func `a sound store has no fault, and a posting of another object is one`() throws {
    pages.store.close()
    #expect(try Store.verify(directory: pages.path).faults == [])
    try ChangedFile.changeRecord(pages.path, id: 9) { record in
      // A letter of the text: the record is damaged, and its words are unknown.
      let place = record.indices.first { record[$0...].starts(with: Array("text8".utf8)) }
      if let place { record[place] ^= 1 }
    }
    #expect(try !Store.verify(directory: pages.path).faults.isEmpty)
  }

  @Test func `an index that lacks the words of an object is a fault of the index`() throws {
    pages.store.close()
    let before = try ["f2", "s2"].map { ($0, try rows($0)) }
    let store = try Store(
      model: try PageStore.model(Self.indexes),
      directory: pages.path,
      maxDbSizeInKByte: 500_000
    )
    try store.box(for: Page.self).put(Page("later"))
    store.close()
    try ChangedFile.change(pages.path) { transaction in
      for (name, rows) in before {
        let table = try #require(try transaction.openTable(name, .plain, create: false))
        try transaction.drop(table, delete: false)
        for row in rows { try transaction.put(table, key: row.key, value: row.value) }
      }
    }
    let faults = try Store.verify(directory: pages.path).faults
    #expect(faults.map(\.part) == [.index], "\(faults)")
    #expect(faults.first?.message.contains("the full-text index of 'Page.text'") == true)
  }

  @Test func `a changed byte of an index is told, or does not matter`() throws {
    let whole = try Self.found(pages.store)
    pages.store.close()
    var random = SplitMix(seed: 5)
    var toldCount = 0
    let count = TestLength.choose(short: 20, long: 60)
    for table in ["f2", "f3", "s2", "s3"] {
      let rows = try rows(table)
      for _ in 0..<count {
        let row = try #require(rows.randomElement(using: &random))
        var value = row.value
        let place = Int.random(in: value.indices, using: &random)
        value[place] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &random)
        try put(value, for: row.key, in: table)
        let faults = try Store.verify(directory: pages.path).faults
        if !faults.isEmpty { toldCount += 1 }
        do {
          let store = try Store(
            model: try PageStore.model(Self.indexes),
            directory: pages.path,
            maxDbSizeInKByte: 500_000
          )
          defer { store.close() }
          let found = try Self.found(store)
          #expect(found == whole || !faults.isEmpty, "\(table) \(row.key) byte \(place)")
        } catch is ObjectBoxError {
          #expect(!faults.isEmpty, "\(table) \(row.key) byte \(place)")
        }
        try put(row.value, for: row.key, in: table)
      }
    }
    #expect(toldCount > count)
    #expect(try Store.verify(directory: pages.path).faults == [])
  }

  @Test func `a salvage builds the indexes anew, also of a store whose index is damaged`() throws {
    let whole = try Self.found(pages.store)
    pages.store.close()
    for table in ["f2", "s2"] {
      for row in try rows(table) {
        try put(row.value.map { $0 ^ 0x55 }, for: row.key, in: table)
      }
    }
    #expect(try !Store.verify(directory: pages.path).faults.isEmpty)
    let folder = try TemporaryDirectory()
    let target = folder.path + "/saved"
    let report = try #require(try Store.salvage(directory: pages.path, to: target))
    #expect(report.isWhole, "\(report.findings)")
    #expect(try Store.verify(directory: target).faults == [])
    let saved = try Store(model: try PageStore.model(Self.indexes), directory: target)
    defer { saved.close() }
    #expect(try Self.found(saved) == whole)
  }

  @Test func `compactions and backups have the indexes`() throws {
    let whole = try Self.found(pages.store)
    try pages.store.compact()
    #expect(try Self.found(pages.store) == whole)
    #expect(try pages.faults() == [])
    let folder = try TemporaryDirectory()
    let target = folder.path + "/copy"
    try pages.store.backup(to: target)
    #expect(try Store.verify(directory: target).faults == [])
    let copy = try Store(model: try PageStore.model(Self.indexes), directory: target)
    defer { copy.close() }
    #expect(try Self.found(copy) == whole)
    try copy.box(for: Page.self).put(Page("later"))
    #expect(try copy.box(for: Page.self).fullTextFaults() == [])
  }
}
