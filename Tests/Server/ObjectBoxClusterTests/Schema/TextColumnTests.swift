import Foundation
import ObjectBox
import ObjectBoxSearch
import Testing

@testable import ObjectBoxCluster

/// The columns of full-text indexes, through versions of a model.
@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .onServer)
struct TextColumnTests {
  /// A model whose note has the named texts, and an index with further JSON members; nil for none.
  private func model(
    _ names: (title: String, text: String) = ("title", "text"),
    index: String? = #""properties":["2:12"]"#
  ) -> TestModel {
    var model = TestModel()
    model.entity("Note", 1) { entity in
      entity.property("id", 11, .long, flags: 1)
      entity.property(names.text, 12, .string)
      entity.property(names.title, 13, .string)
      if let index { entity.fullText(201, index) }
    }
    return model
  }

  /// Returns the words of all notes in the database, by ascending ID.
  private func words(_ database: TestDatabase, _ column: String = "words") async throws -> [String?]
  {
    let name = try await database.value(
      "SELECT attname::text FROM pg_attribute WHERE attrelid = '@\"Note\"'::regclass "
        + "AND attname LIKE 'objectbox\\_\(column)\\_%' AND NOT attisdropped"
    )
    return try await database.sql(
      "SELECT \((name ?? "").quotedName)::text FROM @\"Note\" ORDER BY id"
    )
    .map { $0[0] }
  }

  /// Returns what the database has besides tables of the model: columns, triggers, functions, indexes.
  private func extras(_ database: TestDatabase) async throws -> [String] {
    let space = "(SELECT oid FROM pg_namespace WHERE nspname = \(database.namespace.quotedText))"
    return try await database.sql(
      "SELECT proname::text AS name FROM pg_proc WHERE pronamespace = \(space) "
        + "UNION ALL SELECT relname::text FROM pg_class WHERE relnamespace = \(space) AND relkind = 'i' "
        + "AND (relname LIKE 'objectbox\\_words%' OR relname LIKE 'objectbox\\_missing%') "
        + "UNION ALL SELECT tgname::text FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid "
        + "WHERE c.relnamespace = \(space) AND NOT tgisinternal "
        + "UNION ALL SELECT attname::text FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid "
        + "WHERE c.relnamespace = \(space) AND c.relkind = 'r' AND attname LIKE 'objectbox%' AND NOT attisdropped"
    ).compactMap { $0[0] }
  }

  private func insert(_ database: TestDatabase) async throws {
    try await database.sql(
      "INSERT INTO @\"Note\" (id, text, title) VALUES (1, 'Data race', 'One two'), (2, NULL, 'Three'), (3, '', NULL)"
    )
  }

