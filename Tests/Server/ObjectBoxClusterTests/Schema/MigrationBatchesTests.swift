import Foundation
import ObjectBox
import ObjectBoxTestSupport
import Testing

@testable import ObjectBoxCluster

/// Columns of many rows, whose values are made before the upgrade.
@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .onServer)
struct MigrationBatchesTests {
  private struct Refusal: Error {}

  /// The calls of the function of a migration.
  private final class Calls: Sendable {
    private let numbers = Guarded<[Int32]>([])
    /// Called with each old value.
    private let body: @Sendable (Int32) throws -> Void

    init(_ body: @escaping @Sendable (Int32) throws -> Void = { _ in }) { self.body = body }

    var values: [Int32] { numbers.withLock(\.self) }

    func add(_ number: Int32) throws {
      numbers.withLock { $0.append(number) }
      try body(number)
    }
  }

  private func schema(
    name: String,
    _ build: (EntityBuilder<Person>) throws -> Void
  ) throws -> StoreSchema {
    let builder = try ModelBuilder()
    let person = try builder.entityBuilder(for: Person.self, id: 1, uid: 1)
    try person.addProperty(name: name, type: .long, flags: [.id], id: 1, uid: 11)
    try build(person)
    try person.lastProperty(id: 9, uid: 19)
    builder.lastEntity(id: 1, uid: 1)
    builder.lastIndex(id: 1, uid: 101)
    var schema = ModelBuilder.takeSchema(builder.finish())
    schema.entities[0].name = name == "id" ? "Person" : "Human"
    return schema
  }

  private func earlier() throws -> StoreSchema {
    try schema(name: "id") { person in
      try person.addProperty(name: "full", type: .string, id: 2, uid: 12)
      try person.addProperty(name: "level", type: .int, id: 3, uid: 13)
    }
  }

  /// The model with other names of table and ID, and a text from `level`, which is retired.
  private func later(_ calls: Calls, isUnique: Bool = true) throws -> StoreSchema {
    try schema(name: "key") { person in
      try person.addProperty(name: "name", type: .string, id: 2, uid: 12)
      try person.addProperty(
        name: "rank",
        type: .string,
        flags: isUnique ? [.unique, .indexHash, .indexed] : [],
        id: 4,
        uid: 14,
        indexId: isUnique ? 1 : 0,
        indexUid: isUnique ? 101 : 0
      ).migrated(from: 3, uid: 13, type: .int) { old, new in
        let level: Int32 = old.read(at: 8)
        try calls.add(level)
        new.collect(dataOffset: new.prepare(string: "Rank \(level)"), at: 10)
      }
    }
  }

  private func open(
    _ database: TestDatabase,
    _ schema: StoreSchema,
    onMigration: (@Sendable (MigrationProgress) -> Void)? = nil
  ) async throws {
    let tables = ClusterTables(schema, in: database.namespace)
    let connection = try await TestDatabase.connect()
    try await DatabaseUpgrade(tables, onMigration: onMigration, batchMinimum: 3_000)
      .run(on: connection)
  }

  /// A database with rows of IDs and levels from 1 on.
  private func database(rows: Int = 5_000) async throws -> TestDatabase {
    let database = try await TestDatabase()
    try await open(database, try earlier())
    try await database.sql(
      "INSERT INTO @\"Person\" (id, \"full\", level) "
        + "SELECT n, 'name' || n, n FROM generate_series(1, \(rows)) AS n"
    )
    return database
  }

  private static let waiting = "SELECT count(*)::text FROM @objectbox_migration_1"
  private static let isWaiting = "SELECT to_regclass('@objectbox_migration_1') IS NOT NULL"

  private func isWaiting(_ database: TestDatabase) async throws -> Bool {
    try await database.value("SELECT (\(Self.isWaiting))::text") == "true"
  }

  /// Opens the database, and ends at a row.
  private func interrupt(_ database: TestDatabase, at level: Int32) async throws -> Calls {
    let calls = Calls { number in
      if number == level { withUnsafeCurrentTask { $0?.cancel() } }
    }
    let later = try later(calls)
    let task = Task { try await open(database, later) }
    await #expect(throws: (any Error).self) { try await task.value }
    return calls
  }

