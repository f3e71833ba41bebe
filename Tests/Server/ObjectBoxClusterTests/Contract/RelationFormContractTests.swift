import ObjectBox
import ObjectBoxTestSupport
import Testing

@testable import ObjectBoxCluster

/// The contract of relations in memory and of loading them, for embedded stores and clusters.
@Suite(.onAnyStore)
struct RelationFormContractTests {
  private struct Stop: Error {}

  private func person(_ id: Id = 1, in store: AnyStore) async throws -> Person {
    try #require(try await store.box(Person.self).get(id))
  }

  // MARK: To-one

  @Test(arguments: StoreKind.available)
  func `a relation to nothing has no value, and its property is null`(
    _ kind: StoreKind
  ) async throws {
    let store = try await AnyStore(kind)
    let jane = Person(name: "Jane")
    #expect(!jane.employer.hasValue)
    #expect(jane.employer.target == nil && jane.employer.targetId == nil)
    try await store.box(Person.self).put(jane)
    let read = try await person(in: store)
    #expect(!read.employer.hasValue)
    let loaded = try await read.employer.load()
    #expect(loaded == nil)
    #expect(try await store.box(Person.self).query(Person.employer.isNil()).ids() == [1])
  }

  @Test(arguments: StoreKind.available)
  func `a stored target is loaded once, and again after a reset`(_ kind: StoreKind) async throws {
    let store = try await AnyStore(kind)
    let company = Company(name: "C")
    try await store.box(Company.self).put(company)
    let jane = Person(name: "Jane")
    jane.employer.target = company
    try await store.box(Person.self).put(jane)
    let read = try await person(in: store)
    #expect(read.employer.debugDescription == "ToOne<Company>(lazy 1)")
    let loaded = try #require(try await read.employer.load())
    #expect(loaded.name == "C" && loaded !== company)
    company.name = "D"
    try await store.box(Company.self).put(company)
    let again = try await read.employer.load()
    #expect(again === loaded && read.employer.target === loaded)
    // Setting the same ID changes nothing.
    read.employer.targetId = 1
    #expect(read.employer.target === loaded)
    read.employer.reset()
    let anew = try await read.employer.load()
    #expect(anew?.name == "D")
    #expect(read.employer.targetId == 1)
  }

  @Test(arguments: StoreKind.available)
  func `the ID of a target that was new shows after a reset`(_ kind: StoreKind) async throws {
    let store = try await AnyStore(kind)
    let jane = Person(name: "Jane")
    jane.employer.target = Company(name: "C")
    #expect(jane.employer.hasValue && jane.employer.targetId == nil)
    try await store.box(Person.self).put(jane)
    #expect(jane.employer.target?.id == 1)
    #expect(jane.employer.targetId == nil)
    jane.employer.reset()
    #expect(jane.employer.targetId == 1)
    let loaded = try await jane.employer.load()
    #expect(loaded?.name == "C")
  }

  @Test(arguments: StoreKind.available)
  func `a target that is not there is none, with its ID`(_ kind: StoreKind) async throws {
    let store = try await AnyStore(kind)
    let jane = Person(name: "Jane")
    jane.employer.targetId = 99
    try await store.box(Person.self).put(jane)
    let read = try await person(in: store)
    let loaded = try await read.employer.load()
    #expect(loaded == nil && read.employer.target == nil)
    #expect(read.employer.hasValue && read.employer.targetId == 99)
    #expect(read.employer.debugDescription == "ToOne<Company>(unresolvable 99)")
  }

