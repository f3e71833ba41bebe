import Dispatch
import Foundation
import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import Testing

/// Run under the thread sanitizer as well.
struct LiveIsolationConcurrencyTests {
  /// Carries a value out of its isolation, as code that evades the compiler does.
  private struct Smuggled<Value>: @unchecked Sendable {
    let value: Value
  }

  private actor Keeper {
    let store: Store
    var live: LiveStore?
    var person: LiveObject<Person>?

    init(_ store: Store) {
      self.store = store
    }

    func open() throws -> Smuggled<(LiveStore, LiveObject<Person>)> {
      let live = try store.live()
      let person = try live.write { try $0.put(Person("Ann"), in: live) }
      self.live = live
      self.person = person
      return Smuggled(value: (live, person))
    }

    func thaw(_ person: FrozenObject<Person>) throws -> Bool {
      guard let thawed = try person.thaw() else { return false }
      return thawed.live === live && thawed.name == "Ann"
    }

    func isSame() throws -> Bool { try store.live() === live }

    func name() async throws -> String? {
      await Task.yield()
      return try live.map { try $0.query(Person.self)[0].name }
    }

    func uses(_ other: Smuggled<(LiveStore, LiveObject<Person>)>) -> (any Error)? {
      do {
        _ = try other.value.0.version()
        return nil
      } catch {
        return error
      }
    }
  }

  /// An actor whose executor is a serial queue.
  private actor Clerk {
    let queue = SerialQueue(label: "clerk")
    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    func live(_ store: Store) throws -> Smuggled<LiveStore> {
      let live = try store.live()
      _ = try live.version()
      return Smuggled(value: live)
    }
  }

