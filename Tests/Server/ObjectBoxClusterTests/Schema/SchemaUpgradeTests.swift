import Foundation
import ObjectBox
import Testing

@testable import ObjectBoxCluster

@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .onServer)
struct SchemaUpgradeTests {
  private func notes(_ body: (inout TestModel.Entity) -> Void = { _ in }) -> TestModel {
    var model = TestModel()
    model.entity("Note", 1) { entity in
      entity.property("id", 11, .long, flags: 1)
      entity.property("text", 12, .string)
      body(&entity)
    }
    return model
  }

  @Test func tablesHaveNativeColumnsWithTheNamesOfTheModel() async throws {
    let database = try await TestDatabase()
    try await database.open(
      notes {
        $0.property("done", 13, .bool)
        $0.property("at", 14, .date)
        $0.property("tags", 15, .stringVector)
        $0.property("price", 16, .string, #""externalType":103"#)
      }
    )
    #expect(
      try await database.columns("Note") == [
        "at timestamp with time zone", "done boolean", "id bigint", "price numeric",
        "tags text[]", "tags~ text[]", "text text", "text~ text",
      ]
    )
    #expect(try await database.definition("objectbox_id_1") == "PRIMARY KEY (id)")
  }

  @Test func openingUnderTheSameModelIsOneRoundTrip() async throws {
    let database = try await TestDatabase()
    try await database.open(notes())
    let before = try await database.connection.roundTrips()
    try await database.open(notes())
    #expect(try await database.connection.roundTrips() == before + 1)
    #expect(try await database.value("SELECT count(*)::text FROM @objectbox_model") == "1")
  }

  @Test func newElementsAreAddedBesideTheOld() async throws {
    let database = try await TestDatabase()
    try await database.open(notes())
    try await database.sql("INSERT INTO @\"Note\" VALUES (1, 'a', 'a')")
    var model = notes { $0.property("stars", 13, .int) }
    model.entity("Author", 2) { $0.property("id", 21, .long, flags: 1) }
    try await database.open(model)
    #expect(try await database.sql("SELECT text, stars::text FROM @\"Note\"") == [["a", nil]])
    #expect(try await database.columns("Author") == ["id bigint"])
  }