  @Test func `a new index has the words of all stored texts`() async throws {
    let database = try await TestDatabase()
    try await database.open(model(index: nil))
    try await insert(database)
    try await database.sql(
      "INSERT INTO @\"Note\" (id, text) SELECT n, 'note ' || n FROM generate_series(4, 1000) AS n"
    )
    try await database.open(model())
    #expect(
      try await words(database).prefix(5) == ["{data,race}", nil, "{}", "{note,4}", "{note,5}"]
    )
    #expect(try await words(database).last == "{note,1000}")
    let counts = try await database.sql(
      "SELECT sum(objects)::text, sum(words)::text FROM @objectbox_text_counts WHERE index = 201"
    )
    #expect(counts == [["999", "1996"]])
    let before = try await database.connection.roundTrips()
    try await database.open(model())
    #expect(try await database.connection.roundTrips() == before + 2)
  }

  @Test func `words that a stopped program has left out follow at the next opening`() async throws {
    let database = try await TestDatabase()
    try await database.open(model())
    try await insert(database)
    #expect(try await words(database) == [nil, nil, nil])
    try await database.open(model())
    #expect(try await words(database) == ["{data,race}", nil, "{}"])
  }

  @Test func `other rules and other properties split all texts anew`() async throws {
    let database = try await TestDatabase()
    try await database.open(model())
    try await insert(database)
    try await database.open(model(index: #""properties":["2:12"],"prefix":[2]"#))
    #expect(try await words(database) == ["{data,race}", nil, "{}"])
    #expect(try await words(database, "beginnings") == ["{da,ra}", nil, "{}"])
    try await database.open(model(index: #""name":"all","properties":["2:12","3:13"]"#))
    #expect(
      try await words(database) == ["{0data,0race,1one,1two}", "{1three}", "{}"]
    )
    let extras = try await extras(database)
    #expect(extras.filter { $0.hasPrefix("objectbox_words") }.count == 4, "\(extras)")
    #expect(!extras.contains { $0.hasPrefix("objectbox_beginnings") })
    let counts = try await database.sql("SELECT sum(words)::text FROM @objectbox_text_counts")
    #expect(counts == [["5"]])
  }

  @Test func `a removed index leaves nothing behind`() async throws {
    let database = try await TestDatabase()
    try await database.open(model())
    try await insert(database)
    var without = model(index: nil)
    without.skip(index: 201)
    try await database.open(without)
    #expect(try await extras(database) == [])
    #expect(try await database.value("SELECT count(*)::text FROM @objectbox_text_counts") == "0")
    // A retired entity has no index either.
    try await database.open(model(), mayBeOlder: true)
    var other = TestModel()
    other.skip(1)
    other.entity("Other", 2) { $0.property("id", 21, .long, flags: 1) }
    other.skip(index: 201)
    try await database.open(other)
    #expect(try await extras(database) == [])
  }

  @Test func `renamed properties keep their words and triggers`() async throws {
    let database = try await TestDatabase()
    try await database.open(model())
    try await insert(database)
    try await database.open(model())
    try await database.open(model(("text", "title")))
    #expect(try await words(database) == ["{data,race}", nil, "{}"])
    try await database.sql("UPDATE @\"Note\" SET text = 'other' WHERE id = 1")
    #expect(try await words(database) == ["{data,race}", nil, "{}"])
    try await database.sql("UPDATE @\"Note\" SET title = 'new' WHERE id = 1")
    #expect(try await words(database) == [nil, nil, "{}"])
  }

  @Test func `counts follow every statement, and stay exact when they are added up`() async throws {
    let cluster = try await TestServer.cluster()
    let box = cluster.box(for: WordNote.self)
    let table = try #require(cluster.tables.table(named: "WordNote"))
    let columns = try #require(table.texts.first)
    func check(_ objects: Int64, _ words: Int64) async throws {
      let rows = try await cluster.pool.run([
        Statement(
          "SELECT coalesce(sum(objects), 0)::bigint, coalesce(sum(words), 0)::bigint, count(*) "
            + "FROM \(cluster.tables.textCountTable) WHERE index = $1"
        ) { $0.append(columns.uid) }
      ])[0]
      #expect(rows.anyInteger(0, 0) == objects)
      #expect(rows.anyInteger(0, 1) == words)
    }
    let notes = (0..<30).map { WordNote("note \($0)", stars: $0) }
    for note in notes { try await box.put(note) }
    try await check(30, 60)
    try await Housekeeping.keepTexts(cluster.tables, cluster.pool)
    try await check(30, 60)
    #expect(
      try await cluster.pool.run([
        Statement(
          once: "SELECT count(*) FROM \(cluster.tables.textCountTable) WHERE index = \(columns.uid)"
        )
      ])[0].anyInteger(0, 0) == 1
    )
    notes[0].text = "one"
    notes[1].text = nil
    try await box.put(notes)
    try await check(29, 57)
    try await box.remove(notes[2])
    try await box.query { WordNote.text.matches("note") && WordNote.stars >= 20 }.remove()
    try await check(18, 35)
    _ = try await cluster.pool.run([
      Statement(once: "UPDATE \(table.name) SET text = 'x y z ' || id WHERE id <= 3")
    ])
    try await Housekeeping.keepTexts(cluster.tables, cluster.pool)
    // The second note had no text.
    try await check(19, 34 + 8)
    _ = try await cluster.pool.run([Statement(once: "TRUNCATE \(table.name)")])
    try await check(0, 0)
  }
}

/// Texts that other programs store by SQL, and changes of the schema by them.
@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .onServer)
struct PlainTextTests {
  private let cluster: Cluster
  private let table: ClusterTable

