import Foundation
import ObjectBox
import Testing

@testable import ObjectBoxCluster

@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .onServer)
struct ConstraintTests {
  private func model(_ body: (inout TestModel.Entity) -> Void) -> TestModel {
    var model = TestModel()
    model.entity("Note", 1) { entity in
      entity.property("id", 11, .long, flags: 1)
      body(&entity)
    }
    return model
  }

  /// The definition of the unique index of a text.
  static func digest(_ column: String) -> String {
    #"UNIQUE USING btree (sha256((replace(\#(column), '\'::text, '\\'::text))::bytea))"#
  }

  @Test func eachAnnotationHasItsIndex() async throws {
    let database = try await TestDatabase()
    try await database.open(
      model {
        $0.property("hashed", 12, .string, flags: 2048, index: 101)
        $0.property("ordered", 13, .string, flags: 8, index: 102)
        $0.property("number", 14, .int, flags: 8, index: 103)
        $0.property("code", 15, .long, flags: 40, index: 104)
        $0.property("slug", 16, .string, flags: 2080, index: 105, #""collation":"nocase""#)
        $0.property("price", 17, .string, flags: 8, index: 106, #""externalType":103"#)
        $0.property("other", 18, .relation, flags: 520, index: 107, target: "Note")
        $0.together([14, 15], 108, isUnique: true)
        $0.together([13, 14], 109, isUnique: false)
      }
    )
    let expected = [
      "objectbox_index_12":
        "USING btree (hashtextextended(hashed, (0)::bigint) NULLS FIRST, id)",
      "objectbox_index_13": "USING btree (\"left\"(ordered, 200) NULLS FIRST, id)",
      "objectbox_index_14": "USING btree (number NULLS FIRST, id)",
      "objectbox_unique_15": "UNIQUE USING btree (code)",
      "objectbox_unique_16": Self.digest("\"slug~\""),
      "objectbox_index_17": "USING btree (price NULLS FIRST, id)",
      "objectbox_index_18": "USING btree (other NULLS FIRST, id)",
      "objectbox_unique_108": "UNIQUE USING btree (number, code)",
      "objectbox_index_109":
        "USING btree (\"left\"(ordered, 200) NULLS FIRST, number NULLS FIRST, id)",
    ]
    for (name, definition) in expected {
      #expect(try await database.definition(name) == definition, "\(name)")
    }
    #expect(try await database.definition("objectbox_index_15") == nil)
    #expect(try await database.definition("objectbox_target_18") == nil)
  }

  @Test func indexesComeAndGoWithTheModel() async throws {
    let database = try await TestDatabase()
    try await database.open(model { $0.property("text", 12, .string, flags: 2048, index: 101) })
    try await database.open(model { $0.property("title", 12, .string, flags: 8, index: 101) })
    #expect(
      try await database.definition("objectbox_index_12")
        == "USING btree (\"left\"(title, 200) NULLS FIRST, id)"
    )
    var without = TestModel()
    without.entity("Note", 1) {
      $0.property("id", 11, .long, flags: 1)
      $0.property("title", 12, .string)
    }
    try await database.open(without, mayBeOlder: true)
    #expect(try await database.definition("objectbox_index_12") == nil)
  }

  @Test func longTextsAndBytesAreStoredAndStayUnique() async throws {
    let database = try await TestDatabase()
    try await database.open(
      model {
        $0.property("slug", 12, .string, flags: 2080, index: 101)
        $0.property("title", 13, .string, flags: 40, index: 102)
        $0.property("data", 14, .byteVector, flags: 8, index: 103)
        $0.property("folded", 15, .string, flags: 8, index: 104, #""collation":"nocase""#)
        $0.property("numbers", 16, .longVector, flags: 8, index: 105)
        $0.property("hashed", 17, .string, flags: 2048, index: 108)
        $0.together([12, 13, 15], 106, isUnique: true)
        $0.together([13, 14], 107, isUnique: false)
      }
    )
    // A text that does not fit even when compressed.
    func text(_ seed: Int) -> String {
      "(SELECT string_agg(chr(20000 + (hashint8(i::bigint * 7919 + \(seed)) & 8191)), '' ORDER BY i) "
        + "FROM generate_series(1, 20000) i)"
    }
    func insert(_ id: Int, _ seed: Int) async throws {
      try await database.sql(
        "INSERT INTO @\"Note\" (id, slug, title, data, folded, \"folded~\", hashed, numbers) SELECT \(id), t, t, "
          + "t::bytea, t, t, t, (SELECT array_agg(i) FROM generate_series(1, 5000) i) FROM \(text(seed)) AS t(t)"
          .replacing("AS t(t)", with: "AS x(t)")
      )
    }
    try await insert(1, 1)
    try await insert(2, 2)
    let failure = await #expect(throws: ServerFailure.self) { try await insert(3, 1) }
    #expect(failure?.state == ServerFailure.State.uniqueViolation)
    let name = try #require(failure?.constraintName)
    let tables = ClusterTables(
      try model { $0.property("slug", 12, .string, flags: 2080, index: 101) }.schema(),
      in: database.namespace
    )
    if name == "objectbox_unique_12" {
      #expect(tables.properties(ofConstraint: name)?.properties.map(\.name) == ["slug"])
    }
  }

  @Test func nullsAreUniqueManyTimesAlsoAmongSeveralValues() async throws {
    let database = try await TestDatabase()
    try await database.open(
      model {
        $0.property("a", 12, .string, flags: 2080, index: 101)
        $0.property("b", 13, .int)
        $0.property("c", 14, .string)
        $0.together([13, 14], 102, isUnique: true)
      }
    )
    try await database.sql(
      "INSERT INTO @\"Note\" (id, b, c) VALUES (1, 1, NULL), (2, 1, NULL), (3, NULL, 'x'), (4, NULL, 'x'), "
        + "(5, 1, 'x'), (6, 2, 'x'), (7, 1, 'y')"
    )
    let failure = await #expect(throws: ServerFailure.self) {
      try await database.sql("INSERT INTO @\"Note\" (id, b, c) VALUES (8, 1, 'x')")
    }
    #expect(failure?.constraintName == "objectbox_unique_102")
  }

  @Test(arguments: [(2080, 40, "objectbox_unique_"), (2048, 2048, "objectbox_index_")])
  func uniqueAndHashedTextsAndBytesAreFoundByTheirIndex(
    flags: Int,
    bytesFlags: Int,
    index: String
  ) async throws {
    let database = try await TestDatabase()
    var model = TestModel()
    model.entity("Person", 1) {
      $0.property("id", 11, .long, flags: 1)
      $0.property("name", 12, .string, flags: flags, index: 101)
      $0.property("data", 13, .byteVector, flags: bytesFlags, index: 102)
    }
    try await database.open(model)
    let tables = ClusterTables(try model.schema(), in: database.namespace)
    let table = try #require(tables.table(uid: 1))
    // A backslash begins an escape in a bytea literal.
    try await database.sql(
      "INSERT INTO @\"Person\" (id, name, data) SELECT i, t, t::bytea FROM (SELECT i, i || ' x' FROM "
        + "generate_series(1, 5000) i) AS r(i, t)"
    )
    try await database.sql(
      #"INSERT INTO @"Person" (id, name) VALUES (9001, E'\\x41'), (9002, 'A')"#
    )
    try await database.sql("ANALYZE @\"Person\"")
    let conditions: [(QueryCondition<Person>, [UInt64])] = [
      (Person.name == "7 x", [7]), (Person.name == #"\x41"#, [9001]),
      (Person.name.isIn(["8 x", "A", "none"]), [8, 9002]),
    ]
    for (condition, expected) in conditions {
      var rendering = ConditionRendering(tables)
      let sql = try rendering.sql(condition.condition, of: table, as: "t")
      let select = "SELECT id FROM \(table.name) AS t WHERE \(sql)"
      let rows = try await database.connection.run([
        Statement(select, rendering.parameters),
        Statement("EXPLAIN \(select)", rendering.parameters),
      ])
      #expect(rows[0].ids().sorted() == expected)
      let plan = (0..<rows[1].count).compactMap { rows[1].text($0, 0) }.joined(separator: "\n")
      #expect(plan.contains("\(index)12"), "\(plan)")
    }
    let column = try #require(table.columns.last)
    let plan = try await database.sql(
      "EXPLAIN SELECT id FROM @\"Person\" AS t WHERE \(column.comparison("data", "=", "'7 x'::bytea"))"
    ).compactMap { $0[0] }.joined(separator: "\n")
    #expect(plan.contains("\(index)13"), "\(plan)")
  }

  @Test(arguments: ["cascade", "restrict"])
  func rulesOfRelationsAreForeignKeysThatTheCommitChecks(rule: String) async throws {
    let database = try await TestDatabase()
    func model(_ rule: String) -> TestModel {
      var model = TestModel()
      model.entity("Note", 1) {
        $0.property("id", 11, .long, flags: 1)
        $0.property("author", 12, .relation, flags: 520, index: 101, target: "Author", rule)
      }
      model.entity("Author", 2) { $0.property("id", 21, .long, flags: 1) }
      return model
    }
    // A dangling reference, which is possible without a rule.
    try await database.open(model(""))
    try await database.sql("INSERT INTO @\"Note\" VALUES (1, 9)")
    try await database.open(model(#""onDelete":"\#(rule)""#))
    #expect(try await database.value("SELECT author::text FROM @\"Note\"") == nil)
    let definition = try await database.definition("objectbox_target_12")
    #expect(
      definition
        == "FOREIGN KEY (author) REFERENCES \"Author\"(id)\(rule == "cascade" ? " ON DELETE CASCADE" : "")"
        + " DEFERRABLE INITIALLY DEFERRED"
    )
    // Stored before its target.
    try await database.sql("BEGIN")
    try await database.sql("INSERT INTO @\"Note\" VALUES (2, 5)")
    try await database.sql("INSERT INTO @\"Author\" VALUES (5)")
    try await database.sql("COMMIT")
    if rule == "cascade" {
      try await database.sql("DELETE FROM @\"Author\"")
      #expect(try await database.value("SELECT count(*)::text FROM @\"Note\"") == "1")
    } else {
      try await database.sql("BEGIN")
      try await database.sql("DELETE FROM @\"Author\"")
      let failure = await #expect(throws: ServerFailure.self) { try await database.sql("COMMIT") }
      #expect(failure?.state == ServerFailure.State.foreignKeyViolation)
      #expect(failure?.constraintName == "objectbox_target_12")
      let alone = await #expect(throws: ServerFailure.self) {
        try await database.sql("DELETE FROM @\"Author\"")
      }
      #expect(alone?.state == ServerFailure.State.foreignKeyViolation)
    }
    try await database.open(model(""), mayBeOlder: true)
    #expect(try await database.definition("objectbox_target_12") == nil)
  }

  @Test func pairsOfRelationsAreFoundFromBothEnds() async throws {
    let database = try await TestDatabase()
    try await database.open(model { $0.relation(31, to: "1:1") })
    #expect(
      try await database.definition("objectbox_relation_31_pkey") == "PRIMARY KEY (source, target)"
    )
    #expect(
      try await database.definition("objectbox_relation_31_target")
        == "USING btree (target, source)"
    )
  }