  @Test func `a view is usable in its actor only, across suspensions`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let keeper = Keeper(store)
    let stranger = Keeper(store)
    let smuggled = try await keeper.open()
    #expect(try await keeper.isSame())
    #expect(try await keeper.name() == "Ann")
    let frozen = try #require(try store.freeze().query(Person.self).first)
    #expect(try await keeper.thaw(frozen))
    #expect(await keeper.uses(smuggled) == nil)
    #expect(await stranger.uses(smuggled).map(isWrongIsolation) == true)
    let (live, person) = smuggled.value
    #expect(!live.isFrozen && !person.isFrozen)
    await Task.detached {
      let (live, person) = smuggled.value
      #expect { try live.version() } throws: { isWrongIsolation($0) }
      #expect { try live.refresh() } throws: { isWrongIsolation($0) }
      #expect { try live.count(Person.self) } throws: { isWrongIsolation($0) }
      #expect { try live.freeze() } throws: { isWrongIsolation($0) }
      #expect { try live.observe { _ in } } throws: { isWrongIsolation($0) }
      #expect { try live.beginAsyncWrite { _ in } } throws: { isWrongIsolation($0) }
      var failure: (any Error)?
      live.writeAsync({ _ in Issue.record("out of place") }, onComplete: { failure = $0 })
      #expect(failure.map(isWrongIsolation) == true)
      #expect { try person.value() } throws: { isWrongIsolation($0) }
      #expect { try person.freeze() } throws: { isWrongIsolation($0) }
      #expect { try person[Person.age] } throws: { isWrongIsolation($0) }
      #expect { try store.syncWrite { try $0.remove(person) } } throws: { isWrongIsolation($0) }
    }.value
    SerialQueue().sync {
      _ = #expect { try live.version() } throws: { isWrongIsolation($0) }
    }
    #expect(try await keeper.name() == "Ann")
  }

  @Test func `an actor and jobs on its queue are one isolation`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let clerk = Clerk()
    let live = try await clerk.live(store)
    clerk.queue.sync {
      #expect(throws: Never.self) { try live.value.version() }
    }
    #expect { try live.value.version() } throws: { isWrongIsolation($0) }
  }

  @Test func `a thread's view is its own`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    await withCheckedContinuation { continuation in
      Thread {
        let live = Result { Smuggled(value: try store.live()) }
        Thread {
          #expect { try live.get().value.version() } throws: { isWrongIsolation($0) }
          let other = try? store.live()
          #expect(other != nil && other !== (try? live.get().value))
          continuation.resume()
        }.start()
      }.start()
    }
  }

  @Test func `a queue's view is made on the queue`() throws {
    let temporary = try TemporaryStore()
    let queue = SerialQueue()
    #expect { try temporary.store.live(on: queue) } throws: { isWrongIsolation($0) }
    let store = temporary.store
    let isSame = try queue.sync {
      let live = try store.live(on: queue)
      return try store.live(on: queue) === live
    }
    #expect(isSame)
  }

  @Test func `jobs of a queue on a concurrent one never overlap, and share a view`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let queue = SerialQueue(label: "shared", target: .global())
    let running = Guarded(0)
    let overlaps = Guarded(0)
    let view = Guarded<Smuggled<LiveStore>?>(nil)
    let faults = Guarded<[String]>([])
    for number in 1...1000 {
      queue.async {
        running.withLock { $0 += 1 }
        do {
          let live = try store.live(on: queue)
          let first = view.withLock { view in
            if view == nil { view = Smuggled(value: live) }
            return view
          }
          if first?.value !== live { faults.withLock { $0.append("another view") } }
          if number % 100 == 0 { try live.write { try $0.put(Person("\(number)")) } }
          let count = try live.count(Person.self)
          if count != number / 100 { faults.withLock { $0.append("\(count) at \(number)") } }
        } catch {
          faults.withLock { $0.append("\(error)") }
        }
        let others = running.withLock { running in
          running -= 1
          return running
        }
        if others != 0 { overlaps.withLock { $0 += 1 } }
      }
    }
    queue.sync {}
    #expect(overlaps.withLock(\.self) == 0)
    #expect(faults.withLock(\.self) == [])
    queue.sync { view.withLock { $0 = nil } }
  }

  @MainActor @Test func `the main actor's view follows commits without a run loop`() async throws {
    let store = try Store(model: try TemporaryStore.model(), directory: "memory:live-turns")
    defer { store.close() }
    let live = try store.live()
    #expect(live.autorefresh)
    let people = try live.query(Person.self)
    let ann = try await live.write { try $0.put(Person("Ann"), in: live) }
    #expect(people.count == 1)
    try await live.asyncRefresh()
    var turns = 0
    let token = try live.observe { notification in
      #expect(notification == .didChange)
      turns += 1
    }
    // The main actor is blocked, so all commits reach it in one turn.
    let thread = DispatchQueue(label: "writer")
    try thread.sync {
      let box = store.box(for: Person.self)
      for number in 1...999 { try box.put(Person("\(number)")) }
      let changed = Person("Anna")
      changed.id = ann.id.value
      try box.put(changed)
    }
    #expect(people.count == 1)
    #expect(ann.name == "Ann")
    #expect(turns == 0)
    await nextTurns(until: { turns > 0 })
    #expect(turns == 1)
    #expect(people.count == 1000)
    #expect(ann.name == "Anna")
    await nextTurns(20)
    #expect(turns == 1)
    token.invalidate()
  }

  @MainActor @Test func `without autorefresh observers hear that a refresh is required`()
    async throws
  {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let live = try store.live()
    live.autorefresh = false
    let people = try live.query(Person.self)
    #expect(people.isEmpty)
    var heard: [StoreNotification] = []
    let token = try live.observe { heard.append($0) }
    try await store.write { try $0.put(Person("Ann")) }
    await nextTurns(until: { !heard.isEmpty })
    #expect(heard == [.refreshRequired])
    #expect(people.isEmpty)
    #expect(try live.refresh())
    #expect(heard == [.refreshRequired, .didChange])
    #expect(people.count == 1)
    #expect(try live.refresh() == false)
    // The view's own writes still show at once.
    try await live.write { try $0.put(Person("Ben")) }
    #expect(people.count == 2)
    try await store.write { try $0.put(Person("Cleo")) }
    #expect(people.count == 2)
    live.autorefresh = true
    await nextTurns(until: { people.count == 3 })
    #expect(people.count == 3)
    token.invalidate()
  }

  @MainActor @Test func `several tasks that refresh are all resumed at the newest version`()
    async throws
  {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let live = try store.live()
    live.autorefresh = false
    #expect(try live.count(Person.self) == 0)
    try await store.write { try $0.put(Person("Ann")) }
    let tasks = (0..<5).map { _ in
      Task { @MainActor in
        let isNew = try await live.asyncRefresh()
        return (isNew, try live.count(Person.self))
      }
    }
    var news = 0
    for task in tasks {
      let (isNew, count) = try await task.value
      #expect(count == 1)
      if isNew { news += 1 }
    }
    #expect(news == 1)
    let cancelled = Task { @MainActor in try await live.asyncRefresh() }
    cancelled.cancel()
    #expect(try await cancelled.value == false)
  }

  @Test func `a view that is used elsewhere without throwing stops the process`() async {
    await #expect(processExitsWith: .failure) {
      let temporary = try TemporaryStore()
      let live = Smuggled(value: try temporary.store.live())
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        Thread {
          live.value.autorefresh = false
          continuation.resume()
        }.start()
      }
    }
  }

  @Test func `a view keeps no actor alive`() async throws {
    let temporary = try TemporaryStore()
    weak var gone: Keeper?
    do {
      let keeper = Keeper(temporary.store)
      _ = try await keeper.open()
      gone = keeper
    }
    await nextTurns(until: { gone == nil })
    #expect(gone == nil)
    await nextTurns(until: { temporary.store.activeVersions.isEmpty })
    #expect(temporary.store.activeVersions.isEmpty)
  }
}

extension Store {
  /// Writes synchronously from asynchronous code.
  func syncWrite<R>(_ body: (WriteTransaction) throws -> R) throws -> R { try write(body) }
}

/// Yields to other tasks, at most until a condition holds.
func nextTurns(
  _ count: Int = 100_000,
  isolation: isolated (any Actor)? = #isolation,
  until isDone: () -> Bool = { false }
) async {
  for _ in 0..<count where !isDone() { await Task.yield() }
}
