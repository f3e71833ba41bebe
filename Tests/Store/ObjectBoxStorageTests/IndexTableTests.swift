import ObjectBoxStorage
import ObjectBoxTestSupport
import Testing

/// LMDB of 2019 has bugs in deletes from sorted duplicates.
///
/// These tests check the behavior that we rely on.
struct IndexTableTests {
  private struct Entry: Hashable, Comparable {
    var key: [UInt8]
    var id: UInt64

    static func < (a: Self, b: Self) -> Bool {
      a.key.lexicographicallyPrecedes(b.key) || (a.key == b.key && a.id < b.id)
    }
  }

  private func entries(
    _ table: StorageTable,
    _ transaction: StorageTransaction
  ) throws -> [Entry] {
    let cursor = try transaction.cursor(table)
    var result: [Entry] = []
    var entry = try cursor.firstEntry()
    while let found = entry {
      result.append(Entry(key: Array(found.key), id: found.id))
      entry = try cursor.nextEntry()
    }
    return result
  }

  @Test(arguments: 0..<8)
  func `random inserts and deletes leave what a sorted set would hold`(seed: Int) throws {
    let folder = try TemporaryDirectory()
    let environment = try StorageEnvironment(
      directory: folder.path,
      options: .init(mapSizeInBytes: 64 << 20, maximumTableCount: 4)
    )
    defer { environment.close() }
    var random = SplitMix(seed: seed)
    var expected: Set<Entry> = []
    // A few keys get many duplicates each; many keys get single values.
    let keyCount = [1, 3, 50, 5000][seed % 4]
    let first = try environment.beginWrite()
    let table = try #require(try first.openTable("index", .index, create: true))
    try first.commit()
    for _ in 0..<12 {
      let transaction = try environment.beginWrite()
      var changed = expected
      for _ in 0..<700 {
        let key = Array("key \(Int.random(in: 0..<keyCount, using: &random))".utf8)
        let id = UInt64.random(in: 1...800, using: &random)
        if Int.random(in: 0..<5, using: &random) < 3 {
          // Whether the ID is the last one or not.
          let isLast = Bool.random(using: &random)
          try key.withUnsafeBytes { try transaction.insert(table, key: $0, id: id, isLast: isLast) }
          changed.insert(Entry(key: key, id: id))
        } else {
          let victim = changed.randomElement(using: &random) ?? Entry(key: key, id: id)
          let wasThere = try victim.key.withUnsafeBytes {
            try transaction.delete(table, key: $0, id: victim.id)
          }
          #expect(wasThere == (changed.remove(victim) != nil))
        }
      }
      #expect(try entries(table, transaction) == changed.sorted())
      if Bool.random(using: &random) {
        try transaction.commit()
        expected = changed
      } else {
        transaction.abort()
      }
    }
    let reading = try environment.beginRead()
    #expect(try entries(table, reading) == expected.sorted())
    for (key, group) in Dictionary(grouping: expected, by: \.key) {
      let cursor = try reading.cursor(table)
      let found = try key.withUnsafeBytes { try cursor.find(key: $0) }
      #expect(found?.id == group.map(\.id).min())
      #expect(try cursor.countOfKey() == group.count)
    }
    #expect(try backwardGroups(table, reading) == groups(expected).reversed())
    reading.abort()
  }

  @Test func `an ID is added as the first of its key, or the least holder of the key is returned`()
    throws
  {
    let folder = try TemporaryDirectory()
    let environment = try StorageEnvironment(
      directory: folder.path,
      options: .init(mapSizeInBytes: 64 << 20, maximumTableCount: 4)
    )
    defer { environment.close() }
    let transaction = try environment.beginWrite()
    let table = try #require(try transaction.openTable("index", .index, create: true))
    func insertFirst(_ key: String, _ id: UInt64) throws -> UInt64? {
      try Array(key.utf8).withUnsafeBytes {
        try transaction.insertFirst(table, key: $0, id: id)
      }
    }
    var expected: [Entry] = []
    for number in 0..<2000 as Range<UInt64> {
      let key = "key \(number)"
      #expect(try insertFirst(key, number + 7) == nil)
      #expect(try insertFirst(key, 3) == number + 7)
      expected.append(Entry(key: Array(key.utf8), id: number + 7))
    }
    try Array("key 5".utf8).withUnsafeBytes { try transaction.insert(table, key: $0, id: 4) }
    #expect(try insertFirst("key 5", 1) == 4)
    expected.append(Entry(key: Array("key 5".utf8), id: 4))
    #expect(try entries(table, transaction) == expected.sorted())
    try transaction.commit()
  }

  private func groups(_ entries: Set<Entry>) -> [[Entry]] {
    Dictionary(grouping: entries, by: \.key).values.map { $0.sorted() }.sorted { $0[0] < $1[0] }
  }

  /// The entries by descending key, the IDs of each key ascending.
  private func backwardGroups(
    _ table: StorageTable,
    _ transaction: StorageTransaction
  ) throws -> [[Entry]] {
    let cursor = try transaction.cursor(table)
    var result: [[Entry]] = []
    var entry = try cursor.lastKey()
    while let first = entry {
      let key = Array(first.key)
      var group: [Entry] = []
      var next: StorageCursor.IndexEntry? = first
      while let found = next {
        group.append(Entry(key: key, id: found.id))
        next = try cursor.nextOfKey()
      }
      result.append(group)
      entry = try cursor.previousKey()
    }
    return result
  }
}