  @Test func conditionsAndOrdersOfTextsAreServedByTheIndexOfTheirBeginnings() async throws {
    let database = try await TestDatabase()
    var model = TestModel()
    model.entity("Person", 1) {
      $0.property("id", 11, .long, flags: 1)
      $0.property("name", 12, .string, flags: 8, index: 101)
    }
    try await database.open(model)
    let tables = ClusterTables(try model.schema(), in: database.namespace)
    let table = try #require(tables.table(uid: 1))
    try await database.sql(
      "INSERT INTO @\"Person\" SELECT i, t, t FROM (SELECT i, repeat('x', 300) || md5(i::text) FROM "
        + "generate_series(1, 2000) i UNION ALL SELECT i, md5(i::text) FROM generate_series(2001, 20000) i) AS r(i, t)"
    )
    try await database.sql("ANALYZE @\"Person\"")
    let long = String(repeating: "x", count: 300)
    let first = "\(long)c4ca4238a0b923820dcc509a6f75849b"
    let conditions: [QueryCondition<Person>] = [
      Person.name == first, Person.name.startsWith("aaa"), Person.name < "01",
      Person.name.isIn([first, "x"]),
    ]
    for condition in conditions {
      var rendering = ConditionRendering(tables)
      let sql = try rendering.sql(condition.condition, of: table, as: "t")
      let rows = try await database.connection.run([
        Statement(
          "EXPLAIN SELECT id FROM \(table.name) AS t WHERE \(sql)",
          rendering.parameters
        )
      ])[0]
      let plan = (0..<rows.count).compactMap { rows.text($0, 0) }.joined(separator: "\n")
      #expect(plan.contains("objectbox_index_12"), "\(plan)")
    }
    var one = ConditionRendering(tables)
    let same = try one.sql(conditions[0].condition, of: table, as: "t")
    let ids = try await database.connection.run([
      Statement("SELECT id FROM \(table.name) AS t WHERE \(same)", one.parameters)
    ])[0]
    #expect(ids.ids() == [1])
    let id = try #require(table.columns.last?.property.identity.id)
    let order = OrderRendering.sql(
      [QueryOrder(propertyID: id, flags: OrderFlags.caseSensitive.rawValue)],
      of: table,
      as: "t",
      in: tables
    )
    let plan = try await database.sql(
      "EXPLAIN SELECT id FROM @\"Person\" AS t ORDER BY \(order) LIMIT 10"
    ).compactMap { $0[0] }.joined(separator: "\n")
    #expect(plan.contains("objectbox_index_12"), "\(plan)")
  }

