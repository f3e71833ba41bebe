import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import Testing

/// Arguments of `WriteTransaction.remove`, and asynchronous writes on a queue that get handles.
@Suite(.timeLimit(.minutes(15)))
struct TransactionRemovalTests {
  private let temporary: TemporaryStore
  private let store: Store
  private let people: Box<Person>

  init() throws {
    temporary = try TemporaryStore()
    store = temporary.store
    people = store.box(for: Person.self)
    try people.put((1...6).map { Person("\($0)", age: Int32($0)) })
  }

  private var names: [String?] { get throws { try people.all().map(\.name) } }
  private func find(_ ages: Range<Int32>) throws -> [Person] {
    try people.query { Person.age.isIn(Array(ages)) }.build().find()
  }

  @discardableResult
  private func write<R>(_ body: (WriteTransaction) throws -> R) throws -> R {
    try store.write(body)
  }

  // MARK: Objects

  @Test func `an array of objects, a part of one, and IDs are removed and counted`() throws {
    try write { transaction in
      let found = try find(1..<4)
      #expect(try transaction.remove(found) == 3)
      #expect(try transaction.remove(found) == 0)
      let part = try find(4..<7).dropFirst(2)
      #expect(try transaction.remove(part) == 1)
      #expect(try transaction.remove([EntityId<Person>(4), 99]) == 1)
      #expect(try transaction.remove([Person]()) == 0)
    }
    #expect(try names == ["5"])
  }

  @Test func `the objects of a to-many relation are removed`() throws {
    let relations = try RelationStore()
    let student = Student("s")
    student.teachers.append(contentsOf: [Teacher("a"), Teacher("b")])
    try relations.students.put(student)
    let count = try relations.store.write { try $0.remove(student.teachers) }
    #expect(count == 2)
    #expect(try relations.teachers.isEmpty())
  }

  @Test func `a removal that a relation forbids removes none of the objects`() throws {
    var model = RelationModel()
    model.customerRule = .restrict
    let relations = try RelationStore(model)
    try relations.customers.put([Customer("free"), Customer("bound")])
    let bound = try #require(try relations.customers.get(2))
    try relations.orders.put(Order("o", bound))
    let all = try relations.customers.all()
    #expect(throws: ObjectBoxError.self) { try relations.store.write { try $0.remove(all) } }
    #expect(try relations.customers.count() == 2)
  }

  // MARK: Handles

  @Test @MainActor func `arrays of live handles and parts of live results are removed`() throws {
    let live = try store.live()
    let all = try live.query(Person.self)
    let second = try #require(try live.object(EntityId<Person>(2)))
    try live.write { transaction in
      #expect(try transaction.remove(all.prefix(1)) == 1)
      #expect(try transaction.remove([second]) == 1)
      #expect(try transaction.remove([second]) == 0)
      let old = try all.query { Person.age > 4 }
      #expect(try transaction.remove(old) == 2)
    }
    #expect(second.isInvalidated)
    let left = all.map { $0.name }
    #expect(left == ["3", "4"])
    let other = try TemporaryStore()
    #expect {
      try other.store.write { try $0.remove([second]) }
    } throws: { error in
      if case .differentStore = error as? ObjectBoxError { true } else { false }
    }
  }

  @Test func `what a variable names is removed by its projected value`() async throws {
    let snapshot = try store.freeze()
    @ThreadSafe var person = try snapshot.object(EntityId<Person>(1))
    @ThreadSafe var old: FrozenResults<Person>? = try snapshot.query(Person.self) {
      Person.age > 4
    }
    @ThreadSafe var none: FrozenObject<Person>?
    try await Task.detached { [store, $person, $old, $none] in
      try await store.write { transaction in
        // The results are searched again, and now include this person.
        try transaction.put(Person("7", age: 7))
        #expect(try transaction.remove($person))
        #expect(try !transaction.remove($person))
        #expect(try !transaction.remove($none))
        #expect(try transaction.remove($old) == 3)
      }
    }.value
    #expect(try names == ["2", "3", "4"])
    #expect(person == nil)
  }

  @Test func `what a reference stands for is removed, once`() throws {
    let snapshot = try store.freeze()
    let object = try ThreadSafeReference(
      to: try #require(try snapshot.object(EntityId<Person>(1)))
    )
    let results = try ThreadSafeReference(to: try snapshot.query(Person.self) { Person.age > 3 })
    try write { (transaction) throws in
      #expect(try transaction.remove(object))
      #expect(try transaction.remove(results) == 3)
      #expect(throws: ObjectBoxError.self) { try transaction.remove(object) }
    }
    #expect(try names == ["2", "3"])
  }

  // MARK: Asynchronous writes on a queue

  @Test func `a write on a queue is passed the object as it is then`() throws {
    let queue = SerialQueue()
    let snapshot = try store.freeze()
    let first = try #require(try snapshot.object(EntityId<Person>(1)))
    let renamed = try #require(try people.get(1))
    renamed.name = "renamed"
    try people.put(renamed)
    let seen = Guarded<[String?]>([])
    store.writeAsync(passing: first, on: queue) { transaction, person in
      #expect(queue.isCurrent)
      seen.withLock { $0.append(person?.name) }
      if let person { try transaction.remove(person) }
    }
    store.writeAsync(passing: first, on: queue) { _, person in
      seen.withLock { $0.append(person?.name) }
    }
    while store.isPerformingAsynchronousWriteOperations { queue.sync {} }
    #expect(seen.withLock(\.self) == ["renamed", nil])
    #expect(try people.get(1) == nil)
  }

  @Test func `a write on a queue is passed what results find then`() throws {
    let queue = SerialQueue()
    let old = try store.freeze().query(Person.self) { Person.age > 4 }
    try people.put(Person("7", age: 7))
    store.writeAsync(passing: old, on: queue) { transaction, people in
      try transaction.remove(people ?? [])
    }
    while store.isPerformingAsynchronousWriteOperations { queue.sync {} }
    #expect(try names == ["1", "2", "3", "4"])
  }

  @Test func `live handles of the queue are passed to a write on it`() throws {
    let queue = SerialQueue()
    try queue.sync {
      let live = try store.live(on: queue)
      let person = try #require(try live.object(EntityId<Person>(2)))
      store.writeAsync(passing: person, on: queue) { transaction, person in
        if let person { try transaction.remove([person]) }
      }
    }
    while store.isPerformingAsynchronousWriteOperations { queue.sync {} }
    #expect(try people.get(2) == nil)
  }

  @Test func `a handle of another store is told the error handler, on the queue`() throws {
    let other = try TemporaryStore()
    try other.store.box(for: Person.self).put(Person("x"))
    let stranger = try #require(try other.store.freeze().object(EntityId<Person>(1)))
    let queue = SerialQueue()
    let failure = Guarded<(any Error)?>(nil)
    store.writeAsync(
      passing: stranger,
      on: queue,
      errorHandler: { error in
        #expect(queue.isCurrent)
        failure.withLock { $0 = error }
      }
    ) { _, _ in Issue.record("nothing is passed") }
    while store.isPerformingAsynchronousWriteOperations { queue.sync {} }
    #expect(
      (failure.withLock(\.self) as? ObjectBoxError)?.description.hasPrefix("differentStore") == true
    )
  }
}
