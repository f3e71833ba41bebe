import Foundation
import ObjectBox
import Testing

@testable import ObjectBoxCluster

/// The contract of updates by queries, pages and counts with a limit, for embedded stores and
/// clusters.
@Suite(.onAnyStore)
struct UpdateContractTests {
  private func people(_ kind: StoreKind) async throws -> AnyBox<Person> {
    let box = try await AnyStore(kind).box(Person.self)
    try await box.put((1...6).map { (n: Int) in Person(name: "p\(n)", age: n, email: "e\(n)") })
    return box
  }

  @Test(arguments: StoreKind.available)
  func `an update changes the set properties of the results alone`(_ kind: StoreKind) async throws {
    let box = try await people(kind)
    let query = try box.query(Person.age > 3).ordered(by: Person.name).build()
    let count = try await query.updateAll {
      $0.set(Person.name, to: "old")
      $0.set(Person.age, to: nil)
      $0.set(Person.born, to: contractDate(5))
    }
    #expect(count == 3)
    let all = try await box.all()
    #expect(all.map(\.name) == ["p1", "p2", "p3", "old", "old", "old"])
    #expect(all.map(\.age) == [1, 2, 3, nil, nil, nil])
    #expect(all.map(\.email) == (1...6).map { "e\($0)" })
    #expect(all.map { $0.born != nil } == [false, false, false, true, true, true])
    #expect(
      try await box.query(Person.name.isEqual(to: "OLD", caseSensitive: false)).ids() == [4, 5, 6]
    )
    #expect(try await box.query(Person.age.isNil()).ids() == [4, 5, 6])
    #expect(try await box.query(Person.name == "p5").ids() == [])
    #expect(try await query.updateAll { $0.set(Person.name, to: "new") } == 0)
  }

  @Test(arguments: StoreKind.available)
  func `an object that has the values already counts`(_ kind: StoreKind) async throws {
    let box = try await people(kind)
    let all = try box.query().build()
    #expect(try await all.updateAll { $0.set(Person.name, to: "same") } == 6)
    #expect(try await all.updateAll { $0.set(Person.name, to: "same") } == 6)
    #expect(try await all.updateAll { _ in } == 0)
  }

  @Test(arguments: StoreKind.available)
  func `an update that violates a unique value changes nothing`(_ kind: StoreKind) async throws {
    let box = try await people(kind)
    let some = try box.query(Person.age > 3).build()
    await expect("uniqueViolation") {
      _ = try await some.updateAll {
        $0.set(Person.email, to: "same")
        $0.set(Person.name, to: "changed")
      }
    }
    let one = try box.query(Person.age == 1).build()
    await expect("uniqueViolation") {
      _ = try await one.updateAll { $0.set(Person.email, to: "e2") }
    }
    #expect(try await box.all().map(\.name) == (1...6).map { "p\($0)" })
    #expect(try await one.updateAll { $0.set(Person.email, to: "free") } == 1)
    #expect(try await some.updateAll { $0.set(Person.email, to: nil) } == 3)
  }

  @Test(arguments: StoreKind.available)
  func `an update of a value that replaces keeps the last result`(_ kind: StoreKind) async throws {
    let badges = try await AnyStore(kind).box(Badge.self)
    try await badges.put((1...4).map { (n: Int) in Badge(code: "c\(n)", number: n) })
    let some = try badges.query(Badge.number < 4).build()
    #expect(try await some.updateAll { $0.set(Badge.code, to: "c2") } == 3)
    #expect(try await badges.all().map(\.id) == [3, 4])
    #expect(try await badges.get(3)?.code == "c2")
    let links = try await AnyStore(kind).box(Link.self)
    try await links.put(["a", "b", "c"].map { Link($0) })
    #expect(
      try await links.query(Link.name < "c").build().updateAll { $0.set(Link.name, to: "c") } == 2
    )
    #expect(try await links.all().map(\.id) == [2])
  }

  @Test(arguments: StoreKind.available)
  func `an update sets and clears a relation`(_ kind: StoreKind) async throws {
    let store = try await AnyStore(kind)
    let people = store.box(Person.self)
    try await people.put([Person(name: "a"), Person(name: "b")])
    let companies = store.box(Company.self)
    let company = try await companies.put(Company())
    let query = try people.query(Person.name == "a").build()
    _ = try await query.updateAll { $0.set(Person.employer, to: company) }
    let ids = try await people.query().link(Person.employer) { Company.id.isEqual(to: company) }
      .ids()
    #expect(ids == [1])
    _ = try await query.updateAll { $0.set(Person.employer, to: nil) }
    #expect(try await people.query(Person.employer.isNil()).ids() == [1, 2])
  }

  @Test(arguments: StoreKind.available)
  func `an update runs in its transaction and sees its writes`(_ kind: StoreKind) async throws {
    let store = try await AnyStore(kind)
    try await store.write { transaction in
      let box: AnyBox<Person> = transaction.box()
      try await box.put([Person(name: "a", age: 1), Person(name: "b", age: 2)])
      let query = try box.query(Person.age > 0).build()
      #expect(try await query.updateAll { $0.set(Person.age, to: 9) } == 2)
      #expect(try await box.query(Person.age == 9).ids().count == 2)
    }
    #expect(try await store.box(Person.self).query(Person.age == 9).ids().count == 2)
  }

  @Test(arguments: StoreKind.available)
  func `an update of the ID or of a value that no record holds is refused`(
    _ kind: StoreKind
  ) async throws {
    let box = try await people(kind)
    let all = try box.query().build()
    let id = Property<Person, Id, Void>(propertyId: 1, isPrimaryKey: true)
    await expect("illegalArgument") { _ = try await all.updateAll { $0.set(id, to: 9) } }
    await expect("illegalArgument") {
      _ = try await all.updateAll { $0.set(Person.born, to: Date(timeIntervalSince1970: .nan)) }
    }
  }

  @Test(arguments: StoreKind.available)
  func `pages follow each other, and a count ends at its limit`(_ kind: StoreKind) async throws {
    let box = try await people(kind)
    let query = try box.query(Person.age > 1).ordered(by: Person.age, flags: [.descending]).build()
    let first = try await query.page(after: nil, limit: 2)
    #expect(first.objects.map(\.id) == [6, 5])
    try await box.remove(5)
    let second = try await query.page(after: first.next, limit: 2)
    #expect(second.objects.map(\.id) == [4, 3])
    let third = try await query.page(after: second.next, limit: 2)
    #expect(third.objects.map(\.id) == [2])
    #expect(third.next == nil)
    #expect(try await query.page(after: first.next, limit: 0).objects.count == 3)
    let other = try box.query().build()
    await expect("illegalArgument") { _ = try await other.page(after: first.next, limit: 2) }
    #expect(try await query.atMost(2) == 2)
    #expect(try await query.atMost(20) == 4)
    #expect(try await query.atMost(0) == 4)
  }
}