  @Test func nearestNeighboursHaveAnIndexWhereTheServerHasTheExtension() throws {
    let model = model {
      $0.property(
        "place",
        12,
        .floatVector,
        flags: 8,
        index: 101,
        #""vectorIndex":{"dimensions":3,"neighborsPerNode":16,"distanceType":2}"#
      )
    }
    let schema = try model.schema()
    let entity = try #require(schema.entities.first)
    #expect(TableConstraint.all(of: entity, in: schema).isEmpty)
    let all = TableConstraint.all(of: entity, in: schema, hasVectors: true)
    let vectors = VectorExtension(schema: "public")
    let sql = all.map { $0.creation(in: ClusterTables(schema, in: "public"), vectors) }
    #expect(
      sql == [
        "CREATE INDEX \"objectbox_vector_12\" ON \"public\".\"Note\" USING hnsw "
          + "(((CASE WHEN array_ndims(\"place\") = 1 AND cardinality(\"place\") = 3 "
          + "AND array_position(\"place\", NULL) IS NULL "
          + "AND NOT \"place\" && '{NaN,Infinity,-Infinity}'::real[] "
          + "THEN \"place\" END)::\"public\".vector(3)) \"public\".vector_cosine_ops) WITH (m = 16)"
      ]
    )
  }
}
