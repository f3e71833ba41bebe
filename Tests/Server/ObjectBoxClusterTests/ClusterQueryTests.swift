import Foundation
import Testing

@testable import ObjectBox
@testable import ObjectBoxCluster

@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .onServer)
struct ClusterQueryTests {
  private func owners(_ count: Int = 5) async throws -> QueryStores {
    let stores = try await QueryStores()
    try await stores.put(
      (1...count).map { QueryOwner(["ada", "Bob", "cleo"][$0 % 3] + "\($0)", rank: Int32($0)) }
    )
    return stores
  }

  private func query(_ stores: QueryStores) -> ClusterQuery<QueryOwner> {
    stores.cluster.box(for: QueryOwner.self).query()
  }

  @Test func `each call is one round trip`() async throws {
    let stores = try await owners()
    let box = stores.cluster.box(for: QueryOwner.self)
    let query = box.query { QueryOwner.rank > 1 }.ordered(by: QueryOwner.name)
    func expect(_ trips: Int, _ body: () async throws -> Void) async throws {
      let found = try await stores.roundTrips(body)
      #expect(found == trips)
    }
    try await expect(1) { _ = try await query.find(offset: 1, limit: 2).count }
    try await expect(1) { _ = try await query.findIds().count }
    try await expect(1) { _ = try await query.findFirst() }
    try await expect(1) { _ = try await query.count() }
    try await expect(1) { _ = try await query.count(limit: 2) }
    try await expect(1) { _ = try await query.exists() }
    try await expect(1) { _ = try await query.property(QueryOwner.name).count() }
    try await expect(1) { _ = try await query.explain() }
    let all = query.include(QueryOwner.superior).include(QueryOwner.friends)
      .include(QueryOwner.rows)
    // The search, the load, and the end of the transaction.
    try await expect(3) { _ = try await all.find() }
  }

  @Test func `a negative offset or limit is an error, as in a store`() async throws {
    let stores = try await owners(1)
    let box = stores.cluster.box(for: QueryOwner.self)
    let query = box.query().ordered(by: QueryOwner.name)
    func expect(_ words: String, _ body: () async throws -> Void) async {
      let error = await #expect(throws: ObjectBoxError.self) { try await body() }
      #expect(error?.message.hasPrefix(words + " is negative; use 0") == true)
    }
    await expect("offset: -1") { _ = try await query.find(offset: -1).count }
    await expect("limit: -1") { _ = try await query.findContiguous(limit: -1).count }
    await expect("offset: -2") { _ = try await query.findIds(offset: -2, limit: 1) }
    await expect("limit: -1") { _ = try await query.find(after: nil, limit: -1).objects.count }
    await expect("limit: -1") { _ = try await query.count(limit: -1) }
    await expect("offset: -1") { _ = try await query.explain(offset: -1) }
    await expect("limit: -1") { _ = try await box.count(limit: -1) }
  }

  /// Counts the results of a query whose parameters are set in code generic over the number type.
  private func counts<T: FixedWidthInteger & EntityPropertyTypeConvertible>(
    _ box: ClusterBox<QueryReading>,
    _ property: Property<QueryReading, T, Void>
  ) async throws -> [Int] {
    var greater = box.query { property > 9 && property <= T.max }
    greater.setParameter(property, to: 1)
    var between = box.query { property.isBetween(9, and: 9) }
    between.setParameters(property, to: 3, 2)
    var among = box.query { property ∈ [9] }
    among.setParameters(property, to: [1, 4])
    return [try await greater.count(), try await between.count(), try await among.count()]
  }

  private func counts<T: BinaryFloatingPoint & EntityPropertyTypeConvertible>(
    _ box: ClusterBox<QueryReading>,
    _ property: Property<QueryReading, T, Void>
  ) async throws -> [Int] {
    var greater = box.query { property > 9 }
    greater.setParameter(property, to: 1)
    var between = box.query { property.isBetween(9, and: 9) }
    between.setParameters(property, to: 3.0, 2)
    var near = box.query { property.isEqual(to: 9, tolerance: 1) }
    near.setParameter(property, toEqual: 1, tolerance: 0.5)
    return [try await greater.count(), try await between.count(), try await near.count()]
  }

  @Test func `functions are generic over the type of numbers`() async throws {
    let stores = try await QueryStores()
    try await stores.put(ContractReadings.objects)
    let box = stores.cluster.box(for: QueryReading.self)
    #expect(try await counts(box, QueryReading.aByte) == [2, 2, 1])
    #expect(try await counts(box, QueryReading.unsigned) == [2, 1, 1])
    #expect(try await counts(box, QueryReading.aFloat) == [2, 2, 1])
    #expect(try await counts(box, QueryReading.aDouble) == [2, 2, 1])
  }

