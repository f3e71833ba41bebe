import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import Testing

/// Texts whose indexes ignore case.
struct CollationTests {
  private static let forms: [[PropertyFlags]] = [
    [.unique, .indexed], [.unique, .indexHash, .indexed], [.unique, .indexHash64, .indexed],
  ]

  private func indexes(_ email: [PropertyFlags]) -> PersonIndexes {
    PersonIndexes(name: [.indexed], email: email, collation: .nocase)
  }

  private func violation(_ body: () throws -> Void) -> String {
    let error = #expect(throws: ObjectBoxError.self) { try body() }
    guard case .uniqueViolation(let message) = error else {
      Issue.record("\(String(describing: error))")
      return ""
    }
    return message
  }

  @Test(arguments: forms)
  func `unique texts differ by more than case`(_ flags: [PropertyFlags]) throws {
    let store = try TemporaryStore(indexes: indexes(flags))
    let box: Box<Person> = store.store.box()
    let long = String(repeating: "É", count: 400)
    for email in ["A@x", "ÉCLAIR", "Ωμέγα", long + "1"] { try box.put(Person("p", email: email)) }
    for email in ["a@X", "éclair", "ωΜΈΓΑ", long.lowercased() + "1"] {
      let message = violation { try box.put(Person("q", email: email)) }
      #expect(message.contains("'Person.email'") && message.contains("where case does not count"))
      #expect(try box.get(where: Person.email, equals: email)?.name == "p")
    }
    try box.put([Person("q", email: nil), Person("q", email: nil), Person("q", email: long + "2")])
    #expect(try box.count() == 7)
  }

  @Test func `an object may change the case of its own text`() throws {
    let store = try TemporaryStore(indexes: indexes(Self.forms[0]))
    let box: Box<Person> = store.store.box()
    let person = Person("p", email: "a")
    try box.put(person)
    person.email = "A"
    try box.put(person)
    #expect(try box.get(where: Person.email, equals: "a")?.email == "A")
    try box.remove(person)
    try box.put(Person("q", email: "a"))
  }

  @Test func `an order that regards case does not walk an index that ignores it`() throws {
    let store = try TemporaryStore(indexes: indexes(Self.forms[0]))
    let box: Box<Person> = store.store.box()
    try box.put(["b", "A", "a", "B", "C"].map { Person($0) })
    let query = try box.query().ordered(by: Person.name, flags: .caseSensitive).build()
    #expect(try query.find(limit: 4).map(\.name) == ["A", "B", "C", "a"])
  }

  @Test
  func
    `an order by the first of several indexed properties does not take their ranges for its own`()
    throws
  {
    let store = try TemporaryStore(
      indexes: PersonIndexes(
        name: [.indexed],
        email: [],
        age: [.indexed],
        together: [([4, 2], false)]
      )
    )
    let box: Box<Person> = store.store.box()
    for number in 0..<1500 {
      try box.put(Person("n\(number % 7)", age: Int32(number % 5)))
    }
    let query = try box.query { Person.age == 3 && Person.name == "n4" }
      .ordered(by: Person.age).build()
    let found = try query.find(limit: 10)
    #expect(found.count == 10)
    #expect(found.allSatisfy { $0.age == 3 && $0.name == "n4" })
    #expect(try query.find().count == (0..<1500).count { $0 % 5 == 3 && $0 % 7 == 4 })
  }

  @Test func `conditions use the index, and the record decides on case`() throws {
    let store = try TemporaryStore(indexes: indexes(Self.forms[0]))
    let box: Box<Person> = store.store.box()
    try box.put(["Ada", "ada", "ADAM", "Bob"].map { Person($0) })
    func run(_ condition: QueryCondition<Person>) throws -> ([String], Bool) {
      let query = try box.query { condition }.build()
      return (try query.find().map(\.name), try query.explain().contains("index on 'name'"))
    }
    let cases: [(QueryCondition<Person>, [String], Bool)] = [
      (Person.name.isEqual(to: "aDA", caseSensitive: false), ["Ada", "ada"], true),
      (Person.name.isEqual(to: "ada"), ["ada"], true),
      (Person.name.isIn(["BOB", "ada"], caseSensitive: false), ["Ada", "ada", "Bob"], true),
      (Person.name.startsWith("ada", caseSensitive: false), ["Ada", "ada", "ADAM"], true),
      (Person.name.startsWith("AD"), ["ADAM"], true),
      (Person.name.isGreaterThan("ADA", caseSensitive: false), ["ADAM", "Bob"], true),
      (Person.name.isGreaterThan("B"), ["ada", "Bob"], false),
    ]
    for (condition, names, usesIndex) in cases {
      let (found, isIndexed) = try run(condition)
      #expect(found == names)
      #expect(isIndexed == usesIndex, "\(names)")
    }
  }

  @Test func `a new collation builds the index anew, and stays with the store`() throws {
    let store = try TemporaryStore()
    let box: Box<Person> = store.store.box()
    try box.put([Person("a", email: "A@x"), Person("b", email: "B@x")])
    try store.reopen(indexes: indexes(Self.forms[0]))
    try store.reopen(indexes: indexes(Self.forms[0]))
    var people: Box<Person> = store.store.box()
    #expect(try people.get(where: Person.email, equals: "a@X")?.name == "a")
    #expect(violation { try people.put(Person("c", email: "b@X")) }.isEmpty == false)
    try store.reopen()
    people = store.store.box()
    #expect(try people.get(where: Person.email, equals: "a@X") == nil)
    try people.put(Person("c", email: "b@X"))
  }

  @Test func `stored texts that differ by case only refuse the new collation, and stay`() throws {
    let store = try TemporaryStore()
    let box: Box<Person> = store.store.box()
    try box.put([Person("a", email: "x"), Person("b", email: "y"), Person("c", email: "X")])
    let message = violation { try store.reopen(indexes: indexes(Self.forms[1])) }
    #expect(message.contains("'Person.email' unique: the objects with the IDs 1 and 3 both hold"))
    try store.reopen()
    #expect(try store.store.box(for: Person.self).all().map(\.email) == ["x", "y", "X"])
  }

  @Test func `a collation of a property without an index is refused`() throws {
    let builder = try ModelBuilder()
    let person = try builder.entityBuilder(for: Person.self, id: 1, uid: 1001)
    let name = try person.addProperty(name: "name", type: .string, id: 2, uid: 2)
    #expect(throws: ObjectBoxError.self) { try name.collation(.nocase) }
    #expect(throws: Never.self) { try name.collation(.binary) }
  }
}
