import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import Testing

struct ThreadSafeTests {
  private let temporary: TemporaryStore
  private let store: Store
  private let people: Box<Person>

  init() throws {
    temporary = try TemporaryStore()
    store = temporary.store
    people = store.box(for: Person.self)
    try people.put([Person("A", age: 1), Person("B", age: 2)])
  }

  private func object(_ id: Id) throws -> FrozenObject<Person> {
    try #require(try store.freeze().object(Person.self, id))
  }

  /// Renames the person in another task.
  private static func rename(
    @ThreadSafe person: FrozenObject<Person>?,
    to name: String,
    in store: Store
  ) async throws {
    try await Task.detached { [$person] in
      try await store.write { transaction in
        try transaction.modify($person) { $0.name = name }
      }
    }.value
  }

  @Test func `a parameter can be used in another task`() async throws {
    try await Self.rename(person: try object(1), to: "Jane", in: store)
    #expect(try people.get(1)?.name == "Jane")
  }

  @Test func `the variable of the caller can be handed on`() async throws {
    @ThreadSafe var person: FrozenObject<Person>? = try object(1)
    try await Self.rename($person: $person, to: "Jane", in: store)
    #expect(person?.name == "Jane")
  }

  @MainActor @Test func `a live handle can be assigned at the declaration, and passed on`()
    async throws
  {
    let live = try store.live()
    let object = try #require(try live.object(Person.self, 1))
    @ThreadSafe var person: FrozenObject<Person>? = object
    @ThreadSafe var missing: FrozenObject<Person>? = try live.object(Person.self, 99)
    @ThreadSafe var everybody: FrozenResults<Person>? = try live.query(Person.self)
    #expect(person?.name == "A")
    #expect(missing == nil)
    #expect(everybody?.count == 2)
    #expect(!store.activeVersions.contains { $0.kind == .snapshot })
    try await Self.rename($person: $person, to: "Jane", in: store)
    #expect(person?.name == "Jane")
    try await Self.rename($person: ThreadSafe(object), to: "Janet", in: store)
    try await Self.rename(person: try object.freeze(), to: "Janette", in: store)
    #expect(person?.name == "Janette")
    live.invalidate()
    @ThreadSafe var invalid: FrozenObject<Person>? = object
    #expect(invalid == nil)
    do {
      try await store.write { [$invalid] in _ = try $0.modify($invalid) { $0.name = "" } }
      Issue.record("an invalid handle has no data")
    } catch {
      #expect("\(error)".hasPrefix("invalidated: "))
    }
  }

  @Test func `a variable can be bound to what another one names`() async throws {
    @ThreadSafe var person: FrozenObject<Person>? = try object(1)
    @ThreadSafe(projectedValue: $person) var same: FrozenObject<Person>?
    try await store.write { [$same] transaction in
      _ = try transaction.modify($same) { $0.name = "Jane" }
    }
    #expect(person?.name == "Jane")
    #expect(same?.name == "Jane")
  }

  @Test func `each read shows the last commit, and nothing once the object is gone`() throws {
    @ThreadSafe var person: FrozenObject<Person>? = try object(1)
    #expect(person?.age == 1)
    try store.write { transaction in
      try transaction.modify($person) { $0.age = 5 }
      // Only the transaction sees its uncommitted changes.
      #expect(person?.age == 1)
      #expect(try transaction.resolve($person)?.age == 5)
    }
    #expect(person?.age == 5)
    try people.remove(1)
    #expect(person == nil)
    try store.write { transaction in
      let gone: Person? = try transaction.resolve($person)
      #expect(gone == nil)
      let result: Void? = try transaction.modify($person) { _ in Issue.record("nothing to modify") }
      #expect(result == nil)
    }
  }

  @Test func `it keeps no version alive`() throws {
    @ThreadSafe var person: FrozenObject<Person>? = try object(1)
    #expect(person?.name == "A")
    #expect(store.activeVersions.isEmpty)
  }

  @Test func `it can be assigned something else, of another store as well`() throws {
    @ThreadSafe var person: FrozenObject<Person>? = try object(1)
    let copy = $person
    try $person.assign(try object(2))
    #expect(person?.name == "B")
    #expect(copy.wrappedValue?.name == "B")
    let other = try TemporaryStore()
    try other.store.box(for: Person.self).put(Person("elsewhere"))
    try $person.assign(try #require(try other.store.freeze().object(Person.self, 1)))
    #expect(person?.name == "elsewhere")
    let error = #expect(throws: ObjectBoxError.self) {
      _ = try store.read { try $0.resolve($person) }
    }
    guard case .differentStore = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    $person.assign(nil)
    #expect(person == nil)
    let nothing: Person? = try store.read { try $0.resolve($person) }
    #expect(nothing == nil)
  }

  @Test func `an instance of an entity can be named by its ID`() throws {
    let jane = try #require(try people.get(1))
    @ThreadSafe(store, jane) var person
    #expect(person?.name == "A")
    @ThreadSafe(store, Person("never stored")) var unstored
    #expect(unstored == nil)
    let error = #expect(throws: ObjectBoxError.self) {
      try store.write { try $0.modify($unstored) { $0.age = 9 } }
    }
    guard case .unmanagedObject = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `results are found anew each time`() throws {
    @ThreadSafe var old: FrozenResults<Person>? = try store.freeze().query(Person.self) {
      Person.age > 1
    }
    #expect(old?.count == 1)
    try people.put(Person("C", age: 3))
    #expect(old?.count == 2)
    #expect(try store.read { try $0.resolve($old) }?.map(\.name) == ["B", "C"])
  }

  @Test func `it shows nothing when the store is closed`() throws {
    @ThreadSafe var person: FrozenObject<Person>? = try object(1)
    store.close()
    #expect(person == nil)
  }
}
