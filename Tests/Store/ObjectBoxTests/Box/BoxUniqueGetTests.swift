import ObjectBox
import ObjectBoxRuntimeTestSupport
import Testing

/// Lookups by the value of a unique property.
struct BoxUniqueGetTests {
  @Test func `the object that holds the value is returned`() throws {
    let store = try TemporaryStore()
    let box: Box<Person> = store.store.box()
    try box.put((1...2000).map { Person("p\($0)", email: $0 == 7 ? nil : "p\($0)@x") })
    #expect(try box.get(where: Person.email, equals: "p1999@x")?.name == "p1999")
    #expect(try box.get(where: Person.email, equals: "P1999@x") == nil)
    #expect(try box.get(where: Person.email, equals: "") == nil)
  }

  @Test(arguments: [[PropertyFlags.unique, .indexed], [.unique, .indexHash, .indexed]])
  func `a value that shares its key with another one is not that one`(
    _ flags: [PropertyFlags]
  ) throws {
    let store = try TemporaryStore(indexes: PersonIndexes(email: flags))
    let box: Box<Person> = store.store.box()
    let long = String(repeating: "x", count: 600)
    try box.put([Person("a", email: long + "a"), Person("b", email: long + "b")])
    #expect(try box.get(where: Person.email, equals: long + "b")?.name == "b")
    #expect(try box.get(where: Person.email, equals: long) == nil)
  }

  @Test func `integers are found as well`() throws {
    let store = try TemporaryStore(indexes: PersonIndexes(age: [.unique, .indexed]))
    let box: Box<Person> = store.store.box()
    try box.put([Person("a", age: -1), Person("b", age: .max)])
    #expect(try box.get(where: Person.age, equals: -1)?.name == "a")
    #expect(try box.get(where: Person.age, equals: .max)?.name == "b")
    #expect(try box.get(where: Person.age, equals: 0) == nil)
  }

  @Test func `a property that is not unique is refused by name`() throws {
    let store = try TemporaryStore()
    let box: Box<Person> = store.store.box()
    let error = #expect(throws: ObjectBoxError.self) {
      try box.get(where: Person.name, equals: "a")
    }
    guard case .illegalArgument(let message) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(message.contains("'Person.name', which is not unique"))
  }
}
