import ObjectBox
import Testing

@testable import ObjectBoxCluster

/// The contract of links in queries, for embedded stores and clusters.
@Suite(.onAnyStore)
struct LinkContractTests {
  /// People 1 to 5 of the companies Ada (1, 2, 4), Bob (3) and none (5).
  private func store(_ kind: StoreKind) async throws -> AnyStore {
    let store = try await AnyStore(kind)
    let (ada, bob) = (Company(name: "Ada"), Company(name: "Bob"))
    try await store.box(Company.self).put([ada, bob, Company(name: "Cleo")])
    let people = ["shoes", "hat", "hat", "hat", "none"].map { Person(name: $0) }
    for (person, company) in zip(people, [ada, ada, bob, ada]) { person.employer.target = company }
    try await store.box(Person.self).put(people)
    let owners = ["Tom", "Zoe", "Kim", "X", "Y"].map { QueryOwner($0) }
    try await store.box(QueryOwner.self).put(owners)
    owners[0].friends.replace([owners[3], owners[4]])
    owners[1].friends.replace([owners[4]])
    try await store.box(QueryOwner.self).put(owners)
    return store
  }

  @Test(arguments: StoreKind.available)
  func `a to-one link matches by the condition on the target`(_ kind: StoreKind) async throws {
    let people = try await store(kind).box(Person.self)
    try await expect(people.query().link(Person.employer) { Company.name == "Ada" }, [1, 2, 4])
    try await expect(people.query().link(Person.employer) { Company.name != "Ada" }, [3])
    try await expect(people.query().link(Person.employer) { Company.name == "Zed" }, [])
  }

  @Test(arguments: StoreKind.available)
  func `a list of targets matches their sources, and no source without a target`(
    _ kind: StoreKind
  ) async throws {
    let people = try await store(kind).box(Person.self)
    let lonely = Person(name: "of a missing company")
    let missing = EntityId<Company>(1 << 63)
    lonely.employer.targetId = missing
    try await people.put(lonely)
    try await expect(people.query(Person.employer.isIn([1, 99])), [1, 2, 4])
    try await expect(people.query(Person.employer ∈ [1, missing]), [1, 2, 4, 6])
    try await expect(people.query(Person.employer.isNotIn([1, 3])), [3, 6])
    try await expect(people.query(Person.employer ∉ []), [1, 2, 3, 4, 6])
    try await expect(people.query(Person.employer.isIn([0])), [])
  }

  @Test(arguments: StoreKind.available)
  func `a backlink finds each host once, however many of its objects match`(
    _ kind: StoreKind
  ) async throws {
    let companies = try await store(kind).box(Company.self)
    try await expect(companies.query().link(Company.staff) { Person.name == "hat" }, [1, 2])
    try await expect(companies.query().link(Company.staff) { Person.name == "none" }, [])
  }

  @Test(arguments: StoreKind.available)
  func `a standalone relation links from both ends`(_ kind: StoreKind) async throws {
    let owners = try await store(kind).box(QueryOwner.self)
    try await expect(owners.query().link(QueryOwner.friends) { QueryOwner.name == "Y" }, [1, 2])
    try await expect(owners.query().link(QueryOwner.friends) { QueryOwner.name < "Y" }, [1])
    try await expect(owners.query().link(QueryOwner.admirers) { QueryOwner.name == "Tom" }, [4, 5])
    try await expect(owners.query().link(QueryOwner.admirers) { QueryOwner.name == "Kim" }, [])
  }

  @Test(arguments: StoreKind.available)
  func `a standalone relation of two entities links from both ends`(
    _ kind: StoreKind
  ) async throws {
    let store = try await AnyStore(kind)
    let (teams, members) = (store.box(Team.self), store.box(Member.self))
    let (shoes, hat) = (Team("shoes"), Team("hat"))
    shoes.players.append(contentsOf: [Member("Ada"), Member("Bob")])
    hat.players.append(shoes.players[1])
    try await teams.put([shoes, hat, Team("none")])
    try await expect(teams.query().link(Team.players) { Member.name == "Bob" }, [1, 2])
    try await expect(teams.query().link(Team.players) { Member.name < "Bob" }, [1])
    try await expect(members.query().link(Member.teams) { Team.name.startsWith("s") }, [1, 2])
    try await expect(members.query().link(Member.teams) { Team.name == "hat" }, [2])
    try await expect(members.query().link(Member.teams) { Team.name == "none" }, [])
  }

