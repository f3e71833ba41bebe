import Foundation
import ObjectBox
import Testing

@testable import ObjectBoxCluster

/// The contract of queries, except their operators, for embedded stores and clusters.
@Suite(.onAnyStore)
struct QueryContractTests {
  private func people(_ kind: StoreKind) async throws -> AnyBox<Person> {
    let box = try await AnyStore(kind).box(Person.self)
    try await box.put([
      Person(name: "Jane", age: 30, email: "jane@example.org"),
      Person(name: "john", age: -4, email: "j"), Person(name: "Ada", age: 30),
      Person(name: "Îñţérñ", age: 99, email: ""), Person(name: "JANE", age: 7),
    ])
    return box
  }

  @Test(arguments: StoreKind.available)
  func `null matches nothing but the test for null`(_ kind: StoreKind) async throws {
    let box = try await people(kind)
    #expect(try await box.query(Person.email.isNil()).ids() == [3, 5])
    #expect(try await box.query(Person.email.isNotNil()).ids() == [1, 2, 4])
    #expect(try await box.query(Person.email == "").ids() == [4])
    #expect(try await box.query(Person.email != "j").ids() == [1, 4])
    #expect(try await box.query(Person.email < "zzz").ids() == [1, 2, 4])
    #expect(try await box.query(Person.email.contains("")).ids() == [1, 2, 4])
    #expect(try await box.query(Person.name.isNil()).ids() == [])
  }

  @Test(arguments: StoreKind.available)
  func `and binds stronger than or, and both nest`(_ kind: StoreKind) async throws {
    let box = try await people(kind)
    #expect(try await box.query(Person.age == 30 && Person.name == "Ada").ids() == [3])
    #expect(try await box.query(Person.age == 30 || Person.name == "JANE").ids() == [1, 3, 5])
    let or = Person.age == 30 && Person.name == "Ada" || Person.age == 99
    #expect(try await box.query(or).ids() == [3, 4])
    let and = (Person.age == 30 || Person.age == 99) && Person.email.isNotNil()
    #expect(try await box.query(and).ids() == [1, 4])
    let ages: QueryCondition<Person> = Person.age < 0 || Person.age > 50
    let emails: QueryCondition<Person> = Person.email == "j" || Person.email == ""
    #expect(try await box.query(ages && emails).ids() == [2, 4])
  }

  @Test(arguments: StoreKind.available)
  func `IDs are compared by number`(_ kind: StoreKind) async throws {
    let box = try await people(kind)
    #expect(try await box.query(Person.id.isEqual(to: 2)).ids() == [2])
    #expect(try await box.query(Person.id.isEqual(to: 99)).ids() == [])
    let plain = Property<Person, Id, Void>(propertyId: 1, isPrimaryKey: true)
    #expect(try await box.query(plain != 2).ids() == [1, 3, 4, 5])
    #expect(try await box.query(plain.isIn([5, 1, 99])).ids() == [1, 5])
    #expect(try await box.query(plain.isNotIn([5, 1, 99])).ids() == [2, 3, 4])
    #expect(try await box.query(Person.id.isIn([5, 1, 99, 0, .max, 1])).ids() == [1, 5])
    #expect(try await box.query(Person.id ∉ [5, 1, .max]).ids() == [2, 3, 4])
    #expect(try await box.query(Person.id.isIn([])).ids() == [])
    #expect(try await box.query(Person.id ∈ [5, 2] && Person.name == "john").ids() == [2])
    #expect(try await box.query(plain > 3).ids() == [4, 5])
    let signed = Property<Person, Int64, Void>(propertyId: 1, isPrimaryKey: true)
    #expect(try await box.query(signed.isBetween(2, and: 3)).ids() == [2, 3])
  }

  @Test(arguments: StoreKind.available)
  func `IDs of a type of their own are compared`(_ kind: StoreKind) async throws {
    let box = try await AnyStore(kind).box(Sender.self)
    try await box.put(["a", "b"].map { Sender(id: 0, name: $0) })
    let one = try #require(try await box.get(1))
    #expect(try await box.query(Sender.id.isEqual(to: 2)).ids() == [2])
    #expect(try await box.query(Sender.id.isEqual(to: one.id.value)).ids() == [1])
  }

