import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxSearch
import Testing

struct FullTextQueryTests {
  private let pages: PageStore

  init() throws {
    pages = try PageStore()
    try pages.box.put([
      Page("Swift has structured concurrency, and no data race.", stars: 5),
      Page("A data race in Objective-C; Swift is not concerned.", stars: 3),
      Page("Race your data: concurrent queues", stars: 4),
      Page(nil, stars: 5),
      Page("Zürich, Straße 3.14", stars: 1),
    ])
  }

  @Test func `orders, offsets, limits and property queries work as in other queries`() throws {
    let query = try pages.box.query { Page.text.matches("data") }
      .ordered(by: Page.stars, flags: .descending).build()
    #expect(try query.findIds() == [1, 3, 2])
    #expect(try query.findIds(offset: 1, limit: 1) == [3])
    #expect(try query.property(Page.stars).sum() == 12)
    #expect(try query.findFirst()?.id == 1)
  }

  @Test func `scores are those of BM25, the best first and equal ones by ID`() throws {
    let pages = try PageStore()
    try pages.box.put(["a b", "a", "a", "c d e", "a a c"].map { Page($0) })
    let query = try pages.box.query { Page.text.matches("a") }.build()
    let found = try query.findIdsWithScores()
    // 5 texts of 11 words, 4 with the word: the logarithm would be negative.
    func part(_ frequency: Double, _ length: Double) -> Double {
      1e-6 * (frequency * 2.2) / (frequency + 1.2 * (0.25 + 0.75 * length / (10.0 / 5)))
    }
    #expect(found.map(\.id) == [2, 3, 5, 1])
    for (result, expected) in zip(found, [part(1, 1), part(1, 1), part(2, 3), part(1, 2)]) {
      #expect(abs(result.score - expected) < 1e-12)
    }
    #expect(try query.findIdsWithScores(offset: 1, limit: 2).map(\.id) == [3, 5])
    #expect(try query.findWithScores(limit: 1).first?.object.text == "a")
  }

  @Test func `a fault of the search names its place`() throws {
    #expect {
      try pages.box.query { Page.text.matches("swift \"data") }.build()
    } throws: { error in
      let text = "\(error)"
      return text.contains("'Page.text'") && text.contains("character 7")
        && text.contains("quotation mark is not closed")
    }
    #expect {
      try pages.box.query { Page.text.matches("-swift") }.build()
    } throws: { "\($0)".contains("only excludes words") }
  }

  @Test func `a property without an index says which annotation it needs`() throws {
    #expect {
      try pages.box.query { Page.title.matches("swift") }.build()
    } throws: { "\($0)".contains("'Page.title'") && "\($0)".contains("fulltext") }
  }

  @Test func `a parameter sets another search`() throws {
    let query = try pages.box.query { "words" .= Page.text.matches("swift") }.build()
    query.setParameter("words", to: "queues")
    #expect(try query.findIds() == [3])
    query.setParameter(Page.text, to: "zurich")
    #expect(try query.findIds() == [5])
  }

  @Test func `explain tells the search and how many objects it found`() throws {
    let query = try pages.box.query { Page.text.matches("data") && Page.stars > 3 }.build()
    let plan = try query.explain()
    #expect(plan.contains(#"words: text matches "data"; 3 objects found"#), "\(plan)")
    #expect("\(query)".contains(#"text matches "data""#))
  }

  @Test func `a query that deletes finds by words`() throws {
    #expect(try pages.box.query { Page.text.matches("data") }.build().remove() == 3)
    #expect(try pages.ids(matching: "data") == [])
    #expect(try pages.faults() == [])
  }

  @Test func `an index over several texts weighs them, and finds in one of them by its name`()
    throws
  {
    let pages = try PageStore(PageIndexes(hasText: false, titleWeight: 3))
    try pages.box.put([
      Page("swift swift other words here", title: "Notes"),
      Page("other words here and there", title: "Swift"),
      Page("race", title: "Data"),
    ])
    func ids(_ text: String) throws -> [UInt64] {
      try pages.box.query { Page.words.matches(text) }.build().findIdsWithScores().map(\.id)
    }
    #expect(try ids("swift") == [2, 1])
    #expect(try ids("title:swift") == [2])
    #expect(try ids("text:swift") == [1])
    #expect(try ids("data race") == [3])
    #expect(try ids("\"data race\"") == [])
    // The index of two properties serves each of them.
    #expect(try pages.ids(matching: "swift") == [1])
    #expect(try pages.box.query { Page.title.matches("swift") }.build().findIds() == [2])
  }

  @Test func `beginnings of indexed lengths give the same results`() throws {
    let plain = try PageStore()
    let indexed = try PageStore(PageIndexes(prefixLengths: [2, 3]))
    for pages in [plain, indexed] {
      try pages.box.put(
        ["concord contest", "concert", "cone conc conc", "other"].map { Page($0) }
      )
    }
    for text in ["co*", "con*", "conc*", "c*", "other OR con*", "\"other co\"*"] {
      let results = try [plain, indexed].map { pages in
        try pages.box.query { Page.text.matches(text) }.build().findIdsWithScores()
          .map { "\($0.id) \($0.score)" }
      }
      #expect(results[0] == results[1], "\(text)")
    }
    #expect(try indexed.faults() == [])
  }
}
