import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import Testing

/// Silent writes, seen by subscriptions and by sequences of results.
struct SilentObserverTests {
  private let temporary: TemporaryStore
  private let store: Store
  private let people: Box<Person>
  private let queue = SerialQueue()

  init() throws {
    temporary = try TemporaryStore()
    store = temporary.store
    people = store.box(for: Person.self)
  }

  /// Subscribes in four ways.
  ///
  /// Each call is noted with the names that it got, or nil.
  private func subscriptions(_ told: Guarded<[[String]?]>) throws -> [Observer] {
    let note = { (objects: [Person], _: ObjectBoxError?) in
      told.withLock { $0.append(objects.map { $0.name }) }
    }
    let query = try people.query().build()
    let target = queue.dispatchQueue
    return [
      people.subscribe(dispatchQueue: target, flags: []) { told.withLock { $0.append(nil) } },
      people.subscribe(dispatchQueue: target, flags: [], resultHandler: note),
      query.subscribe(dispatchQueue: target, flags: []) { told.withLock { $0.append(nil) } },
      query.subscribe(dispatchQueue: target, flags: [], resultHandler: note),
    ]
  }

  @Test func `no subscription is called for a write that leaves out all`() async throws {
    let told = Guarded<[[String]?]>([])
    let observers = try subscriptions(told)
    try blockingWrite { _ = try $0.put(Person("a")) }
    try await store.write(withoutNotifying: .all) { try $0.put(Person("b")) }
    // Calls come in order: a call for a silent write would have come before.
    queue.sync {}
    #expect(told.withLock(\.self).isEmpty)
    try people.put(Person("c"))
    queue.sync {}
    #expect(told.withLock(\.self) == [nil, ["a", "b", "c"], nil, ["a", "b", "c"]])
    withExtendedLifetime(observers) {}
  }

  @Test func `a silent and a told commit before the handler runs are told once, with both`() throws
  {
    let told = Guarded<[[String]?]>([])
    let observers = try subscriptions(told)
    try queue.sync {
      try people.put(Person("told"))
      try blockingWrite { try $0.put(Person("silent")) }
    }
    queue.sync {}
    let both = ["told", "silent"]
    #expect(told.withLock(\.self) == [nil, both, nil, both])
    withExtendedLifetime(observers) {}
  }

  @Test func `a loop over results skips a write that leaves out all`() async throws {
    var results = try people.query().build().results.makeAsyncIterator()
    var changes = people.changes.makeAsyncIterator()
    #expect(try await results.next()?.count == 0)
    #expect(try await changes.next()?.count == 0)
    try blockingWrite { try $0.put(Person("silent")) }
    try people.put(Person("told"))
    #expect(try await results.next()?.map(\.name) == ["silent", "told"])
    #expect(try await changes.next()?.map(\.name) == ["silent", "told"])
    try blockingWrite { try $0.removeAll(Person.self) }
    store.close()
    #expect(try await results.next() == nil)
    #expect(try await changes.next() == nil)
  }

  @Test func `a write that leaves out tokens only is told to subscriptions`() throws {
    let told = Guarded<[[String]?]>([])
    let observers = try subscriptions(told)
    let recorder = ChangeRecorder<CollectionEvent>()
    let token = try people.query().build().observe(recorder)
    try store.write(withoutNotifying: [token]) { _ = try $0.put(Person("a")) }
    queue.sync {}
    #expect(told.withLock(\.self).count == 4)
    token.invalidate()
    withExtendedLifetime(observers) {}
  }

  @Test @MainActor func `a live view moves to a silent commit of others`() async throws {
    let live = try store.live()
    #expect(try live.count(Person.self) == 0)
    try await Task.detached { [store] in
      try await store.write(withoutNotifying: .all) { _ = try $0.put(Person("a")) }
    }.value
    try await live.asyncRefresh()
    #expect(try live.count(Person.self) == 1)
  }

  @discardableResult
  private func blockingWrite<R>(_ body: (WriteTransaction) throws -> R) throws -> R {
    try store.write(withoutNotifying: .all, body)
  }
}