  @Test func elementsAreRenamedByTheirUIDsAlsoWhenTheyExchangeNames() async throws {
    let database = try await TestDatabase()
    func model(_ names: (String, String), _ properties: (String, String)) -> TestModel {
      var model = TestModel()
      model.entity(names.0, 1) {
        $0.property("id", 11, .long, flags: 1)
        $0.property(properties.0, 12, .string)
        $0.property(properties.1, 13, .string, flags: 2080, index: 101)
      }
      model.entity(names.1, 2) { $0.property("id", 21, .long, flags: 1) }
      return model
    }
    try await database.open(model(("A", "B"), ("x", "y")))
    try await database.sql(
      "INSERT INTO @\"A\" (id, x, \"x~\", y, \"y~\") VALUES (1, 'X', 'x', 'Y', 'y')"
    )
    try await database.open(model(("B", "A"), ("y", "x")))
    #expect(
      try await database.sql("SELECT x, \"x~\", y, \"y~\" FROM @\"B\"") == [["Y", "y", "X", "x"]]
    )
    #expect(try await database.columns("A") == ["id bigint"])
    #expect(
      try await database.definition("objectbox_unique_13")
        == ConstraintTests.digest("x")
    )
  }

  @Test func aLostPropertyIsKeptAndComesBackWithItsValues() async throws {
    let database = try await TestDatabase()
    try await database.open(notes { $0.property("stars", 13, .int) })
    try await database.sql("INSERT INTO @\"Note\" (id, stars) VALUES (1, 5)")
    let without = notes { $0.skip(13) }
    try await database.open(without)
    #expect(try await database.columns("Note").contains("objectbox_retired_13 integer"))
    #expect(try await database.value("SELECT name FROM @objectbox_retired") == "Note.stars")
    // Another property has the lost one's name.
    try await database.open(
      notes {
        $0.property("rating", 13, .int)
        $0.property("stars", 14, .double)
      }
    )
    #expect(
      try await database.sql("SELECT rating::text, stars::text FROM @\"Note\"") == [["5", nil]]
    )
    #expect(try await database.value("SELECT count(*)::text FROM @objectbox_retired") == "0")
  }

  @Test func aLostEntityAndItsRelationsComeBackWithoutLinksToObjectsThatAreGone() async throws {
    let database = try await TestDatabase()
    var full = notes()
    full.entity("Author", 2) {
      $0.property("id", 21, .long, flags: 1)
      $0.property("name", 22, .string, flags: 2080, index: 101)
      $0.property("favourite", 23, .relation, flags: 520, index: 102, target: "Note")
      $0.relation(31, to: "1:1")
    }
    try await database.open(full)
    try await database.sql("INSERT INTO @\"Note\" VALUES (1, 'a', 'a'), (2, 'b', 'b')")
    try await database.sql(
      "INSERT INTO @\"Author\" (id, name, \"name~\", favourite) VALUES (7, 'Ada', 'ada', 1), (8, 'Bob', 'bob', 2)"
    )
    try await database.sql("INSERT INTO @objectbox_relation_31 VALUES (7, 1), (7, 2)")
    var without = notes { $0.skip(13) }
    without.skip(2)
    try await database.open(without, mayBeOlder: true)
    #expect(try await database.value("SELECT count(*)::text FROM @objectbox_retired_2") == "2")
    #expect(try await database.definition("objectbox_unique_22") == nil)
    try await database.sql("DELETE FROM @\"Note\" WHERE id = 1")
    try await database.open(full, mayBeOlder: true)
    #expect(
      try await database.sql("SELECT name, favourite::text FROM @\"Author\" ORDER BY id")
        == [["Ada", nil], ["Bob", "2"]]
    )
    #expect(try await database.sql("SELECT target::text FROM @objectbox_relation_31") == [["2"]])
    #expect(try await database.definition("objectbox_unique_22") != nil)
    #expect(try await database.value("SELECT count(*)::text FROM @objectbox_retired") == "0")
  }

  @Test func retiredDataIsDiscardedOnDemandOnly() async throws {
    let database = try await TestDatabase()
    var full = notes { $0.property("title", 13, .string) }
    full.entity("Author", 2) {
      $0.property("id", 21, .long, flags: 1)
      $0.relation(31, to: "1:1")
    }
    try await database.open(full)
    var without = notes { $0.skip(13) }
    without.skip(2)
    try await database.open(without, mayBeOlder: true)
    let tables = ClusterTables(try without.schema(), in: database.namespace)
    let discarded = try await DatabaseUpgrade(tables).discardRetired(on: database.connection)
    #expect(Set(discarded) == ["Author", "Author.relation31", "Note.title"])
    #expect(try await database.columns("Note") == ["id bigint", "text text", "text~ text"])
    let names = try await database.sql(
      "SELECT relname::text FROM pg_class WHERE relname LIKE '%retired%' AND relkind = 'r' AND relnamespace = "
        + "(SELECT oid FROM pg_namespace WHERE nspname = \(database.namespace.quotedText))"
    )
    #expect(names == [["objectbox_retired"]])
    try await database.open(full, mayBeOlder: true)
    #expect(try await database.columns("Note").contains("title text"))
    #expect(try await DatabaseUpgrade(tables).discardRetired(on: database.connection).isEmpty)
  }

  @Test func twoProgramsThatOpenAtOnceUpgradeOnce() async throws {
    let database = try await TestDatabase()
    let model = notes { $0.property("stars", 13, .int, flags: 8, index: 101) }
    let tables = ClusterTables(try model.schema(), in: database.namespace)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<6 {
        group.addTask {
          try await DatabaseUpgrade(tables).run(on: try await TestDatabase.connect())
        }
      }
      try await group.waitForAll()
    }
    #expect(try await database.value("SELECT count(*)::text FROM @objectbox_model") == "1")
  }

  @Test func anOlderProgramIsTold() async throws {
    let database = try await TestDatabase()
    try await database.open(notes())
    try await database.open(notes { $0.property("stars", 13, .int) })
    let error = await #expect(throws: ClusterError.self) { try await database.open(notes()) }
    guard case .schemaNewer(let message) = try #require(error) else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(message.contains("last property of 'Note' has ID 3"))
    #expect(try await database.columns("Note").contains("stars integer"))
  }

  @Test func anOlderProgramThatOnlyNamesDifferentlyIsToldToo() async throws {
    let database = try await TestDatabase()
    func model(_ name: String) -> TestModel { notes { $0.property(name, 13, .int) } }
    try await database.open(model("stars"))
    try await database.open(model("rating"))
    let error = await #expect(throws: ClusterError.self) { try await database.open(model("stars")) }
    guard case .schemaNewer = try #require(error) else {
      Issue.record("\(String(describing: error))")
      return
    }
    try await database.open(model("stars"), mayBeOlder: true)
    #expect(try await database.columns("Note").contains("stars integer"))
  }

  @Test(arguments: [2, 4])
  func anotherFormatIsRefusedWithBothNumbers(format: Int) async throws {
    let database = try await TestDatabase()
    try await database.open(notes())
    try await database.sql("UPDATE @objectbox_model SET format = \(format)")
    // Also when the model is another one.
    for model in [notes(), notes { $0.property("stars", 13, .int) }] {
      let error = await #expect(throws: ClusterError.self) { try await database.open(model) }
      switch (format, try #require(error)) {
      case (4, .schemaNewer(let message)), (2, .schemaConflict(let message)):
        #expect(message.contains("format \(format), and this version of the library reads 3: "))
      default: Issue.record("\(String(describing: error))")
      }
    }
  }

  @Test func aFailingUpgradeLeavesTheSchemaAsItWas() async throws {
    let database = try await TestDatabase()
    try await database.open(notes { $0.property("code", 13, .int) })
    try await database.sql("INSERT INTO @\"Note\" (id, code) VALUES (1, 5), (2, 5)")
    var model = notes { $0.property("number", 13, .int, flags: 40, index: 101) }
    model.entity("Author", 2) { $0.property("id", 21, .long, flags: 1) }
    let error = await #expect(throws: ObjectBoxError.self) { try await database.open(model) }
    guard case .uniqueViolation(let message) = try #require(error) else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(message.contains("'Note.number'"))
    #expect(try await database.columns("Note").contains("code integer"))
    #expect(try await database.value("SELECT to_regclass('@\"Author\"')::text") == nil)
    // The connection is usable again.
    try await database.sql("UPDATE @\"Note\" SET code = id")
    try await database.open(model)
    #expect(try await database.columns("Note").contains("number integer"))
  }

  @Test func aTableThatNoModelMadeIsLeftAlone() async throws {
    let database = try await TestDatabase()
    try await database.sql("CREATE SCHEMA \(database.namespace.quotedName)")
    try await database.sql("CREATE TABLE @\"Note\" (x integer)")
    let error = await #expect(throws: ClusterError.self) { try await database.open(notes()) }
    guard case .schemaConflict(let message) = try #require(error) else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(message.contains("'Note'"))
    #expect(try await database.columns("Note") == ["x integer"])
  }

  @Test func modelsThatAreNoVersionsOfOneAnotherConflict() async throws {
    let database = try await TestDatabase()
    try await database.open(notes { $0.property("a", 13, .int) })
    let error = await #expect(throws: ClusterError.self) {
      try await database.open(notes { $0.property("b", 14, .int) })
    }
    guard case .schemaConflict = try #require(error) else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(arguments: [
    (String(repeating: "x", count: 64), "name", "bytes"),
    ("Note", String(repeating: "x", count: 63), "bytes"),
    ("Note", "xmin", "PostgreSQL's own"),
    ("objectbox_ids", "name", "library"),
  ])
  func namesThatPostgreSQLDoesNotKeepAreRefused(
    entity: String,
    property: String,
    reason: String
  ) async throws {
    var model = TestModel()
    model.entity(entity, 1) {
      $0.property("id", 11, .long, flags: 1)
      $0.property(property, 12, .string)
    }
    let database = try await TestDatabase()
    let error = await #expect(throws: ClusterError.self) { try await database.open(model) }
    #expect(try #require(error).message.contains(reason))
  }

  @Test func namesMayHaveQuotesAndOtherLetters() async throws {
    var model = TestModel()
    model.entity("Größe' ; DROP", 1) {
      $0.property("id", 11, .long, flags: 1)
      $0.property("select", 12, .string, flags: 2080, index: 101)
    }
    let database = try await TestDatabase()
    try await database.open(model)
    #expect(try await database.columns("Größe' ; DROP").contains("select text"))
  }
}
