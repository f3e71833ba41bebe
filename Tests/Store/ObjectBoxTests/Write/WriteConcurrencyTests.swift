import Dispatch
import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Synchronization
import Testing

/// Concurrent writers and readers; run under the thread sanitizer as well.
@Suite(.timeLimit(.minutes(15)))
struct WriteConcurrencyTests {
  private let temporary: TemporaryStore
  private let store: Store

  init() throws {
    temporary = try TemporaryStore(indexes: .none)
    store = temporary.store
  }

  /// Runs a body on several threads at once; `wait` of the result waits for all.
  private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) -> DispatchGroup {
    let group = DispatchGroup()
    for number in 0..<count {
      group.enter()
      Thread {
        body(number)
        group.leave()
      }.start()
    }
    return group
  }

  @Test func `others see all of a block or nothing`() throws {
    let counts = Guarded<Set<[Int]>>([])
    let looks = Atomic<Int>(0)
    let isDone = Atomic<Bool>(false)
    let readers = onThreads(2) { [store] _ in
      repeat {
        let count = try? store.read { [try $0.count(Person.self), try $0.count(Point.self)] }
        counts.withLock { _ = $0.insert(count ?? []) }
        looks.wrappingAdd(1, ordering: .relaxed)
      } while !isDone.load(ordering: .acquiring) || looks.load(ordering: .relaxed) < 10_000
    }
    try store.write { transaction in
      for number in 0..<10 { try transaction.put(Person("\(number)")) }
      while looks.load(ordering: .relaxed) < 5_000 {}
      for number in 0..<5 { try transaction.put(Point(id: 0, x: Double(number), y: 0)) }
    }
    isDone.store(true, ordering: .releasing)
    readers.wait()
    #expect(counts.withLock { $0 }.isSubset(of: [[0, 0], [10, 5]]))
    #expect(try store.read { try $0.count(Person.self) } == 10)
  }

  @Test func `readers go on while a block writes, and see the version before`() throws {
    let people = store.box(for: Person.self)
    let id = try people.put(Person("old"))
    let reads = Atomic<Int>(0)
    let strange = Atomic<Int>(0)
    let isDone = Atomic<Bool>(false)
    let haveRead = DispatchSemaphore(value: 0)
    let readers = onThreads(8) { [store] _ in
      let people = store.box(for: Person.self)
      while !isDone.load(ordering: .acquiring) {
        if (try? people.get(id))?.name != "old" { strange.wrappingAdd(1, ordering: .relaxed) }
        let count = reads.wrappingAdd(1, ordering: .relaxed).newValue
        if count == 100_000 { haveRead.signal() }
      }
    }
    try store.write { transaction in
      try transaction.modify(EntityId<Person>(id)) { $0.name = "new" }
      // The block ends only after the reads.
      haveRead.wait()
      isDone.store(true, ordering: .releasing)
      readers.wait()
    }
    #expect(strange.load(ordering: .relaxed) == 0)
    #expect(try people.get(id)?.name == "new")
  }

  @Test func `no update is lost among blocking and suspending writers`() async throws {
    let id = EntityId<Person>(try store.box(for: Person.self).put(Person("counter")))
    let version = try store.version()
    let rounds = TestLength.choose(short: 200, long: 500)
    let threads = onThreads(8) { [store] _ in
      for _ in 0..<rounds { try? store.write { _ = try $0.modify(id) { $0.age += 1 } } }
    }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { [store] in
          for _ in 0..<rounds {
            try? await store.write { _ = try $0.modify(id) { $0.age += 1 } }
          }
        }
      }
    }
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      threads.notify(queue: .global()) { done.resume() }
    }
    #expect(try store.read { try $0.get(id)?.age } == Int32(16 * rounds))
    #expect(try store.version() > version + 8 * rounds)
  }

  @Test func `sums of one read never tell a move of money half done`() throws {
    let people = store.box(for: Person.self)
    try people.put((0..<100).map { Person("\($0)", age: 1_000) })
    let strange = Atomic<Int>(0)
    let sums = Atomic<Int>(0)
    let rounds = TestLength.choose(short: 1_000, long: 5_000)
    let isDone = Atomic<Bool>(false)
    let readers = onThreads(8) { [store] _ in
      guard let ages = try? store.box(for: Person.self).query().build().property(Person.age) else {
        return
      }
      while !isDone.load(ordering: .acquiring) || sums.load(ordering: .relaxed) < 10 * rounds {
        let pair = try? store.read { _ in [try ages.sum(), try ages.sum()] }
        if pair != [100_000, 100_000] { strange.wrappingAdd(1, ordering: .relaxed) }
        sums.wrappingAdd(2, ordering: .relaxed)
      }
    }
    for round in 0..<rounds {
      let (from, to) = (Id(round % 100 + 1), Id((round * 7 + 13) % 100 + 1))
      guard from != to else { continue }
      try store.write { transaction in
        try transaction.modify(EntityId<Person>(from)) { $0.age -= 1 }
        try transaction.modify(EntityId<Person>(to)) { $0.age += 1 }
      }
    }
    isDone.store(true, ordering: .releasing)
    readers.wait()
    #expect(strange.load(ordering: .relaxed) == 0)
  }

  @Test func `puts that are gathered lose nothing, and each learns its own outcome`() throws {
    let unique = try TemporaryStore(indexes: .all)
    let people = unique.store.box(for: Person.self)
    let refused = Atomic<Int>(0)
    let ids = Guarded<Set<Id>>([])
    onThreads(16) { number in
      for round in 0..<50 {
        // Two threads put each e-mail address.
        let person = Person("\(number)", email: "\(number / 2)-\(round)@x.y", age: Int32(round))
        do {
          let id = try people.put(person)
          ids.withLock { _ = $0.insert(id) }
          if person.id != id { refused.wrappingAdd(1_000, ordering: .relaxed) }
        } catch {
          if person.id == 0 { refused.wrappingAdd(1, ordering: .relaxed) }
        }
      }
    }.wait()
    #expect(refused.load(ordering: .relaxed) == 400)
    #expect(ids.withLock { $0.count } == 400)
    #expect(try people.count() == 400)
    let statistics = try unique.store.statistics
    #expect(statistics.commits >= 400)
    #expect(statistics.syncs < statistics.commits)
  }

  @Test func `threads that stop putting hold up none that go on`() throws {
    let people = store.box(for: Person.self)
    onThreads(8) { number in
      for round in 0..<(number + 1) * 10 { _ = try? people.put(Person("\(number)-\(round)")) }
    }.wait()
    #expect(try people.count() == 360)
    #expect(Set(try people.all().map(\.name)).count == 360)
  }

  @Test func `a store that closes amid writers loses no write that returned`() throws {
    let returned = Atomic<Int>(0)
    let people = store.box(for: Person.self)
    let started = DispatchSemaphore(value: 0)
    let writers = onThreads(8) { [store] number in
      started.signal()
      for round in 0..<200 {
        do {
          if number % 2 == 0 {
            try people.put(Person("\(number)-\(round)"))
          } else {
            try store.write { _ = try $0.put(Person("\(number)-\(round)")) }
          }
          returned.wrappingAdd(1, ordering: .relaxed)
        } catch {
          return
        }
      }
    }
    for _ in 0..<8 { started.wait() }
    while returned.load(ordering: .relaxed) < 50 {}
    store.close()
    writers.wait()
    let again = try Store(model: try TemporaryStore.model(.none), directory: temporary.path)
    #expect(try again.box(for: Person.self).count() == returned.load(ordering: .relaxed))
  }
}
