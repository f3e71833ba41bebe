import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import Observation
import Synchronization
import Testing

/// `withObservationTracking` sees the reads of a live view's handles.
struct TrackedReadTests {
  /// Counts the calls of `onChange`.
  private final class Calls: Sendable {
    private let state = Mutex(0)
    var count: Int { state.withLock { $0 } }
    func add() { state.withLock { $0 += 1 } }
  }

  /// Tracks a read.
  private func track<E: Error>(_ read: () throws(E) -> Void) throws(E) -> Calls {
    let calls = Calls()
    let result = withObservationTracking {
      Result { () throws(E) in try read() }
    } onChange: {
      calls.add()
    }
    try result.get()
    return calls
  }

  private func store(ages: [Int32]) throws -> TemporaryStore {
    let temporary = try TemporaryStore()
    try temporary.store.box(for: Person.self).put(ages.map { Person("\($0)", age: $0) })
    return temporary
  }

  /// Changes an object outside of the view, and moves the view.
  private func change(
    _ id: Id,
    _ temporary: TemporaryStore,
    _ live: LiveStore,
    _ body: (Person) -> Void
  ) throws {
    let box = temporary.store.box(for: Person.self)
    let person = try #require(try box.get(id))
    body(person)
    try box.put(person)
    try live.refresh()
  }

  @Test func `a change is told for the members that were read, once`() throws {
    let temporary = try store(ages: [1, 2])
    let live = try temporary.store.live()
    let person = try #require(try live.object(Person.self, 1))
    let name = track { _ = person.name }
    let age = track { _ = person.age }
    let both = track { _ = person.name + "\(person.age)" }
    try change(1, temporary, live) { $0.age = 5 }
    #expect([name.count, age.count, both.count] == [0, 1, 1])
    try change(1, temporary, live) { $0.name = "one" }
    #expect([name.count, age.count, both.count] == [1, 1, 1])
    try change(2, temporary, live) { $0.name = "two" }
    #expect([name.count, age.count, both.count] == [1, 1, 1])
    #expect(person.name == "one" && person.age == 5)
  }

  @Test func `a commit without a difference is not told`() throws {
    let temporary = try store(ages: [1])
    let live = try temporary.store.live()
    let person = try #require(try live.object(Person.self, 1))
    let calls = track { _ = person.name }
    try change(1, temporary, live) { _ in }
    try change(1, temporary, live) { $0.email = "a@b" }
    #expect(calls.count == 0)
    #expect(track {}.count == 0)
  }

  @Test func `a change is told when the view moves, and not before`() throws {
    let temporary = try store(ages: [1])
    let live = try temporary.store.live()
    let person = try #require(try live.object(Person.self, 1))
    let calls = track { _ = person.age }
    try temporary.store.box(for: Person.self).removeAll()
    try temporary.store.box(for: Person.self).put(Person("new"))
    #expect(calls.count == 0 && person.age == 1)
    #expect(!person.isInvalidated)
    let presence = track { _ = person.isInvalidated }
    try live.refresh()
    #expect(presence.count == 1 && person.isInvalidated)
    // The last value stays.
    #expect(calls.count == 0 && person.age == 1)
  }

  @Test func `properties, instances and bytes are tracked as well`() throws {
    let temporary = try store(ages: [1])
    let live = try temporary.store.live()
    let person = try #require(try live.object(Person.self, 1))
    let property = try track { _ = try person[Person.age] }
    let instance = try track { _ = try person.value() }
    let bytes = try track { _ = try person.withBytes(of: Person.name) { $0.byteCount } }
    try change(1, temporary, live) { $0.email = "a@b" }
    #expect([property.count, instance.count, bytes.count] == [0, 1, 1])
    try change(1, temporary, live) { $0.age = 9 }
    #expect([property.count, instance.count, bytes.count] == [1, 1, 1])
  }

