import Testing

@testable import ObjectBox
@testable import ObjectBoxCluster

@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .onServer)
struct RelationLoadingTests {
  /// Owners A (rows 1 and 3, friends B and C), B (row 2) and C; row 4 has a missing owner, row 5 none.
  private func stores() async throws -> QueryStores {
    let stores = try await QueryStores()
    let owners = [QueryOwner("A"), QueryOwner("B"), QueryOwner("C")]
    try stores.embedded.box(for: QueryOwner.self).put(owners)
    owners[0].friends.append(contentsOf: [owners[2], owners[1]])
    owners[1].superior.target = owners[0]
    try await stores.put(owners)
    try await stores.copyFriends()
    try await stores.put(
      [1, 2, 1, 99, nil].map { (owner: Id?) in
        let row = QueryRow()
        row.owner.targetId = owner.map { EntityId($0) }
        return row
      }
    )
    return stores
  }

  @Test func `included relations are those of the embedded store`() async throws {
    let stores = try await stores()
    let rows = try await stores.cluster.box(for: QueryRow.self).query().include(QueryRow.owner)
      .find()
    let expected = try stores.embedded.box(for: QueryRow.self).query().include(QueryRow.owner)
      .build().find()
    #expect(rows.map { $0.owner.target?.name } == expected.map { $0.owner.target?.name })
    #expect(rows.map { $0.owner.targetId } == expected.map { $0.owner.targetId })
    #expect(rows[0].owner.target !== rows[2].owner.target)

    let owners = try await stores.cluster.box(for: QueryOwner.self).query()
      .include(QueryOwner.rows).include(QueryOwner.friends).include(QueryOwner.admirers)
      .include(QueryOwner.superior).find()
    let others = try stores.embedded.box(for: QueryOwner.self).query().build().find()
    #expect(owners.allSatisfy { $0.rows.resolved && $0.friends.resolved && $0.admirers.resolved })
    #expect(owners.map { $0.rows.map(\.id) } == others.map { $0.rows.map(\.id) })
    #expect(owners.map { $0.friends.map(\.id) } == others.map { $0.friends.map(\.id) })
    #expect(owners.map { $0.admirers.map(\.id) } == others.map { $0.admirers.map(\.id) })
    #expect(owners.map { $0.superior.target?.id } == others.map { $0.superior.target?.id })
  }

  @Test func `relations of included objects are loaded by one round trip a level`() async throws {
    let stores = try await stores()
    let box = stores.cluster.box(for: QueryRow.self)
    let flat = try await stores.roundTrips {
      _ = try await box.query().include(QueryRow.owner).find()
    }
    let deep = box.query().include(QueryRow.owner) { owner in
      owner.include(QueryOwner.rows).include(QueryOwner.friends) {
        $0.include(QueryOwner.superior).include(QueryOwner.admirers)
      }
    }
    var rows: [QueryRow] = []
    #expect(try await stores.roundTrips { rows = try await deep.find() } == flat + 2)
    let owner = try #require(rows.first?.owner.target)
    #expect(owner.rows.resolved && owner.friends.resolved)
    #expect(owner.rows.map(\.id) == [1, 3])
    #expect(owner.friends.map(\.name) == ["B", "C"])
    #expect(owner.friends.allSatisfy { $0.admirers.resolved })
    #expect(owner.friends.map { $0.superior.target?.name } == ["A", nil])
    #expect(owner.friends.map { $0.admirers.map(\.name) } == [["A"], ["A"]])
    // Targets without friends need no further load.
    #expect(rows[1].owner.target?.friends.isEmpty == true)
    #expect(rows[4].owner.target == nil)
    var visited: [String?] = []
    for try await row in deep.objects() {
      visited.append(row.owner.target?.friends.first?.superior.target?.name)
    }
    #expect(visited == ["A", nil, "A", nil, nil])
  }

