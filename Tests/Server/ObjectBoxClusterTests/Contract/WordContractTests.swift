import Foundation
import ObjectBox
import ObjectBoxSearch
import ObjectBoxTestSupport
import Testing

@testable import ObjectBoxCluster

/// The contract of searches for words, for embedded stores and clusters.
@Suite(.onAnyStore)
struct WordContractTests {
  private func notes(_ kind: StoreKind) async throws -> AnyBox<WordNote> {
    let box = try await AnyStore(kind).box(WordNote.self)
    try await box.put([
      WordNote("Swift has structured concurrency, and no data race.", title: "One", stars: 5),
      WordNote("A data race in Objective-C; Swift is not concerned.", title: "Two", stars: 3),
      WordNote("Race your data: concurrent queues", title: "Three races", stars: 4),
      WordNote(nil, stars: 5),
      WordNote("Zürich, Straße 3.14; data, data and data", title: "", stars: 1),
      WordNote("東京都 and 京都", title: "\"quoted\\words\"", stars: 2),
    ])
    return box
  }

  private static let searches: [(text: String, ids: [UInt64])] = [
    ("swift", [1, 2]), ("swift race", [1, 2]), ("swift -objective", [1]), ("conc*", [1, 2, 3]),
    ("co*", [1, 2, 3]), ("c*", [1, 2, 3]), ("concurr*", [1, 3]), ("\"data race\"", [1, 2]),
    ("\"race data\"", []), ("\"data rac\"*", [1, 2]), ("zurich OR queues", [3, 5]),
    ("strasse", [5]), ("3.14", [5]), ("nothing", []), ("(swift OR queues) -objective", [1, 3]),
    ("NEAR(race data, 0)", [1, 2]), ("NEAR(race data, 1)", [1, 2, 3]),
    ("NEAR(swift race, 3)", [2]), ("NEAR(\"data race\" swi*, 8)", [1, 2]), ("東京都", [6]),
    ("京都", [6]), ("京", [6]), ("都", [6]), ("\"東京 京都\"", []), ("東京 and", [6]),
  ]

  @Test(arguments: StoreKind.available)
  func `words, phrases, beginnings and exclusions find their objects`(
    _ kind: StoreKind
  ) async throws {
    let box = try await notes(kind)
    for (text, ids) in Self.searches {
      #expect(try await box.query(WordNote.text.matches(text)).ids() == ids, "\(text)")
      let scores = try await box.scores(WordNote.text.matches(text))
      #expect(scores.map(\.id).sorted() == ids, "\(text)")
      #expect(scores.allSatisfy { $0.score > 0 }, "\(text)")
    }
  }

  @Test(arguments: StoreKind.available)
  func `other conditions hold beside words, on either side`(_ kind: StoreKind) async throws {
    let box = try await notes(kind)
    let both = WordNote.text.matches("data") && WordNote.stars > 3
    #expect(try await box.query(both).ids() == [1, 3])
    #expect(try await box.scores(both).map(\.id).sorted() == [1, 3])
    let either = WordNote.text.matches("objective") || WordNote.stars == 5
    #expect(try await box.query(either).ids() == [1, 2, 4])
    let scores = try await box.scores(either)
    #expect(scores.map(\.id) == [2, 1, 4])
    #expect(scores[0].score > 0 && scores[1].score == 0 && scores[2].score == 0)
    let two = WordNote.text.matches("data") && WordNote.title.matches("races")
    #expect(try await box.query(two).ids() == [3])
  }

  @Test(arguments: StoreKind.available)
  func `orders, parameters, property queries and removals work as in other queries`(
    _ kind: StoreKind
  ) async throws {
    let box = try await notes(kind)
    let query = box.query(WordNote.text.matches("data")).ordered(
      by: WordNote.stars,
      flags: [.descending]
    )
    try await expect(query, [1, 3, 2, 5])
    var built = try query.build()
    #expect(try await built.findIds(offset: 1, limit: 2) == [3, 2])
    #expect(try await built.values(WordNote.stars).sum() == 13)
    built.setParameter(WordNote.text, to: "objective")
    #expect(try await built.countAll() == 1)
    #expect(try await built.remove() == 1)
    #expect(try await box.query(WordNote.text.matches("swift")).ids() == [1])
  }

