import Foundation
import ObjectBox
import ObjectBoxSearch
import Testing

@testable import ObjectBoxCluster

/// Searches that meet texts whose words are missing, and programs that split them.
@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .onServer)
struct MissingWordTests {
  private let schema = TestServer.newSchema()
  private let cluster: Cluster
  private let table: ClusterTable

  init() async throws {
    cluster = try await TestServer.cluster(in: schema)
    table = try #require(cluster.tables.table(named: "WordNote"))
  }

  private var box: ClusterBox<WordNote> { cluster.box(for: WordNote.self) }

  @discardableResult
  private func sql(_ text: String) async throws -> Int64? {
    let rows = try await cluster.pool.run([
      Statement(once: text.replacing("@", with: table.name))
    ])
    return rows[0].count > 0 ? rows[0].anyInteger(0, 0) : nil
  }

  // MARK: Observers

  @Test func `results of a search follow commits, and have texts of SQL with the next one`()
    async throws
  {
    try await box.put([WordNote("words"), WordNote("other")])
    let query = box.query { WordNote.text.matches("words") }
    var results = query.results.makeAsyncIterator()
    #expect(try await results.next()?.map(\.id) == [1])
    let writer = try await TestServer.cluster(in: schema)
    let id = try await writer.box(for: WordNote.self).put(WordNote("more words")).value
    #expect(try await results.next()?.map(\.id) == [1, id])
    try await sql("UPDATE @ SET text = 'words of SQL' WHERE id = 2")
    try await box.put(WordNote("nothing"))
    #expect(try await results.next()?.map(\.id) == [1, 2, id])
    try await writer.box(for: WordNote.self).remove(1 as Id)
    #expect(try await results.next()?.map(\.id) == [2, id])
    await writer.close()
  }

  @Test func `results of a link follow the words of related objects`() async throws {
    let note = WordNote("a race")
    note.shelf.target = WordShelf("Poems")
    try await box.put(note)
    let query = box.query { WordNote.text.matches("race") }
      .link(WordNote.shelf) { WordShelf.name.matches("data") }
    var results = query.results.makeAsyncIterator()
    #expect(try await results.next()?.isEmpty == true)
    let shelves = cluster.box(for: WordShelf.self)
    let shelf = try #require(try await shelves.get(1 as Id))
    shelf.name = "Data"
    try await shelves.put(shelf)
    #expect(try await results.next()?.map(\.id) == [note.id])
  }

  // MARK: Several programs

  @Test func `several programs split the same texts while others change them`() async throws {
    try await sql(
      "INSERT INTO @ (id, text, title) SELECT n, 'note ' || n, '' FROM generate_series(1, 1500) AS n"
    )
    let cluster = cluster
    let table = table.name
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        let other = try await TestServer.cluster(in: schema)
        group.addTask {
          try await Housekeeping.keepTexts(other.tables, other.pool)
          let found = try await other.box(for: WordNote.self)
            .query { WordNote.text.matches("note") }.count()
          #expect(found == 1_500)
          await other.close()
        }
      }
      group.addTask {
        for number in 1...20 {
          _ = try await cluster.pool.run([
            Statement(
              once: "UPDATE \(table) SET text = 'note new \(number)' WHERE id = \(number * 70)"
            )
          ])
        }
      }
      try await group.waitForAll()
    }
    for number in 1...20 {
      let found = try await box.query { WordNote.text.matches("\"new \(number)\"") }.findIds()
      #expect(found.map(\.value) == [UInt64(number * 70)])
    }
    let columns = try #require(self.table.texts.first)
    let sums = "FROM \(cluster.tables.textCountTable) WHERE index = \(columns.uid)"
    #expect(try await sql("SELECT sum(objects)::bigint \(sums)") == 1_500)
    #expect(try await sql("SELECT sum(words)::bigint \(sums)") == 3_020)
  }

  // MARK: Transactions

  @Test func `a savepoint that meets them runs its block again, with its writes once`() async throws
  {
    try await box.put(WordNote("old words"))
    try await sql("UPDATE @ SET text = 'new words' WHERE id = 1")
    let (found, attempt) = try await cluster.write { transaction in
      let notes = transaction.box(for: WordNote.self)
      try await notes.put(WordNote("mine"))
      let found = try await transaction.savepoint {
        try await notes.put(WordNote("new, too"))
        return try await notes.query { WordNote.text.matches("new") }.findIds().map(\.value)
      }
      return (found, transaction.attempt)
    }
    #expect(found.count == 2 && found.first == 1)
    #expect(attempt == 2)
    #expect(try await box.count() == 3)
    #expect(try await box.query { WordNote.text.matches("mine OR new") }.count() == 3)
  }

  @Test func `a block that goes on after such a failure runs again`() async throws {
    try await sql("INSERT INTO @ (id, text, title) VALUES (1, 'new words', '')")
    let counts = try await cluster.write { transaction in
      let notes = transaction.box(for: WordNote.self)
      let found = try? await transaction.savepoint {
        try await notes.query { WordNote.text.matches("words") }.count()
      }
      try await notes.put(WordNote("run \(transaction.attempt)"))
      return (found, transaction.attempt)
    }
    #expect(counts == (1, 2))
    #expect(try await box.query { WordNote.text.matches("run") }.count() == 1)
  }

  @Test func `a removal by a search finds them`() async throws {
    try await box.put([WordNote("old words"), WordNote("others")])
    try await sql("UPDATE @ SET text = 'new words' WHERE id = 2")
    #expect(try await box.query { WordNote.text.matches("words") }.remove() == 2)
    #expect(try await box.count() == 0)
  }

  // MARK: Cursors

  @Test func `a sequence of results finds those that it reaches late`() async throws {
    try await box.put((0..<1_200).map { WordNote("common \($0)") })
    try await sql("ANALYZE @")
    try await sql("UPDATE @ SET text = 'common at last' WHERE id = 1200")
    var count = 0
    for try await _ in box.query({ WordNote.text.matches("common") }).objects() { count += 1 }
    #expect(count == 1_200)
    try await sql("UPDATE @ SET text = 'common again' WHERE id = 1200")
    let counted = try await cluster.read { transaction in
      var count = 0
      let query = transaction.box(for: WordNote.self).query { WordNote.text.matches("common") }
      for try await _ in query.objects() { count += 1 }
      return count
    }
    #expect(counted == 1_200)
  }
}
