import Dispatch
import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// Keeps the failures that a handler gets, and lets a test wait for them.
private final class FailureLog: Sendable {
  private let failures = Guarded<[UnheardFailure]>([])
  private let arrivals = AsyncStream<Void>.makeStream()

  func add(_ failure: UnheardFailure) {
    failures.withLock { $0.append(failure) }
    arrivals.continuation.yield()
  }

  /// Waits for a number of failures, and returns all so far.
  func wait(for count: Int) async -> [UnheardFailure] {
    var iterator = arrivals.stream.makeAsyncIterator()
    for _ in 0..<count { await iterator.next() }
    return failures.withLock(\.self)
  }
}

private actor Clerk {
  let store: Store

  init(_ store: Store) {
    self.store = store
  }

  func write(_ body: @escaping @Sendable (WriteTransaction) throws -> Void) {
    store.writeAsync { try body($0) }
  }

  func begin(_ body: @escaping @Sendable (WriteTransaction) throws -> Void) {
    store.beginAsyncWrite { try body($0) }
  }

  func commitLater(_ body: @escaping @Sendable (WriteTransaction) throws -> Void) {
    store.writeAsync { try body($0) }
  }

  func isHeard(_ body: @escaping @Sendable (WriteTransaction) throws -> Void) async -> Bool {
    await withCheckedContinuation { done in
      store.writeAsync {
        try body($0)
      } onComplete: {
        done.resume(returning: $0 != nil)
      }
    }
  }
}

@Suite(.timeLimit(.minutes(15)))
struct UnheardFailureTests {
  private struct Stop: Error {}
  private let folder: TemporaryDirectory
  private let log = FailureLog()
  private let store: Store
  private let people: Box<Person>

  init() throws {
    folder = try TemporaryDirectory()
    store = try Self.open(folder, log) { _ in }
    people = store.box(for: Person.self)
  }

  private static func open(
    _ folder: TemporaryDirectory,
    _ log: FailureLog,
    _ change: (inout Store.Configuration) -> Void
  ) throws -> Store {
    var configuration = Store.Configuration(directory: folder.path + "/store")
    configuration.onUnheardFailure = { log.add($0) }
    change(&configuration)
    return try Store(model: try TemporaryStore.model(), configuration: configuration)
  }

  private func name(of failure: UnheardFailure?) -> String {
    failure.map { String("\($0.error)".prefix { $0 != ":" && $0 != " " && $0 != "(" }) } ?? ""
  }

  @Test func `the words for a failure are one line, whatever its reason says`() async throws {
    struct Reason: Error, CustomStringConvertible {
      let description = "a\nb\r\nc\u{2028}d"
    }
    await Clerk(store).write { _ in throw Reason() }
    let failures = await log.wait(for: 1)
    #expect(failures[0].description.hasSuffix(": a b c d"))
  }

  // MARK: AsyncBox

  @Test func `each asynchronous put that is refused is told once, with its entity, ID and reason`()
    async throws
  {
    try people.put(Person("A", email: "a@b.c"))
    let missing = Person("missing")
    let ids = try people.async.put([
      Person("B", email: "a@b.c"), Person("C"), Person("D", email: "a@b.c"),
    ])
    try people.async.put(missing, mode: .update)
    #expect(store.awaitAsyncCompleted())
    let failures = await log.wait(for: 3)
    #expect(failures.map(\.operation) == [.asyncPut, .asyncPut, .asyncPut])
    #expect(failures.map(\.entityName) == ["Person", "Person", "Person"])
    #expect(failures.map(\.ids) == [[ids[0].value], [ids[2].value], [missing.id]])
    #expect(failures.map(name) == ["uniqueViolation", "uniqueViolation", "unknown"])
    #expect(failures[0].directory == folder.path + "/store")
    #expect(failures[0].description.hasPrefix("an asynchronous put of 'Person' with ID 2 in"))
    let statistics = try store.statistics
    #expect(statistics.droppedAsyncWrites == 3 && statistics.unheardFailures == 3)
    #expect(try people.all().map(\.name) == ["A", "C"])
  }

