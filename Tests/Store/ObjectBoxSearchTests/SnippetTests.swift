import ObjectBox
import ObjectBoxSearch
import Testing

struct SnippetTests {
  private let searches: SearchStore
  private var passages: Box<Passage> { searches.passages }

  init() throws {
    searches = try SearchStore()
    try passages.put([
      Passage("one two three four five a data race six seven eight nine ten", title: "Races"),
      Passage("data alone", title: "Data"),
      Passage(nil, title: "Nothing"),
    ])
  }

  private func found(_ text: String) throws -> [ObjectWithScore<Passage>] {
    try passages.query { Passage.text.matches(text) }.build().findWithScores()
  }

  @Test func `a snippet shows the words around the matches, with marks`() throws {
    let result = try #require(try found("\"data race\"").first)
    let snippet = try result.snippet(of: Passage.text, around: .words(4), marking: ("[", "]"))
    #expect(snippet == "…a [data race] six…")
  }

  @Test func `a beginning marks the words with it, also one that the index has as a term`() throws {
    let result = try #require(try found("\"a data rac\"*").first)
    let snippet = try result.snippet(of: Passage.text, around: .words(3), marking: ("[", "]"))
    #expect(snippet == "…[a data race]…")
    let single = try #require(try found("rac*").first)
    #expect(
      try single.snippet(of: Passage.text, around: .words(1), marking: ("[", "]")) == "…[race]…"
    )
  }

  @Test func `a length below one word is one word`() throws {
    let result = try #require(try found("six").first)
    let snippet = try result.snippet(of: Passage.text, around: .words(-3), marking: ("[", "]"))
    #expect(snippet == "…[six]…")
  }

  @Test func `a property in which the query did not search has no marks`() throws {
    let result = try #require(try found("data -six").first)
    #expect(try result.snippet(of: Passage.title, around: .words(3), marking: ("[", "]")) == "Data")
    #expect(
      try result.snippet(of: Passage.text, around: .words(1), marking: ("[", "]")) == "[data]…"
    )
  }

  @Test func `a query without words gives the first words, and a null text an empty snippet`()
    throws
  {
    let objects = try passages.all()
    for object in objects { object.place = [Float(object.id), 0] }
    try passages.put(objects)
    let results = try passages.query {
      Passage.place.nearestNeighbors(queryVector: [0, 0], maxCount: 3)
    }.build().findWithScores()
    let snippets = try results.map {
      try $0.snippet(of: Passage.text, around: .words(2), marking: ("[", "]"))
    }
    #expect(snippets == ["one two…", "data alone", ""])
  }

  @Test func `the present value is shown, stored or not`() throws {
    let result = try #require(try found("alone").first)
    result.object.text = "not alone any more"
    #expect(
      try result.snippet(of: Passage.text, around: .words(2), marking: ("[", "]")) == "not [alone]…"
    )
    searches.store.close()
    #expect(
      try result.snippet(of: Passage.text, around: .words(2), marking: ("[", "]")) == "not [alone]…"
    )
  }

  @Test func `all searches of a query in the index are marked`() throws {
    let query = passages.query { Passage.text.matches("two") && Passage.text.matches("four") }
    let result = try #require(try query.build().findWithScores().first)
    #expect(
      try result.snippet(of: Passage.text, around: .words(3), marking: ("[", "]"))
        == "…[two] three [four]…"
    )
  }

  @Test func `a relation to a stored object does not matter, and a new target is not put`() throws {
    let topics = searches.store.box(for: Topic.self)
    let stored = Topic("stored")
    try topics.put(stored)
    let result = try #require(try found("alone").first)
    func snippet() throws -> String {
      try result.snippet(of: Passage.text, around: .words(2), marking: ("", ""))
    }
    result.object.topic.target = stored
    #expect(try snippet() == "data alone")
    result.object.topic.target = Topic("new")
    let isPutFirst = { (error: any Error) in
      guard case ObjectBoxError.illegalState(let message) = error else { return false }
      return message.contains("put the object first")
    }
    #expect(performing: snippet, throws: isPutFirst)
    try searches.store.runInTransaction {
      #expect(performing: snippet, throws: isPutFirst)
      try topics.put(Topic("another"))
    }
    #expect(try topics.all().map(\.name) == ["stored", "another"])
    try passages.put(result.object)
    #expect(try snippet() == "data alone")
  }

  @Test func `a search in one property of several marks that property`() throws {
    let chapters = searches.store.box(for: Chapter.self)
    try chapters.put(Chapter(title: "Data of data", text: "All data, and more"))
    func snippets(_ text: String) throws -> [String] {
      let query = try chapters.query { Chapter.words.matches(text) }.build()
      let result = try #require(try query.findWithScores().first)
      return try [Chapter.title, Chapter.text].map {
        try result.snippet(of: $0, around: .words(3), marking: ("[", "]"))
      }
    }
    #expect(try snippets("data") == ["[Data] of [data]", "All [data], and…"])
    #expect(try snippets("text:data") == ["Data of data", "All [data], and…"])
  }

  @Test func `a query makes snippets of any text, by its current parameter`() throws {
    let query = try passages.query { "words" .= Passage.text.matches("alone") }.build()
    func snippet(in property: Property<Passage, String?, Void>) throws -> String {
      try query.snippet(
        of: "A text of my own",
        in: property,
        around: .words(2),
        marking: ("[", "]")
      )
    }
    #expect(try snippet(in: Passage.text) == "A text…")
    query.setParameter("words", to: "OWN")
    #expect(try snippet(in: Passage.text) == "…my [own]")
    #expect(
      try query.snippet(
        of: "own",
        in: Passage.title,
        around: .words(2),
        marking: ("[", "]")
      ) == "own"
    )
  }
}
