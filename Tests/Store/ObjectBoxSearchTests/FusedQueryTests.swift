import ObjectBox
import ObjectBoxSearch
import Testing

struct FusedQueryTests {
  private let searches: SearchStore
  private var passages: Box<Passage> { searches.passages }

  /// Puts objects; "red" ranks 1 before 2 and 3, which are equal, and these before 4; near are 3, 5, 4, 1.
  init() throws {
    searches = try SearchStore()
    try passages.put([
      Passage("red red", place: [4, 0], stars: 1),
      Passage("red blue", stars: 2),
      Passage("red green", place: [1, 0], stars: 3),
      Passage("red and some more words", place: [3, 0], stars: 4),
      Passage("white", place: [2, 0], stars: 5),
      Passage("black", stars: 6), Passage("grey", stars: 6), Passage("yellow", stars: 6),
      Passage("violet", stars: 6), Passage("orange", stars: 6),
    ])
  }

  private let near = Passage.place.nearestNeighbors(queryVector: [0, 0], maxCount: 100)

  private func words(_ text: String) -> QueryBuilder<Passage> {
    passages.query { Passage.text.matches(text) }
  }

  @Test func `scores are sums of reciprocal ranks, equal scores share the least rank`() throws {
    let found = try words("red").fused(with: near).build().find()
    let expected: [(id: Id, left: Int?, right: Int?)] = [
      (3, 2, 1), (1, 1, 4), (4, 4, 3), (2, 2, nil), (5, nil, 2),
    ]
    #expect(found.map(\.object.id) == expected.map(\.id))
    for (result, expected) in zip(found, expected) {
      #expect(result.left?.rank == expected.left)
      #expect(result.right?.rank == expected.right)
      let parts = [expected.left, expected.right].map { $0.map { 1 / (60 + Double($0)) } ?? 0 }
      #expect(result.score == parts[0] + parts[1])
    }
    #expect(found[0].right?.score == 1)
    let scores = try words("red").build().findIdsWithScores()
    #expect(found[1].left?.score == scores[0].score)
  }

  @Test func `k and the weights decide how ranks count`() throws {
    func ids(k: Double = 60, _ weights: (Double, Double)) throws -> [EntityId<Passage>] {
      try words("red").fused(with: near, k: k, weights: weights).build().findIds()
    }
    #expect(try ids((1, 0)) == [1, 2, 3, 4, 5])
    #expect(try ids((0, 1)) == [3, 5, 4, 1, 2])
    #expect(try ids((0, 0.5)) == [3, 5, 4, 1, 2])
    #expect(try ids(k: 0.1, (1, 1)) == [3, 1, 4, 2, 5])
    #expect(try ids(k: 0.1, (3, 1)) == [1, 3, 2, 4, 5])
  }

  @Test func `equal sums are in the order of IDs`() throws {
    let query = try words("white").fused(with: Passage.text.matches("black")).build()
    let found = try query.find()
    #expect(found.map(\.object.id) == [5, 6])
    #expect(found[0].score == found[1].score)
    let swapped = try words("black").fused(with: Passage.text.matches("white")).build()
    #expect(try swapped.findIds() == [5, 6])
  }

  @Test func `other conditions and links choose the objects of both searches before ranking`()
    throws
  {
    let query = try passages.query { Passage.stars > 2 && Passage.text.matches("red") }
      .fused(with: near).build()
    let found = try query.find()
    #expect(found.map(\.object.id) == [3, 4, 5])
    #expect(found.map(\.left?.rank) == [1, 2, nil])
    #expect(found.map(\.right?.rank) == [1, 3, 2])
    let topic = Topic("colours")
    let linked = try passages.all().filter { [1, 5].contains($0.id) }
    for passage in linked { passage.topic.target = topic }
    try passages.put(linked)
    let narrowed = try words("red").link(Passage.topic) { Topic.name == "colours" }
      .fused(with: near).build()
    #expect(try narrowed.find().map(\.right?.rank) == [2, 1])
    #expect(try narrowed.findIds() == [1, 5])
  }

