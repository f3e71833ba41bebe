import Dispatch
import ObjectBox
import ObjectBoxRuntimeTestSupport
import Testing

struct ObserverTests {
  private struct Stop: Error {}
  private let temporary: TemporaryStore
  private let store: Store
  private let people: Box<Person>
  private let names = Recorder<[String]>()
  private let calls = Recorder<Int>()

  init() throws {
    temporary = try TemporaryStore()
    store = temporary.store
    people = store.box(for: Person.self)
  }

  private func observeNames(flags: Observer.Flags = [.sendInitial]) -> Observer {
    people.subscribe(dispatchQueue: names.queue, flags: flags) { [names] people, error in
      #expect(error == nil)
      names.note(people.map(\.name))
    }
  }

  private func countCalls(flags: Observer.Flags = []) -> Observer {
    people.subscribe(dispatchQueue: calls.queue, flags: flags) { [calls] in calls.note(1) }
  }

  @Test func `the objects that are there come first, then all of them once a commit`() throws {
    try people.put(Person("A"))
    let observer = observeNames()
    #expect(names.values == [["A"]])
    let id = try people.put(Person("B"))
    #expect(names.values == [["A"], ["A", "B"]])
    try people.remove(id)
    #expect(names.values == [["A"], ["A", "B"], ["A"]])
    try people.removeAll()
    #expect(names.values == [["A"], ["A", "B"], ["A"], []])
    observer.unsubscribe()
  }

  @Test func `a commit of many objects is one call, and one of another entity is none`() throws {
    let observer = countCalls()
    try people.put((0..<100).map { Person("\($0)") })
    #expect(calls.values == [1])
    try store.runInTransaction {
      try people.put(Person("A"))
      try people.put(Person("B"))
      try people.remove(1 as Id)
    }
    #expect(calls.values == [1, 1])
    try store.box(for: Point.self).put(Point(id: 0, x: 0, y: 0))
    #expect(calls.values == [1, 1])
    observer.unsubscribe()
  }

  @Test func `an observer of two entities' boxes hears each of a common commit`() throws {
    let points = Recorder<Int>()
    let first = countCalls()
    let second = store.box(for: Point.self).subscribe(dispatchQueue: points.queue, flags: []) {
      points.note(1)
    }
    try store.runInTransaction {
      try people.put(Person("A"))
      try store.box(for: Point.self).put(Point(id: 0, x: 0, y: 0))
    }
    #expect(calls.values == [1])
    #expect(points.values == [1])
    first.unsubscribe()
    second.unsubscribe()
  }

