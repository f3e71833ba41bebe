import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import Testing

struct BoxReadTests {
  private let temporary: TemporaryStore
  private let people: Box<Person>

  init() throws {
    temporary = try TemporaryStore()
    people = temporary.store.box(for: Person.self)
    try people.put((1...10).map { Person("P\($0)", age: Int32($0)) })
  }

  @Test func `maxCount counts found objects`() throws {
    #expect(try people.get([99, 7, 98, 2, 5] as [Id], maxCount: 2).map(\.id) == [7, 2])
  }

  @Test func `a dictionary leaves out the missing ones`() throws {
    let found = try people.getAsDictionary([3, 99] as [Id])
    #expect(found.keys.sorted() == [3])
    let typed = try people.getAsDictionary([EntityId<Person>(4)])
    #expect(typed[4]?.name == "P4")
  }

  @Test func `ID 0 is nobody`() throws {
    #expect(try people.get(0 as Id) == nil)
    #expect(try people.remove(0 as Id) == false)
  }

  @Test func `counting stops at the limit`() throws {
    #expect(try people.count() == 10)
    #expect(try people.count(limit: 3) == 3)
    #expect(try people.count(limit: 30) == 10)
    #expect(try !people.isEmpty())
  }

  @Test func `contains asks for all of the IDs`() throws {
    #expect(try people.contains(1))
    #expect(try people.contains([1, 10]))
    #expect(try !people.contains([1, 11]))
    #expect(try people.contains(1, 2, 3))
  }

  @Test func `a visit of IDs passes nil for the missing ones, in the order given`() throws {
    var names: [String?] = []
    try people.for([9, 99, 1] as [Id]) { names.append($0?.name) }
    #expect(names == ["P9", nil, "P1"])
    var count = 0
    try people.visit([9, 99, 1, 2][...] as ArraySlice<Id>) { _ in
      count += 1
      return count < 2
    }
    #expect(count == 2)
  }

  @Test func `a writable visit may change the objects`() throws {
    try people.forEach(writable: true) { person in
      person.age += 100
      try people.put(person)
    }
    #expect(try people.all().map(\.age) == (101...110).map { Int32($0) })
  }

  @Test func `a writable visit that removes each object sees all of them`() throws {
    try people.put((1...500).map { Person("Q\($0)", email: "\($0)") })
    var seen = 0
    try people.forEach(writable: true) { person in
      seen += 1
      try people.remove(person)
    }
    #expect(seen == 510)
    #expect(try people.isEmpty())
    #expect(try people.query { Person.name.startsWith("") }.build().count() == 0)
  }

  @Test func `a put inside a read-only visit is refused`() throws {
    #expect {
      try people.forEach { try people.put($0) }
    } throws: { error in
      if case ObjectBoxError.cannotWriteWhileReading = error { true } else { false }
    }
  }

  @Test func `descriptions name kind, path and entity`() {
    #expect("\(temporary.store)" == "<ObjectBox.Store \"\(temporary.path)\">")
    #expect("\(people)" == "<ObjectBox.Box Person>")
  }

  @Test func `a store gives the same box for an entity`() {
    #expect(temporary.store.box(for: Person.self) === people)
  }
}
