import CObjectBoxFullText
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

  private struct Row {
    var table: StorageTable
    var key: [UInt8]
    var value: [UInt8]
  }

  private func rows(
    _ transaction: StorageTransaction,
    _ tables: FullTextTables
  ) throws -> [Row] {
    var rows: [Row] = []
    for table in [tables.state, tables.runs] {
      let cursor = try transaction.cursor(table)
      var row = try cursor.firstRow()
      while let found = row {
        rows.append(Row(table: table, key: [UInt8](found.key), value: [UInt8](found.value)))
        row = try cursor.nextRow()
      }
    }
    return rows
  }

  /// Reads everything that queries read.
  private func readAll(_ tables: FullTextTables, _ transaction: StorageTransaction) throws {
    let reader = try FullTextReader(tables, transaction)
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
    for word in 0..<100 { _ = try FullTextSearch(.term("w\(word)"), in: reader).hits(limit: 5) }
    // Common words, whose blocks are searched without unpacking them.
    let filter = FullTextFilter(ids: (0..<1800).filter { $0 % 7 == 0 })
    for word in ["w0", "w1", "w2"] {
      _ = try FullTextSearch(.term(word), in: reader).hits(limit: 5, filter: filter)
    }
  }

  @Test(arguments: [[1], [2, 5]] as [[UInt8]])
  func `damaged bytes are reported, and reading them does no harm`(weights: [UInt8]) throws {
    let model = try makeModel(weights: weights)
    var random = SplitMix(seed: weights.count)
    var reportedCount = 0
    let roundCount = TestLength.choose(short: 100, long: 300)
    for round in 0..<roundCount {
      try model.damage { transaction, tables in
        let rows = try rows(transaction, tables)
        // The state, the young run and the header often.
        let often = rows.filter { $0.key.starts(with: [0, 0, 0, 0]) }
        let row = random.pick(round % 4 == 0 ? often : rows)
        let value = damaged(row.value, &random)
        try transaction.put(row.table, key: row.key, value: value)
        let findings = FullTextCheck.run(tables, transaction)
        if !findings.isEmpty { reportedCount += 1 }
        do { try readAll(tables, transaction) } catch is FullTextError {}
        try transaction.put(row.table, key: row.key, value: row.value)
      }
    }
    // Some bytes do not matter, such as those of bounds that became greater.
    #expect(reportedCount > roundCount * 3 / 4)
    try model.verify()
  }

  @Test(arguments: [[1], [2, 5]] as [[UInt8]])
  func `writes and merges of a damaged index fail at most`(weights: [UInt8]) throws {
    let model = try makeModel(weights: weights)
    var random = SplitMix(seed: 70 + weights.count)
    var failureCount = 0
    let roundCount = TestLength.choose(short: 60, long: 200)
    for _ in 0..<roundCount {
      try model.tryDamage { transaction, tables in
        let row = random.pick(try rows(transaction, tables))
        try transaction.put(row.table, key: row.key, value: damaged(row.value, &random))
        do {
          for step in 0..<3 {
            let writer = try FullTextWriter(tables, transaction, model.settings, stepSize: 4000)
            for id in 1...20 {
              let text = IndexHistoryTests.text(&random, limit: 40, columns: weights.count)
              let tokens = IndexModel.tokens(text)
              _ = try writer.remove(UInt64(id * 15), tokens)
              try writer.add(UInt64(10_000 + step * 20 + id), tokens)
            }
            try writer.flush()
            if step == 1 { try writer.mergeAll() }
          }
        } catch is FullTextError { failureCount += 1 }
      }
    }
    #expect(failureCount > roundCount / 10)
    try model.verify()
  }

  private func damaged(_ value: [UInt8], _ random: inout SplitMix) -> [UInt8] {
    var value = value
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: value.removeLast(Int.random(in: 0..<max(1, value.count), using: &random))
      case 1: value.append(UInt8.random(in: 0...255, using: &random))
      default:
        if value.isEmpty { continue }
        let index = Int.random(in: value.indices, using: &random)
        value[index] = UInt8.random(in: 0...255, using: &random)
      }
    }
    return value
  }

  @Test func `an entry without bytes of postings, or with a dead count too large, is damaged`() {
    let term: [UInt8] = [0, 1, UInt8(ascii: "a")]
    let withoutBytes = term + [UInt8(OBX_ENTRY_INLINE), 255, 200, 1, 0]
    let withDeadCount =
      term + [UInt8(OBX_ENTRY_DEAD | OBX_ENTRY_EMPTY)] + Array(repeating: 0xff, count: 9) + [1]
    var entry = obx_entry()
    for block in [withoutBytes, withDeadCount] {
      #expect(obx_dictionary_find(block, block.count, [97], 1, &entry) == OBX_TERM_DAMAGED)
    }
  }

  @Test(arguments: [0, 1])
  func `a state with more objects or words than an index can have is damaged`(
    place: Int
  ) throws {
    let model = try IndexModel()
    try model.write { for id in 1...3 { try model.put(UInt64(id), "one two") } }
    try model.damage { transaction, tables in
      let row = try #require(
        try rows(transaction, tables).first { $0.key.count > 4 && $0.key[4] == UInt8(ascii: "S") }
      )
      // Both numbers take a byte.
      var value = row.value
      value.replaceSubrange(place...place, with: Array(repeating: 0xff, count: 8) + [0x7f])
      try transaction.put(row.table, key: row.key, value: value)
      #expect(throws: FullTextError.self) { try FullTextReader(tables, transaction) }
      try transaction.put(row.table, key: row.key, value: row.value)
    }
  }

  @Test func `a missing value is reported`() throws {
    let model = try makeModel(weights: [1])
    try model.damage { transaction, tables in
      for row in try rows(transaction, tables) {
        // All documents are live where bits are missing.
        _ = try transaction.delete(row.table, key: row.key)
        let findings = FullTextCheck.run(tables, transaction)
        #expect(!findings.isEmpty, "\(row.key.prefix(9))")
        do { try readAll(tables, transaction) } catch is FullTextError {}
        try transaction.put(row.table, key: row.key, value: row.value)
      }
    }
  }

  @Test func `the caller names the terms of findings, which may be secret`() throws {
    let model = try makeModel(weights: [1])
    try model.damage { transaction, tables in
      var row = try #require(
        try rows(transaction, tables).first { $0.key.count > 4 && $0.key[4] == UInt8(ascii: "B") }
      )
      // Eight removed documents are live again, and eight others are removed.
      let removed = try #require(row.value.firstIndex(of: 0))
      row.value.swapAt(removed, try #require(row.value[..<removed].lastIndex(of: 0xff)))
      try transaction.put(row.table, key: row.key, value: row.value)
      let terms = FullTextCheck.run(tables, transaction).map { "\($0)" }
      #expect(terms.contains { $0.contains("the count of the term ") })
      let named = FullTextCheck.run(tables, transaction) { _ in "a term" }.map { "\($0)" }
      #expect(named.contains { $0.contains("the count of a term is off") })
      #expect(!named.contains { $0.contains("the term ") })
    }
  }

  @Test func `an index of another format is refused`() throws {
    let model = try makeModel(weights: [1])
    try model.damage { transaction, tables in
      let row = try #require(
        try rows(transaction, tables).first { $0.key.count > 4 && $0.key[4] == UInt8(ascii: "H") }
      )
      for format: UInt8 in [2, 4] {
        let error = FullTextError.unknownFormat(UInt32(format))
        try transaction.put(row.table, key: row.key, value: [format] + row.value.dropFirst())
        #expect(throws: error) { try FullTextReader(tables, transaction) }
        #expect(FullTextCheck.run(tables, transaction) == [error])
      }
    }
  }
}
