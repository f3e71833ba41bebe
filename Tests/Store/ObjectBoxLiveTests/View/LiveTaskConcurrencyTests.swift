import Foundation
import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import Testing

/// Live views of asynchronous code outside of actors.
@Suite(.timeLimit(.minutes(15)))
struct LiveTaskConcurrencyTests {
  /// Suspends until a thread outside of the pool wakes the task.
  private static func suspend() async {
    await withCheckedContinuation { continuation in
      Thread { continuation.resume() }.start()
    }
    await Task.yield()
  }

  @Test func `a view of a task goes along with it through suspensions`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    try await Task.detached {
      try await store.write { try $0.put(Person("Ann")) }
      let live = try store.live()
      let person = try #require(try live.object(EntityId<Person>(1)))
      let people = try live.query(Person.self)
      for number in 1...20 {
        await Self.suspend()
        try await live.write { transaction in
          try transaction.modify(person) { $0.name = "\(number)" }
          try transaction.put(Person("other"))
        }
        await Self.suspend()
        #expect(person.name == "\(number)")
        #expect(people.count == 1 + number)
        #expect(!person.isInvalidated && !live.isInvalidated)
        try live.refresh()
        live.autorefresh = false
      }
    }.value
  }

  @Test func `tasks on the same threads have views of their own`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let views = Guarded<Set<ObjectIdentifier>>([])
    let count = 16
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<count {
        group.addTask {
          let live = try store.live()
          views.withLock { _ = $0.insert(ObjectIdentifier(live)) }
          for _ in 0..<5 {
            let version = try live.version()
            await Self.suspend()
            #expect(try live.version() == version)
            try await live.write { try $0.put(Person("Ann")) }
            #expect(try live.version() > version)
          }
          // Keeps each view until all exist, so that no address is reused.
          while views.withLock({ $0.count }) < count { await Task.yield() }
          withExtendedLifetime(live) {}
        }
      }
      try await group.waitForAll()
    }
    #expect(views.withLock(\.count) == count)
  }
}
