import ObjectBox
import ObjectBoxRuntimeTestSupport
import Testing

struct BoxPutTests {
  private let temporary: TemporaryStore
  private var store: Store { temporary.store }
  private var people: Box<Person> { store.box(for: Person.self) }
  private var points: Box<Point> { store.box(for: Point.self) }

  init() throws {
    temporary = try TemporaryStore()
  }

  @Test func `objects outlive the store that wrote them`() throws {
    try people.put(Person("Jane", age: 42))
    try temporary.reopen()
    #expect(try people.all().map(\.name) == ["Jane"])
  }

  @Test func `a struct gets its ID through inout`() throws {
    var point = Point(id: 0, x: 1, y: nil)
    let id = try points.put(&point)
    #expect(point.id == id)
    #expect(try points.get(id) == point)
  }

  @Test func `an array of structs gets its IDs in place`() throws {
    var all = (0..<5).map { Point(id: 0, x: Double($0), y: Float($0)) }
    try points.put(&all)
    #expect(all.map(\.id) == [1, 2, 3, 4, 5])
    #expect(try points.all() == all)
  }

  @Test func `IDs of removed objects are not given out again, also after reopening`() throws {
    try people.put([Person("A"), Person("B"), Person("C")])
    try people.remove(3)
    try temporary.reopen()
    #expect(try people.put(Person("D")) == 4)
    try people.removeAll()
    try temporary.reopen()
    #expect(try people.put(Person("E")) == 5)
  }

  @Test func `an object keeps the ID of a put that was rolled back, and no other object gets it`()
    throws
  {
    let first = Person("first")
    #expect(throws: CancellationError.self) {
      try store.runInTransaction {
        try people.put(first)
        throw CancellationError()
      }
    }
    #expect(first.id == 1)
    #expect(try people.get(1 as Id) == nil)
    let second = Person("second")
    try people.put(second)
    #expect(second.id == 2)
    // The second put stores the first object under its existing ID.
    try people.put(first)
    #expect(try people.all().map(\.name) == ["first", "second"])
  }

  @Test func `an object of a rolled back write block is new again, and its ID is used up`() throws {
    let first = Person("first")
    #expect(throws: CancellationError.self) {
      try store.write { transaction in
        try transaction.put(first)
        throw CancellationError()
      }
    }
    #expect(first.id == 0)
    #expect(try people.put(first) == 2)
  }

  @Test func `IDs of rolled back puts are given out again after reopening`() throws {
    #expect(throws: CancellationError.self) {
      try store.runInTransaction {
        try people.put([Person("a"), Person("b")])
        throw CancellationError()
      }
    }
    try temporary.reopen()
    #expect(try people.put(Person("c")) == 1)
  }

  @Test func `update refuses a new object and leaves its ID at 0`() throws {
    let jane = Person("Jane")
    #expect {
      try people.put(jane, mode: .update)
    } throws: { error in
      if case ObjectBoxError.unknown(code: 10211, _) = error { true } else { false }
    }
    #expect(jane.id == 0)
    try people.put(jane, mode: .insert)
    #expect(try people.count() == 1)
  }

  @Test func `a bulk put with a duplicate unique value writes nothing`() throws {
    let people = [Person("A", email: "a"), Person("B", email: "b"), Person("C", email: "a")]
    #expect {
      try self.people.put(people)
    } throws: { error in
      guard case ObjectBoxError.uniqueViolation(let message) = error else { return false }
      return message.contains("'Person.email'") && message.contains("'a'")
    }
    #expect(try self.people.isEmpty())
    try self.people.put(Person("D", email: "a"))
    #expect(try self.people.count() == 1)
  }

  @Test func `a null is no duplicate`() throws {
    try people.put([Person("A"), Person("B")])
    #expect(try people.count() == 2)
  }

  @Test func `removing an object frees its unique value`() throws {
    let jane = Person("Jane", email: "j")
    try people.put(jane)
    try people.remove(jane)
    try people.put(Person("John", email: "j"))
    #expect(try people.all().map(\.name) == ["John"])
  }
}
