import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import Testing

/// Holders of versions, with the calls that created them.
struct VersionHolderTests {
  private let temporary: TemporaryStore
  private let store: Store

  init() throws {
    temporary = try TemporaryStore()
    store = temporary.store
    try store.box(for: Person.self).put(Person("Ann"))
  }

  /// Expects one active version, held by a call in this file.
  private func expect(
    _ kind: VersionInfo.Kind,
    madeAt line: Int,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let active = store.activeVersions
    #expect(active.map(\.kind) == [kind], sourceLocation: sourceLocation)
    #expect(active.map(\.line) == [line], sourceLocation: sourceLocation)
    #expect(active.map(\.file) == [#fileID], sourceLocation: sourceLocation)
  }

  @Test func `a snapshot tells which call made it`() throws {
    let snapshot = try store.freeze()
    expect(.snapshot, madeAt: #line - 1)
    // The existing snapshot.
    let again = try store.freeze()
    #expect(snapshot === again)
    expect(.snapshot, madeAt: #line - 5)
    withExtendedLifetime(snapshot) {}
  }

  @Test func `a live view tells which call made it, wherever it moves`() throws {
    let live = try store.live()
    let line = #line - 1
    #expect(try live.count(Person.self) == 1)
    expect(.live, madeAt: line)
    try store.box(for: Person.self).put(Person("Bob"))
    try live.refresh()
    expect(.live, madeAt: line)
    live.invalidate()
    #expect(store.activeVersions.isEmpty)
    #expect(try store.live().count(Person.self) == 2)
    expect(.live, madeAt: line)
  }

  @Test func `a live view of a queue tells which call made it`() throws {
    let queue = SerialQueue()
    try queue.sync {
      let live = try store.live(on: queue)
      #expect(try live.count(Person.self) == 1)
      expect(.live, madeAt: #line - 2)
    }
  }

  @Test func `a snapshot of a live view goes by its own call once the view has moved on`() throws {
    let live = try store.live()
    let line = #line - 1
    let snapshot = try live.freeze()
    expect(.live, madeAt: line)
    try store.box(for: Person.self).put(Person("Bob"))
    try live.refresh()
    let active = store.activeVersions
    #expect(active.map(\.kind) == [.snapshot, .live])
    #expect(active.map(\.line) == [line + 2, line])
    live.invalidate()
    expect(.snapshot, madeAt: line + 2)
    withExtendedLifetime(snapshot) {}
  }

  @Test func `frozen handles and references tell which call made them`() throws {
    let live = try store.live()
    let person = try #require(try live.object(Person.self, 1))
    let frozenPerson = try person.freeze()
    live.invalidate()
    expect(.snapshot, madeAt: #line - 2)
    withExtendedLifetime(frozenPerson) {}
    try store.box(for: Person.self).put(Person("Bob"))
    let results = try live.query(Person.self)
    let reference = try ThreadSafeReference(to: results)
    live.invalidate()
    let made = store.activeVersions.last
    #expect(made?.line == #line - 3)
    #expect(made?.kind == .snapshot)
    withExtendedLifetime(reference) {}
  }

  @Test func `a reference to an instance tells which call made it`() throws {
    let person = try #require(try store.box(for: Person.self).get(1))
    let reference = try ThreadSafeReference(store, person)
    expect(.snapshot, madeAt: #line - 1)
    withExtendedLifetime(reference) {}
  }

  @Test func `thawed handles tell which call made their view`() throws {
    let snapshot = try store.freeze()
    let frozen = try #require(try snapshot.object(Person.self, 1))
    let live = try #require(try frozen.thaw())
    let line = #line - 1
    snapshot.invalidate()
    expect(.live, madeAt: line)
    #expect(live.name == "Ann")
  }

  @Test func `code for all views and handles tells which call it made`() throws {
    func frozen(_ view: some StoreView) throws -> Snapshot { try view.freeze() }
    let line = #line - 1
    func frozen<M: Managed>(_ handle: M) throws -> M.Frozen { try handle.freeze() }
    let live = try store.live()
    let snapshot = try frozen(live)
    live.invalidate()
    expect(.snapshot, madeAt: line)
    let again = try frozen(snapshot)
    #expect(again === snapshot)
    #expect(try snapshot.thaw() === live)
    try store.box(for: Person.self).put(Person("Bob"))
    let handle = try frozen(try #require(try live.object(Person.self, 2)))
    live.invalidate()
    #expect(store.activeVersions.map(\.line) == [line, line + 2])
    #expect(try frozen(handle).name == "Bob")
  }

  @MainActor
  @Test func `what a write is passed is kept by the call of the write, until it runs`() async throws
  {
    let live = try store.live()
    let person = try #require(try live.object(Person.self, 1))
    await withCheckedContinuation { hasRun in
      store.writeAsync(
        passing: person,
        errorHandler: { error in
          Issue.record(error)
          hasRun.resume()
        },
        { _, person in
          #expect(person?.name == "Ann")
          hasRun.resume()
        }
      )
      live.invalidate()
      // The block waits for this actor.
      expect(.snapshot, madeAt: #line - 13)
    }
  }

  @Test func `what the library makes by itself has no call`() throws {
    let person = try #require(try store.freeze().object(Person.self, 1))
    @ThreadSafe var name: FrozenObject<Person>? = person
    person.snapshot.invalidate()
    let seen = try #require(name)
    #expect(store.activeVersions.map(\.file) == [nil])
    #expect(store.activeVersions.map(\.line) == [nil])
    #expect(seen.name == "Ann")
  }
}
