import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import Testing

struct LiveHandleTests {
  private struct Cancelled: Error {}

  @Test func `a handle of an object that a rolled-back write removed is valid again`() throws {
    let temporary = try TemporaryStore()
    let live = try temporary.store.live()
    let person = try live.write { try $0.put(Person("Ann", age: 5), in: live) }
    var made: LiveObject<Person>?
    try live.write { transaction in
      try transaction.remove(person)
      #expect(person.isInvalidated)
      #expect(person.age == 5)
      let new = try transaction.put(Person("Ben"), in: live)
      #expect(!new.isInvalidated)
      #expect(new.name == "Ben")
      #expect(throws: ObjectBoxError.self) { try new.freeze() }
      made = new
      transaction.cancelWrite()
      #expect(!person.isInvalidated)
    }
    #expect(!person.isInvalidated)
    #expect(try person.value().age == 5)
    let new = try #require(made)
    #expect(new.isInvalidated)
    #expect(new.name == "Ben")
    #expect { try new.value() } throws: { isInvalidated($0) }
  }

  @Test func `handles show new values after a refresh`() throws {
    let temporary = try TemporaryStore()
    let box = temporary.store.box(for: Person.self)
    let person = Person("Ann", age: 5)
    try box.put(person)
    let live = try temporary.store.live()
    let handle = try #require(try live.object(person._id))
    let adults = try live.query(Person.self) { Person.age >= 18 }
    #expect(handle.name == "Ann")
    #expect(adults.isEmpty)
    person.name = "Anna"
    person.age = 18
    try box.put(person)
    #expect(handle.name == "Ann")
    try live.refresh()
    #expect(handle.name == "Anna")
    #expect(try handle.value().age == 18)
    #expect(adults.map(\.name) == ["Anna"])
    #expect(try adults.ids == [person._id])
    #expect(try adults.find().map(\.name) == ["Anna"])
    try box.remove(person)
    #expect(!handle.isInvalidated)
    try live.refresh()
    #expect(handle.isInvalidated)
    #expect(handle.name == "Anna")
    #expect(adults.isEmpty)
    #expect(!adults.isInvalidated)
  }

  @Test func `a modification shows in the handle, in the write and afterwards`() throws {
    let temporary = try TemporaryStore()
    let live = try temporary.store.live()
    let person = try live.write { try $0.put(Person("Ann", age: 5), in: live) }
    let old = try live.write { transaction in
      defer { #expect(person.name == "Anna") }
      return try transaction.modify(person) { person in
        defer { person.name = "Anna" }
        return person.name
      }
    }
    #expect(old == "Ann")
    #expect(person.name == "Anna")
    #expect(throws: Cancelled.self) {
      try live.write { transaction in
        try transaction.modify(person) { $0.name = "Nobody" }
        #expect(person.name == "Nobody")
        throw Cancelled()
      }
    }
    #expect(person.name == "Anna")
    try live.write { try $0.remove(person) }
    #expect {
      try live.write { try $0.modify(person) { $0.name = "" } }
    } throws: { isInvalidated($0) }
    #expect(try live.write { try $0.remove(person) } == false)
  }

  @Test func `results can be narrowed, ordered, and removed while they are gone over`() throws {
    let temporary = try TemporaryStore()
    let live = try temporary.store.live()
    try live.write { transaction in
      try transaction.put((1...10).map { Person("\($0 % 3)", age: Int32($0)) })
    }
    let people = try live.query(Person.self)
    let some = try people.query { Person.age > 4 }.ordered(by: Person.name)
    #expect(some.map(\.name) == ["0", "0", "1", "1", "2", "2"])
    #expect(
      try live.query(
        builder: temporary.store.box(for: Person.self).query().ordered(
          by: Person.age,
          flags: .descending
        )
      ).first?.age == 10
    )
    let removed = try live.write { transaction in try some.map(transaction.remove) }
    #expect(removed == [Bool](repeating: true, count: 6))
    #expect(some.isEmpty)
    #expect(people.map(\.age) == [1, 2, 3, 4])
    try live.write { transaction in
      for person in people where person.age % 2 == 0 { try transaction.remove(person) }
      #expect(people.count == 2)
    }
    #expect(try live.write { try $0.remove(people) } == 2)
    #expect(people.isEmpty)
  }

  @Test func `a frozen object is thawed where it is still there`() throws {
    let temporary = try TemporaryStore()
    let live = try temporary.store.live()
    let person = try live.write { try $0.put(Person("Ann"), in: live) }
    let frozen = try person.freeze()
    let all = try live.query(Person.self).freeze()
    #expect(try person.thaw(in: live) === person)
    let thawed = try #require(try frozen.thaw(in: live))
    try live.write { try $0.modify(thawed) { $0.name = "Anna" } }
    #expect(thawed.name == "Anna")
    #expect(person.name == "Anna")
    #expect(frozen.name == "Ann")
    #expect(try all.thaw(in: live)?.first?.name == "Anna")
    try live.write { try $0.remove(thawed) }
    #expect(try frozen.thaw(in: live) == nil)
    #expect(try person.thaw(in: live) == nil)
    #expect(all.count == 1)
  }

  @Test func `a view that is behind is refreshed to resolve a reference`() throws {
    let temporary = try TemporaryStore()
    let live = try temporary.store.live()
    #expect(try live.count(Person.self) == 0)
    try temporary.store.box(for: Person.self).put(Person("Ann"))
    let frozen = try #require(try temporary.store.freeze().object(Person.self, 1))
    let person = try live.resolve(try ThreadSafeReference(to: frozen))
    #expect(person?.name == "Ann")
    #expect(try live.count(Person.self) == 1)
    let reference = try ThreadSafeReference(to: try #require(person))
    try live.write { try $0.removeAll(Person.self) }
    #expect(try live.resolve(reference) == nil)
  }

  @Test func `handles of another store are refused`() throws {
    let one = try TemporaryStore()
    let two = try TemporaryStore()
    let live = try one.store.live()
    let other = try two.store.live()
    #expect(live !== other)
    let person = try live.write { try $0.put(Person("Ann"), in: live) }
    #expect {
      try other.write { try $0.modify(person) { $0.name = "" } }
    } throws: { isDifferentStore($0) }
    #expect { try other.write { try $0.remove(person) } } throws: { isDifferentStore($0) }
    #expect { try person.thaw(in: other) } throws: { isDifferentStore($0) }
    #expect {
      try other.query(builder: one.store.box(for: Person.self).query())
    } throws: { isDifferentStore($0) }
  }
}
