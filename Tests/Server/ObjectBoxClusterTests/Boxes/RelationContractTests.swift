import Foundation
import ObjectBox
import Testing

@testable import ObjectBoxCluster

/// The contract of relations in puts and removals, for embedded stores and clusters.
@Suite(.onAnyStore)
struct RelationContractTests {
  private struct Stop: Error {}

  private func refusal(_ body: () async throws -> Void) async -> String {
    do {
      try await body()
      return ""
    } catch {
      guard case .constraintViolated(let message)? = error as? ObjectBoxError else {
        return "\(error)"
      }
      return message
    }
  }

  // MARK: To-one

  @Test(arguments: StoreKind.available)
  func `a target that was never stored is put with its host`(_ kind: StoreKind) async throws {
    let store = try await AnyStore(kind)
    let jane = Person(name: "Jane")
    jane.employer.target = Company(name: "C")
    try await store.box(Person.self).put(jane)
    #expect(jane.employer.target?.id == 1)
    #expect(try await store.box(Person.self).get(jane.id)?.employer.targetId == 1)
    #expect(try await store.box(Company.self).all().map(\.name) == ["C"])
  }

  @Test(arguments: StoreKind.available)
  func `hosts of one new target share it`(_ kind: StoreKind) async throws {
    let store = try await AnyStore(kind)
    let company = Company(name: "C")
    let people = (0..<20).map { Person(name: "\($0)") }
    for person in people { person.employer.target = company }
    try await store.box(Person.self).put(people)
    #expect(try await store.box(Company.self).count() == 1)
    #expect(try await store.box(Person.self).all().allSatisfy { $0.employer.targetId == 1 })
  }

  @Test(arguments: StoreKind.available)
  func `a stored target is not put again, and a target can be set by its ID and to nothing`(
    _ kind: StoreKind
  ) async throws {
    let store = try await AnyStore(kind)
    let company = Company(name: "C")
    try await store.box(Company.self).put(company)
    company.name = "changed in memory"
    let jane = Person(name: "Jane")
    jane.employer.target = company
    try await store.box(Person.self).put(jane)
    #expect(try await store.box(Company.self).get(1)?.name == "C")
    jane.employer.target = nil
    try await store.box(Person.self).put(jane)
    #expect(try await store.box(Person.self).get(1)?.employer.hasValue == false)
    jane.employer.targetId = 1
    try await store.box(Person.self).put(jane)
    #expect(try await store.box(Person.self).get(1)?.employer.targetId == 1)
  }

  @Test(arguments: StoreKind.available)
  func `circles of new objects are put once each`(_ kind: StoreKind) async throws {
    let store = try await AnyStore(kind)
    let links = ["a", "b", "c"].map(Link.init)
    for (index, link) in links.enumerated() { link.next.target = links[(index + 1) % 3] }
    try await store.box(Link.self).put(links[0])
    #expect(Set(links.map(\.id)) == [1, 2, 3])
    for (index, link) in links.enumerated() {
      let stored = try await store.box(Link.self).get(link.id)
      #expect(stored?.next.targetId?.value == links[(index + 1) % 3].id)
    }
    let itself = Link("self")
    itself.next.target = itself
    try await store.box(Link.self).put(itself)
    #expect(try await store.box(Link.self).get(itself.id)?.next.targetId?.value == itself.id)
  }

  @Test(arguments: StoreKind.available)
  func `a long chain of new objects is put without a deep stack`(_ kind: StoreKind) async throws {
    let store = try await AnyStore(kind)
    let links = (0..<20_000).map { Link("\($0)") }
    for (link, next) in zip(links, links.dropFirst()) { link.next.target = next }
    try await store.box(Lamp.self).put(Lamp(""))
    if let cluster = store.cluster {
      // Skips the search for replaced values.
      let buffer = WriteBuffer(cluster)
      _ = try await buffer.put([links[0]], mode: .put)
      try await cluster.commit(buffer)
    } else {
      try await store.box(Link.self).put(links[0])
    }
    #expect(try await store.box(Link.self).count() == 20_000)
  }

