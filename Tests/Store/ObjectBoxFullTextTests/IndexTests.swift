import ObjectBoxFullText
import ObjectBoxStorage
import ObjectBoxTestSupport
import Testing

struct IndexTests {
  @Test func `empty tables have no objects and no faults`() throws {
    let model = try IndexModel()
    let read = try model.beginRead()
    defer { read.abort() }
    let reader = try FullTextReader(model.tables, read)
    #expect(reader.objectCount == 0)
    #expect(reader.averageLength == 0)
    #expect(reader.runs.isEmpty)
    #expect(try FullTextSettings.read(model.tables, read) == nil)
    #expect(FullTextCheck.run(model.tables, read) == [])
  }

  @Test func `an index keeps its settings`() throws {
    let settings = FullTextSettings(k1: 2, b: 0.5, weights: [1, 7], tokenizer: [1, 2, 3])
    let model = try IndexModel(settings)
    try model.write { try model.put(1, "a") }
    try model.damage { transaction, tables in
      let writer = try FullTextWriter(tables, transaction, FullTextSettings())
      #expect(writer.settings == settings)
    }
    let read = try model.beginRead()
    defer { read.abort() }
    #expect(try FullTextSettings.read(model.tables, read) == settings)
    #expect(try FullTextReader(model.tables, read).settings == settings)
  }

  @Test func `empty texts are objects`() throws {
    let model = try IndexModel()
    try model.write {
      for id in 1...10 { try model.put(UInt64(id), "") }
      try model.put(11, "one")
    }
    try model.verify()
    try model.write { for id in 2...11 { try model.remove(UInt64(id)) } }
    try model.verify()
    try model.write { try model.mergeAll() }
    try model.verify()
  }

  @Test func `live bits are cleared together once many objects are removed`() throws {
    let model = try IndexModel()
    // So many that no merge with the runs of the removals writes their run anew.
    try model.write { for id in 1...6000 { try model.put(UInt64(id), "word \(id)") } }
    /// Returns the number of values with live bits.
    func liveBits() throws -> Int {
      let read = try model.beginRead()
      defer { read.abort() }
      let cursor = try read.cursor(model.tables.runs)
      var count = 0
      var row = try cursor.firstRow()
      while let found = row {
        if found.key.count > 4, found.key[4] == UInt8(ascii: "B") { count += 1 }
        row = try cursor.nextRow()
      }
      return count
    }
    for id in 1...64 {
      try model.write { try model.remove(UInt64(id * 9)) }
      #expect(try liveBits() == 0)
    }
    try model.verify()
    try model.write { try model.remove(1) }
    #expect(try liveBits() == 1)
    try model.verify()
    try model.write { for id in 1...60 { try model.put(UInt64(id), "other \(id)") } }
    try model.verify()
    try model.write { try model.mergeAll() }
    try model.verify()
  }

  @Test func `an object that was added in the same transaction can be replaced and removed`() throws
  {
    let model = try IndexModel()
    try model.write {
      try model.put(1, "first")
      try model.put(2, "second")
      try model.put(1, "third")
      try model.remove(2)
      try model.put(2, "fourth")
      try model.remove(2)
    }
    try model.verify()
  }

  @Test func `IDs of any size are found in any order of puts`() throws {
    let model = try IndexModel()
    let ids: [UInt64] = [.max, 0, 1 << 63, 5, 4, 1 << 32, .max - 1, 70_000, 3]
    try model.write { for id in ids { try model.put(id, "word \(id)") } }
    try model.verify()
    try model.write { for id in ids.prefix(4) { try model.put(id, "other word") } }
    try model.write { try model.mergeAll() }
    try model.verify()
    let read = try model.beginRead()
    defer { read.abort() }
    let run = try #require(try FullTextReader(model.tables, read).runs.first)
    for id in ids {
      let ordinal = try run.firstOrdinal(from: id)
      #expect(try run.id(of: ordinal) == id)
    }
    #expect(try run.firstOrdinal(from: 6) == 4)
    #expect(run.idBounds == 0 ... .max)
  }

  @Test func `long terms are cut, and end before a zero byte`() throws {
    let model = try IndexModel()
    let long = String(repeating: "a", count: 300)
    try model.write {
      try model.put(1, [(long, 0), (long + "b", 1), (String(repeating: "a", count: 256), 2)])
      try model.put(2, [(String(repeating: "a", count: 255), 0)])
    }
    try model.verify()
    var tokens = FullTextTokens()
    for word in ["one\0two", "\0", ""] {
      Array(word.utf8).withUnsafeBytes { tokens.append($0, position: 0) }
    }
    #expect(tokens.bytes == Array("one".utf8))
    #expect(tokens.count == 1)
  }

  @Test(.tags(.slow)) func `an object of very many words is held`() throws {
    let model = try IndexModel()
    var random = SplitMix(seed: 1)
    let words = (0..<TestLength.choose(short: 200_000, long: 1_000_000)).map { index in
      ("w\(index % 3 == 0 ? 0 : Int.random(in: 0..<1000, using: &random))", UInt32(index))
    }
    try model.write {
      try model.put(2, words)
      try model.put(1, "w0 w1")
    }
    try model.write { try model.put(3, "w0 w5") }
    try model.write { try model.mergeAll() }
    try model.verify()
    try model.write { try model.remove(2) }
    try model.verify()
  }

  @Test func `a reader keeps its version while runs are merged and removed`() throws {
    let model = try IndexModel()
    model.stepSize = 500
    var random = SplitMix(seed: 3)
    for id in 1...30 {
      try model.write { try model.put(UInt64(id), IndexHistoryTests.text(&random, limit: 40)) }
    }
    let texts = model.texts
    let read = try model.beginRead()
    defer { read.abort() }
    for id in 10...60 {
      try model.write { try model.put(UInt64(id), IndexHistoryTests.text(&random, limit: 40)) }
    }
    try model.write { try model.mergeAll() }
    try model.verify(read, texts)
    try model.verify()
  }

  @Test func `merges and removals leave nothing behind`() throws {
    let model = try IndexModel()
    for id in 1...100 { try model.write { try model.put(UInt64(id), "some words \(id)") } }
    try model.write { for id in 1...100 { try model.remove(UInt64(id)) } }
    try model.write { try model.mergeAll() }
    try model.verify()
    let read = try model.beginRead()
    defer { read.abort() }
    #expect(try read.count(model.tables.runs) == 1, "the header")
    #expect(try read.count(model.tables.state) == 1, "the state")
  }
}