  @Test(arguments: StoreKind.available)
  func `an object whose target was removed links to nobody`(_ kind: StoreKind) async throws {
    let store = try await store(kind)
    try await store.box(Company.self).remove([1])
    let linked = store.box(Person.self).query().link(Person.employer) { Company.name != "" }
    #expect(try await linked.ids() == [3])
  }

  @Test(arguments: StoreKind.available)
  func `links and conditions must all hold, in whatever order they come`(
    _ kind: StoreKind
  ) async throws {
    let store = try await store(kind)
    let people = store.box(Person.self)
    let hats = people.query(Person.name == "hat").link(Person.employer) { Company.name == "Ada" }
    #expect(try await hats.ids() == [2, 4])
    let either = people.query(Person.name == "hat" || Person.name == "none")
      .link(Person.employer) { Company.name == "Ada" || Company.name == "Bob" }
    #expect(try await either.ids() == [2, 3, 4])
    let owners = store.box(QueryOwner.self)
    let both = owners.query(QueryOwner.name != "")
      .link(QueryOwner.friends) { QueryOwner.name == "Y" }
      .link(QueryOwner.friends) { QueryOwner.name == "X" }
    #expect(try await both.ids() == [1])
    let nobody = owners.query()
      .link(QueryOwner.friends) { QueryOwner.name == "X" }
      .link(QueryOwner.admirers) { QueryOwner.name == "Tom" }
    #expect(try await nobody.ids() == [])
    // A standalone relation and a backlink of a to-one relation.
    let row = QueryRow()
    row.owner.targetId = 2
    try await store.box(QueryRow.self).put(row)
    let zoe = owners.query(QueryOwner.name != "")
      .link(QueryOwner.friends) { QueryOwner.name == "Y" }
      .link(QueryOwner.rows) { QueryRow.name == "" }
    #expect(try await zoe.ids() == [2])
    let none = owners.query()
      .link(QueryOwner.friends) { QueryOwner.name == "X" }
      .link(QueryOwner.rows) { QueryRow.name == "" }
    #expect(try await none.ids() == [])
  }

  @Test(arguments: StoreKind.available)
  func `orders, offset and limit hold for linked results`(_ kind: StoreKind) async throws {
    let people = try await store(kind).box(Person.self)
    let query = try people.query().link(Person.employer) { Company.name < "C" }
      .ordered(by: Person.name, flags: [.descending]).build()
    #expect(try await query.ids() == [1, 2, 3, 4])
    #expect(try await query.ids(offset: 1, limit: 2) == [2, 3])
    #expect(try await query.findFirst()?.name == "shoes")
  }

  @Test(arguments: StoreKind.available)
  func `values and removal honour links`(_ kind: StoreKind) async throws {
    let people = try await store(kind).box(Person.self)
    let query = try people.query().link(Person.employer) { Company.name == "Ada" }.build()
    #expect(try await query.values(Person.name).findStrings() == ["shoes", "hat", "hat"])
    #expect(try await query.remove() == 3)
    #expect(try await people.all().map(\.id) == [3, 5])
    #expect(try await query.findFirst() == nil)
  }

