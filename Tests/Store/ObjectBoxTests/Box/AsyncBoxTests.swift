import Dispatch
import ObjectBox
import ObjectBoxRuntimeTestSupport
import Testing

@Suite(.timeLimit(.minutes(15)))
struct AsyncBoxTests {
  private let temporary: TemporaryStore
  private let store: Store
  private let people: Box<Person>
  private let points: Box<Point>

  init() throws {
    temporary = try TemporaryStore()
    store = temporary.store
    people = store.box(for: Person.self)
    points = store.box(for: Point.self)
  }

  @Test func `an object is stored under the ID that it has at once`() throws {
    let jane = Person("Jane")
    let id = try people.async.put(jane)
    #expect(jane.id != 0 && id.value == jane.id)
    #expect(store.awaitAsyncSubmitted())
    #expect(try people.get(id)?.name == "Jane")
  }

  @Test func `a struct stays without an ID, which is returned`() throws {
    let point = Point(id: 0, x: 1, y: 2)
    let id = try points.async.put(point)
    #expect(point.id == 0 && id != 0)
    store.awaitAsyncCompleted()
    #expect(try points.get(id) == Point(id: id, x: 1, y: 2))
  }

  @Test func `all forms for several objects put them in their order`() throws {
    let box = people.async
    let array: [EntityId<Person>] = try box.put([Person("A"), Person("B")])
    let contiguous: ContiguousArray<EntityId<Person>> = try box.put(
      ContiguousArray([Person("C")])
    )
    let collection: [EntityId<Person>] = try box.put([Person("X"), Person("D")].dropFirst())
    let list: [EntityId<Person>] = try box.put(Person("E"), Person("F"))
    #expect(try box.put([Person]()).isEmpty)
    store.awaitAsyncSubmitted()
    let ids = array + contiguous + collection + list
    #expect(try people.get(ids).map(\.name) == ["A", "B", "C", "D", "E", "F"])
    #expect(try people.count() == 6)
  }

  @Test func `an object that comes twice in a collection is stored once`() throws {
    let jane = Person("Jane")
    let ids = try people.async.put([jane, jane])
    store.awaitAsyncSubmitted()
    #expect(Set(ids).count == 1)
    #expect(try people.count() == 1)
  }

  @Test func `the state at the call is stored, whatever happens to the object later`() throws {
    let jane = Person("Jane")
    try store.runInTransaction {
      try people.async.put(jane)
      jane.name = "Janet"
    }
    store.awaitAsyncSubmitted()
    #expect(try people.all().map(\.name) == ["Jane"])
  }

  @Test func `all forms of removal work, and missing objects are no error`() throws {
    let box = people.async
    let all = (1...12).map { Person("\($0)") }
    try people.put(all)
    try box.remove(all[0])
    try box.remove(2 as Id)
    try box.remove(EntityId<Person>(3))
    try box.remove([all[3]])
    try box.remove(all[4], all[5])
    try box.remove([7 as Id, 99])
    try box.remove([EntityId<Person>(8)])
    try box.remove(9 as Id, 10)
    try box.remove(EntityId<Person>(11), 98)
    try box.remove(Person("new"))
    store.awaitAsyncSubmitted()
    #expect(try people.all().map(\.id) == [12])
  }

  @Test func `an update of a new object sets its ID, stores nothing, and an insert works later`()
    throws
  {
    let jane = Person("Jane")
    try people.async.put(jane, mode: .update)
    store.awaitAsyncSubmitted()
    #expect(jane.id != 0)
    #expect(try people.isEmpty())
    try people.async.put(jane, mode: .insert)
    store.awaitAsyncSubmitted()
    #expect(try people.all().map(\.id) == [jane.id])
    jane.name = "Janet"
    try people.async.put(jane, mode: .insert)
    store.awaitAsyncSubmitted()
    #expect(try people.all().map(\.name) == ["Jane"])
  }

  @Test func `a new ID is used by no other put, also before the write`() throws {
    try store.runInTransaction {
      let first = try people.async.put(Person("A"))
      let second = try people.put(Person("B"))
      #expect(first.value != second)
    }
    store.awaitAsyncSubmitted()
    #expect(try people.count() == 2)
  }

