import ObjectBoxFullText
import ObjectBoxStorage
import ObjectBoxTestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct RankingTests {
  /// An index after a random history: several runs, dead documents and merges.
  private func makeIndex(
    _ queries: inout RandomQueries,
    _ weights: [UInt8]
  ) throws -> (IndexModel, [UInt64: [String]]) {
    let model = try IndexModel(FullTextSettings(weights: weights))
    model.stepSize = 4096
    var objects: [UInt64: [String]] = [:]
    var ids: [UInt64] = []
    for _ in 0..<Int.random(in: 1...TestLength.choose(short: 12, long: 40), using: &queries.random)
    {
      try model.write {
        for _ in 0..<queries.random.pick([1, 3, 30, 200]) {
          let isNew = ids.isEmpty || Int.random(in: 0..<4, using: &queries.random) > 0
          let id =
            isNew
            ? queries.random.pick([
              UInt64(ids.count + 1), .random(in: 1..<1 << 62, using: &queries.random),
            ])
            : queries.random.pick(ids)
          if !isNew, Bool.random(using: &queries.random) {
            if objects.removeValue(forKey: id) != nil { try model.remove(id) }
            continue
          }
          let texts = weights.map { _ in queries.text() }
          try model.put(id, Self.words(texts))
          if objects.updateValue(texts, forKey: id) == nil { ids.append(id) }
        }
      }
    }
    return (model, objects)
  }

  private static func words(_ texts: [String]) -> IndexModel.Text {
    texts.enumerated().flatMap { column, text in
      text.split(separator: " ").enumerated().map {
        (String($0.element), UInt32(column) << 24 + UInt32($0.offset))
      }
    }
  }

  @Test(.tags(.slow), arguments: [[1], [3, 1], [1, 1]] as [[UInt8]], 0..<4)
  func `objects, counts, scores and orders are those of a plain model`(
    weights: [UInt8],
    seed: Int
  ) throws {
    try forEach(TestLength.choose(short: 8, long: 60), weights, seed) { queries, _, objects in
      let plain = ScoreModel(objects, weights: weights)
      return queries.map { plain.hits($0) }
    }
  }

  @Test(
    .tags(.slow),
    .enabled(if: FTS5.isThere, FTS5.reason),
    arguments: [[1], [3, 1], [1, 1]] as [[UInt8]],
    100..<104
  )
  func `objects, counts, scores and orders are those of FTS5`(weights: [UInt8], seed: Int) throws {
    try forEach(TestLength.choose(short: 15, long: 100), weights, seed) { queries, _, objects in
      let answers = try FTS5.answers(queries.map { FTS5.query($0) }, objects, weights: weights)
      return zip(queries, answers).map { query, answer in
        zip(answer.ids, answer.scores).map { id, bits in
          FullTextHit(id: id, score: FTS5.scoresExactly(query) ? Double(bitPattern: bits) : .nan)
        }
      }
    }
  }

  @Test func `hits behind many blocks are those of a plain model`() throws {
    // Words in nearly all, in many and in few objects, with frequencies that differ.
    var random = SplitMix(seed: 5)
    var objects: [UInt64: [String]] = [:]
    let model = try IndexModel()
    try model.write {
      for id in 1...UInt64(TestLength.choose(short: 6000, long: 40000)) {
        var words: [String] = []
        // So that blocks differ in their best postings.
        let most = 1 + Int(id / 300 % 5)
        for (word, share) in [("all", 0.97), ("many", 0.4), ("some", 0.05), ("few", 0.001)] {
          guard Double.random(in: 0..<1, using: &random) < share else { continue }
          words += Array(repeating: word, count: Int.random(in: 1...most, using: &random))
        }
        words += Array(repeating: "filler", count: Int.random(in: 0...6, using: &random))
        words.shuffle(using: &random)
        objects[id] = [words.joined(separator: " ")]
        try model.put(id, Self.words([words.joined(separator: " ")]))
      }
    }
    let plain = ScoreModel(objects, weights: [1])
    let transaction = try model.beginRead()
    defer { transaction.abort() }
    let reader = try FullTextReader(model.tables, transaction)
    let words = ["all", "many", "some", "few"].map { TextExpression.term($0) }
    let phrase = TextExpression.phrase(
      [PhraseWord("many", offset: 0), PhraseWord("all", offset: 1)]
    )
    let queries: [TextExpression] =
      words + [
        .any([words[0], words[3]]), .any([words[0], words[1]]), .any(words),
        .any([words[3], phrase]),
        .all([words[0], words[1]]), .all([words[0], words[1], words[2]]), .all([words[0], phrase]),
        phrase, .excluding(words[0], words[1]), .any([.all([words[0], words[2]]), words[3]]),
      ]
    let ids = objects.keys.sorted()
    for query in queries {
      let search = FullTextSearch(query, in: reader)
      try expectEqual(search, plain.hits(query), ids, &random, FTS5.query(query))
    }
    // The best of a common word are found without a look at most of its blocks.
    let search = FullTextSearch(words[0], in: reader)
    _ = try search.hits(limit: 1)
    #expect(search.statistics.readBlocks < search.statistics.blocks)
  }

  /// Makes an index and queries, and compares its answers with those that a body returns.
  private func forEach(
    _ count: Int,
    _ weights: [UInt8],
    _ seed: Int,
    _ answers: ([TextExpression], IndexModel, [UInt64: [String]]) throws -> [[FullTextHit]]
  ) throws {
    var queries = RandomQueries(
      random: SplitMix(seed: seed * 10 + weights.count + Int(weights[0])),
      columnCount: weights.count
    )
    let (model, objects) = try makeIndex(&queries, weights)
    guard !objects.isEmpty else { return }
    let texts = Array(objects.sorted { $0.key < $1.key }.map(\.value))
    let expressions = (0..<count).map { _ in queries.query(texts) }
    let answers = try answers(expressions, model, objects)
    let transaction = try model.beginRead()
    defer { transaction.abort() }
    let reader = try FullTextReader(model.tables, transaction)
    for (expression, answer) in zip(expressions, answers) {
      let search = FullTextSearch(expression, in: reader)
      let ids = objects.keys.sorted()
      try expectEqual(search, answer, ids, &queries.random, FTS5.query(expression))
    }
  }

  private func expectEqual(
    _ search: FullTextSearch,
    _ expected: [FullTextHit],
    _ all: [UInt64],
    _ random: inout SplitMix,
    _ query: String
  ) throws {
    let comment = Comment(rawValue: query)
    func ranked(_ hits: [FullTextHit]) -> [FullTextHit] {
      hits.sorted { $0.score > $1.score || ($0.score == $1.score && $0.id < $1.id) }
    }
    #expect(try search.count() == expected.count, comment)
    #expect(try search.ids() == expected.map(\.id), comment)
    #expect(try search.hasMatch() == !expected.isEmpty, comment)
    if expected.contains(where: \.score.isNaN) { return }
    #expect(try search.hits() == ranked(expected), comment)
    let (offset, limit) = (random.pick([0, 0, 3]), random.pick([1, 10, 100]))
    #expect(
      try search.hits(offset: offset, limit: limit)
        == Array(ranked(expected).dropFirst(offset).prefix(limit)),
      comment
    )
    // A filter by IDs and by a condition.
    let share = random.pick([0.01, 0.3, 0.9])
    let allowed = all.filter { _ in Double.random(in: 0..<1, using: &random) < share }.sorted()
    let filter = FullTextFilter(
      ids: random.pick([nil, allowed]),
      predicate: random.pick([nil, { $0 % 3 != 0 }])
    )
    let set = filter.ids.map(Set.init)
    let passed = try expected.filter {
      try set?.contains($0.id) ?? true && filter.predicate?($0.id) ?? true
    }
    #expect(
      try search.hits(limit: limit, filter: filter) == Array(ranked(passed).prefix(limit)),
      comment
    )
    #expect(try search.ids(filter: filter) == passed.map(\.id), comment)
    #expect(try search.count(filter: filter) == passed.count, comment)
    let id = random.pick(all)
    #expect(try search.score(of: id) == expected.first { $0.id == id }?.score, comment)
  }
}