  @Test(arguments: StoreKind.available)
  func `a new struct is put with its host, and after a rollback it is new again`(
    _ kind: StoreKind
  ) async throws {
    let store = try await AnyStore(kind)
    let relation: ToOne<Sender> = ToOne(Sender(id: 0, name: "S"))
    var parcel = Parcel(id: 0, text: "P", sender: relation)
    try await store.rollingBack([[parcel]])
    #expect(relation.target?.name == "S")
    #expect(relation.targetId == nil)
    #expect(try await store.box(Sender.self).isEmpty())
    try await store.box(Parcel.self).put(&parcel)
    let sender = try #require(try await store.box(Sender.self).all().first)
    #expect(parcel.sender.targetId == sender.id)
    #expect(try await store.box(Parcel.self).get(parcel.id)?.sender.targetId == sender.id)
  }

  // MARK: To-many

  @Test(arguments: StoreKind.available)
  func `objects of a new host are put with it, and changes with the next put`(
    _ kind: StoreKind
  ) async throws {
    let store = try await AnyStore(kind)
    let box = store.box(Person.self)
    let jane = Person(name: "Jane")
    let friends = ["A", "B"].map { Person(name: $0) }
    jane.friends.append(contentsOf: friends)
    try await box.put(jane)
    #expect(friends.map(\.id) == [2, 3])
    #expect(!jane.friends.hasPendingDbChanges)
    #expect(try await store.ids(jane.friends) == [2, 3])
    jane.friends.remove(at: 0)
    jane.friends.append(Person(name: "C"))
    #expect(jane.friends.hasPendingDbChanges)
    try await box.put(jane)
    #expect(try await store.ids(jane.friends) == [3, 4])
    #expect(try await box.count() == 4)
    let read = try #require(try await box.get(1))
    try await store.load(read.friends)
    #expect(read.friends.map(\.name) == ["B", "C"])
    read.friends.removeAll()
    try await box.put([read])
    #expect(try await store.ids(jane.friends) == [])
  }

  @Test(arguments: StoreKind.available)
  func `two new objects can be friends of each other`(_ kind: StoreKind) async throws {
    let store = try await AnyStore(kind)
    let (a, b) = (Person(name: "a"), Person(name: "b"))
    a.friends.append(b)
    b.friends.append(a)
    a.friends.append(a)
    try await store.box(Person.self).put(a)
    #expect(try await store.ids(a.friends) == [1, 2])
    #expect(try await store.ids(b.friends) == [1])
  }

  @Test(arguments: StoreKind.available)
  func `a put stores a changed backlink`(_ kind: StoreKind) async throws {
    let store = try await AnyStore(kind)
    let people = store.box(Person.self)
    let company = Company(name: "C")
    company.staff.append(contentsOf: [Person(name: "A"), Person(name: "B")])
    try await store.box(Company.self).put(company)
    #expect(try await people.all().map(\.employer.targetId) == [1, 1])
    let read = try #require(try await store.box(Company.self).get(1))
    try await store.load(read.staff)
    #expect(read.staff.map(\.name) == ["A", "B"])
    read.staff[0].name = "changed with it"
    read.staff.remove(at: 0)
    read.staff.append(Person(name: "C"))
    try await store.box(Company.self).put(read)
    #expect(try await people.all().map(\.employer.targetId) == [nil, 1, 1])
    #expect(try await people.get(1)?.name == "changed with it")
  }

  @Test(arguments: StoreKind.available)
  func `an object that went to another host, or was removed, is left alone`(
    _ kind: StoreKind
  ) async throws {
    let store = try await AnyStore(kind)
    let people = store.box(Person.self)
    let companies = ["one", "two"].map(Company.init)
    try await store.box(Company.self).put(companies)
    for name in ["went", "gone", "stays"] {
      let person = Person(name: name)
      person.employer.target = companies[0]
      try await people.put(person)
    }
    let company = try #require(try await store.box(Company.self).get(1))
    try await store.load(company.staff)
    company.staff.removeAll()
    let went = try #require(try await people.get(1))
    went.employer.target = companies[1]
    try await people.put(went)
    try await people.remove(2)
    try await store.box(Company.self).put(company)
    #expect(try await people.all().map(\.employer.targetId) == [2, nil])
  }

