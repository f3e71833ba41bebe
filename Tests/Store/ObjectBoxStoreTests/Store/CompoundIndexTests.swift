import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import Testing

/// Indexes over several properties of Person: name is 2, email 3, age 4.
struct CompoundIndexTests {
  private static let unique = PersonIndexes(
    name: [],
    email: [],
    age: [],
    together: [([2, 3, 4], true)]
  )
  private static let plain = PersonIndexes(
    name: [],
    email: [],
    age: [],
    together: [([2, 4], false)]
  )

  private func violation(_ body: () throws -> Void) -> String {
    let error = #expect(throws: ObjectBoxError.self) { try body() }
    guard case .uniqueViolation(let message) = error else {
      Issue.record("\(String(describing: error))")
      return ""
    }
    return message
  }

  @Test func `the same values together are refused, with all properties named`() throws {
    let store = try TemporaryStore(indexes: Self.unique)
    let box: Box<Person> = store.store.box()
    try box.put([
      Person("a", email: "x", age: 1), Person("a", email: "x", age: 2),
      Person("a", email: "y", age: 1), Person("b", email: "x", age: 1),
    ])
    let message = violation { try box.put(Person("a", email: "x", age: 2)) }
    #expect(message.contains("'Person.name, email, age'"))
    #expect(message.contains("ID 2 already holds 'a' and 'x' and 2"))
    #expect(try box.count() == 4)
  }

  @Test func `a null among the values is free`() throws {
    let store = try TemporaryStore(indexes: Self.unique)
    let box: Box<Person> = store.store.box()
    try box.put([Person("a", age: 1), Person("a", age: 1)])
    #expect(try box.count() == 2)
  }

  @Test func `values do not run into one another`() throws {
    let store = try TemporaryStore(indexes: Self.unique)
    let box: Box<Person> = store.store.box()
    let long = String(repeating: "l", count: 600)
    try box.put([
      Person("ab", email: "c", age: 1), Person("a", email: "bc", age: 1),
      Person("a\0", email: "c", age: 1), Person("a", email: "\0c", age: 1),
      Person("a\0\0", email: "", age: 1), Person("a", email: "\0\0", age: 1),
      Person(long, email: "1", age: 1), Person(long, email: "2", age: 1),
    ])
    #expect(violation { try box.put(Person(long, email: "2", age: 1)) }.contains("ID 8"))
    #expect(violation { try box.put(Person("a\0", email: "c", age: 1)) }.contains("ID 3"))
  }

  @Test func `changed and removed objects free their values`() throws {
    let store = try TemporaryStore(indexes: Self.unique)
    let box: Box<Person> = store.store.box()
    let person = Person("a", email: "x", age: 1)
    try box.put(person)
    try box.put(person)
    person.age = 2
    try box.put(person)
    let other = Person("a", email: "x", age: 1)
    try box.put(other)
    try box.remove(person)
    other.age = 2
    try box.put(other)
    try box.removeAll()
    try box.put(Person("a", email: "x", age: 2))
  }

  @Test func `conditions that fix the first properties use the index`() throws {
    let store = try TemporaryStore(indexes: Self.plain)
    let box: Box<Person> = store.store.box()
    try box.put((0..<2000).map { Person("n\($0 % 50)", age: Int32($0 % 40)) })
    func explain(_ condition: QueryCondition<Person>) throws -> String {
      try box.query { condition }.build().explain()
    }
    #expect(try explain(Person.age == 7 && Person.name == "n7").contains("index on 'name, age'"))
    #expect(try explain(Person.name == "n7").contains("index on 'name, age'"))
    #expect(try explain(Person.age == 7).contains("scan"))
    let both = try box.query { Person.age == 7 && Person.name == "n7" }.build()
    #expect(try both.count() == 10)
    #expect(try box.query { Person.name == "n7" }.build().count() == 40)
  }

  @Test func `an index is filled from stored objects, and dropped with its rule`() throws {
    let store = try TemporaryStore(indexes: .none)
    try store.store.box(for: Person.self)
      .put([Person("a", email: "x", age: 1), Person("b", email: "x", age: 1)])
    try store.reopen(indexes: Self.unique)
    try store.reopen(indexes: Self.unique)
    var box: Box<Person> = store.store.box()
    #expect(violation { try box.put(Person("b", email: "x", age: 1)) }.contains("ID 2"))
    try store.reopen(indexes: .none)
    box = store.store.box()
    try box.put(Person("b", email: "x", age: 1))
    let message = violation { try store.reopen(indexes: Self.unique) }
    #expect(message.contains("'Person.name, email, age' unique: the objects with the IDs 2 and 3"))
    try store.reopen(indexes: .none)
    #expect(try store.store.box(for: Person.self).count() == 3)
  }

  @Test func `an index that becomes unique is built anew`() throws {
    var indexes = Self.unique
    indexes.together[0].isUnique = false
    let store = try TemporaryStore(indexes: indexes)
    let box: Box<Person> = store.store.box()
    try box.put([Person("a", email: "x", age: 1), Person("a", email: "x", age: 1)])
    #expect(violation { try store.reopen(indexes: Self.unique) }.contains("IDs 1 and 2"))
    try store.reopen(indexes: indexes)
    #expect(try store.store.box(for: Person.self).remove(Id(2)))
    try store.reopen(indexes: Self.unique)
    let people: Box<Person> = store.store.box()
    #expect(violation { try people.put(Person("a", email: "x", age: 1)) }.contains("ID 1"))
  }

  @Test(arguments: [[], [2], [2, 2], [1, 2], [2, 9]] as [[UInt32]])
  func `an index needs two properties of the entity`(_ properties: [UInt32]) {
    let indexes = PersonIndexes(together: [(properties, false)])
    #expect(throws: ObjectBoxError.self) { try TemporaryStore(indexes: indexes) }
  }
}
