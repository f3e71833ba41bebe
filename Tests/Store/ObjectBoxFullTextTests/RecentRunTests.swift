import ObjectBoxFullText
import ObjectBoxStorage
import ObjectBoxTestSupport
import Testing

/// The runs beside the state, which have the words of the last commits.
struct RecentRunTests {
  private func runCount(_ model: IndexModel) throws -> Int {
    let read = try model.beginRead()
    defer { read.abort() }
    return try FullTextReader(model.tables, read).runs.count
  }

  /// Returns the number of values in the table of the runs, of which one is the header.
  private func valueCount(_ model: IndexModel) throws -> Int {
    let read = try model.beginRead()
    defer { read.abort() }
    return try read.count(model.tables.runs)
  }

  @Test func `commits of few words leave the table of the runs as it is`() throws {
    let model = try IndexModel()
    for id in [5, 3, 9, 3, 7] as [UInt64] {
      try model.write { try model.put(id, "word \(id) of \(model.texts.count)") }
      try model.verify()
    }
    try model.write { try model.remove(9) }
    try model.verify()
    #expect(try valueCount(model) == 1)
    #expect(try runCount(model) == 2)
  }

  @Test func `there are few young runs, which share one when there is no other`() throws {
    let model = try IndexModel()
    var counts: [Int] = []
    for id in 1...30 {
      try model.write { try model.put(UInt64(id), "word \(id)") }
      counts.append(try runCount(model))
      #expect(try valueCount(model) == 1)
    }
    try model.verify()
    #expect(counts.prefix(6) == [1, 2, 3, 4, 1, 2])
    #expect(counts.allSatisfy { $0 <= 4 })
  }

  @Test func `words of removed objects leave nothing`() throws {
    let model = try IndexModel()
    try model.write { try model.put(1, "one two") }
    try model.write { try model.put(2, "two three") }
    try model.write { try model.put(1, "four") }
    try model.write { try model.remove(1) }
    try model.verify()
    try model.write { try model.remove(2) }
    try model.verify()
    #expect(try runCount(model) == 0)
  }

  @Test func `a removal alone keeps the dead counts that it needs`() throws {
    let model = try IndexModel()
    try model.write { for id in 1...500 { try model.put(UInt64(id), "word \(id)") } }
    let before = try valueCount(model)
    for id in [100, 200, 300] as [UInt64] {
      try model.write { try model.remove(id) }
      try model.verify()
    }
    #expect(try runCount(model) == 4)
    #expect(try valueCount(model) == before)
    // The same object again, whose dead counts are in a young run.
    try model.write { try model.put(100, "word 100") }
    try model.verify()
  }

  @Test func `what does not fit beside the state becomes a run of its own`() throws {
    let model = try IndexModel()
    var appendedCount = 0
    var last = 1
    for id in 1...60 {
      let words = (0..<30).map { "w\(id * 31 + $0)" }.joined(separator: " ")
      try model.write { try model.put(UInt64(id), words) }
      let count = try valueCount(model)
      if count > last { appendedCount += 1 }
      last = count
    }
    try model.verify()
    // Several commits share a run.
    #expect((3..<25).contains(appendedCount), "\(appendedCount)")
  }

  @Test func `the state and the young run fit in a page`() throws {
    let model = try IndexModel()
    var random = SplitMix(seed: 11)
    for _ in 0..<300 {
      let id = UInt64.random(in: 1...200, using: &random)
      try model.write { try model.put(id, IndexHistoryTests.text(&random, limit: 40)) }
      let read = try model.beginRead()
      defer { read.abort() }
      var size = 0
      let cursor = try read.cursor(model.tables.state)
      var row = try cursor.firstRow()
      while let found = row {
        // LMDB's header and place of a value.
        size += (found.key.count + found.value.count + 1) / 2 * 2 + 10
        row = try cursor.nextRow()
      }
      #expect(size <= 4080)
    }
    try model.verify()
  }

  @Test func `a text that is too large for the young run takes the run with it`() throws {
    let model = try IndexModel()
    try model.write { try model.put(1, "small") }
    try model.write { try model.put(2, (0..<2000).map { "w\($0)" }.joined(separator: " ")) }
    try model.verify()
    #expect(try runCount(model) == 1)
    try model.write { try model.put(3, "small again") }
    try model.verify()
    #expect(try runCount(model) == 2)
  }

  @Test func `beginnings of words are kept without positions`() throws {
    let model = try IndexModel()
    let (tables, settings) = (model.tables, model.settings)
    func tokens(_ word: String) -> FullTextTokens {
      var tokens = FullTextTokens()
      for (place, name) in [word, word].enumerated() {
        Array(name.utf8).withUnsafeBytes { tokens.append($0, position: UInt32(place)) }
        ([FullTextTokens.beginningMark] + name.utf8.prefix(2)).withUnsafeBytes {
          tokens.append(beginning: $0, position: UInt32(place))
        }
      }
      return tokens
    }
    for (id, word) in [(1, "sand"), (2, "sail"), (3, "moss")] {
      try model.damage { transaction, _ in
        let writer = try FullTextWriter(tables, transaction, settings)
        try writer.add(UInt64(id), tokens(word))
        try writer.flush()
      }
    }
    try model.damage { transaction, _ in
      let writer = try FullTextWriter(tables, transaction, settings)
      #expect(try writer.remove(2, tokens("sail")))
      try writer.mergeAll()
      #expect(FullTextCheck.run(tables, transaction) == [])
      let reader = try FullTextReader(tables, transaction)
      let run = try #require(reader.runs.first)
      var found: [String: Int] = [:]
      let all = UnsafeRawBufferPointer(start: nil, count: 0)
      try run.forEachTerm(startingWith: all) { term, cursor in
        found[String(decoding: term.drop { $0 < 32 }, as: UTF8.self)] = cursor.count
        try cursor.decode()
        #expect(cursor.frequencies[0] == 2)
        #expect(cursor.hasPositions == (term.first != FullTextTokens.beginningMark))
      }
      #expect(found == ["sand": 1, "sa": 1, "moss": 1, "mo": 1])
    }
  }