  @Test func `results are told by their number, their objects, or all they hold`() throws {
    let temporary = try store(ages: [1, 5, 6])
    let live = try temporary.store.live()
    let old = try live.query(Person.self) { Person.age > 4 }
    func all() throws -> [Calls] {
      [
        track { _ = old.count }, track { _ = old.map { $0.id } }, try track { _ = try old.ids },
        track { _ = old.first?.id }, try track { _ = try old.find() },
        track { for person in old { _ = person.id } }, track { _ = old.isEmpty },
      ]
    }
    let modified = try all()
    try change(2, temporary, live) { $0.name = "changed" }
    #expect(modified.map(\.count) == [0, 0, 0, 0, 1, 0, 0])
    let swapped = try all()
    try temporary.store.write { transaction in
      try transaction.modify(EntityId<Person>(1)) { $0.age = 10 }
      try transaction.modify(EntityId<Person>(2)) { $0.age = 1 }
    }
    try live.refresh()
    #expect(swapped.map(\.count) == [0, 1, 1, 1, 1, 1, 0])
    let inserted = try all()
    try temporary.store.box(for: Person.self).put(Person("seven", age: 7))
    try live.refresh()
    #expect(inserted.map(\.count) == [1, 1, 1, 1, 1, 1, 1])
    #expect(old.count == 3)
  }

  @Test func `members of handles that are gone after the read are told`() throws {
    let temporary = try store(ages: [1, 2])
    let live = try temporary.store.live()
    let calls = try track { _ = try live.query(Person.self).first?.age }
    let other = try track { _ = try live.object(Person.self, 1)?.name }
    try change(1, temporary, live) { $0.age = 8 }
    #expect([calls.count, other.count] == [1, 0])
    try temporary.store.box(for: Person.self).removeAll()
    try live.refresh()
    // The last value stays.
    #expect(other.count == 0)
  }

  @Test func `relations are told by their target, and by their objects`() throws {
    let temporary = try RelationStore()
    let ann = Customer("Ann")
    try temporary.customers.put([ann, Customer("Ben")])
    try temporary.orders.put([Order("1", ann), Order("2")])
    let live = try temporary.store.live()
    let order = try #require(try live.object(Order.self, 1))
    let customer = try #require(try live.object(Customer.self, 1))
    let target = track { _ = order.customer }
    let name = track { _ = order.customer?.name }
    let orders = track { _ = customer.orders.count }
    let names = track { _ = customer.orders.map(\.name) }
    ann.name = "Anna"
    try temporary.customers.put(ann)
    try live.refresh()
    #expect([target.count, name.count, orders.count, names.count] == [0, 1, 0, 0])
    let first = try #require(try temporary.orders.get(Id(1)))
    first.customer.target = nil
    try temporary.orders.put(first)
    try live.refresh()
    #expect([target.count, name.count, orders.count, names.count] == [1, 1, 1, 1])
  }

  @Test func `the view's own writes are told after they are visible`() throws {
    let temporary = try store(ages: [1])
    let live = try temporary.store.live()
    let person = try #require(try live.object(Person.self, 1))
    let calls = track { _ = person.age }
    try live.write { transaction in
      try transaction.modify(person) { $0.age = 2 }
      try transaction.modify(person) { $0.age = 3 }
    }
    #expect(person.age == 3)
    try live.refresh()
    #expect(calls.count == 1)
  }

  @Test func `a value read between two moves is compared with the newest`() throws {
    let temporary = try store(ages: [1])
    let live = try temporary.store.live()
    let person = try #require(try live.object(Person.self, 1))
    let first = track { _ = person.age }
    try live.write { transaction in try transaction.modify(person) { $0.age = 2 } }
    let second = track { _ = person.age }
    #expect([first.count, second.count] == [0, 0])
    try live.write { transaction in try transaction.modify(person) { $0.age = 1 } }
    try live.refresh()
    #expect([first.count, second.count] == [1, 1])
  }

