import Dispatch
import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import Synchronization
import Testing

/// Run under the thread sanitizer as well.
struct ConcurrencyTests {
  /// Runs a body on several threads at once, and waits for all.
  private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    for number in 0..<count {
      group.enter()
      let thread = Thread {
        body(number)
        group.leave()
      }
      thread.start()
    }
    group.wait()
  }

  @Test func `puts from 20 threads lose nothing and give each object an ID of its own`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let ids = Guarded<Set<Id>>([])
    onThreads(20) { number in
      for round in 0..<10 {
        let id = try? store.box(for: Person.self).put(
          Person("\(number)/\(round)", age: Int32(round))
        )
        ids.withLock { _ = $0.insert(id ?? 0) }
      }
    }
    let people = store.box(for: Person.self)
    #expect(ids.withLock(\.count) == 200)
    #expect(try people.count() == 200)
    let aged = try people.query { Person.age == 3 }.build()
    #expect(try aged.count() == 20)
  }

  @Test func `readers see whole transactions while a writer goes on`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let torn = Atomic<Int>(0)
    let done = Atomic<Bool>(false)
    onThreads(5) { number in
      let points = store.box(for: Point.self)
      if number == 0 {
        for round in 0..<100 {
          // Both objects always hold the same value.
          try? points.put([
            Point(id: 1, x: Double(round), y: 0), Point(id: 2, x: Double(round), y: 0),
          ])
        }
        done.store(true, ordering: .releasing)
      } else {
        while !done.load(ordering: .acquiring) {
          let values = (try? points.all().map(\.x)) ?? [-1, -2]
          if Set(values).count > 1 { torn.add(1, ordering: .relaxed) }
        }
      }
    }
    #expect(torn.load(ordering: .relaxed) == 0)
  }

  @Test func `a store closes while threads use it, and they get an error`() throws {
    for _ in 0..<20 {
      let temporary = try TemporaryStore()
      let store = temporary.store
      let people = store.box(for: Person.self)
      let ready = DispatchSemaphore(value: 0)
      let wrong = Atomic<Int>(0)
      let group = DispatchGroup()
      for number in 0..<4 {
        group.enter()
        Thread {
          ready.signal()
          while true {
            do {
              if number % 2 == 0 {
                try people.put(Person("x"))
              } else {
                _ = try people.all()
              }
            } catch ObjectBoxError.illegalState {
              break
            } catch {
              wrong.add(1, ordering: .relaxed)
              break
            }
          }
          group.leave()
        }.start()
      }
      for _ in 0..<4 { ready.wait() }
      store.close()
      group.wait()
      #expect(wrong.load(ordering: .relaxed) == 0)
      try temporary.reopen()
      #expect(try temporary.store.box(for: Person.self).count() >= 0)
    }
  }

  @Test func `more readers than the store admits are told`() throws {
    let temporary = try TemporaryStore()
    temporary.store.close()
    let store = try Store(
      model: try TemporaryStore.model(),
      directory: temporary.path,
      maxReaders: 1
    )
    let refused = Guarded<[String]>([])
    let arrived = DispatchSemaphore(value: 0)
    let release = DispatchSemaphore(value: 0)
    let group = DispatchGroup()
    // LMDB rounds the number of readers up until the slots fill a page.
    let count = 200
    for _ in 0..<count {
      group.enter()
      Thread {
        do {
          try store.runInReadOnlyTransaction {
            arrived.signal()
            release.wait()
          }
        } catch {
          refused.withLock { $0.append((error as? ObjectBoxError)?.message ?? "\(error)") }
          arrived.signal()
        }
        group.leave()
      }.start()
    }
    for _ in 0..<count { arrived.wait() }
    for _ in 0..<count { release.signal() }
    group.wait()
    let messages = refused.withLock { Set($0) }
    #expect(
      messages == ["Could not begin read transaction (maximum of read transactions reached)"]
    )
  }

  @Test func `boxes asked for by many threads are the same`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let kept = store.box(for: Person.self)
    let others = Atomic<Int>(0)
    onThreads(20) { _ in
      if store.box(for: Person.self) !== kept { others.add(1, ordering: .relaxed) }
    }
    #expect(others.load(ordering: .relaxed) == 0)
  }
}