  @Test func `a relation that is included again keeps the relations of its objects`() async throws {
    let stores = try await stores()
    let query = stores.cluster.box(for: QueryRow.self).query()
      .include(QueryRow.owner) { $0.include(QueryOwner.rows) }
      .include(QueryRow.owner)
      .include(QueryRow.owner) { $0.include(QueryOwner.friends) }
    let owner = try #require(try await query.find().first?.owner.target)
    #expect(owner.rows.resolved && owner.friends.resolved && !owner.admirers.resolved)
    #expect(query.entityNames == ["QueryRow", "QueryOwner"])
  }

  @Test func `a relation that included objects lack is refused before anything is read`()
    async throws
  {
    let stores = try await stores()
    let query = stores.cluster.box(for: QueryRow.self).query()
      .include(QueryRow.owner) { $0.include(QueryOwner.friends) { $0.include(Person.friends) } }
    let trips = try await stores.roundTrips {
      #expect(await kindThrown { _ = try await query.find() } == "illegalArgument")
    }
    #expect(trips == 0)
  }

  @Test func `a relation that is loaded is used without waiting`() async throws {
    let stores = try await stores()
    let box = stores.cluster.box(for: QueryRow.self)
    let row = try #require(try await box.query { QueryRow.id == 1 }.findFirst())
    let trips = try await stores.roundTrips {
      let target = try await row.owner.load()
      #expect(target?.name == "A")
      let again = try await row.owner.load()
      #expect(again === target)
    }
    #expect(trips == 1)
    let owner = try #require(row.owner.target)
    #expect(!owner.rows.resolved)
    try await owner.rows.load()
    #expect(owner.rows.map(\.id) == [1, 3])
    try await owner.friends.load()
    #expect(owner.friends.map(\.name) == ["B", "C"])
    #expect(try await owner.friends.loadIds() == [2, 3])
    #expect(try await owner.rows.loadIds() == [1, 3])
    #expect(try await owner.admirers.loadIds() == [])
    let friend = try #require(owner.friends.first)
    let superiorOffriend = try await friend.superior.load()
    #expect(superiorOffriend?.name == "A")
    #expect(try await friend.admirers.loadIds() == [1])
  }

  @Test func `a target that is not there is none`() async throws {
    let stores = try await stores()
    let rows = try await stores.cluster.box(for: QueryRow.self).query().find()
    let third = try await rows[3].owner.load()
    #expect(third == nil)
    #expect(rows[3].owner.targetId == 99)
    let fourth = try await rows[4].owner.load()
    #expect(fourth == nil)
  }

  @Test func `relations of an embedded store load from there`() async throws {
    let stores = try await stores()
    let trips = try await stores.roundTrips {
      let rows = try stores.embedded.box(for: QueryRow.self).all()
      let first = try await rows[0].owner.load()
      #expect(first?.name == "A")
      let owner = try #require(rows[0].owner.target)
      try await owner.rows.load()
      #expect(owner.rows.count == 2)
      #expect(try await owner.rows.loadIds() == [1, 3])
    }
    #expect(trips == 0)
  }

  @Test func `a relation of no stored object is empty, and has no IDs to load`() async throws {
    let owner = QueryOwner("new")
    try await owner.rows.load()
    #expect(owner.rows.isEmpty)
    #expect(
      await kindThrown { _ = try await QueryOwner("x").rows.loadIds() }
        == "cannotRelateToUnsavedEntities"
    )
    let superiorOfowner = try await owner.superior.load()
    #expect(superiorOfowner == nil)
  }

  @Test func `links nest as in the embedded store`() async throws {
    let stores = try await stores()
    let conditions: [QueryCondition<QueryOwner>] = [
      QueryOwner.friends.link { QueryOwner.name == "B" },
      QueryOwner.admirers.link { QueryOwner.name == "A" },
      QueryOwner.rows.link { QueryRow.owner.link { QueryOwner.name == "A" } },
      QueryOwner.superior.link { QueryOwner.friends.link { QueryOwner.name == "C" } },
      QueryOwner.name == "C" || QueryOwner.rows.link { QueryRow.id == 2 },
    ]
    for condition in conditions {
      let query = TestedQuery(condition)
      let expected = try await stores.embeddedQueries.ids(query, offset: 0, limit: 0)
      #expect(try await stores.clusterQueries.ids(query, offset: 0, limit: 0) == expected)
      #expect(!expected.isEmpty)
    }
  }
}