  @Test(arguments: StoreKind.available)
  func `a query sees what was related since`(_ kind: StoreKind) async throws {
    let store = try await store(kind)
    let owners = store.box(QueryOwner.self)
    let query = try owners.query().link(QueryOwner.friends) { QueryOwner.name == "Zoe" }.build()
    #expect(try await query.ids() == [])
    let kim = try #require(try await owners.get(3))
    try await kim.friends.load()
    kim.friends.append(try #require(try await owners.get(2)))
    try await owners.put(kim)
    #expect(try await query.ids() == [3])
    try await store.write { transaction in
      let owners = transaction.box(QueryOwner.self)
      try await owners.remove(2)
      let inside = owners.query().link(QueryOwner.friends) { QueryOwner.name == "Zoe" }
      #expect(try await inside.ids() == [])
    }
    #expect(try await query.ids() == [])
  }

  @Test(arguments: StoreKind.available)
  func `links hold under or, and inside of links`(_ kind: StoreKind) async throws {
    let store = try await store(kind)
    let people = store.box(Person.self)
    let or: QueryCondition<Person> =
      Person.employer.link { Company.name == "Bob" } || Person.name == "none"
    #expect(try await people.query(or).ids() == [3, 5])
    let companies = store.box(Company.self)
    let nested: QueryCondition<Company> = Company.staff.link {
      Person.employer.link { Company.name == "Ada" }
    }
    #expect(try await companies.query(nested).ids() == [1])
    let twice: QueryCondition<Person> =
      Person.employer.link { Company.name == "Ada" }
      && Person.employer.link { Company.name == "Ada" }
    #expect(try await people.query(twice).ids() == [1, 2, 4])
  }

  @Test(arguments: StoreKind.available)
  func `parameters inside of links are set by alias`(_ kind: StoreKind) async throws {
    let people = try await store(kind).box(Person.self)
    var query = try people.query().link(Person.employer) { "who" .= Company.name == "Ada" }.build()
    query.setParameter("who", to: "Bob")
    #expect(try await query.ids() == [3])
    var or = try people.query(
      Person.name == "none" || Person.employer.link { "who" .= Company.name == "Zed" }
    ).build()
    #expect(try await or.ids() == [5])
    or.setParameter("who", to: "Bob")
    #expect(try await or.ids() == [3, 5])
  }

  @Test(arguments: StoreKind.available)
  func `conditions and relations that do not fit are refused when the query is built`(
    _ kind: StoreKind
  ) async throws {
    let store = try await store(kind)
    let people = store.box(Person.self)
    let wrong = Property<Company, Int32, Void>(propertyId: 2)
    do {
      _ = try people.query().link(Person.employer) { wrong == 3 }.build()
      Issue.record("the property is a text")
    } catch ObjectBoxError.propertyTypeMismatch(let message) {
      #expect(message.contains("'name'"))
    }
    let missing = Property<Company, Int32, Void>(propertyId: 77)
    await expect("illegalArgument") {
      _ = try people.query().link(Person.employer) { missing == 3 }.build()
    }
    let relations = [
      ToManyProperty<Person>(.relationId(99)), ToManyProperty<Person>(.backlinkRelationId(99)),
      ToManyProperty<Person>(.valuePropertyId(2)), ToManyProperty<Person>(.valuePropertyId(99)),
    ]
    for relation in relations {
      do {
        _ = try store.box(Company.self).query().link(relation) { Person.name == "" }.build()
        Issue.record("no such relation")
      } catch ObjectBoxError.illegalArgument(let message) {
        #expect(message.contains("does not connect 'Company' with 'Person'"))
      }
    }
  }

  @Test(arguments: StoreKind.available)
  func `a to-one relation is compared with IDs, and with null`(_ kind: StoreKind) async throws {
    let store = try await store(kind)
    let people = store.box(Person.self)
    #expect(try await people.query(Person.employer == 1).ids() == [1, 2, 4])
    #expect(try await people.query(Person.employer == EntityId<Company>(2)).ids() == [3])
    #expect(try await people.query(Person.employer == 1 && Person.name == "hat").ids() == [2, 4])
    #expect(try await people.query(Person.employer.isNil()).ids() == [5])
    #expect(try await people.query(Person.employer.isNotNil()).ids() == [1, 2, 3, 4])
    try await store.box(Company.self).remove(1)
    #expect(try await people.query(Person.employer.isNil()).ids() == [1, 2, 4, 5])
    #expect(try await people.query(Person.employer == 1).ids() == [])
  }
}