  @Test(arguments: StoreKind.available)
  func `a target that cannot be put takes its host with it`(_ kind: StoreKind) async throws {
    let store = try await AnyStore(kind)
    let box = store.box(Person.self)
    try await box.put(Person(name: "taken", email: "t"))
    let host = Person(name: "host")
    let friend = Person(name: "friend", email: "t")
    host.friends.append(friend)
    await expect("uniqueViolation") { try await box.put(host) }
    #expect(host.id == 0 && friend.id == 0)
    #expect(try await box.count() == 1)
    friend.email = "free"
    try await box.put(host)
    #expect(try await box.count() == 3)
    #expect(try await store.ids(host.friends) == [friend.id])
    // The target of a to-one relation, which takes its own objects along.
    let company = Company(name: "C")
    company.staff.append(Person(name: "staff", email: "t"))
    let other = Person(name: "other")
    other.employer.target = company
    await expect("uniqueViolation") { try await box.put(other) }
    #expect(other.id == 0)
    #expect(try await box.count() == 3)
    #expect(try await store.box(Company.self).isEmpty())
  }

  @Test(arguments: StoreKind.available)
  func `removing many targets, or all, or by a query, makes relations null`(
    _ kind: StoreKind
  ) async throws {
    let store = try await AnyStore(kind)
    let (people, companies) = (store.box(Person.self), store.box(Company.self))
    try await people.put(
      (1...7).map { (number: Int) in
        let person = Person(name: "\(number)")
        person.employer.target = Company(name: "\(number)")
        return person
      }
    )
    let ids = try await people.all().map { $0.employer.targetId?.value ?? 0 }
    try await companies.remove(Array(ids[..<2]))
    #expect(try await people.query(Person.employer.isNil()).ids() == [1, 2])
    #expect(try await companies.query(Company.name == "3").build().remove() == 1)
    #expect(try await people.query(Person.employer.isNil()).ids() == [1, 2, 3])
    try await companies.removeAll()
    #expect(try await people.all().allSatisfy { !$0.employer.hasValue })
    #expect(try await people.count() == 7)
  }

  // MARK: To-many

  @Test(arguments: StoreKind.available)
  func `nothing is loaded before it is asked for`(_ kind: StoreKind) async throws {
    let store = try await AnyStore(kind)
    let jane = Person(name: "Jane")
    jane.friends.append(Person(name: "A"))
    try await store.box(Person.self).put(jane)
    let read = try await person(in: store)
    #expect(!read.friends.resolved && read.friends.canInteractWithDb)
    #expect("\(read.friends)" == "(unresolved)")
    try await read.friends.load()
    #expect(read.friends.resolved && read.friends.count == 1)
    read.friends.reset()
    #expect(!read.friends.resolved)
  }

  @Test(arguments: StoreKind.available)
  func `objects come in the order of their IDs, and each once`(_ kind: StoreKind) async throws {
    let store = try await AnyStore(kind)
    let box = store.box(QueryOwner.self)
    let all = ["a", "b", "c"].map { QueryOwner($0) }
    try await box.put(all)
    let host = QueryOwner("host")
    for place in [2, 0, 2, 1] { host.friends.append(all[place]) }
    try await box.put(host)
    #expect(host.friends.map(\.name) == ["c", "a", "c", "b"])
    let read = try #require(try await box.get(host.id))
    try await read.friends.load()
    #expect(read.friends.map(\.name) == ["a", "b", "c"])
  }

  @Test(arguments: StoreKind.available)
  func `a standalone relation is changed from both ends`(_ kind: StoreKind) async throws {
    let store = try await AnyStore(kind)
    let box = store.box(QueryOwner.self)
    let host = QueryOwner("host")
    host.friends.append(contentsOf: [QueryOwner("x"), QueryOwner("y")])
    try await box.put(host)
    let x = try #require(try await box.get(2))
    try await x.admirers.load()
    #expect(x.admirers.map(\.name) == ["host"])
    x.admirers.append(QueryOwner("other"))
    try await box.put(x)
    #expect(try await store.ids(x.admirers) == [1, 4])
    let new = QueryOwner("new")
    new.admirers.append(host)
    try await box.put(new)
    #expect(try await store.ids(host.friends) == [2, 3, new.id])
    try await x.admirers.load()
    x.admirers.removeAll { $0.name == "host" }
    try await box.put(x)
    #expect(try await store.ids(host.friends) == [3, new.id])
    try await box.remove(new)
    #expect(try await store.ids(host.friends) == [3])
    try await box.remove(host)
    let y = try #require(try await box.get(3))
    #expect(try await store.ids(y.admirers) == [])
  }

