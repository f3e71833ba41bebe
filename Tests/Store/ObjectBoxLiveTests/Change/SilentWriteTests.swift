import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import Testing

@Suite(.timeLimit(.minutes(15)))
struct SilentWriteTests {
  private let temporary: TemporaryStore
  private let store: Store
  private let people: Box<Person>
  private let a = ChangeRecorder<CollectionEvent>()
  private let b = ChangeRecorder<CollectionEvent>()

  init() throws {
    temporary = try TemporaryStore()
    store = temporary.store
    people = store.box(for: Person.self)
  }

  private func observe(_ recorder: ChangeRecorder<CollectionEvent>) throws -> NotificationToken {
    let token = try people.query().ordered(by: Person.age).build().observe(recorder)
    _ = recorder.take()
    return token
  }

  @Test func `observers that are left out count silent objects, and others are told`() throws {
    try people.put([Person("1", age: 1), Person("5", age: 5)])
    let tokens = [try observe(a), try observe(b)]
    try store.write(withoutNotifying: [tokens[0]]) { try $0.put(Person("2", age: 2)) }
    #expect(a.take() == [])
    #expect(b.take() == [.update([1, 3, 2], [], [1])])
    try people.put(Person("6", age: 6))
    #expect(a.take() == [.update([1, 3, 2, 4], [], [3])])
    #expect(b.take() == [.update([1, 3, 2, 4], [], [3])])
    try store.write { transaction in
      try transaction.put(Person("0", age: 0))
      try transaction.commitWrite(withoutNotifying: [tokens[1]])
    }
    #expect(a.take() == [.update([5, 1, 3, 2, 4], [], [0])])
    #expect(b.take() == [])
    for token in tokens { token.invalidate() }
  }

  @Test func `nobody is told of a write that leaves out all`() throws {
    let tokens = [try observe(a), try observe(b)]
    try store.write(withoutNotifying: .all) { try $0.put(Person("A")) }
    #expect(a.take() == [])
    #expect(b.take() == [])
    try people.put(Person("B", age: 1))
    #expect(a.take() == [.update([1, 2], [], [1])])
    for token in tokens { token.invalidate() }
  }

  @Test func `older changes come first, as a set of their own`() throws {
    try people.put([Person("1", age: 1), Person("5", age: 5)])
    let token = try observe(a)
    try a.whileBusy {
      try people.put(Person("3", age: 3))
      try store.write(withoutNotifying: [token]) { transaction in
        try transaction.put(Person("2", age: 2))
        try transaction.remove(EntityId<Person>(1))
      }
      try people.put(Person("4", age: 4))
    }
    #expect(
      a.take() == [
        .update([1, 3, 2], [], [1]),
        .update([4, 3, 5, 2], [], [2]),
      ]
    )
    token.invalidate()
  }

  @Test func `a silent write before the first call is part of the initial results`() throws {
    var token: NotificationToken?
    try a.whileBusy {
      let begun = try people.query().build().observe(a)
      try store.write(withoutNotifying: [begun]) { try $0.put(Person("A")) }
      token = begun
    }
    #expect(a.take() == [.initial([1])])
    token?.invalidate()
  }

  @Test func `a silent write that is rolled back changes nothing`() throws {
    let token = try observe(a)
    try store.write(withoutNotifying: [token]) { transaction in
      try transaction.put(Person("A"))
      transaction.cancelWrite()
    }
    try people.put(Person("B"))
    #expect(a.take().map(\.insertions) == [[0]])
    token.invalidate()
  }

  @Test func `a token of another store is refused before the block runs`() async throws {
    let other = try TemporaryStore()
    let foreign = try other.store.box(for: Person.self).query().build().observe(a)
    let hasRun = Guarded(false)
    let store = store
    func refused(_ body: () throws -> Void) {
      let error = #expect(throws: ObjectBoxError.self) { try body() }
      #expect(error?.description.hasPrefix("foreignToken: ") ?? false)
    }
    refused { try store.write(withoutNotifying: [foreign]) { _ in hasRun.withLock { $0 = true } } }
    await #expect(throws: ObjectBoxError.self) {
      try await store.write(withoutNotifying: [foreign]) { _ in hasRun.withLock { $0 = true } }
    }
    #expect(hasRun.withLock(\.self) == false)
    // No transaction is open, so another thread can begin one.
    try await Task.detached { _ = try await store.write { try $0.put(Person("A")) } }.value
    #expect(try people.count() == 1)
    foreign.invalidate()
  }

  @Test func `a silent asynchronous write shares its commit with no other`() async throws {
    try people.put(Person("0"))
    let token = try observe(a)
    let (store, queue) = (store, SerialQueue())
    try a.whileBusy {
      let group = try WriteGroup(store)
      store.writeAsync(on: queue, isGroupingAllowed: true) { try $0.put(Person("loud")) }
      Task {
        _ = try await store.write(withoutNotifying: [token]) { try $0.put(Person("silent")) }
      }
      try group.end()
    }
    while try people.count() < 3 { await Task.yield() }
    try people.put(Person("last"))
    #expect(a.take().flatMap(\.insertions).count == 2)
    token.invalidate()
  }

  @Test func `silent and told transactions of one commit are told apart`() throws {
    try people.put([Person("10", age: 10), Person("20", age: 20), Person("30", age: 30)])
    let token = try observe(a)
    let (store, queue) = (store, SerialQueue())
    let group = try WriteGroup(store)
    store.writeAsync(on: queue, isGroupingAllowed: true) { transaction in
      try transaction.put(Person("15", age: 15))
      try transaction.remove(EntityId<Person>(2))
      try transaction.modify(EntityId<Person>(3)) { $0.name = "thirty" }
    }
    store.writeAsync(on: queue, isGroupingAllowed: true) { transaction in
      try transaction.put(Person("5", age: 5))
      try transaction.put(Person("35", age: 35))
      try transaction.remove(EntityId<Person>(1))
      try transaction.commitWrite(withoutNotifying: [token])
    }
    try group.end()
    while store.isPerformingAsynchronousWriteOperations { queue.sync {} }
    // As if the silent transaction had come first: the ages are [5, 20, 30, 35].
    #expect(a.take() == [.update([5, 4, 3, 6], [1], [1], [2])])
    token.invalidate()
  }
}

/// Holds the write lock, so that asynchronous writes gather.
private struct WriteGroup {
  private let transaction: WriteTransaction

  init(_ store: Store) throws {
    transaction = try store.beginWrite()
  }

  func end() throws { transaction.cancelWrite() }
}