  @Test(arguments: StoreKind.available)
  func `after a rollback the changes are changes again, and the next put stores them`(
    _ kind: StoreKind
  ) async throws {
    let store = try await AnyStore(kind)
    let box = store.box(Person.self)
    let jane = Person(name: "Jane")
    try await box.put([jane, Person(name: "A")])
    let stored = try #require(try await box.get(2))
    let new = Person(name: "new")
    try await store.load(jane.friends)
    jane.friends.append(stored)
    jane.friends.append(new)
    try await store.rollingBack([[jane]])
    #expect(new.id == 0)
    #expect(jane.friends.hasPendingDbChanges)
    #expect(jane.friends.map(\.name) == ["A", "new"])
    #expect(try await store.ids(jane.friends) == [])
    await expect("Stop()") {
      try await store.write { transaction in
        try await transaction.put(jane)
        #expect(!jane.friends.hasPendingDbChanges)
        jane.friends.remove(at: 0)
        throw Stop()
      }
    }
    #expect(new.id == 0)
    #expect(jane.friends.hasPendingDbChanges)
    #expect(jane.friends.map(\.name) == ["new"])
    try await box.put(jane)
    #expect(try await store.ids(jane.friends) == [new.id])
    #expect(new.id != 0)
  }

  @Test(arguments: StoreKind.available)
  func `a new host that is rolled back is new again with its objects`(
    _ kind: StoreKind
  ) async throws {
    let store = try await AnyStore(kind)
    let company = Company(name: "C")
    company.staff.append(Person(name: "A"))
    try await store.rollingBack([[company], [Company(name: "other")]])
    #expect(company.id == 0)
    try await store.box(Company.self).put(company)
    #expect(try await store.box(Person.self).all().map(\.employer.targetId?.value) == [company.id])
    #expect(try await store.box(Company.self).count() == 1)
  }

  @Test(arguments: StoreKind.available)
  func `a relation made for a known object replaces the stored one`(
    _ kind: StoreKind
  ) async throws {
    let store = try await AnyStore(kind)
    let box = store.box(Person.self)
    let jane = Person(name: "Jane")
    jane.friends.append(contentsOf: [Person(name: "A"), Person(name: "B")])
    try await box.put(jane)
    let copy = Person(name: "copy")
    copy.id = jane.id
    copy.friends.append(try #require(try await box.get(3)))
    copy.friends.append(Person(name: "C"))
    try await box.put(copy)
    #expect(try await store.ids(jane.friends) == [3, 4])
    let plain = Person(name: "plain")
    plain.id = jane.id
    try await box.put(plain)
    #expect(try await store.ids(jane.friends) == [3, 4])
  }

  @Test(arguments: StoreKind.available)
  func `objects of another store are refused`(_ kind: StoreKind) async throws {
    let (store, other) = (try await AnyStore(kind), try await AnyStore(kind))
    let company = Company(name: "stranger")
    try await other.box(Company.self).put(company)
    let stranger = try #require(try await other.box(Company.self).get(1))
    let jane = Person(name: "Jane")
    jane.employer.target = stranger
    await #expect {
      try await store.box(Person.self).put(jane)
    } throws: { error in
      if case ObjectBoxError.differentStore = error { true } else { false }
    }
    #expect(try await store.box(Person.self).isEmpty())
  }

  // MARK: Removals