  @Test func `asynchronous puts that find the store full are told, each with its ID`() async throws
  {
    store.close()
    let small = try Self.open(folder, log) { $0.maxDbSizeInKByte = 1_000 }
    let box = small.box(for: Person.self)
    var ids: [Id] = []
    for number in 0..<40 {
      let person = Person("\(number)")
      person.photo = .init(repeating: 1, count: 100_000)
      ids.append(try box.async.put(person).value)
    }
    #expect(small.awaitAsyncCompleted())
    let stored = Set(try box.all().map(\.id))
    let lost = ids.filter { !stored.contains($0) }
    #expect(!stored.isEmpty && !lost.isEmpty)
    let failures = await log.wait(for: lost.count)
    #expect(failures.flatMap(\.ids).sorted() == lost)
    #expect(failures.allSatisfy { name(of: $0) == "dbFull" })
  }

  @Test func `asynchronous writes that cannot begin are told`() async throws {
    store.close()
    let limited = try Self.open(folder, log) { $0.maximumNumberOfActiveVersions = 1 }
    let box = limited.box(for: Person.self)
    let snapshot = try limited.freeze()
    let id = try box.async.put(Person("A"))
    try box.async.remove(7 as Id)
    #expect(limited.awaitAsyncCompleted())
    let failures = await log.wait(for: 2)
    #expect(failures.map(\.operation) == [.asyncPut, .asyncRemoval])
    #expect(failures.map(\.ids) == [[id.value], [7]])
    #expect(failures.map(name) == ["tooManyActiveVersions", "tooManyActiveVersions"])
    snapshot.invalidate()
  }

  @Test func `a restricted asynchronous removal is told`() async throws {
    let folder = try TemporaryDirectory()
    var configuration = Store.Configuration(directory: folder.path + "/store")
    configuration.onUnheardFailure = { [log] in log.add($0) }
    let store = try Store(
      model: try RelationModel(customerRule: .restrict).build(),
      configuration: configuration
    )
    let (orders, customers): (Box<Order>, Box<Customer>) = (store.box(), store.box())
    let jane = Customer("Jane")
    try orders.put(Order("a", jane))
    try customers.async.remove(jane)
    store.awaitAsyncCompleted()
    let failure = await log.wait(for: 1).first
    #expect(failure?.operation == .asyncRemoval && failure?.entityName == "Customer")
    #expect(name(of: failure) == "constraintViolated")
    #expect(try customers.count() == 1)
  }

  // MARK: Asynchronous blocks

