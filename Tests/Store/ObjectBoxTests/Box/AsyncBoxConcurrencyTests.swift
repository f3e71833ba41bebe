import Dispatch
import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import Testing

/// Run under the thread sanitizer as well.
@Suite(.timeLimit(.minutes(15)))
struct AsyncBoxConcurrencyTests {
  @Test func `asynchronous puts of many threads lose nothing beside synchronous ones`() throws {
    let temporary = try TemporaryStore(indexes: .none)
    let store = temporary.store
    let people = store.box(for: Person.self)
    let ids = Guarded<Set<Id>>([])
    DispatchQueue.concurrentPerform(iterations: 8) { number in
      for round in 0..<50 {
        let person = Person("\(number)/\(round)")
        if number == 0 {
          _ = try? people.put(person)
        } else {
          _ = try? people.async.put(person)
        }
        let id = person.id
        ids.withLock { _ = $0.insert(id) }
        if round % 20 == 0 { store.awaitAsyncSubmitted() }
      }
    }
    #expect(temporary.store.awaitAsyncCompleted())
    #expect(ids.withLock(\.count) == 400)
    #expect(try people.count() == 400)
  }

  @Test func `the order of each thread is kept`() throws {
    let temporary = try TemporaryStore(indexes: .none)
    let people = temporary.store.box(for: Person.self)
    DispatchQueue.concurrentPerform(iterations: 4) { number in
      let person = Person("")
      for round in 0..<100 {
        person.age = Int32(round)
        _ = try? people.async.put(person)
      }
    }
    temporary.store.awaitAsyncSubmitted()
    #expect(try people.all().map(\.age) == [99, 99, 99, 99])
  }

  @Test func `a store that closes keeps exactly what it took`() throws {
    for _ in 0..<5 {
      let temporary = try TemporaryStore(indexes: .none)
      let people = temporary.store.box(for: Person.self)
      let accepted = Guarded<Set<Id>>([])
      let started = DispatchSemaphore(value: 0)
      let group = DispatchGroup()
      for _ in 0..<4 {
        group.enter()
        Thread {
          started.signal()
          while let id = try? people.async.put(Person("x")) {
            accepted.withLock { _ = $0.insert(id.value) }
          }
          group.leave()
        }.start()
      }
      for _ in 0..<4 { started.wait() }
      temporary.store.close()
      group.wait()
      try temporary.reopen(indexes: .none)
      let stored = try temporary.store.box(for: Person.self).all().map(\.id)
      #expect(Set(stored) == accepted.withLock { $0 })
    }
  }

  @Test func `threads that find the queue full wait for room`() throws {
    let temporary = try TemporaryStore(indexes: .none)
    let points = temporary.store.box(for: Point.self)
    let many = [Point](repeating: Point(id: 0, x: 0, y: 0), count: 6_000)
    let refused = Guarded(0)
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      do {
        try AsyncBox(box: points, enqueueTimeout: .infinity).put(many)
      } catch {
        refused.withLock { $0 += 1 }
      }
    }
    temporary.store.awaitAsyncCompleted()
    #expect(refused.withLock { $0 } == 0)
    #expect(try points.count() == 24_000)
  }
}