  @Test func `a text of a statement does not depend on the number of values`() async throws {
    let stores = try await owners()
    func sql(_ names: [String]) async throws -> String {
      try await stores.cluster.box(for: QueryOwner.self).query { QueryOwner.name.isIn(names) }
        .run().ids(offset: 0, limit: 0).sql
    }
    let (none, some) = (try await sql([]), try await sql(["a", "b", "c"]))
    #expect(none == some)
    let odd = try await sql(["Robert'); DROP TABLE"])
    #expect(!odd.contains("Robert"))
  }

  @Test func `conditions that do not fit the model are refused before anything is sent`()
    async throws
  {
    let stores = try await owners()
    let box = stores.cluster.box(for: QueryOwner.self)
    let wrong = Property<QueryOwner, Int32, Void>(propertyId: QueryOwner.name.propertyId)
    let missing = Property<QueryOwner, Int32, Void>(propertyId: 77)
    let trips = try await stores.roundTrips {
      #expect(
        await kindThrown { _ = try await box.query { wrong == 3 }.find() } == "propertyTypeMismatch"
      )
      #expect(
        await kindThrown { _ = try await box.query { missing == 3 }.find() } == "illegalArgument"
      )
      #expect(
        await kindThrown { _ = try box.query { missing == 3 }.build() } == "illegalArgument"
      )
      #expect(
        await kindThrown { _ = try await box.query().ordered(by: missing).count() }
          == "illegalArgument"
      )
      let foreign = ToManyProperty<QueryRow>(.relationId(99))
      #expect(
        await kindThrown { _ = try await box.query().link(foreign) { QueryRow.number == 1 }.find() }
          == "illegalArgument"
      )
      #expect(
        await kindThrown { _ = try await box.query().include(foreign).find() } == "illegalArgument"
      )
      #expect(
        await kindThrown { _ = try await box.query().property(wrong).sum() }
          == "propertyTypeMismatch"
      )
      #expect(await kindThrown { _ = try await box.query().findWithScores() } == "illegalState")
    }
    #expect(trips == 0)
  }

  @Test func `U+0000 in an operand matches as in the embedded store`() async throws {
    let stores = try await owners()
    for name in ["ada3\u{0}", "\u{0}", "ada\u{0}x", "zz\u{0}"] {
      let conditions: [QueryCondition<QueryOwner>] = [
        QueryOwner.name == name, QueryOwner.name != name, QueryOwner.name < name,
        QueryOwner.name > name, QueryOwner.name.startsWith(name), QueryOwner.name.endsWith(name),
        QueryOwner.name.contains(name), QueryOwner.name ∈ [name, "Bob1"],
        QueryOwner.name.isLessThan(name, caseSensitive: false),
        QueryOwner.name.isGreaterThan(name, caseSensitive: false),
      ]
      for condition in conditions {
        let query = TestedQuery(condition)
        let expected = try await stores.embeddedQueries.ids(query, offset: 0, limit: 0)
        #expect(try await stores.clusterQueries.ids(query, offset: 0, limit: 0) == expected)
      }
    }
  }

  @Test func `a parameter inside a link is set by its alias, and copies keep theirs`() async throws
  {
    let stores = try await QueryStores()
    let owners = [QueryOwner("A"), QueryOwner("B")]
    try await stores.put(owners)
    try await stores.put(
      owners.map { owner in
        let row = QueryRow()
        row.name = owner.name
        row.owner.targetId = EntityId(owner.id)
        return row
      }
    )
    var query = stores.cluster.box(for: QueryRow.self).query { QueryRow.name != "" }
      .link(QueryRow.owner) { "who" .= QueryOwner.name == "A" }
    let copy = query
    query.setParameter("who", to: "B")
    #expect(try await query.find().map(\.name) == ["B"])
    #expect(try await copy.find().map(\.name) == ["A"])
  }

  @Test func `the plan and the description tell what is done`() async throws {
    let stores = try await owners()
    let query = stores.cluster.box(for: QueryOwner.self)
      .query { QueryOwner.name.startsWith("a") && QueryOwner.rank > 3 }
      .ordered(by: QueryOwner.name)
    let plan = try await query.explain(limit: 2)
    #expect(plan.description.contains("scan of all of 'QueryOwner'"))
    #expect(plan.description.contains("sorted by"))
    #expect(plan.raw.contains("Seq Scan"))
    #expect(plan.sql.contains("LIMIT $"))
    #expect(query.describe().contains("name starts with \"a\""))
    #expect("\(query)".hasPrefix("<ObjectBox.ClusterQuery"))
  }

  @Test func `queries of a transaction see what was put in it, and remove in it`() async throws {
    let stores = try await owners()
    try await stores.cluster.write { transaction in
      let box = transaction.box(for: QueryOwner.self)
      let owner = QueryOwner("new", rank: 100)
      owner.friends.append(QueryOwner("friend", rank: 101))
      try await box.put(owner)
      // Outside the macro: in its expansion the compiler gives the closure the symbol of another
      // one below.
      let first = try await box.query { QueryOwner.rank == 100 }.findFirst()
      let found = try #require(first)
      #expect(try await found.friends.loadIds(in: transaction).count == 1)
      try await found.friends.load(in: transaction)
      #expect(found.friends.map(\.name) == ["friend"])
      let rest = box.query { QueryOwner.rank < 100 }
      #expect(try await rest.remove() == 5)
      #expect(try await rest.count() == 0)
      var ids: [Id] = []
      for try await owner in box.query().objects() { ids.append(owner.id) }
      #expect(ids.count == 2)
      let linked = box.query().link(QueryOwner.friends) { QueryOwner.name == "friend" }
      let names = try await linked.include(QueryOwner.friends).find().map(\.name)
      #expect(names == ["new"])
    }
    #expect(try await stores.cluster.box(for: QueryOwner.self).query().count() == 2)
  }

  // MARK: Cursors

  @Test func `objects come from a cursor, in batches and in their order`() async throws {
    let stores = try await owners(1_203)
    var ids: [Id] = []
    let ordered = query(stores).ordered(by: QueryOwner.rank, flags: .descending)
    let trips = try await stores.roundTrips {
      for try await owner in ordered.objects() { ids.append(owner.id) }
    }
    let expected: [Id] = (1...1_203).reversed().map { Id($0) }
    #expect(ids == expected)
    #expect(trips <= 5)
    var count = 0
    try await ordered.visit { _ in
      count += 1
      return count < 600
    }
    #expect(count == 600)
    #expect(try await query(stores).count() == 1_203)
  }

  @Test func `a cursor sees the objects of its beginning`() async throws {
    let stores = try await owners(700)
    var iterator = query(stores).objects().makeAsyncIterator()
    _ = try await iterator.next()
    try await stores.put([QueryOwner("late")])
    var count = 1
    while try await iterator.next() != nil { count += 1 }
    #expect(count == 700)
  }

  @Test func `an iteration of a cancelled task ends, and leaves the cluster usable`() async throws {
    let stores = try await owners(2)
    let cluster = stores.cluster
    let task = Task {
      var iterator = cluster.box(for: QueryOwner.self).query().objects().makeAsyncIterator()
      withUnsafeCurrentTask { $0?.cancel() }
      return try await iterator.next() == nil
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await query(stores).count() == 2)
  }

  @Test func `no results are no objects`() async throws {
    let stores = try await owners(1)
    let none = stores.cluster.box(for: QueryOwner.self).query { QueryOwner.rank > 9 }
    for try await _ in none.objects() { Issue.record("an object") }
    #expect(try await none.findIds().isEmpty)
    #expect(try await none.property(QueryOwner.rank).max() == 0)
  }

  // MARK: Nearest neighbours

  @Test func `nearest neighbours are those of the embedded store`() async throws {
    let stores = try await QueryStores()
    try await stores.put(
      (0..<60).map { number in
        let vector = [Float(number % 8), Float(number / 8)]
        let taste = [Float(number % 5) - 2, Float(number % 7), 0.5]
        return QuerySpot("\(number % 4)", number % 9 == 0 ? nil : vector, taste: taste)
      }
    )
    let box = stores.embedded.box(for: QuerySpot.self)
    let searches = SpotSearches(similarTo: [1, 2, 3])
    for condition in searches.conditions {
      let query = try box.query { condition }.build()
      let other = stores.cluster.box(for: QuerySpot.self).query { condition }
      let ids = try await other.findIds().map(\.value)
      #expect(try ids == query.findIds().map(\.value))
      let scores = try query.findIdsWithScores(offset: 1, limit: 20)
      let others = try await other.findIdsWithScores(offset: 1, limit: 20)
      #expect(others.map(\.id) == scores.map(\.id))
      #expect(others.map(\.score) == scores.map(\.score))
      let objects = try await other.findWithScores(limit: 3).map(\.object.id)
      #expect(try objects == query.findWithScores(limit: 3).map(\.object.id))
      #expect(try await other.count() == ids.count)
    }
    let short = stores.cluster.box(for: QuerySpot.self).query {
      QuerySpot.position.nearestNeighbors(queryVector: [1], maxCount: 1)
    }
    #expect(await kindThrown { _ = try await short.find() } == "illegalArgument")
    let trips = try await stores.roundTrips {
      _ = try await stores.cluster.box(for: QuerySpot.self).query { searches.near }.find()
    }
    #expect(trips == 3)
    let few = stores.cluster.box(for: QuerySpot.self)
    #expect(try await few.query { searches.near && QuerySpot.name == "1" }.count() == 9)
    #expect(try await few.query { searches.after && QuerySpot.name == "1" }.count() < 9)
  }
}