  @Test(arguments: [1, 60, 200])
  func `a term of the young run and of many new objects has all of them`(count: Int) throws {
    for weights in [[1], [3]] as [[UInt8]] {
      let model = try IndexModel(FullTextSettings(weights: weights))
      try model.write {
        for id in [40, 50, 60, 70] as [UInt64] { try model.put(id, "old both \(id)") }
      }
      // Before, between and behind the objects of the young run, one of which is replaced.
      let ids = (1...count).map { UInt64($0) * 3 } + [50]
      try model.write {
        try model.remove(70)
        for id in ids.reversed() { try model.put(id, "new both both \(id)") }
      }
      try model.verify()
      try model.write { try model.put(41, "both") }
      try model.verify()
    }
  }

  @Test(arguments: [40, 60, 62, 63, 64, 65, 66, 80])
  func `postings that fit in an entry of each commit but not together are kept`(count: Int) throws {
    let model = try IndexModel()
    // Positions of two bytes.
    func text(_ id: Int) -> IndexModel.Text { [("both", 200 + UInt32(id))] }
    try model.write { for id in 1...count { try model.put(UInt64(id * 2), text(id)) } }
    try model.write { for id in 1...count { try model.put(UInt64(id * 2 + 1), text(id)) } }
    try model.verify()
    try model.write { for id in 1...10 { try model.remove(UInt64(id)) } }
    try model.verify()
    try model.write { try model.mergeAll() }
    try model.verify()
  }

  @Test func `postings that outgrow an entry in the order of IDs leave the young run`() throws {
    let model = try IndexModel()
    // 78 postings of 5 bytes fit in an entry just so; three of them need a byte more in the order of
    // IDs, because 64 objects without words are before them.
    let ids = (1000..<1075).map { UInt64($0) } + [2000, 3000, 4000]
    try model.write {
      for id in ids { try model.put(id, [("far", 3_000_000)]) }
      for start in [1500, 2500, 3500] {
        for id in start..<start + 64 { try model.put(UInt64(id), []) }
      }
    }
    try model.verify()
    try model.write { try model.put(1, "next") }
    try model.verify()
  }

  @Test func `an object of the young run can be replaced repeatedly in a transaction`() throws {
    let model = try IndexModel()
    try model.write { for id in 1...5 { try model.put(UInt64(id), "first \(id)") } }
    try model.write {
      for round in 1...3 { for id in [2, 4] as [UInt64] { try model.put(id, "round \(round)") } }
      try model.remove(5)
    }
    try model.verify()
    #expect(try runCount(model) == 4)
    #expect(try valueCount(model) == 1)
    try model.write {
      for id in 1...4 { try model.remove(UInt64(id)) }
      try model.flush()
      try model.put(3, "last")
    }
    try model.verify()
    #expect(try runCount(model) == 1)
    #expect(try valueCount(model) == 1)
  }

  @Test func `a transaction that ends without a commit leaves nothing to the next one`() throws {
    let model = try IndexModel()
    try model.write { try model.put(1, "one two") }
    for undone in ["three", "four"] {
      try model.begin()
      try model.put(2, undone)
      try model.flush()
      try model.abort()
      try model.write { try model.put(3, "after \(undone)") }
      try model.verify()
    }
    // Another writer, which leaves nothing.
    try model.damage { transaction, tables in
      let writer = try FullTextWriter(tables, transaction, model.settings)
      var tokens = FullTextTokens()
      Array("two".utf8).withUnsafeBytes { tokens.append($0, position: 0) }
      try writer.add(9, tokens)
      _ = try writer.remove(9, tokens)
      try writer.flush()
    }
    try model.write { try model.remove(1) }
    try model.verify()
  }

  @Test func `a young run whose terms do not ascend is not gathered`() throws {
    let model = try IndexModel()
    try model.write { try model.put(1, "amber basil") }
    try model.tryDamage { transaction, tables in
      let table = tables.state
      let cursor = try transaction.cursor(table)
      var row = try cursor.firstRow()
      while let found = row, !found.key.starts(with: [0, 0, 0, 0, UInt8(ascii: "T")]) {
        row = try cursor.nextRow()
      }
      let block = try #require(row)
      let key = [UInt8](block.key)
      var value = [UInt8](block.value)
      let place = try #require(value.firstRange(of: Array("basil".utf8)))
      value.replaceSubrange(place, with: Array("ABOVE".utf8))
      try key.withUnsafeBytes { key in
        try value.withUnsafeBytes {
          try transaction.writeCursor(table).put(key: key, value: $0)
        }
      }
      let writer = try FullTextWriter(tables, transaction, model.settings)
      #expect(throws: FullTextError.self) { try writer.mergeAll() }
    }
    try model.verify()
  }
}