  @Test(arguments: StoreKind.available)
  func `links search the words of related objects`(_ kind: StoreKind) async throws {
    let store = try await AnyStore(kind)
    let (a, b) = (WordShelf("Systems and data"), WordShelf("Poems"))
    let notes = store.box(WordNote.self)
    let (one, two, three) = (WordNote("data race"), WordNote("a race"), WordNote("data"))
    one.shelf.target = a
    two.shelf.target = a
    three.shelf.target = b
    try await notes.put([one, two, three])
    let inData = notes.query(WordNote.text.matches("race")).link(WordNote.shelf) {
      WordShelf.name.matches("data")
    }
    try await expect(inData, [one.id, two.id])
    let shelves = store.box(WordShelf.self).query().link(WordShelf.notes) {
      WordNote.text.matches("data -race")
    }
    try await expect(shelves, [b.id])
  }

  @Test(arguments: StoreKind.available)
  func `an index over several texts finds words in all of them, and phrases in one`(
    _ kind: StoreKind
  ) async throws {
    let box = try await AnyStore(kind).box(WordArticle.self)
    var articles = [
      WordArticle(title: "Swift", text: "data race"),
      WordArticle(title: "data", text: "race swift"),
      WordArticle(title: "data race", text: nil), WordArticle(text: "swift", more: "swift data"),
      WordArticle(),
    ]
    try await box.put(&articles)
    func ids(_ text: String) async throws -> [UInt64] {
      let ids = try await box.query(WordArticle.words.matches(text)).ids()
      #expect(try await box.scores(WordArticle.words.matches(text)).map(\.id).sorted() == ids)
      return ids
    }
    #expect(try await ids("swift data") == [1, 2, 4])
    #expect(try await ids("\"data race\"") == [1, 3])
    #expect(try await ids("title:data") == [2, 3])
    #expect(try await ids("title:da*") == [2, 3])
    #expect(try await ids("ra* sw*") == [1, 2])
    #expect(try await ids("NEAR(data race, 100)") == [1, 3])
    #expect(try await ids("text:(\"data race\" OR swift) -more:swift") == [1, 2])
    #expect(try await box.query(WordArticle.more.matches("swift")).ids() == [4])
  }

  @Test(arguments: StoreKind.available)
  func `a text with a fault is refused with its place`(_ kind: StoreKind) async throws {
    let box = try await notes(kind)
    let error = await #expect(throws: ObjectBoxError.self) {
      try await box.query(WordNote.text.matches("swift \"data")).ids()
    }
    guard case .illegalArgument(let message) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(message.contains("'WordNote.text'") && message.contains("quotation mark"))
  }

  @Test(arguments: StoreKind.available)
  func `updates, removals and transactions change what words find`(_ kind: StoreKind) async throws {
    let store = try await AnyStore(kind)
    let box = store.box(WordNote.self)
    let note = WordNote("old words")
    try await box.put(note)
    note.text = "New words"
    try await box.put(note)
    #expect(try await box.query(WordNote.text.matches("old")).ids() == [])
    // The same words in another form of letters.
    note.text = "new WORDS"
    try await box.put(note)
    #expect(try await box.query(WordNote.text.matches("\"new words\"")).ids() == [note.id])
    try await store.rollingBack([[WordNote("words of a rollback")]])
    #expect(try await box.query(WordNote.text.matches("words")).ids() == [note.id])
    note.text = nil
    try await box.put(note)
    #expect(try await box.query(WordNote.text.matches("words")).ids() == [])
    // Five rows go one by one or in arrays, thousands by COPY.
    for count in [6, 2_500] {
      try await box.removeAll()
      try await box.put(
        (0..<count).map { WordNote($0 % 2 == 0 ? "even \($0)" : "odd {\"\($0)\"}") }
      )
      #expect(try await box.query(WordNote.text.matches("even")).build().countAll() == count / 2)
      #expect(try await box.scores(WordNote.text.matches("odd 5")).count == 1)
    }
  }
}

extension AnyBox {
  /// Returns the IDs and scores of a query, and checks that all ways to read them agree.
  func scores(_ condition: QueryCondition<E>) async throws -> [IdWithScore] {
    let scores: [IdWithScore]
    let objects: [(UInt64, Double)]
    let page: [IdWithScore]
    if let embedded {
      let query = try embedded.query { condition }.build()
      scores = try query.findIdsWithScores()
      page = try query.findIdsWithScores(offset: 1, limit: 2)
      objects = try query.findWithScores().map {
        (E.entityBinding.entityId(of: $0.object), $0.score)
      }
    } else {
      let query = try #require(cluster).query { condition }
      scores = try await query.findIdsWithScores()
      page = try await query.findIdsWithScores(offset: 1, limit: 2)
      objects = try await query.findWithScores().map {
        (E.entityBinding.entityId(of: $0.object), $0.score)
      }
    }
    #expect(objects.map(\.0) == scores.map(\.id))
    #expect(objects.map(\.1) == scores.map(\.score))
    #expect(page.map(\.id) == scores.dropFirst().prefix(2).map(\.id))
    return scores
  }
}