  @Test(arguments: StoreKind.available)
  func `what is added and removed again is no change, in either order`(
    _ kind: StoreKind
  ) async throws {
    let store = try await AnyStore(kind)
    let jane = Person(name: "Jane")
    jane.friends.append(Person(name: "A"))
    try await store.box(Person.self).put(jane)
    let read = try await person(in: store)
    try await read.friends.load()
    let other = Person(name: "B")
    read.friends.append(other)
    read.friends.append(other)
    read.friends.removeAll { $0 === other }
    #expect(!read.friends.hasPendingDbChanges)
    let first = read.friends[0]
    read.friends.removeFirst()
    #expect(read.friends.hasPendingDbChanges)
    read.friends.append(first)
    #expect(!read.friends.hasPendingDbChanges)
    read.friends.append(first)
    read.friends.removeLast()
    #expect(!read.friends.hasPendingDbChanges)
    // Another instance of the same object counts as the same.
    read.friends.replace([try await person(first.id, in: store)])
    #expect(!read.friends.hasPendingDbChanges)
    try await store.box(Person.self).put(read)
    #expect(try await store.box(Person.self).count() == 2)
    read.friends.replace([])
    try await store.box(Person.self).put(read)
    #expect(try await store.ids(read.friends) == [])
  }

  @Test(arguments: StoreKind.available)
  func `the relation that a host had before its put belongs to nothing`(
    _ kind: StoreKind
  ) async throws {
    let store = try await AnyStore(kind)
    let jane = Person(name: "Jane")
    var before = jane.friends
    before.append(Person(name: "A"))
    #expect(!before.canInteractWithDb)
    await expect("cannotRelateToUnsavedEntities") { try before.applyToDb() }
    await expect("cannotRelateToUnsavedEntities") { _ = try await before.loadIds() }
    try await store.box(Person.self).put(jane)
    #expect(jane.friends !== before && jane.friends.canInteractWithDb)
    await expect("cannotRelateToUnsavedEntities") { try before.applyToDb() }
    #expect(jane.friends.map(\.name) == ["A"])
  }

  @Test(arguments: StoreKind.available)
  func `a removed object can be put again, without its old relations`(
    _ kind: StoreKind
  ) async throws {
    let store = try await AnyStore(kind)
    let box = store.box(QueryOwner.self)
    let host = QueryOwner("host")
    host.friends.append(QueryOwner("friend"))
    try await box.put(host)
    try await box.remove(host)
    let again = QueryOwner("again")
    again.id = host.id
    try await box.put(again)
    #expect(try await store.ids(again.friends) == [])
    let friend = try #require(try await box.get(2))
    #expect(try await store.ids(friend.admirers) == [])
    // The same instance, which has its friends in memory.
    try await box.remove(again)
    try await box.put(host)
    #expect(try await store.ids(host.friends) == [])
    #expect(try await store.ids(friend.admirers) == [])
  }

  @Test(arguments: StoreKind.available)
  func `removals are changes again after a rollback as well`(_ kind: StoreKind) async throws {
    let store = try await AnyStore(kind)
    let box = store.box(Person.self)
    let jane = Person(name: "Jane")
    jane.friends.append(Person(name: "A"))
    try await box.put(jane)
    let read = try await person(in: store)
    try await read.friends.load()
    read.friends.removeAll()
    try await store.rollingBack([[read]])
    #expect(try await store.ids(read.friends) == [2])
    #expect(read.friends.hasPendingDbChanges && read.friends.isEmpty)
    try await box.put(read)
    #expect(try await store.ids(read.friends) == [])
  }