  @Test(arguments: StoreKind.available)
  func `removing an object makes references to it null and removes its pairs`(
    _ kind: StoreKind
  ) async throws {
    let store = try await AnyStore(kind)
    let (people, companies) = (store.box(Person.self), store.box(Company.self))
    let all = ["a", "b", "c"].map { Person(name: $0) }
    let firms = ["x", "y"].map(Company.init)
    for person in all {
      person.employer.target = firms[person.name == "c" ? 1 : 0]
      person.friends.append(contentsOf: all)
    }
    try await people.put(all)
    #expect(try await companies.remove(firms[0]))
    #expect(
      try await people.all().map(\.employer.targetId?.value) == [nil, nil, firms[1].id]
    )
    #expect(try await people.remove([all[0].id, all[1].id, 99]) == 2)
    #expect(try await store.ids(all[2].friends) == [all[2].id])
    #expect(try await companies.removeAll() == 1)
    #expect(try await people.all().map(\.employer.targetId) == [nil])
    #expect(try await people.removeAll() == 1)
    #expect(try await store.ids(all[2].friends) == [])
  }

  @Test(arguments: StoreKind.available)
  func `objects go with the target of their to-one relation, in chains and circles`(
    _ kind: StoreKind
  ) async throws {
    let store = try await AnyStore(kind)
    let box = store.box(Link.self)
    let links = (0..<6).map { Link("\($0)") }
    // A cycle of three, a chain that ends at it, and a separate one.
    for index in 0..<3 { links[index].next.target = links[(index + 1) % 3] }
    links[3].next.target = links[0]
    links[4].next.target = links[3]
    try await box.put(links)
    #expect(try await box.remove([links[1].id]) == 1)
    #expect(try await box.all().map(\.name) == ["5"])
  }

  @Test(arguments: StoreKind.available)
  func `targets of a standalone relation go with the object`(_ kind: StoreKind) async throws {
    let store = try await AnyStore(kind)
    let (a, b) = (Room("a"), Room("b"))
    let shared = Lamp("shared")
    a.lamps.append(contentsOf: [Lamp("own"), shared])
    b.lamps.append(shared)
    try await store.box(Room.self).put([a, b])
    #expect(try await store.box(Room.self).remove(a))
    #expect(try await store.box(Lamp.self).isEmpty())
    #expect(try await store.ids(b.lamps) == [])
  }

  @Test(arguments: StoreKind.available)
  func `a target that is referred to stays, and both are named`(_ kind: StoreKind) async throws {
    let store = try await AnyStore(kind)
    let (rooms, guests) = (store.box(Room.self), store.box(Guest.self))
    let (full, empty) = (Room("full"), Room("empty"))
    full.lamps.append(Lamp("l"))
    try await rooms.put([full, empty])
    try await guests.put(Guest("g", full))
    let message = await refusal { _ = try await rooms.remove([empty.id, full.id]) }
    #expect(message.contains("cannot remove 'Room' with ID 1: 'Guest' with ID 1 is connected"))
    #expect(message.contains("to-one relation 'Guest.room'"))
    #expect(await refusal { _ = try await rooms.removeAll() } == message)
    #expect(try await rooms.count() == 2)
    #expect(try await store.box(Lamp.self).count() == 1)
    #expect(try await guests.removeAll() == 1)
    #expect(try await rooms.removeAll() == 2)
    #expect(try await store.box(Lamp.self).isEmpty())
  }

  @Test(arguments: StoreKind.available)
  func `an object whose unique value is replaced goes by the rules`(
    _ kind: StoreKind
  ) async throws {
    let store = try await AnyStore(kind)
    let box = store.box(Link.self)
    let (old, other, third) = (Link("x"), Link("y"), Link("z"))
    other.next.target = old
    try await box.put([other, third])
    // The other object is removed with the replaced one.
    let new = Link("x")
    try await box.put(new)
    #expect(try await box.all().map(\.id) == [third.id, new.id])
    // An object that is being put stays.
    third.next.target = new
    try await box.put(third)
    third.name = "x"
    third.next.target = nil
    try await box.put(third)
    #expect(try await box.all().map(\.id) == [third.id])
    try await box.put([Link("b"), Link("x"), Link("b")])
    #expect(try await box.all().map(\.name) == ["x", "b"])
  }
}
