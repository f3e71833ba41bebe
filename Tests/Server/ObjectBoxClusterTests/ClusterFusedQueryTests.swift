import ObjectBox
import ObjectBoxSearch
import Testing

@testable import ObjectBoxCluster

/// Fused queries and snippets of a cluster, beside a store with the same objects.
@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .onServer)
struct ClusterFusedQueryTests {
  private let stores: QueryStores
  private let near = WordNote.place.nearestNeighbors(queryVector: [0, 0], maxCount: 100)

  init() async throws {
    stores = try await QueryStores()
    try await stores.put([
      WordNote("red red", title: "One", stars: 1, place: [4, 0]),
      WordNote("red blue", title: "Two", stars: 2), WordNote("red green", stars: 3, place: [1, 0]),
      WordNote("red and some more words", title: "red", stars: 4, place: [3, 0]),
      WordNote("white", stars: 5, place: [2, 0]), WordNote("black", stars: 6),
      WordNote(nil, stars: 7, place: [9, 9]),
    ])
  }

  private var embedded: Box<WordNote> { stores.embedded.box(for: WordNote.self) }
  private var box: ClusterBox<WordNote> { stores.cluster.box(for: WordNote.self) }

  @Test func `a negative offset or limit of a ranked search is an error`() async throws {
    let search = box.query { WordNote.text.matches("red") }
    let fused = try search.fused(with: near).build()
    await #expect(throws: ObjectBoxError.self) { _ = try await fused.findIds(offset: -1) }
    await #expect(throws: ObjectBoxError.self) { _ = try await fused.findIds(limit: -1) }
    await #expect(throws: ObjectBoxError.self) { _ = try await search.findIdsWithScores(limit: -1) }
    await #expect(throws: ObjectBoxError.self) {
      _ = try await search.findIdsWithScores(offset: -1)
    }
  }

  /// Everything that a result tells.
  private struct Told: Equatable {
    var id: UInt64
    var score: Double
    var left: FusedRank?
    var right: FusedRank?
    var snippet: String

    init(_ found: FusedObject<WordNote>) throws {
      id = found.object.id
      (score, left, right) = (found.score, found.left, found.right)
      snippet = try found.snippet(of: WordNote.text, around: .words(3), marking: ("<", ">"))
    }
  }

  @Test func `results, scores, ranks and snippets are those of a store`() async throws {
    let words = [WordNote.text.matches("red"), WordNote.text.matches("red OR white")]
    let conditions = words + words.map { $0 && WordNote.stars > 2 }
    let others = [near, WordNote.text.matches("blue"), WordNote.title.matches("red OR two")]
    for (condition, other) in conditions.flatMap({ condition in others.map { (condition, $0) } }) {
      let store = try embedded.query { condition }.fused(with: other, k: 10, weights: (1, 2))
        .build()
      let query = try box.query { condition }.fused(with: other, k: 10, weights: (1, 2)).build()
      let told = try await query.find().map(Told.init)
      #expect(try told == store.find().map(Told.init))
      #expect(!told.isEmpty)
      #expect(try await query.findIds() == store.findIds())
      #expect(try await query.count() == told.count)
      let page = try await query.find(offset: 1, limit: 2).map(Told.init)
      #expect(try page == store.find(offset: 1, limit: 2).map(Told.init))
    }
    let few = try embedded.query { words[0] }.fused(with: near, candidates: 2).build()
    let found = box.query { words[0] }.fused(with: near, candidates: 2)
    #expect(try await found.findIds() == few.findIds())
  }

  @Test func `links choose, relations are included, and a transaction sees its writes`()
    async throws
  {
    let shelf = WordShelf("colours")
    let notes = try await box.query { WordNote.stars == 1 || WordNote.stars == 5 }.find()
    for note in notes { note.shelf.target = shelf }
    try await box.put(notes)
    let query = box.query { WordNote.text.matches("red OR white") }
      .link(WordNote.shelf) { WordShelf.name.matches("colours") }.include(WordNote.shelf)
      .fused(with: near)
    let found = try await query.find()
    #expect(found.map(\.object.id).sorted() == [1, 5])
    #expect(found.allSatisfy { $0.object.shelf.target?.name == "colours" })
    let near = near
    try await stores.cluster.write { transaction in
      let notes = transaction.box(for: WordNote.self)
      try await notes.put(WordNote("red red red red", place: [0, 0]))
      let best = try await notes.query { WordNote.text.matches("red") }.fused(with: near)
        .find(limit: 1)
      #expect(best.first?.left?.rank == 1 && best.first?.right?.rank == 1)
    }
  }

  @Test func `what cannot be fused is refused with a remedy`() async throws {
    func expect(_ text: String, _ query: ClusterFusedQuery<WordNote>) async {
      for body in [{ _ = try query.build() }, { _ = try await query.count() }]
        as [() async throws -> Void]
      {
        let error = await #expect(throws: ObjectBoxError.self) { try await body() }
        #expect(error?.message.contains(text) == true)
      }
    }
    let red = box.query { WordNote.text.matches("red") }
    await expect("not a single search", red.fused(with: WordNote.stars > 3))
    await expect("has no search", box.query().fused(with: near))
    await expect("k is 0", red.fused(with: near, k: 0))
    await expect("the weights are", red.fused(with: near, weights: (0, 0)))
    await expect("0 candidates", red.fused(with: near, candidates: 0))
    await expect("quotation mark", red.fused(with: WordNote.text.matches("\"red")))
    let plan = try await red.fused(with: near).explain()
    #expect(plan.contains("k 60.0") && plan.contains("\nleft: ") && plan.contains("\nright: "))
  }

  @Test func `results with scores have the snippets of a store`() async throws {
    let condition = WordNote.text.matches("red \"some more\"") && WordNote.title.matches("red")
    let found = try await box.query { condition }.findWithScores()
    #expect(found.map(\.object.id) == [4])
    let store = try embedded.query { condition }.build()
    for count in [1, 4, 20] {
      #expect(
        try found[0].snippet(of: WordNote.text, around: .words(count), marking: ("*", "*"))
          == store.findWithScores()[0]
          .snippet(of: WordNote.text, around: .words(count), marking: ("*", "*"))
      )
    }
    let text = "Nothing, then some more of it"
    let query = box.query { condition }
    #expect(
      try query.snippet(of: text, in: WordNote.text, around: .words(3), marking: ("[", "]"))
        == store.snippet(of: text, in: WordNote.text, around: .words(3), marking: ("[", "]"))
    )
  }
}
