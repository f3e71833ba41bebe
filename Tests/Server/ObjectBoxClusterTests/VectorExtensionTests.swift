import Foundation
import ObjectBoxTestSupport
import Testing

@testable import ObjectBox
@testable import ObjectBoxCluster

/// Nearest neighbours on a server with the extension `vector`, started by `Scripts/postgres.sh
/// vector`.
@Suite(
  .onServer,
  .enabled(
    if: TestServer.isThere && ProcessInfo.processInfo.environment["OBJECTBOX_TEST_VECTOR"] == "1",
    "run the tests by 'OBJECTBOX_TEST_VECTOR=1 Scripts/postgres.sh vector'"
  )
)
struct VectorExtensionTests {
  /// Opens a cluster in a new schema, on a server with the extension.
  private func cluster(in schema: String = TestServer.newSchema()) async throws -> Cluster {
    try await Self.makeExtension()
    return try await TestServer.cluster(in: schema)
  }

  private static func makeExtension() async throws {
    _ = try await TestDatabase.connect().run([
      // Two at once would conflict on a unique name.
      Statement(once: "SELECT pg_advisory_xact_lock(711)"),
      Statement(once: "CREATE EXTENSION IF NOT EXISTS vector SCHEMA public"),
    ])
  }

  private func spots(_ count: Int) -> [QuerySpot] {
    var random = SplitMix(seed: 7)
    return (0..<count).map { number in
      let position = (0..<2).map { _ in Float.random(in: -9...9, using: &random) }
      let taste = (0..<3).map { _ in Float.random(in: -1...1, using: &random) }
      return QuerySpot("\(number % 4)", number % 9 == 0 ? nil : position, taste: taste)
    }
  }

  @Test func `nearest neighbours come from the index, and are those of the embedded store`()
    async throws
  {
    let stores = try QueryStores(try await cluster())
    try await stores.put(spots(400))
    let embedded = stores.embedded.box(for: QuerySpot.self)
    let box = stores.cluster.box(for: QuerySpot.self)
    let searches = SpotSearches(similarTo: [1, 0.2, -0.3])
    for condition in searches.conditions {
      let query = try embedded.query { condition }.build()
      let other = box.query { condition }
      let ids = try await other.findIds().map(\.value)
      #expect(try ids == query.findIds().map(\.value))
      let scores = try query.findIdsWithScores()
      let others = try await other.findIdsWithScores()
      #expect(others.map(\.id) == scores.map(\.id))
      #expect(others.map(\.score) == scores.map(\.score))
    }
    let indexes = try await indexes(of: stores.cluster)
    #expect(indexes.count == 2)
    #expect(try await stores.cluster.plan(of: searches.near).contains("objectbox_vector_"))
  }

  @Test func `all neighbours are found where more are asked for than the index returns`()
    async throws
  {
    let stores = try QueryStores(try await cluster())
    try await stores.put(spots(2_500))
    let far = QuerySpot.position.nearestNeighbors(queryVector: [0, 0], maxCount: 2_100)
    let found = try await stores.cluster.box(for: QuerySpot.self).query { far }.findIds()
    #expect(found.count == 2_100)
  }

  @Test func `all vectors are compared where the index finds too few that meet a condition`()
    async throws
  {
    let stores = try QueryStores(try await cluster())
    try await stores.put(spots(2_000))
    let far = (0..<20).map { (number: Int) -> QuerySpot in
      QuerySpot("far", [50, Float(50 + number)], taste: nil)
    }
    try await stores.put(far)
    let near = QuerySpot.position.nearestNeighbors(queryVector: [0, 0], maxCount: 9)
    let condition = near && QuerySpot.name == "far"
    #expect(try await stores.cluster.plan(of: condition).contains("objectbox_vector_"))
    let table = try #require(
      stores.cluster.tables.table(entity: QuerySpot.entityInfo.entitySchemaId)
    )
    let source = ReadSource.newest(stores.cluster)
    let searches = try NearestSearch.searches(condition.condition, of: table, in: source)
    // The server would not use the index for so few rows.
    let settings = Statement(once: "SET LOCAL enable_seqscan = off")
    let statements = try NearestSearch.statements(searches, source.tables)
    let rows = try await stores.cluster.pool.run([settings] + statements).last
    #expect(rows?.count == 9)
    let found = try await stores.cluster.box(for: QuerySpot.self).query { condition }
      .findIdsWithScores().map(\.score)
    #expect(found == (50..<59).map { (number: Int) -> Double in Double(2500 + number * number) })
  }

  @Test func `vectors that the extension refuses are stored, and are not found by it`() async throws
  {
    let cluster = try await cluster()
    let box = cluster.box(for: QuerySpot.self)
    let odd = [[.nan, 1], [.infinity, 0], [1], [1, 2, 3], []] as [[Float]]
    let spots = odd.map { QuerySpot("odd", $0) } + [QuerySpot("plain", [1, 1])]
    try await box.put(spots)
    let near = QuerySpot.position.nearestNeighbors(queryVector: [1, 1], maxCount: 1)
    let found = try await box.query { near }.find()
    #expect(found.map(\.name) == ["plain"])
    let vectors = try await box.all().compactMap(\.position)
    #expect(vectors.map(\.count) == [2, 2, 1, 3, 0, 2])
  }

  @Test func `an extension that comes after the tables gets its indexes at the next opening`()
    async throws
  {
    let schema = TestServer.newSchema()
    let first = try await cluster(in: schema)
    try await first.box(for: QuerySpot.self).put(spots(20))
    for index in try await indexes(of: first) {
      _ = try await first.pool.run([
        Statement(once: "DROP INDEX \(first.tables.namespace).\(index.quotedName)")
      ])
    }
    await first.close()
    let second = try await cluster(in: schema)
    #expect(try await indexes(of: second).count == 2)
    let trips = second.pool.roundTrips
    let third = try await cluster(in: schema)
    #expect(third.pool.roundTrips < trips)
  }

  private func indexes(of cluster: Cluster) async throws -> [String] {
    let rows = try await cluster.pool.run([
      Statement(
        "SELECT indexname::text FROM pg_indexes WHERE schemaname = $1 AND tablename = 'QuerySpot' "
          + "AND indexname LIKE 'objectbox\\_vector%'"
      ) { $0.append(cluster.tables.namespaceName) }
    ])[0]
    return (0..<rows.count).compactMap { rows.text($0, 0) }
  }
}

extension Cluster {
  /// Returns the server's plan for a condition's search.
  fileprivate func plan(of condition: QueryCondition<QuerySpot>) async throws -> String {
    let table = try #require(tables.table(entity: QuerySpot.entityInfo.entitySchemaId))
    let source = ReadSource.newest(self)
    let searches = try NearestSearch.searches(condition.condition, of: table, in: source)
    let explained = try NearestSearch.statements(searches, source.tables).map { statement in
      var explaining = Statement(once: "EXPLAIN \(statement.sql)")
      explaining.parameters = statement.parameters
      return explaining
    }
    // A few hundred rows would be read faster without the index.
    let settings = Statement(once: "SET LOCAL enable_seqscan = off")
    let rows = try await pool.run([settings] + explained).dropFirst()
    return rows.flatMap { rows in (0..<rows.count).compactMap { rows.text($0, 0) } }
      .joined(separator: "\n")
  }
}