  @Test func `two searches of a kind can be fused`() throws {
    let ofWords = try words("red blue").fused(with: Passage.text.matches("red OR blue")).build()
    #expect(try ofWords.findIds().first == 2)
    #expect(try ofWords.count() == 4)
    let far = Passage.place.nearestNeighbors(queryVector: [4, 0], maxCount: 1)
    let ofPlaces = try passages.query { near }.fused(with: far).build()
    let found = try ofPlaces.find()
    #expect(found.map(\.object.id) == [1, 3, 5, 4])
    #expect(found.map(\.right?.rank) == [1, nil, nil, nil])
  }

  @Test func `the number of neighbours and the number of candidates limit each search`() throws {
    let two = Passage.place.nearestNeighbors(queryVector: [0, 0], maxCount: 2)
    let query = try words("red").fused(with: two).build()
    #expect(try query.count() == 5)
    #expect(try query.find().compactMap(\.right?.rank).sorted() == [1, 2])
    let one = try words("red").fused(with: near, candidates: 1).build()
    #expect(try one.findIds() == [1, 3])
    #expect(try one.findIds(offset: 1, limit: 5) == [3])
    #expect(try one.count() == 2)
  }

  @Test func `neighbours are searched among the objects with the words, whichever comes first`()
    throws
  {
    let text = Passage.text.matches("red")
    // The nearest of all objects is 5, which lacks the word.
    let near = Passage.place.nearestNeighbors(queryVector: [2.1, 0], maxCount: 1)
    for query in [
      passages.query { text && near }, passages.query { near && text },
      passages.query { Passage.stars > 0 && text && near },
      passages.query { text && (near || Passage.stars == 4) && near },
    ] {
      let built = try query.build()
      #expect(try built.findIds() == [4])
      #expect(try built.findIdsWithScores().map(\.id) == [4])
      #expect(try built.findWithScores(limit: 1).map(\.object.id) == [4])
      #expect(try built.findIdsWithScores(offset: 1).isEmpty)
    }
    let fused = try passages.query { text && near }.fused(with: Passage.text.matches("white"))
      .build()
    #expect(try fused.findIds() == [4, 5])
    let scores = try passages.query { text && near }.build().findIdsWithScores()
    let alone = try passages.query { text && Passage.stars == 4 }.build().findIdsWithScores()
    #expect(scores.map(\.score) == alone.map(\.score))
  }

  @Test func `without a number a search gives four candidates a result, at least a hundred`() throws
  {
    // Shorter texts are better; one on each of the ranks 101 and 201 has another word.
    try passages.put(
      (1...300).map { rank in
        let last = rank % 100 == 1 && rank > 1 ? "rank\(rank)" : "word"
        return Passage("many" + String(repeating: " word", count: rank) + " " + last)
      }
    )
    func rank(_ text: String, limit: Int, candidates: Int? = nil) throws -> Int? {
      let query = try words("many")
        .fused(with: Passage.text.matches(text), weights: (0, 1), candidates: candidates).build()
      // The other search alone decides, so its only result is the first.
      let found = try query.find(limit: limit)
      #expect(found.first?.right?.rank == 1)
      return found.first?.left?.rank
    }
    #expect(try rank("rank101", limit: 25) == nil)
    #expect(try rank("rank101", limit: 26) == 101)
    #expect(try rank("rank101", limit: 1, candidates: 100) == nil)
    #expect(try rank("rank101", limit: 1, candidates: 101) == 101)
    #expect(try rank("rank201", limit: 50) == nil)
    #expect(try rank("rank201", limit: 51) == 201)
    #expect(try rank("rank201", limit: 0) == 201)
    #expect(try rank("rank201", limit: .max) == 201)

    let query = try words("many").fused(with: Passage.text.matches("white"), weights: (1, 0))
      .build()
    // 4 * (200 + 10) candidates, of which there are 300 and one of the other search.
    #expect(try query.find(offset: 200, limit: 10).count == 10)
    #expect(try query.find(offset: 295, limit: 10).count == 6)
  }