  init() async throws {
    cluster = try await TestServer.cluster()
    table = try #require(cluster.tables.table(named: "WordNote"))
    try await cluster.box(for: WordNote.self).put([WordNote("old words"), WordNote("others")])
  }

  private func sql(_ text: String) async throws {
    _ = try await cluster.pool.run([Statement(once: text.replacing("@", with: table.name))])
  }

  private var box: ClusterBox<WordNote> { cluster.box(for: WordNote.self) }

  @Test func `searches find texts of other programs, and no stale words`() async throws {
    try await sql("UPDATE @ SET text = 'new words' WHERE id = 1")
    #expect(try await box.query { WordNote.text.matches("words -old") }.findIds() == [1])
    try await sql("INSERT INTO @ (id, text, title) VALUES (9, 'new', '')")
    #expect(try await box.query { WordNote.text.matches("new") }.count() == 2)
    try await sql("UPDATE @ SET text = 'very new' WHERE id = 2")
    #expect(
      try await box.query { WordNote.text.matches("new") }.findIdsWithScores().map(\.id).sorted()
        == [1, 2, 9]
    )
    try await sql("UPDATE @ SET text = 'no longer' WHERE id = 2")
    var ids: [Id] = []
    for try await note in box.query({ WordNote.text.matches("new") }).objects() {
      ids.append(note.id)
    }
    #expect(ids == [1, 9])
    try await sql("UPDATE @ SET text = NULL WHERE id = 1")
    #expect(try await box.query { WordNote.text.matches("new OR old") }.findIds() == [9])
  }

  @Test func `transactions find them, too`() async throws {
    try await sql("UPDATE @ SET text = 'new words' WHERE id = 1")
    let query = box.query { WordNote.text.matches("new") }
    #expect(
      try await cluster.read {
        try await $0.box(for: WordNote.self).query { WordNote.text.matches("new") }.count()
      } == 1
    )
    try await sql("UPDATE @ SET text = 'newer words' WHERE id = 1")
    try await cluster.write { transaction in
      let notes = transaction.box(for: WordNote.self)
      let note = try #require(try await notes.query { WordNote.text.matches("newer") }.findFirst())
      note.text = "newest"
      try await notes.put(note)
      #expect(try await notes.query { WordNote.text.matches("newest") }.count() == 1)
    }
    #expect(try await query.count() == 0)
    #expect(try await box.query { WordNote.text.matches("newest") }.count() == 1)
  }

  @Test func `a program that may not write says that words are missing`() async throws {
    try await sql("UPDATE @ SET text = 'new words' WHERE id = 1")
    var configuration = cluster.pool.configuration
    configuration.isReadOnly = true
    let reader = try await Cluster(cluster.tables, configuration) { _ in nil }
    let error = await #expect(throws: ObjectBoxError.self) {
      try await reader.box(for: WordNote.self).query { WordNote.text.matches("others") }.findIds()
    }
    guard case .illegalState(let message) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(message.contains("words are missing"))
    await reader.close()
  }

  @Test func `the plan of a search uses the index`() async throws {
    try await box.put((0..<3_000).map { WordNote("common rare\($0)") })
    try await sql("ANALYZE @")
    let plan = try await box.query { WordNote.text.matches("rare7") }.explain()
    #expect(plan.description.contains("objectbox_words_"), "\(plan)")
    #expect(plan.description.contains("objectbox_missing_"), "\(plan)")
  }

  @Test func `a program whose rules another one has replaced is told so`() async throws {
    try await sql(
      "ALTER TABLE @ DROP COLUMN \(try #require(table.texts.first).names.words) CASCADE"
    )
    for body in [
      { try await box.put(WordNote("text")) },
      { _ = try await box.query { WordNote.text.matches("text") }.count() },
    ] as [() async throws -> Void] {
      let error = await #expect(throws: ObjectBoxError.self) { try await body() }
      guard case .schema = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
  }
}