  @Test(arguments: StoreKind.available)
  func `a put that is refused leaves the relation as it was`(_ kind: StoreKind) async throws {
    let store = try await AnyStore(kind)
    let box = store.box(Person.self)
    try await box.put([Person(name: "Jane"), Person(name: "A")])
    let read = try await person(in: store)
    try await read.friends.load()
    read.friends.append(try await person(2, in: store))
    read.id = 1_000
    await expect("illegalArgument") { try await box.put(read) }
    read.id = 1
    #expect(read.friends.hasPendingDbChanges)
    try await box.put(read, mode: .update)
    #expect(try await store.ids(read.friends) == [2])
  }

  @Test(arguments: StoreKind.available)
  func `two objects that are in the changes of each other are put once`(
    _ kind: StoreKind
  ) async throws {
    let store = try await AnyStore(kind)
    let box = store.box(QueryOwner.self)
    try await box.put([QueryOwner("a"), QueryOwner("b")])
    let (a, b) = (try #require(try await box.get(1)), try #require(try await box.get(2)))
    try await a.friends.load()
    try await b.admirers.load()
    a.friends.append(b)
    b.admirers.append(a)
    try await box.put(b)
    #expect(try await store.ids(a.friends) == [2])
    #expect(a.friends.hasPendingDbChanges)
    try await box.put(a)
    #expect(try await store.ids(a.friends) == [2])
    #expect(try await box.count() == 2)
  }

  // MARK: Backlinks

  @Test(arguments: StoreKind.available)
  func `objects that lead to their new host already are put once`(_ kind: StoreKind) async throws {
    let store = try await AnyStore(kind)
    let company = Company(name: "C")
    let jane = Person(name: "Jane")
    jane.employer.target = company
    company.staff.append(jane)
    try await store.box(Company.self).put(company)
    let other = Company(name: "D")
    let joe = Person(name: "Joe")
    joe.employer.target = other
    other.staff.append(joe)
    try await store.box(Person.self).put(joe)
    #expect(try await store.box(Company.self).all().map(\.name) == ["C", "D"])
    #expect(try await store.box(Person.self).all().map { $0.employer.targetId?.value } == [1, 2])
  }

  @Test(arguments: StoreKind.available)
  func `an object that is taken back before the put is not put`(_ kind: StoreKind) async throws {
    let store = try await AnyStore(kind)
    let box = store.box(Company.self)
    try await box.put(Company(name: "C"))
    let company = try #require(try await box.get(1))
    try await company.staff.load()
    let new = ["a", "b", "c"].map { Person(name: $0) }
    company.staff.append(contentsOf: new)
    company.staff.removeAll { $0.name == "b" }
    try await box.put(company)
    #expect(try await store.box(Person.self).all().map(\.name) == ["a", "c"])
    #expect(new[1].id == 0 && !new[1].employer.hasValue)
    #expect(new[0].employer.targetId == 1)
    #expect(company.staff.map(\.name) == ["a", "c"])
    // An object that leaves the relation stays, without its host.
    company.staff.removeFirst()
    try await box.put(company)
    #expect(!new[0].employer.hasValue)
    #expect(try await store.box(Person.self).all().map { $0.employer.targetId?.value } == [nil, 1])
  }

  @Test(arguments: StoreKind.available)
  func `removing the host leaves its objects, and the loaded list`(_ kind: StoreKind) async throws {
    let store = try await AnyStore(kind)
    let company = Company(name: "C")
    company.staff.append(Person(name: "a"))
    try await store.box(Company.self).put(company)
    try await store.box(Company.self).remove(company)
    #expect(company.staff.count == 1)
    #expect(try await store.ids(company.staff) == [])
    #expect(try await store.box(Person.self).all().map(\.employer.targetId) == [nil])
  }

  // MARK: Other stores

  @Test(arguments: StoreKind.available)
  func `a to-many relation refuses objects of another store, and a put those of another one`(
    _ kind: StoreKind
  ) async throws {
    let (store, other) = (try await AnyStore(kind), try await AnyStore(kind))
    try await other.box(Person.self).put(Person(name: "stranger"))
    let stranger = try await person(in: other)
    try await store.box(Person.self).put(Person(name: "Jane"))
    let jane = try await person(in: store)
    try await jane.friends.load()
    jane.friends.append(stranger)
    await expect("differentStore") { try await store.box(Person.self).put(jane) }
    #expect(jane.friends.hasPendingDbChanges)
    let new = Person(name: "new")
    new.friends.append(stranger)
    await expect("differentStore") { try await store.box(Person.self).put(new) }
    try await stranger.friends.load()
    stranger.friends.append(Person(name: "friend"))
    await expect("differentStore") { try await store.box(Person.self).put(stranger) }
    #expect(try await store.box(Person.self).count() == 1)
    #expect(try await other.box(Person.self).count() == 1)
  }

  // MARK: Random changes

  @Test(arguments: StoreKind.available, [1, 2])
  func `relations agree with sets of pairs after random changes`(
    _ kind: StoreKind,
    seed: Int
  ) async throws {
    var random = SplitMix(seed: seed)
    let store = try await AnyStore(kind)
    let box = store.box(QueryOwner.self)
    try await box.put((0..<8).map { QueryOwner("\($0)") })
    var pairs: Set<[Id]> = []
    var superiors: [Id: Id] = [:]
    for _ in 0..<60 {
      let ids = try await box.all().map(\.id)
      guard let owner = try await box.get(random.pick(ids)) else { continue }
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4:
        try await owner.friends.load()
        try await change(owner.friends, of: box, ids, &random)
        try await box.put(owner)
        pairs = pairs.filter { $0[0] != owner.id }
        for friend in owner.friends { pairs.insert([owner.id, friend.id]) }
      case 4..<7:
        try await owner.admirers.load()
        try await change(owner.admirers, of: box, ids, &random)
        try await box.put(owner)
        pairs = pairs.filter { $0[1] != owner.id }
        for admirer in owner.admirers { pairs.insert([admirer.id, owner.id]) }
      case 7..<9:
        let target = random.pick(ids + [0])
        owner.superior.targetId = target == 0 ? nil : EntityId(target)
        try await box.put(owner)
        superiors[owner.id] = target == 0 ? nil : target
      default:
        try await box.remove([owner.id])
        pairs = pairs.filter { !$0.contains(owner.id) }
        superiors[owner.id] = nil
        superiors = superiors.filter { $0.value != owner.id }
        if ids.count < 4 { try await box.put((0..<4).map { QueryOwner("new \($0)") }) }
      }
      let query = try box.query().include(QueryOwner.friends).include(QueryOwner.admirers).build()
      for owner in try await query.find(offset: 0, limit: 0) {
        let friends = pairs.filter { $0[0] == owner.id }.map { $0[1] }.sorted()
        let admirers = pairs.filter { $0[1] == owner.id }.map { $0[0] }.sorted()
        #expect(owner.friends.map(\.id) == friends)
        #expect(owner.admirers.map(\.id) == admirers)
        #expect(owner.superior.targetId?.value == superiors[owner.id])
      }
    }
  }

  private func change(
    _ relation: ToMany<QueryOwner>,
    of box: AnyBox<QueryOwner>,
    _ ids: [Id],
    _ random: inout SplitMix
  ) async throws {
    var relation = relation
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      switch Int.random(in: 0..<4, using: &random) {
      case 0 where !relation.isEmpty:
        relation.remove(at: Int.random(in: 0..<relation.count, using: &random))
      case 1: relation.append(QueryOwner("added"))
      case 2 where relation.count > 2: relation.removeSubrange(0..<2)
      default:
        if let other = try await box.get(random.pick(ids)) {
          relation.insert(other, at: Int.random(in: 0...relation.count, using: &random))
        }
      }
    }
  }
}