  @Test func `pages with the same number of candidates make one list`() throws {
    let query = try words("red OR white").fused(with: near, candidates: 50).build()
    let all = try query.findIds()
    let pages = try [0, 2, 4, 6].flatMap { try query.findIds(offset: $0, limit: 2) }
    #expect(pages == all)
    #expect(throws: ObjectBoxError.self) { try query.findIds(offset: -1, limit: 2) }
    #expect(throws: ObjectBoxError.self) { try query.find(limit: -2) }
    #expect(try query.count() == all.count)
  }

  @Test(
    arguments: [(Double, Double, Double)]([
      (0, 1, 1), (-1, 1, 1), (.nan, 1, 1), (.infinity, 1, 1), (60, 0, 0), (60, -1, 2),
      (60, .nan, 1),
      (60, 1, .infinity),
    ])
  )
  func `numbers out of range are refused`(numbers: (k: Double, Double, Double)) throws {
    let weights = (numbers.1, numbers.2)
    #expect {
      try words("red").fused(with: near, k: numbers.k, weights: weights).build()
    } throws: { error in
      guard case ObjectBoxError.illegalArgument = error else { return false }
      return true
    }
  }

  @Test func `conditions that are no searches are refused with a remedy`() throws {
    func message(_ builder: FusedQueryBuilder<Passage>) -> String {
      do {
        _ = try builder.build()
        return ""
      } catch { return "\(error)" }
    }
    #expect(message(words("red").fused(with: Passage.stars > 3)).contains("not a single search"))
    #expect(
      message(words("red").fused(with: near && Passage.stars > 3)).contains("not a single search")
    )
    #expect(
      message(passages.query { Passage.stars > 3 }.fused(with: near)).contains("has no search")
    )
    #expect(
      message(passages.query { Passage.text.matches("red") || Passage.stars > 3 }.fused(with: near))
        .contains("behind `||`")
    )
    #expect(message(passages.query().fused(with: near)).contains("has no search"))
    #expect(message(words("red").fused(with: near, candidates: 0)).contains("0 candidates"))
    #expect(message(words("\"red").fused(with: near)).contains("quotation mark"))
    let short = Passage.place.nearestNeighbors(queryVector: [0], maxCount: 1)
    #expect(message(words("red").fused(with: short)).contains("1 dimensions"))
  }

  @Test func `both searches see the writes of the open transaction`()
    throws
  {
    let query = try words("red").fused(with: near).build()
    try searches.store.runInTransaction {
      try passages.put(Passage("red red red red", place: [0, 0]))
      let best = try #require(try query.find(limit: 1).first)
      #expect(best.object.id == 11)
      #expect(best.left?.rank == 1 && best.right?.rank == 1)
      try passages.remove(11)
    }
    #expect(try query.findIds().first == 3)
  }

  @Test func `included relations are loaded with the results`() throws {
    let passage = try #require(try passages.get(3))
    passage.topic.target = Topic("green")
    try passages.put(passage)
    let query = try words("red").include(Passage.topic).fused(with: near).build()
    let found = try query.find(limit: 1)
    searches.store.close()
    #expect(found.first?.object.topic.target?.name == "green")
  }

  @Test func `snippets mark the words of both searches`() throws {
    let query = try words("red").fused(with: Passage.text.matches("blue")).build()
    let best = try #require(try query.find(limit: 1).first)
    #expect(
      try best.snippet(of: Passage.text, around: .words(5), marking: ("<b>", "</b>"))
        == "<b>red</b> <b>blue</b>"
    )
    let other = try words("red").fused(with: near).build()
    let last = try #require(try other.find().last)
    #expect(try last.snippet(of: Passage.text, around: .words(5), marking: ("[", "]")) == "white")
  }

  @Test func `explain tells k, the weights, and the plans of both searches`() throws {
    let plan = try passages.query { Passage.text.matches("red") && Passage.stars > 2 }
      .fused(with: near, k: 10, weights: (2, 1), candidates: 7).build().explain()
    #expect(plan.hasPrefix("fused by reciprocal ranks: k 10.0, weights 2.0 and 1.0; 7 candidates"))
    #expect(plan.contains("\nleft: "))
    #expect(plan.contains("\nright: "))
    #expect(plan.contains(#"words: text matches "red""#), "\(plan)")
    #expect(plan.contains("nearest: place is nearest to"), "\(plan)")
  }
}