  @Test(arguments: StoreKind.available)
  func `offset and limit cut the results`(_ kind: StoreKind) async throws {
    let box = try await people(kind)
    let all = try box.query().build()
    #expect(try await all.find(offset: 1, limit: 2).map(\.id) == [2, 3])
    #expect(try await all.ids(offset: 4) == [5])
    #expect(try await all.findContiguous(offset: 3, limit: 0).map(\.id) == [4, 5])
    #expect(try await all.find(offset: 9, limit: 0).isEmpty)
    #expect(try await all.countAll() == 5)
    let ordered = try box.query().ordered(by: Person.age).build()
    #expect(try await ordered.find(offset: 1, limit: 3).map(\.age) == [7, 30, 30])
  }

  @Test(arguments: StoreKind.available)
  func `orders sort by several properties, directions and nulls`(_ kind: StoreKind) async throws {
    let box = try await people(kind)
    #expect(try await box.query().ordered(by: Person.age).ids() == [2, 5, 1, 3, 4])
    #expect(
      try await box.query().ordered(by: Person.age, flags: [.descending]).ids() == [4, 1, 3, 5, 2]
    )
    #expect(
      try await box.query().ordered(by: Person.age, flags: [.unsigned]).ids() == [5, 1, 3, 4, 2]
    )
  }

  @Test(arguments: StoreKind.available)
  func `orders of texts ignore case unless they are told, and put nulls where they are told`(
    _ kind: StoreKind
  ) async throws {
    let box = try await people(kind)
    #expect(try await box.query().ordered(by: Person.name).ids() == [3, 1, 5, 2, 4])
    #expect(
      try await box.query().ordered(by: Person.name, flags: [.caseSensitive]).ids()
        == [3, 5, 1, 2, 4]
    )
    #expect(try await box.query().ordered(by: Person.email).ids() == [3, 5, 4, 2, 1])
    #expect(
      try await box.query().ordered(by: Person.email, flags: [.nullsLast, .descending]).ids()
        == [1, 2, 4, 3, 5]
    )
    #expect(
      try await box.query().ordered(by: Person.age).ordered(by: Person.name).ids()
        == [2, 5, 3, 1, 4]
    )
    #expect(
      try await box.query().ordered(by: Person.age)
        .ordered(by: Person.id, flags: [.descending]).ids() == [2, 5, 3, 1, 4]
    )
  }

  @Test(arguments: StoreKind.available)
  func `findUnique refuses several results, and findFirst takes the first in the order`(
    _ kind: StoreKind
  ) async throws {
    let box = try await people(kind)
    #expect(try await box.query(Person.name == "nobody").build().findUnique() == nil)
    #expect(try await box.query(Person.name == "nobody").build().findFirst() == nil)
    #expect(try await box.query(Person.name == "Ada").build().findUnique()?.id == 3)
    let two = try box.query(Person.age == 30).build()
    await expect("nonUniqueResult") { _ = try await two.findUnique() }
    #expect(try await two.findFirst()?.id == 1)
    let last = try box.query(Person.age == 30).ordered(by: Person.id, flags: [.descending]).build()
    #expect(try await last.findFirst()?.id == 3)
  }

  @Test(arguments: StoreKind.available)
  func `a query removes its results and tells how many`(_ kind: StoreKind) async throws {
    let box = try await people(kind)
    let query = try box.query(Person.age == 30).build()
    #expect(try await query.remove() == 2)
    #expect(try await query.remove() == 0)
    #expect(try await box.all().map(\.id) == [2, 4, 5])
    #expect(try await query.ids() == [])
    #expect(try await box.query(Person.name == "Ada").ids() == [])
  }

  @Test(arguments: StoreKind.available)
  func `parameters change the first condition on a property, or the one with the alias`(
    _ kind: StoreKind
  ) async throws {
    let box = try await people(kind)
    var query = try box.query(
      "low" .= Person.age > 50 && "high" .= Person.age < 100 && "who" .= Person.name.startsWith("Î")
    ).build()
    #expect(try await query.countAll() == 1)
    query.setParameter(Person.age, to: 0)
    query.setParameter("who", to: "")
    #expect(try await query.ids() == [1, 3, 4, 5])
    query.setParameter("high", to: 30)
    #expect(try await query.ids() == [5])
    var between = try box.query("ages" .= Person.age.isBetween(0, and: 1)).build()
    between.setParameters("ages", to: 99, 7)
    #expect(try await between.countAll() == 4)
    var some = try box.query(Person.name.isIn(["x"])).build()
    some.setParameters(Person.name, to: ["Ada", "john"])
    #expect(try await some.countAll() == 2)
  }

  @Test(arguments: StoreKind.available)
  func `a property query sees the later parameters of its query only where it is made after them`(
    _ kind: StoreKind
  ) async throws {
    let box = try await people(kind)
    var query = try box.query(Person.age > 50).build()
    #expect(try await query.values(Person.name).findStrings() == ["Îñţérñ"])
    query.setParameter(Person.age, to: 8)
    #expect(try await query.values(Person.age).sumInt() == 159)
    let ordered = try box.query(Person.age > 8).ordered(by: Person.name).build()
    let names = try await ordered.values(Person.name).findStrings()
    #expect(Set(names) == ["Jane", "Ada", "Îñţérñ"])
  }

  @Test(arguments: StoreKind.available)
  func `the description tells the property and the present parameter`(
    _ kind: StoreKind
  ) async throws {
    let box = try await people(kind)
    var query = try box.query(Person.age > 41).build()
    #expect(query.describe().contains("age > 41"))
    query.setParameter(Person.age, to: 12)
    #expect(query.describe().contains("age > 12"))
    #expect(!query.describe().contains("41"))
  }

  @Test(arguments: StoreKind.available)
  func `a condition that does not fit the model is refused when the query is built`(
    _ kind: StoreKind
  ) async throws {
    let box = try await AnyStore(kind).box(Person.self)
    let wrong = Property<Person, Int32, Void>(propertyId: 2)
    do {
      _ = try box.query(wrong == 3).build()
      Issue.record("the property is a text")
    } catch ObjectBoxError.propertyTypeMismatch(let message) {
      #expect(message.contains("'name'"))
    }
    let missing = Property<Person, Int32, Void>(propertyId: 77)
    await expect("illegalArgument") { _ = try box.query(missing == 3).build() }
    await expect("illegalArgument") { _ = try box.query().ordered(by: missing).build() }
  }

  @Test(arguments: StoreKind.available)
  func `conditions regard case as they are told, where the index does not`(
    _ kind: StoreKind
  ) async throws {
    let box = try await AnyStore(kind).box(Login.self)
    try await box.put(["Ada", "ada2", "ADAM", "Bob"].map { Login($0, name: $0) })
    let cases: [(QueryCondition<Login>, [UInt64])] = [
      (Login.address.isEqual(to: "aDA", caseSensitive: false), [1]),
      (Login.address.isEqual(to: "ada"), []),
      (Login.address.isIn(["BOB", "Ada"], caseSensitive: false), [1, 4]),
      (Login.address.startsWith("ada", caseSensitive: false), [1, 2, 3]),
      (Login.address.startsWith("AD"), [3]),
      (Login.address.isGreaterThan("ADA2", caseSensitive: false), [3, 4]),
      (Login.address.isGreaterThan("B"), [2, 4]),
    ]
    for (condition, ids) in cases {
      #expect(try await box.query(condition).ids() == ids)
    }
  }

  @Test(arguments: StoreKind.available)
  func `conditions on the properties of an index find the same with and without it`(
    _ kind: StoreKind
  ) async throws {
    let box = try await AnyStore(kind).box(Login.self)
    try await box.put((0..<400).map { Login(nil, name: "n\($0 % 7)", age: Int32($0 % 5)) })
    let both = try box.query(Login.age == 3 && Login.name == "n4").ordered(by: Login.age).build()
    let found = try await both.find(offset: 0, limit: 10)
    #expect(found.count == 10)
    #expect(found.allSatisfy { $0.age == 3 && $0.name == "n4" })
    #expect(try await both.countAll() == (0..<400).count { $0 % 5 == 3 && $0 % 7 == 4 })
    #expect(try await box.query(Login.name == "n4").ids().count == 57)
  }

  @Test(arguments: StoreKind.available)
  func `a condition on a date that is not a number is refused, and an endless one is not`(
    _ kind: StoreKind
  ) async throws {
    let box = try await AnyStore(kind).box(Everything.self)
    let object = Everything()
    object.date = Date(timeIntervalSince1970: 5)
    try await box.put(object)
    let never = Date(timeIntervalSince1970: .nan)
    let refused = await kindThrown {
      _ = try await box.query(Everything.date.isBefore(never)).build().ids()
    }
    #expect(refused != nil)
    let last = Date(timeIntervalSince1970: .infinity)
    #expect(try await box.query(Everything.date.isBefore(last)).ids() == [1])
    #expect(try await box.query(Everything.date.isAfter(last)).ids() == [])
  }
}