  @Test func `an ID that was never given out is refused at once`() throws {
    let stranger = Person("X")
    stranger.id = 1000
    let first = Person("Y")
    #expect {
      try people.async.put([first, stranger])
    } throws: { error in
      if case ObjectBoxError.illegalArgument = error { true } else { false }
    }
    store.awaitAsyncSubmitted()
    // The call enqueued none of its objects.
    #expect(try people.isEmpty())
    #expect(first.id == 0)
  }

  @Test func `what waits is written with one commit`() throws {
    let calls = Recorder<Int>()
    let observer = people.subscribe(dispatchQueue: calls.queue, flags: []) { calls.note(1) }
    try store.runInTransaction {
      for number in 0..<100 { try people.async.put(Person("\(number)")) }
    }
    store.awaitAsyncSubmitted()
    #expect(try people.count() == 100)
    #expect(calls.values == [1])
    observer.unsubscribe()
  }

  @Test func `refused objects of a group leave the others alone`() throws {
    try people.put(Person("Taken", email: "taken"))
    let calls = Recorder<Int>()
    let observer = people.subscribe(dispatchQueue: calls.queue, flags: []) { calls.note(1) }
    let existing = Person("Again")
    existing.id = 1
    let missing = Person("Missing")
    try store.runInTransaction {
      try people.async.put(Person("A", email: "a"))
      try people.async.put(existing, mode: .insert)
      try people.async.put(Person("B", email: "taken"))
      try people.async.put(missing, mode: .update)
      try people.async.put(Person("C", email: "a"))
      try people.async.put(Person("D", email: "d"))
    }
    store.awaitAsyncSubmitted()
    #expect(try people.all().map(\.name) == ["Taken", "A", "D"])
    #expect(calls.values == [1])
    #expect(try people.query { Person.email == "taken" }.build().findIds() == [1])
    observer.unsubscribe()
  }

  @Test func `what does not fit into the file leaves the rest of its group alone`() throws {
    let temporary = try TemporaryStore(indexes: .all, maxDbSizeInKByte: 700)
    let people = temporary.store.box(for: Person.self)
    try temporary.store.runInTransaction {
      for number in 0..<20 {
        let isBig = number == 7 || number == 11
        try people.async.put(
          Person(isBig ? String(repeating: "x", count: 2_000_000) : "\(number)", email: "\(number)")
        )
      }
    }
    temporary.store.awaitAsyncSubmitted()
    let numbers = (0..<20).filter { $0 != 7 && $0 != 11 }.map { "\($0)" }
    #expect(try people.all().map(\.name) == numbers)
    #expect(try people.query { Person.email == "7" }.build().count() == 0)
  }

  @Test func `order is kept among puts and removals`() throws {
    let jane = Person("1")
    try people.async.put(jane)
    try people.async.remove(jane)
    jane.name = "2"
    try people.async.put(jane)
    jane.name = "3"
    try people.async.put(jane, mode: .update)
    store.awaitAsyncCompleted()
    #expect(try people.all().map(\.name) == ["3"])
  }

  @Test func `closing writes what waits, and then nothing more is taken`() throws {
    let box = people.async
    try box.put((0..<500).map { Person("\($0)") })
    store.close()
    #expect(!store.awaitAsyncSubmitted())
    #expect(!store.awaitAsyncCompleted())
    func isRefused(_ body: () throws -> Void) -> Bool {
      do {
        try body()
        return false
      } catch ObjectBoxError.illegalState { return true } catch { return false }
    }
    #expect(isRefused { try box.put(Person("late")) })
    #expect(isRefused { try box.put([Person]()) })
    #expect(isRefused { try box.remove(1 as Id) })
    try temporary.reopen()
    #expect(try temporary.store.box(for: Person.self).count() == 500)
  }

  @Test func `closing inside a write transaction writes what waits as well`() throws {
    try store.runInTransaction {
      try people.put(Person("A"))
      try people.async.put(Person("B"))
      store.close()
    }
    try temporary.reopen()
    #expect(try temporary.store.box(for: Person.self).all().map(\.name) == ["A", "B"])
  }

  @Test func `a write transaction that would wait for itself does not wait`() throws {
    try store.runInTransaction {
      #expect(store.awaitAsyncSubmitted())
      try people.async.put(Person("A"))
      #expect(!store.awaitAsyncSubmitted())
      #expect(!store.awaitAsyncCompleted())
    }
    #expect(store.awaitAsyncCompleted())
    #expect(try people.count() == 1)
  }

  @Test func `a full queue refuses more once the time is over, and says so`() throws {
    let holding = DispatchSemaphore(value: 0)
    let release = DispatchSemaphore(value: 0)
    let done = DispatchSemaphore(value: 0)
    DispatchQueue.global().async { [store] in
      try? store.runInTransaction {
        holding.signal()
        release.wait()
      }
      done.signal()
    }
    holding.wait()
    let impatient = AsyncBox(box: points, enqueueTimeout: 0)
    let many = [Point](repeating: Point(id: 0, x: 0, y: 0), count: 10_000)
    // An empty queue takes any number of objects; they wait for the transaction.
    try impatient.put(many)
    #expect {
      try impatient.put(Point(id: 0, x: 1, y: 1))
    } throws: { error in
      if case ObjectBoxError.unknown(code: 1002, _) = error { true } else { false }
    }
    release.signal()
    done.wait()
    store.awaitAsyncSubmitted()
    try impatient.put(Point(id: 0, x: 2, y: 2))
    store.awaitAsyncSubmitted()
    #expect(try points.count() == 10_001)
  }

  @Test func `a full queue does not let its own transaction wait`() throws {
    let patient = AsyncBox(box: points, enqueueTimeout: 3600)
    let many = [Point](repeating: Point(id: 0, x: 0, y: 0), count: 10_000)
    try store.runInTransaction {
      try patient.put(many)
      #expect(throws: ObjectBoxError.self) { try patient.put(Point(id: 0, x: 1, y: 1)) }
    }
    store.awaitAsyncSubmitted()
    #expect(try points.count() == 10_000)
  }

  @Test func `a read-only store refuses at once`() throws {
    store.close()
    let readOnly = try Store(
      model: try TemporaryStore.model(),
      directory: temporary.path,
      readOnly: true
    )
    #expect(throws: ObjectBoxError.self) {
      try readOnly.box(for: Person.self).async.put(Person("X"))
    }
    #expect(readOnly.awaitAsyncCompleted())
  }

  @Test func `the shared instance is the same as long as it is held`() throws {
    let shared = people.async
    #expect(shared === people.async)
  }
}
