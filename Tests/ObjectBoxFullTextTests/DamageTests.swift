import ObjectBoxFullText
import ObjectBoxStorage
import ObjectBoxTestSupport
import Testing

struct DamageTests {
  /// Makes an index with several runs, dead documents with and without live bits, and a merge in progress.
  private func makeModel(weights: [UInt8]) throws -> IndexModel {
    let model = try IndexModel(FullTextSettings(weights: weights))
    model.stepSize = 4000
    var random = SplitMix(seed: 4)
    try model.write {
      for id in 1...600 {
        let text = IndexHistoryTests.text(&random, limit: 20, columns: weights.count)
        try model.put(UInt64(id * 3), text)
      }
    }
    // Enough to clear live bits.
    try model.write { for id in 401...470 { try model.remove(UInt64(id * 3)) } }
    for id in 1...25 {
      try model.write {
        let text = IndexHistoryTests.text(&random, limit: 40, columns: weights.count)
        try model.put(UInt64(id * 5), text)
      }
    }
    try model.verify()
    return model
  }

  private func rows(
    _ transaction: StorageTransaction,
    _ table: StorageTable
  ) throws -> [(key: [UInt8], value: [UInt8])] {
    var rows: [(key: [UInt8], value: [UInt8])] = []
    let cursor = try transaction.cursor(table)
    var row = try cursor.firstRow()
    while let found = row {
      rows.append(([UInt8](found.key), [UInt8](found.value)))
      row = try cursor.nextRow()
    }
    return rows
  }

  /// Reads everything that queries read.
  private func readAll(_ table: StorageTable, _ transaction: StorageTransaction) throws {
    let reader = try FullTextReader(table, transaction)
    for run in reader.runs {
      try run.forEachTerm(startingWith: UnsafeRawBufferPointer(start: nil, count: 0)) { _, cursor in
        var next: UInt32 = 0
        while try cursor.skipBlocks(to: next) {
          try cursor.decode()
          for index in 0..<cursor.blockCount {
            _ = try run.id(of: cursor.ordinals[index])
            _ = try run.length(of: cursor.ordinals[index])
            _ = try cursor.positions(at: index)
          }
          next = cursor.blockLast + 1
        }
      }
      _ = try run.liveBits
    }
  }

  @Test(arguments: [[1], [2, 5]] as [[UInt8]])
  func `damaged bytes are reported, and reading them does no harm`(weights: [UInt8]) throws {
    let model = try makeModel(weights: weights)
    var random = SplitMix(seed: weights.count)
    var reportedCount = 0
    let roundCount = 300
    for round in 0..<roundCount {
      try model.damage { transaction, table in
        let rows = try rows(transaction, table)
        // The state and the header often.
        let row = round % 4 == 0 ? rows[Int.random(in: 0..<2, using: &random)] : random.pick(rows)
        var value = row.value
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          switch Int.random(in: 0..<4, using: &random) {
          case 0: value.removeLast(Int.random(in: 0..<value.count, using: &random))
          case 1: value.append(UInt8.random(in: 0...255, using: &random))
          default:
            let index = Int.random(in: value.indices, using: &random)
            value[index] = UInt8.random(in: 0...255, using: &random)
          }
        }
        try transaction.put(table, key: row.key, value: value)
        let findings = FullTextCheck.run(table, transaction)
        if !findings.isEmpty { reportedCount += 1 }
        do { try readAll(table, transaction) } catch is FullTextError {}
        try transaction.put(table, key: row.key, value: row.value)
      }
    }
    // Some bytes do not matter, such as those of bounds that became greater.
    #expect(reportedCount > roundCount * 3 / 4)
    try model.verify()
  }

  @Test func `a missing value is reported`() throws {
    let model = try makeModel(weights: [1])
    try model.damage { transaction, table in
      for row in try rows(transaction, table) {
        // All documents are live where bits are missing.
        _ = try transaction.delete(table, key: row.key)
        let findings = FullTextCheck.run(table, transaction)
        #expect(!findings.isEmpty, "\(row.key.prefix(9))")
        do { try readAll(table, transaction) } catch is FullTextError {}
        try transaction.put(table, key: row.key, value: row.value)
      }
    }
  }

  @Test func `an index of another format is refused`() throws {
    let model = try makeModel(weights: [1])
    try model.damage { transaction, table in
      let row = try #require(try rows(transaction, table).first)
      try transaction.put(table, key: row.key, value: [2] + row.value.dropFirst())
      #expect(throws: FullTextError.unknownFormat(2)) { try FullTextReader(table, transaction) }
      #expect(FullTextCheck.run(table, transaction) == [.unknownFormat(2)])
    }
  }
}
