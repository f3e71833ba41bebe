import ObjectBoxFullText
import ObjectBoxStorage
import ObjectBoxTestSupport
import Testing

/// Searches for one word whose postings are in dictionaries.
struct RareWordTests {
  @Test(arguments: [[1], [3, 1]] as [[UInt8]])
  func `a word alone has the hits and scores that it has beside a word of no object`(
    weights: [UInt8]
  ) throws {
    var random = SplitMix(seed: weights.count)
    let model = try IndexModel(FullTextSettings(weights: weights))
    model.stepSize = 4096
    // Runs of several sizes, the last ones young, with objects that were changed and removed.
    for count in [600, 150, 40, 8, 1, 1, 1] {
      try model.write {
        for _ in 0..<count {
          let id = UInt64.random(in: 1...2000, using: &random)
          let text = IndexHistoryTests.text(&random, limit: 30, columns: weights.count)
          try model.put(id, text)
        }
        if count > 10, let id = model.texts.keys.min() { try model.remove(id) }
      }
    }
    let transaction = try model.beginRead()
    defer { transaction.abort() }
    let reader = try FullTextReader(model.tables, transaction)
    #expect(reader.runs.count > 2)
    let words = Set(model.texts.values.lazy.flatMap { $0 }.map(\.word)).sorted()
    #expect(words.count > 100)
    for word in words + ["absent"] {
      let alone = FullTextSearch(.term(word), in: reader)
      let beside = FullTextSearch(.any([.term(word), .term("absent")]), in: reader)
      #expect(try alone.hits() == beside.hits(), "\(word)")
      #expect(try alone.hits(offset: 1, limit: 3) == beside.hits(offset: 1, limit: 3), "\(word)")
      #expect(alone.statistics.runs == reader.runs.count)
      #expect(try alone.hits().count == alone.statistics.scoredObjects)
    }
  }
}