  @Test func `a write from outside of every actor never runs, and that is told with the advice`()
    async throws
  {
    let frozen = try #require(
      try {
        try people.put(Person("A"))
        return try store.freeze().object(EntityId<Person>(1))
      }()
    )
    await Task.detached { [store] in
      store.writeAsync { _ in Issue.record("it must not run") }
      store.beginAsyncWrite { _ in Issue.record("it must not run") }
      store.writeAsync(passing: frozen) { _, _ in Issue.record("it must not run") }
    }.value
    let failures = await log.wait(for: 3)
    #expect(failures.map(\.operation) == [.asyncWrite, .asyncWrite, .asyncWrite])
    #expect(failures.allSatisfy { name(of: $0) == "asyncWriteNotSchedulable" })
    #expect(failures.allSatisfy { "\($0)".contains("pass a SerialQueue") })
    #expect(!store.isPerformingAsynchronousWriteOperations)
  }

  @Test func `a block that throws is told where there is no completion, and only there`()
    async throws
  {
    let clerk = Clerk(store)
    #expect(await clerk.isHeard { _ in throw Stop() })
    #expect(await clerk.isHeard { try $0.commitAsyncWrite() } == false)
    await clerk.write { _ in throw Stop() }
    await clerk.begin { _ in throw Stop() }
    let failures = await log.wait(for: 2)
    #expect(failures.allSatisfy { $0.operation == .asyncWrite && $0.error is Stop })
    #expect(failures.count == 2)
  }

  @Test func `changes that are neither committed nor cancelled are told when they are rolled back`()
    async throws
  {
    let clerk = Clerk(store)
    await clerk.begin { _ = try $0.put(Person("lost")) }
    await clerk.begin { _ in }
    await clerk.begin {
      try $0.put(Person("not wanted"))
      $0.cancelWrite()
    }
    let failures = await log.wait(for: 1)
    #expect(failures.map(\.operation) == [.openWrite])
    try letGo()
    #expect(await log.wait(for: 1).map(\.operation) == [.openWrite, .openWrite])
    #expect(try people.isEmpty())
  }

  private func letGo() throws {
    let transaction = try store.beginWrite()
    try transaction.put(Person("lost"))
  }

  @Test func `a closed store tells of what is asked of it`() async throws {
    store.close()
    await Clerk(store).write { _ in }
    #expect(name(of: await log.wait(for: 1).first) == "closed")
  }

  // MARK: Observers

  @Test func `an observer that cannot read what has changed is told of`() async throws {
    store.close()
    let crowded = try Self.open(folder, log) { $0.maxReaders = 126 }
    let box = crowded.box(for: Person.self)
    let queue = SerialQueue()
    let hold = DispatchSemaphore(value: 0)
    queue.async { hold.wait() }
    let token = try box.query().build().observe(on: queue) { _ in }
    var snapshots: [Snapshot] = []
    while let snapshot = try? crowded.freeze() {
      snapshots.append(snapshot)
      try box.put(Person("\(snapshots.count)"))
    }
    try box.put(Person("last"))
    hold.signal()
    let failure = try #require(await log.wait(for: 1).first)
    #expect(failure.operation == .observation)
    withExtendedLifetime((token, snapshots)) {}
  }

  // MARK: The handler

  @Test func `a handler may use the store, and what fails because of it does not come back`()
    async throws
  {
    store.close()
    let (calls, done) = (Guarded(0), AsyncStream<Void>.makeStream())
    let own = Guarded<Store?>(nil)
    let opened = try Self.open(folder, log) { configuration in
      configuration.onUnheardFailure = { _ in
        guard let store = own.withLock(\.self) else { return }
        calls.withLock { $0 += 1 }
        let box = store.box(for: Person.self)
        _ = try? box.put(Person("heard"))
        _ = try? box.async.put(Person("again", email: "a@b.c"))
        store.writeAsync { _ in }
        store.awaitAsyncCompleted()
        done.continuation.yield()
      }
    }
    own.withLock { $0 = opened }
    let box = opened.box(for: Person.self)
    try box.put(Person("A", email: "a@b.c"))
    try box.async.put(Person("B", email: "a@b.c"))
    var iterator = done.stream.makeAsyncIterator()
    await iterator.next()
    opened.awaitAsyncCompleted()
    #expect(try opened.statistics.unheardFailures == 3)
    #expect(try opened.statistics.droppedAsyncWrites == 2)
    #expect(calls.withLock(\.self) == 1)
    #expect(try box.all().map(\.name) == ["A", "heard"])
    own.withLock { $0 = nil }
  }

  @Test func `the handler takes no part in the comparison of configurations`() async throws {
    let one = Store.Configuration(directory: "x")
    var other = one
    other.onUnheardFailure = { _ in }
    #expect(one == other && one.hashValue == other.hashValue)
    let sharing = try Self.open(folder, FailureLog()) { $0.sharesOpenStore = true }
    try sharing.box(for: Person.self).async.put(Person("A"), mode: .update)
    sharing.awaitAsyncCompleted()
    #expect(await log.wait(for: 1).count == 1)
  }
}
