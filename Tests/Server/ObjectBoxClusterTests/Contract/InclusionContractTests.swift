import ObjectBox
import Testing

@testable import ObjectBoxCluster

/// The contract of relations loaded with a query's results, for embedded stores and clusters.
@Suite(.onAnyStore)
struct InclusionContractTests {
  /// Company 1 with people 1 to 3, company 2 with person 4; person 5 has no company.
  private func store(_ kind: StoreKind) async throws -> AnyStore {
    let store = try await AnyStore(kind)
    for (name, people) in [("A", ["1", "2", "3"]), ("B", ["4"])] {
      let company = Company(name: name)
      company.staff.append(contentsOf: people.map { Person(name: $0) })
      try await store.box(Company.self).put(company)
    }
    try await store.box(Person.self).put(Person(name: "5"))
    return store
  }

  @Test(arguments: StoreKind.available)
  func `included relations are those that are loaded one by one`(_ kind: StoreKind) async throws {
    let store = try await store(kind)
    let people = store.box(Person.self)
    for limit in [0, 1, 3] {
      let query = try people.query().include(Person.employer).include(Person.friends).build()
      let found = try await query.find(offset: 1, limit: limit)
      for person in found {
        #expect(person.friends.resolved)
        let other = try #require(try await people.get(person.id))
        let target = try await other.employer.load()
        #expect(person.employer.target?.name == target?.name)
        #expect(person.employer.debugDescription == other.employer.debugDescription)
        #expect(!person.friends.hasPendingDbChanges)
      }
      #expect(found.count == (limit == 0 ? 4 : limit))
    }
    let companies = try store.box(Company.self).query()
      .ordered(by: Company.name, flags: [.descending]).include(Company.staff).build()
    let found = try await companies.find(offset: 0, limit: 0)
    #expect(found.map { $0.staff.map(\.name) } == [["4"], ["1", "2", "3"]])
  }

  @Test(arguments: StoreKind.available)
  func `included relations are read with the search, and load their own later`(
    _ kind: StoreKind
  ) async throws {
    let store = try await store(kind)
    let query = try store.box(Company.self).query().include(Company.staff).build()
    let company = try #require(try await query.findFirst())
    try await store.box(Person.self).remove(1)
    #expect(company.staff.map(\.name) == ["1", "2", "3"])
    let person = company.staff[1]
    #expect(!person.friends.resolved)
    let target = try await person.employer.load()
    #expect(target?.name == "A")
  }

  @Test(arguments: StoreKind.available)
  func `each relation has an instance of its own of a common target`(_ kind: StoreKind) async throws
  {
    let store = try await store(kind)
    let query = try store.box(Person.self).query().include(Person.employer).build()
    let found = try await query.find(offset: 0, limit: 2)
    #expect(found.map { $0.employer.target?.name } == ["A", "A"])
    #expect(found[0].employer.target !== found[1].employer.target)
  }

  @Test(arguments: StoreKind.available)
  func `the first and the only result include relations`(_ kind: StoreKind) async throws {
    let store = try await store(kind)
    let query = try store.box(Person.self).query(Person.name == "4").include(Person.employer)
      .build()
    #expect(try await query.findFirst()?.employer.target?.name == "B")
    #expect(try await query.findUnique()?.employer.target?.name == "B")
    let none = try store.box(Company.self).query(Company.name == "Z").include(Company.staff).build()
    #expect(try await none.findFirst() == nil)
    #expect(try await none.find(offset: 0, limit: 0).isEmpty)
  }

  @Test(arguments: StoreKind.available)
  func `a changed included relation is stored as any other`(_ kind: StoreKind) async throws {
    let store = try await store(kind)
    let query = try store.box(Company.self).query().include(Company.staff).build()
    let company = try #require(try await query.findFirst())
    company.staff.removeFirst()
    company.staff.append(Person(name: "6"))
    try await store.box(Company.self).put(company)
    #expect(try await store.ids(company.staff) == [2, 3, 6])
    let person = try #require(try await store.box(Person.self).get(1))
    #expect(!person.employer.hasValue)
  }

  @Test(arguments: StoreKind.available)
  func `a chain is included for one step, also where an object leads to itself`(
    _ kind: StoreKind
  ) async throws {
    let store = try await AnyStore(kind)
    let links = ["a", "b"].map(Link.init)
    links[0].next.target = links[1]
    links[1].next.target = links[1]
    try await store.box(Link.self).put(links)
    let query = try store.box(Link.self).query().include(Link.next).build()
    for link in try await query.find(offset: 0, limit: 0) {
      let next = try #require(link.next.target)
      #expect(next.name == "b")
      #expect(next.next.debugDescription.contains("lazy"))
    }
  }

  @Test(arguments: StoreKind.available)
  func `structs include relations, as hosts and as targets`(_ kind: StoreKind) async throws {
    let store = try await AnyStore(kind)
    let parcel = Parcel(id: 0, text: "P", sender: ToOne(Sender(id: 0, name: "S")))
    _ = try await store.put(struct: parcel)
    let query = try store.box(Parcel.self).query().include(Parcel.sender).build()
    #expect(try await query.findFirst()?.sender.target?.name == "S")
    var pupil = Pupil(id: 0, name: "p", best: nil, courses: nil, fans: nil)
    pupil.courses.append(Course("c"))
    _ = try await store.put(struct: pupil)
    let hosts = try store.box(Pupil.self).query().include(Pupil.courses).build()
    #expect(try await hosts.findFirst()?.courses.map(\.name) == ["c"])
    let targets = try store.box(Course.self).query().include(Course.pupils).build()
    #expect(try await targets.findFirst()?.pupils.map(\.name) == ["p"])
    let stored = try #require(try await hosts.findFirst())
    let fan = Pupil(id: 0, name: "fan", best: ToOne(stored), courses: nil, fans: nil)
    _ = try await store.put(struct: fan)
    let pupils = try store.box(Pupil.self).query().include(Pupil.best).include(Pupil.fans).build()
    let found = try await pupils.find(offset: 0, limit: 0)
    #expect(found.map { $0.best.target?.name } == [nil, "p"])
    #expect(found.map { $0.fans.resolved } == [true, true])
    #expect(found.map { $0.fans.map(\.name) } == [["fan"], []])
  }

  @Test(arguments: StoreKind.available)
  func `a relation of another entity is refused when the query is built`(
    _ kind: StoreKind
  ) async throws {
    let box = try await AnyStore(kind).box(Company.self)
    let missing = ToManyProperty<Person>(.relationId(99))
    for relation in [Person.friends, missing] {
      await expect("illegalArgument") { _ = try box.query().include(relation).build() }
    }
  }
}
