import ObjectBox
import ObjectBoxRuntimeTestSupport
import Testing

struct TransactionTests {
  private struct Stop: Error {}
  private let temporary: TemporaryStore
  private let store: Store
  private let people: Box<Person>

  init() throws {
    temporary = try TemporaryStore()
    store = temporary.store
    people = store.box(for: Person.self)
  }

  @Test func `a transaction returns what its block returns`() throws {
    #expect(try store.runInTransaction { 42 } == 42)
    #expect(try store.runInReadOnlyTransaction { "text" } == "text")
  }

  @Test func `a block that throws is rolled back, and its error arrives as it is`() throws {
    #expect(throws: Stop.self) {
      try store.runInTransaction {
        try people.put(Person("Jane"))
        throw Stop()
      }
    }
    #expect(try people.isEmpty())
  }

  @Test func `everything in a block commits together`() throws {
    try store.runInTransaction {
      try people.put(Person("A"))
      try store.runInTransaction { try people.put(Person("B")) }
      #expect(try store.runInReadOnlyTransaction { try people.count() } == 2)
    }
    #expect(try people.count() == 2)
  }

  @Test func `a write inside a read is refused`() throws {
    #expect {
      try store.runInReadOnlyTransaction { try store.runInTransaction {} }
    } throws: { error in
      guard case ObjectBoxError.cannotWriteWhileReading(let message) = error else { return false }
      return message.hasPrefix("Cannot start a write transaction inside a read only transaction")
    }
    try store.runInReadOnlyTransaction { try store.runInReadOnlyTransaction {} }
  }

  @Test func `an inner failure dooms the outer transaction, even when its block goes on`() throws {
    #expect {
      try store.runInTransaction {
        try people.put(Person("A"))
        do {
          try store.runInTransaction { throw Stop() }
        } catch is Stop {}
        try people.put(Person("B"))
      }
    } throws: { error in
      if case ObjectBoxError.illegalState = error { true } else { false }
    }
    #expect(try people.isEmpty())
    try people.put(Person("C"))
    #expect(try people.count() == 1)
  }

  @Test func `removing a missing object does not doom the transaction`() throws {
    try store.runInTransaction {
      try people.put(Person("A"))
      _ = try? people.remove(99 as Id)
    }
    #expect(try people.count() == 1)
  }

  @Test func `a struct keeps the ID of a put that was rolled back, and nobody has it`() throws {
    let points = store.box(for: Point.self)
    var point = Point(id: 0, x: 1, y: 2)
    #expect(throws: Stop.self) {
      try store.runInTransaction {
        try points.put(&point)
        throw Stop()
      }
    }
    #expect(point.id != 0)
    #expect(try points.get(point.id) == nil)
    #expect(try points.put(Point(id: 0, x: 0, y: 0)).value > point.id.value)
  }

  @Test func `a store closed inside its transaction closes when that ends`() throws {
    try store.runInTransaction {
      try people.put(Person("A"))
      store.close()
    }
    try temporary.reopen()
    #expect(try temporary.store.box(for: Person.self).count() == 1)
  }
}