  private func expectMigrated(_ database: TestDatabase, rows: Int) async throws {
    #expect(
      try await database.value(
        "SELECT count(*)::text FROM @\"Human\" WHERE rank = 'Rank ' || objectbox_retired_13 "
          + "AND \"rank~\" = 'rank ' || objectbox_retired_13"
      ) == "\(rows)"
    )
    #expect(try await isWaiting(database) == false)
  }

  @Test func `programs that open an empty database at once make its tables once`() async throws {
    let database = try await TestDatabase()
    let schema = try later(Calls())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<6 { group.addTask { try await open(database, schema) } }
      try await group.waitForAll()
    }
    #expect(
      try await database.value("SELECT count(*)::text FROM @objectbox_model") == "1"
    )
  }

  @Test func `values are made once, before the upgrade`() async throws {
    let database = try await database()
    let reports = Guarded<[MigrationProgress]>([])
    let calls = Calls()
    try await open(database, try later(calls)) { report in reports.withLock { $0.append(report) } }
    #expect(calls.values.count == 5_000)
    #expect(reports.withLock { $0.map(\.completedCount) } == [0, 5_000])
    #expect(reports.withLock { Set($0.map(\.totalCount)) } == [5_000])
    try await expectMigrated(database, rows: 5_000)
    #expect(try await database.definition("objectbox_unique_14") != nil)
  }

  @Test func `the next opening goes on, and rows that have changed are made anew`() async throws {
    let database = try await database()
    _ = try await interrupt(database, at: 4_500)
    #expect(try await database.value(Self.waiting) == "4000")
    // Programs of the earlier model see and change their rows meanwhile.
    #expect(
      try await database.columns("Person") == [
        "full text", "full~ text", "id bigint", "level integer",
      ]
    )
    try await open(database, try earlier())
    try await database.sql("UPDATE @\"Person\" SET level = -level WHERE id IN (7, 4200)")
    try await database.sql("DELETE FROM @\"Person\" WHERE id IN (8, 4300)")
    try await database.sql("INSERT INTO @\"Person\" (id, level) VALUES (8, -8), (6000, 6000)")
    let calls = Calls()
    try await open(database, try later(calls))
    #expect(calls.values.count == 1_002)
    #expect(Set([-7, -8, -4_200, 6_000]).isSubset(of: calls.values))
    try await expectMigrated(database, rows: 5_000)
  }

  @Test func `another model begins anew`() async throws {
    let database = try await database()
    _ = try await interrupt(database, at: 4_500)
    let calls = Calls()
    try await open(database, try later(calls, isUnique: false))
    #expect(calls.values.count == 5_000)
    try await expectMigrated(database, rows: 5_000)
  }

  @Test func `a function that throws leaves the database as it was`() async throws {
    let database = try await database()
    let later = try later(Calls { if $0 == 4_500 { throw Refusal() } })
    await #expect {
      try await open(database, later)
    } throws: { error in
      "\(error)".contains("the migration of 'Human.rank' failed for the object with ID 4500")
    }
    #expect(try await isWaiting(database) == false)
    #expect(try await database.value("SELECT count(*)::text FROM @objectbox_model") == "1")
  }

  @Test func `programs that open at the same time share the work`() async throws {
    let database = try await database(rows: 10_000)
    let calls = Calls()
    let later = try later(calls)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 { group.addTask { try await open(database, later) } }
      try await group.waitForAll()
    }
    try await expectMigrated(database, rows: 10_000)
    #expect(Set(calls.values).count == 10_000)
  }

  @Test func `a table of few rows is filled in the upgrade`() async throws {
    let database = try await database(rows: 2_999)
    _ = try await interrupt(database, at: 2_500)
    #expect(try await isWaiting(database) == false)
    #expect(try await database.value("SELECT count(*)::text FROM @objectbox_model") == "1")
  }
}
