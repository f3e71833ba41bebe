import Foundation
import ObjectBox
import ObjectBoxTestSupport
import Testing

@testable import ObjectBoxCluster

/// Columns that are filled from those of an earlier model.
@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .onServer)
struct ColumnMigrationTests {
  private struct Refusal: Error {}

  private func schema(
    _ build: (EntityBuilder<Person>) throws -> Void
  ) throws -> StoreSchema {
    let builder = try ModelBuilder()
    let person = try builder.entityBuilder(for: Person.self, id: 1, uid: 1)
    try person.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 11)
    try build(person)
    try person.lastProperty(id: 9, uid: 19)
    builder.lastEntity(id: 1, uid: 1)
    builder.lastIndex(id: 2, uid: 102)
    return ModelBuilder.takeSchema(builder.finish())
  }

  /// The model whose entity has a text `full` and a number `level`.
  private func earlier() throws -> StoreSchema {
    try schema { person in
      try person.addProperty(name: "full", type: .string, id: 2, uid: 12)
      try person.addProperty(name: "level", type: .int, id: 3, uid: 13)
    }
  }

  /// A model with a unique text `first` from `full`, and the number `level` under another name.
  private func later() throws -> StoreSchema {
    try schema { person in
      try person.addProperty(name: "rank", type: .int, id: 3, uid: 13)
      try person.addProperty(
        name: "first",
        type: .string,
        flags: [.unique, .indexHash, .indexed],
        id: 4,
        uid: 14,
        indexId: 1,
        indexUid: 101
      ).migrated(from: 2, uid: 12, type: .string) { old, new in
        let full: String? = old.read(at: 6)
        if full == "?" { throw Refusal() }
        let first = full.map { String($0.prefix { $0 != " " }) }
        new.collect(dataOffset: new.prepare(string: first), at: 10)
      }
    }
  }

  private func open(
    _ database: TestDatabase,
    _ schema: StoreSchema,
    mayBeOlder: Bool = false,
    onMigration: (@Sendable (MigrationProgress) -> Void)? = nil
  ) async throws {
    let tables = ClusterTables(schema, in: database.namespace)
    try await DatabaseUpgrade(tables, mayBeOlder: mayBeOlder, onMigration: onMigration)
      .run(on: database.connection)
  }

  /// Makes a database with the earlier model and rows of IDs from 1.
  private func database(_ rows: [(full: String?, level: Int?)]) async throws -> TestDatabase {
    let database = try await TestDatabase()
    try await open(database, try earlier())
    for (index, row) in rows.enumerated() {
      let full = row.full?.quotedText ?? "NULL"
      let level = row.level.map(String.init) ?? "NULL"
      try await database.sql(
        "INSERT INTO @\"Person\" (id, \"full\", level) VALUES (\(index + 1), \(full), \(level))"
      )
    }
    return database
  }

  private func expectUnchanged(_ database: TestDatabase) async throws {
    #expect(
      try await database.columns("Person") == [
        "full text", "full~ text", "id bigint", "level integer",
      ]
    )
    #expect(try await database.value("SELECT count(*)::text FROM @objectbox_model") == "1")
  }

  @Test func `a new column is filled from one that is retired`() async throws {
    let database = try await database([("Ada Lovelace", 1), (nil, 2), ("Kurt", nil)])
    try await open(database, try later())
    #expect(
      try await database.sql("SELECT first, \"first~\", rank::text FROM @\"Person\" ORDER BY id")
        == [["Ada", "ada", "1"], [nil, nil, "2"], ["Kurt", "kurt", nil]]
    )
    #expect(
      try await database.sql("SELECT objectbox_retired_12 FROM @\"Person\" ORDER BY id")
        == [["Ada Lovelace"], [nil], ["Kurt"]]
    )
    #expect(try await database.definition("objectbox_unique_14") != nil)
  }

  @Test func `columns of every kind are filled`() async throws {
    let database = try await database([("7", 3), (nil, nil)])
    let later = try schema { person in
      try person.addProperty(name: "level", type: .int, id: 3, uid: 13)
      let date: @Sendable (FlatBufferReader, FlatBufferBuilder) -> Void = { old, new in
        let level: Int32? = old.read(at: 8)
        new.collect(level.map { Date(timeIntervalSince1970: Double($0)) }, at: 10)
      }
      try person.addProperty(name: "at", type: .date, id: 4, uid: 14)
        .migrated(from: 3, uid: 13, type: .int, date)
      try person.addProperty(name: "isHigh", type: .bool, id: 5, uid: 15)
        .migrated(from: 3, uid: 13, type: .int) { old, new in
          let level: Int32 = old.read(at: 8)
          new.collect(level > 2, at: 12)
        }
      try person.addProperty(name: "tags", type: .stringVector, id: 6, uid: 16)
        .migrated(from: 2, uid: 12, type: .string) { old, new in
          let full: String? = old.read(at: 6)
          new.collect(dataOffset: new.prepare(values: full.map { [$0, "B"] }), at: 14)
        }
      try person.addProperty(name: "place", type: .floatVector, id: 7, uid: 17)
        .migrated(from: 3, uid: 13, type: .int) { old, new in
          let level: Int32? = old.read(at: 8)
          new.collect(dataOffset: new.prepare(values: level.map { [Float($0), 0.5] }), at: 16)
        }
      try person.addProperty(name: "key", type: .byteVector, id: 8, uid: 18)
        .migrated(from: 2, uid: 12, type: .string) { old, new in
          let full: String? = old.read(at: 6)
          new.collect(dataOffset: new.prepare(bytes: full.map { Data($0.utf8) }), at: 18)
        }
      try person.addProperty(name: "ratio", type: .double, id: 9, uid: 19)
        .migrated(from: 3, uid: 13, type: .int) { old, new in
          let level: Int32? = old.read(at: 8)
          new.collect(level.map { Double($0) / 2 }, at: 20)
        }
    }
    try await open(database, later)
    #expect(
      try await database.sql(
        "SELECT extract(epoch FROM at)::integer::text, \"isHigh\"::text, tags::text, "
          + "\"tags~\"::text, place::text, encode(key, 'hex'), ratio::text, level::text "
          + "FROM @\"Person\" ORDER BY id"
      ) == [
        ["3", "true", "{7,B}", "{7,b}", "{3,0.5}", "37", "1.5", "3"],
        [nil, "false", nil, nil, nil, nil, nil, nil],
      ]
    )
  }

  @Test func `a function that throws leaves the database as it was`() async throws {
    let database = try await database([("Ada", 1), ("?", 2)])
    await #expect {
      try await open(database, try later())
    } throws: { error in
      guard case ClusterError.schemaConflict(let text) = error else { return false }
      return text.contains("the migration of 'Person.first' failed for the object with ID 2")
        && text.contains("'?'") && text.contains("Refusal")
    }
    try await expectUnchanged(database)
  }

  @Test func `equal values for a unique property leave the database as it was`() async throws {
    let database = try await database([("Ada Lovelace", 1), ("Ada Byron", 2)])
    await #expect {
      try await open(database, try later())
    } throws: { error in
      if case ObjectBoxError.uniqueViolation = error { true } else { false }
    }
    try await expectUnchanged(database)
  }

  @Test func `a value that the server cannot hold leaves the database as it was`() async throws {
    let database = try await database([("Ada", 1)])
    let later = try schema { person in
      try person.addProperty(name: "full", type: .string, id: 2, uid: 12)
      try person.addProperty(name: "level", type: .int, id: 3, uid: 13)
      try person.addProperty(name: "text", type: .string, id: 4, uid: 14)
        .migrated(from: 2, uid: 12, type: .string) { _, new in
          new.collect(dataOffset: new.prepare(string: "a\u{0}b"), at: 10)
        }
    }
    await #expect {
      try await open(database, later)
    } throws: { "\($0)".contains("'text' has the character U+0000") }
    try await expectUnchanged(database)
  }

  @Test func `values of another type than the migration reads are refused`() async throws {
    let database = try await database([("Ada", 1)])
    let later = try schema { person in
      try person.addProperty(name: "text", type: .string, id: 4, uid: 14)
        .migrated(from: 2, uid: 12, type: .long) { _, _ in }
    }
    await #expect {
      try await open(database, later)
    } throws: { "\($0)".contains("reads values of type long, and they are stored as string") }
    try await expectUnchanged(database)
  }

  @Test func `an earlier model finds its values, and a migration does not run again`() async throws
  {
    let database = try await database([("Ada Lovelace", 1)])
    try await open(database, try later())
    try await open(database, try earlier(), mayBeOlder: true)
    #expect(try await database.sql("SELECT \"full\" FROM @\"Person\"") == [["Ada Lovelace"]])
    try await database.sql("UPDATE @\"Person\" SET \"full\" = '?'")
    try await open(database, try later(), mayBeOlder: true)
    #expect(try await database.sql("SELECT first FROM @\"Person\"") == [["Ada"]])
  }

  @Test func `many rows are filled in steps, and the progress is told`() async throws {
    let database = try await database([])
    try await database.sql(
      "INSERT INTO @\"Person\" (id, \"full\") SELECT n, 'name' || n FROM generate_series(1, 12001) AS n"
    )
    let reports = Guarded<[MigrationProgress]>([])
    try await open(database, try later()) { report in reports.withLock { $0.append(report) } }
    #expect(reports.withLock { $0.map(\.completedCount) } == [0, 10_000, 12_001])
    #expect(reports.withLock { Set($0.map(\.totalCount)) } == [12_001])
    #expect(
      try await database.value("SELECT count(*)::text FROM @\"Person\" WHERE first = 'name' || id")
        == "12001"
    )
  }

  @Test func `a full-text index has the words of the migrated texts`() async throws {
    let database = try await database([("red apple", 1), (nil, 2)])
    let later = try schema { person in
      try person.addProperty(name: "text", type: .string, id: 4, uid: 14)
        .migrated(from: 2, uid: 12, type: .string) { old, new in
          let full: String? = old.read(at: 6)
          new.collect(dataOffset: new.prepare(string: full), at: 10)
        }
      try person.addFullTextIndex(id: 2, uid: 102, propertyIds: [4])
    }
    try await open(database, later)
    let tables = ClusterTables(later, in: database.namespace)
    let words = try #require(tables.allTexts.first).columns.names.words
    #expect(
      try await database.value(
        "SELECT count(*)::text FROM @\"Person\" WHERE array_length(\(words), 1) > 1"
      ) == "1"
    )
  }

  @Test func `a plan tells the migration, and does not run it`() async throws {
    let database = try await database([("?", 1)])
    let tables = ClusterTables(try later(), in: database.namespace)
    let plan = try await DatabaseUpgrade(tables).plan(on: database.connection)
    #expect(
      plan.description.contains(
        "SET \"first\" = $2 WHERE \"id\" = $1 -- for each object, by the migrations of the program"
      )
    )
    try await expectUnchanged(database)
  }
}
