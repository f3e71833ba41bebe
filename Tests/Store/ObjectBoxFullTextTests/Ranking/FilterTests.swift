import ObjectBoxFullText
import ObjectBoxStorage
import ObjectBoxTestSupport
import Testing

/// Filters by IDs over runs with several chunks of documents.
struct FilterTests {
  /// IDs: without gaps, with gaps that fit in 2 and in 8 bytes, and parts of each.
  private static func id(_ index: Int, _ gaps: String) -> UInt64 {
    switch gaps {
    case "none": UInt64(index)
    case "small": UInt64(index * 3 + index % 2)
    case "large": UInt64(index) << 30
    default: UInt64(index < 5000 ? index : index * 7)
    }
  }

  @Test(arguments: ["none", "small", "large", "mixed"])
  func `a filter by IDs takes the best of its objects`(gaps: String) throws {
    var random = SplitMix(seed: 3)
    let model = try IndexModel()
    let ids = (1...12_000).map { Self.id($0, gaps) }
    try model.write {
      for id in ids {
        let words = ["often", "half", "seldom"].filter { word in
          let share = word == "often" ? 0.9 : word == "half" ? 0.5 : 0.02
          return Double.random(in: 0..<1, using: &random) < share
        }
        let count = Int.random(in: 0...9, using: &random)
        try model.put(
          id,
          (words + words.prefix(count % 3) + Array(repeating: "x", count: count))
            .joined(separator: " ")
        )
      }
    }
    try model.write { for id in ids where id % 11 == 5 { try model.remove(id) } }
    let transaction = try model.beginRead()
    defer { transaction.abort() }
    let reader = try FullTextReader(model.tables, transaction)
    let words = ["often", "half", "seldom"].map { TextExpression.term($0) }
    for query in words + [.all([words[0], words[1]]), .all(words), .any([words[0], words[1]])] {
      let search = FullTextSearch(query, in: reader)
      let all = try search.hits()
      let part = Int.random(in: 0..<11_000, using: &random)
      for wanted in [
        ids.filter { _ in Int.random(in: 0..<100, using: &random) == 0 },
        Array(ids[part..<part + 300]),
        // One object of a chunk, objects that are not there, and IDs behind the last.
        [ids[0], ids[1] + 1, ids[7000], ids[7000] + 1, ids[11_999], ids[11_999] + 9],
      ] {
        let set = Set(wanted)
        let expected = all.filter { set.contains($0.id) }
        let filter = FullTextFilter(ids: Array(Set(wanted)).sorted())
        #expect(try search.hits(limit: 10, filter: filter) == Array(expected.prefix(10)))
        #expect(try search.ids(filter: filter) == expected.map(\.id).sorted())
      }
    }
    // Looking for few IDs reads few of a common word's blocks.
    let search = FullTextSearch(words[0], in: reader)
    _ = try search.hits(limit: 10, filter: FullTextFilter(ids: Array(ids[4000..<4300])))
    #expect(search.statistics.filteredRuns == 1)
    #expect(search.statistics.readBlocks * 10 < search.statistics.blocks)
  }

  @Test(arguments: 0..<3)
  func `a filter over many runs with dead objects takes the best by score, then by ID`(
    seed: Int
  ) throws {
    var random = SplitMix(seed: seed)
    let model = try IndexModel()
    model.stepSize = 4096
    // Few texts, so that many scores are equal.
    let texts = (0..<12).map { number in
      (["often"] + Array(repeating: "often", count: number % 3)
        + Array(repeating: "x", count: number % 4)).joined(separator: " ")
    }
    var next: UInt64 = 1
    for count in [6000, 40, 1500, 3, 1, 400, 9000] {
      try model.write {
        for _ in 0..<count {
          if Int.random(in: 0..<9, using: &random) > 0 { try model.put(next, random.pick(texts)) }
          next += UInt64(seed == 0 ? 1 : Int.random(in: 1...3, using: &random))
        }
        // Objects of earlier runs.
        for _ in 0..<count / 20 {
          let id = UInt64.random(in: 1..<next, using: &random)
          if model.texts[id] != nil { try model.remove(id) }
        }
      }
    }
    let transaction = try model.beginRead()
    defer { transaction.abort() }
    let reader = try FullTextReader(model.tables, transaction)
    #expect(reader.runs.count > 2)
    let search = FullTextSearch(.term("often"), in: reader)
    let all = try search.hits()
    for share in [2, 10, 100, 1000] {
      let wanted = (1..<next).filter { _ in Int.random(in: 0..<share, using: &random) == 0 }
      let set = Set(wanted)
      let expected = all.filter { set.contains($0.id) }
      for limit in [1, 10, 200] {
        let found = try search.hits(limit: limit, filter: FullTextFilter(ids: wanted))
        #expect(found == Array(expected.prefix(limit)))
      }
      #expect(try search.hits(filter: FullTextFilter(ids: wanted)) == expected)
    }
  }
}