  @Test func `onChange may read, track and write`() throws {
    let temporary = try store(ages: [1])
    let live = try temporary.store.live()
    let person = try #require(try live.object(Person.self, 1))
    let seen = Calls()
    let box = temporary.store.box(for: Person.self)
    withObservationTracking {
      _ = person.age
    } onChange: {
      seen.add()
      #expect(throws: Never.self) { try box.put(Person("another")) }
    }
    try change(1, temporary, live) { $0.age = 2 }
    #expect(seen.count == 1)
    #expect(try box.count() == 2)
    let again = track { _ = person.age }
    try change(1, temporary, live) { $0.age = 3 }
    #expect(again.count == 1)
  }

  @Test func `an invalidated view tells that its handles are invalid`() throws {
    let temporary = try store(ages: [1])
    let live = try temporary.store.live()
    let person = try #require(try live.object(Person.self, 1))
    let people = try live.query(Person.self)
    let calls = [track { _ = person.isInvalidated }, track { _ = people.isInvalidated }]
    let others = [track { _ = person.age }, track { _ = people.count }]
    live.invalidate()
    #expect(calls.map(\.count) == [1, 1])
    #expect(others.map(\.count) == [0, 0])
  }

  /// Handles that leave their isolation in spite of the compiler, to be refused there.
  private struct Smuggled: @unchecked Sendable {
    let person: LiveObject<Person>
    let people: LiveResults<Person>
  }

  @Test func `a tracked read outside of the isolation throws as others do`() async throws {
    let temporary = try store(ages: [1])
    let store = temporary.store
    let smuggled = try await MainActor.run {
      let live = try store.live()
      let person = try #require(try live.object(Person.self, 1))
      return Smuggled(person: person, people: try live.query(Person.self))
    }
    let (person, people) = (smuggled.person, smuggled.people)
    #expect { try track { _ = try person[Person.age] } } throws: { isWrongIsolation($0) }
    #expect { try track { _ = try person.value() } } throws: { isWrongIsolation($0) }
    #expect { try track { _ = try people.ids } } throws: { isWrongIsolation($0) }
    #expect { try track { _ = try people.find() } } throws: { isWrongIsolation($0) }
  }

  @Test func `tracked reads retain neither view nor handles`() throws {
    let temporary = try store(ages: [1])
    weak var view: LiveStore?
    weak var handle: LiveObject<Person>?
    let calls: Calls
    do {
      let live = try temporary.store.live()
      let person = try #require(try live.object(Person.self, 1))
      calls = try track { _ = (person.age, try live.query(Person.self).map(\.name)) }
      (view, handle) = (live, person)
    }
    #expect(view == nil && handle == nil)
    #expect(calls.count == 0)
  }

  /// A view of the main actor, and the values that a tracking loop has seen.
  @MainActor private final class Screen {
    let people: LiveResults<Person>
    private(set) var counts: [Int] = []
    private let (shown, continuation) = AsyncStream<Int>.makeStream()

    init(_ store: Store) throws { people = try store.live().query(Person.self) }

    /// Reads, and reads again after each change, as a user interface does.
    func draw() {
      withObservationTracking {
        counts.append(people.count)
      } onChange: {
        // The view moves in its isolation.
        MainActor.assumeIsolated { self.redraw() }
      }
      continuation.yield(people.count)
    }

    private func redraw() {
      Task { @MainActor in draw() }
    }

    func wait(for count: Int) async {
      for await shown in shown where shown == count { return }
    }
  }

  @Test(.timeLimit(.minutes(15))) @MainActor
  func `changes of other threads come in the isolation of the view, once a commit`() async throws {
    let temporary = try store(ages: [1])
    let store = temporary.store
    let screen = try Screen(store)
    screen.draw()
    #expect(screen.counts == [1])
    try await store.write { transaction in
      for age in 2...9 { try transaction.put(Person("\(age)", age: Int32(age))) }
    }
    await screen.wait(for: 9)
    #expect(screen.counts == [1, 9])
    try await store.write { transaction in _ = try transaction.removeAll(Person.self) }
    await screen.wait(for: 0)
    #expect(screen.counts == [1, 9, 0])
  }
}