  @Test func `what is rolled back or changes nothing is not told`() throws {
    try people.put(Person("A", email: "a"))
    let observer = countCalls()
    #expect(throws: Stop.self) {
      try store.runInTransaction {
        try people.put(Person("B"))
        throw Stop()
      }
    }
    #expect(throws: ObjectBoxError.self) {
      try store.runInTransaction {
        try people.put(Person("C"))
        try? store.runInTransaction { throw Stop() }
      }
    }
    #expect(throws: ObjectBoxError.self) { try people.put(Person("D", email: "a")) }
    #expect(throws: ObjectBoxError.self) { try people.remove(99 as Id) }
    try store.runInTransaction {}
    #expect(try people.remove([98 as Id, 99]) == 0)
    try store.box(for: Point.self).removeAll()
    #expect(calls.values == [])
    try people.put(Person("E"))
    #expect(calls.values == [1])
    observer.unsubscribe()
  }

  @Test func `a put that replaces another object is one call, and both changes are seen`() throws {
    try temporary.reopen(
      indexes: PersonIndexes(email: [.unique, .uniqueOnConflictReplace, .indexHash, .indexed])
    )
    let people = temporary.store.box(for: Person.self)
    try people.put(Person("A", email: "a"))
    let observer = people.subscribe(dispatchQueue: names.queue, flags: []) { [names] people, _ in
      names.note(people.map(\.name))
    }
    try people.put(Person("B", email: "a"))
    #expect(names.values == [["B"]])
    observer.unsubscribe()
  }

  @Test func `both flags give exactly one call, also when nobody keeps the observer`() throws {
    let observer = observeNames(flags: [.sendInitial, .dontSubscribe])
    try people.put(Person("A"))
    #expect(names.values.count == 1)
    _ = countCalls(flags: [.sendInitial, .dontSubscribe])
    #expect(calls.values == [1])
    observer.unsubscribe()
  }

  @Test func `a box subscription that could never call stops the process`() async {
    await #expect(processExitsWith: .failure) {
      let temporary = try TemporaryStore()
      _ = temporary.store.box(for: Person.self).subscribe(flags: .dontSubscribe) {}
    }
  }

  @Test func `nothing is called once unsubscribe has returned on the queue, also not what was due`()
    throws
  {
    let observer = countCalls()
    try calls.queue.sync {
      try people.put(Person("A"))
      // The call is behind this block in the queue.
      observer.unsubscribe()
    }
    try people.put(Person("B"))
    observer.unsubscribe()
    #expect(calls.values == [])
  }

  @Test func `an observer that nobody keeps is unsubscribed, and its handler released`() throws {
    final class Witness: Sendable {}
    weak var witness: Witness?
    do {
      let kept = Witness()
      witness = kept
      _ = people.subscribe(dispatchQueue: calls.queue, flags: []) { [calls] in
        withExtendedLifetime(kept) { calls.note(1) }
      }
    }
    #expect(witness == nil)
    try people.put(Person("A"))
    #expect(calls.values == [])
  }

  @Test func `a handler may write and unsubscribe itself`() throws {
    let observers = Guarded<Observer?>(nil)
    let observer = people.subscribe(dispatchQueue: names.queue, flags: []) { [names] people, _ in
      names.note(people.map(\.name))
      guard people.count < 3 else {
        observers.withLock { $0 }?.unsubscribe()
        return
      }
      #expect(throws: Never.self) { try self.people.put(Person("more")) }
    }
    observers.withLock { $0 = observer }
    try people.put(Person("A"))
    // Each call requests the next one before it ends.
    #expect(names.values.count >= 1)
    #expect(names.values.count >= 2)
    #expect(names.values == [["A"], ["A", "more"], ["A", "more", "more"]])
    observers.withLock { $0 = nil }
    try people.put(Person("B"))
    #expect(names.values.count == 3)
  }

  @MainActor
  @Test(.timeLimit(.minutes(15)))
  func `by default the main queue calls, which is that of the main actor`() async throws {
    let (counts, continuation) = AsyncStream<Int>.makeStream()
    let observer = people.subscribe { people, _ in
      MainActor.assertIsolated()
      continuation.yield(people.count)
    }
    var iterator = counts.makeAsyncIterator()
    #expect(await iterator.next() == 0)
    try people.put(Person("A"))
    #expect(await iterator.next() == 1)
    observer.unsubscribe()
  }

  @Test func `commits through clones and attached stores are told`() throws {
    let observer = countCalls()
    let clone = try store.clone()
    try clone.box(for: Person.self).put(Person("A"))
    let attached = try Store.attachTo(directory: temporary.path)
    try attached.box(for: Person.self).put(Person("B"))
    #expect(calls.values == [1, 1])
    observer.unsubscribe()
    clone.close()
    attached.close()
  }

  @Test func `closing its store instance ends an observer, and the others go on`() throws {
    let clone = try store.clone()
    let observer = countCalls()
    let other = Recorder<Int>()
    let otherObserver = clone.box(for: Person.self).subscribe(
      dispatchQueue: other.queue,
      flags: []
    ) { other.note(1) }
    store.close()
    try clone.box(for: Person.self).put(Person("A"))
    #expect(other.values == [1])
    #expect(calls.values == [])
    clone.close()
    observer.unsubscribe()
    otherObserver.unsubscribe()
  }

  @Test func `an observer does not keep its store open`() throws {
    let name = "memory:observer-\(temporary.path)"
    func observe() throws -> Observer {
      let store = try Store(model: try TemporaryStore.model(), directory: name)
      return store.box(for: Person.self).subscribe(dispatchQueue: names.queue, flags: []) {
        [names] people, _ in names.note(people.map(\.name))
      }
    }
    let observer = try observe()
    #expect(try !Store.isOpen(directory: name))
    observer.unsubscribe()
    #expect(names.values == [])
  }

  @Test func `on a closed store the error comes in the place of the objects`() throws {
    let errors = Recorder<String>()
    let query = try people.query { Person.age > 1 }.build()
    store.close()
    let first = people.subscribe(dispatchQueue: errors.queue) { (people: [Person], error) in
      if case .illegalState = error { errors.note("box \(people.count)") }
    }
    let second = query.subscribeContiguous(dispatchQueue: errors.queue) { people, error in
      if case .illegalState = error { errors.note("query \(people.count)") }
    }
    #expect(errors.values == ["box 0", "query 0"])
    first.unsubscribe()
    second.unsubscribe()
  }
}
