import Dispatch
import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import Testing

/// Run under the thread sanitizer as well.
@Suite(.timeLimit(.minutes(15)))
struct ObserverConcurrencyTests {
  @Test func `commits of many threads are each told once, and the last call sees them all`() throws
  {
    let temporary = try TemporaryStore(indexes: .none)
    let people = temporary.store.box(for: Person.self)
    let counts = Recorder<Int>()
    let observer = people.subscribe(dispatchQueue: counts.queue) { people, _ in
      counts.note(people.count)
    }
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<25 { _ = try? people.put(Person("x")) }
    }
    let seen = counts.values
    #expect(seen.count == 201)
    #expect(seen.last == 200)
    #expect(seen == seen.sorted())
    observer.unsubscribe()
  }

  @Test func `parameters are set while subscriptions search`() throws {
    let temporary = try TemporaryStore(indexes: .none)
    let people = temporary.store.box(for: Person.self)
    let query = try people.query { Person.age >= 1000 && Person.name != "" }
      .ordered(by: Person.age).build()
    let ages = Recorder<[Int32]>()
    let observer = query.subscribe(dispatchQueue: ages.queue) { people, _ in
      ages.note(people.map(\.age))
    }
    let isDone = DispatchSemaphore(value: 0)
    Thread {
      for age in 0..<100 { _ = try? people.put(Person("x", age: Int32(age))) }
      isDone.signal()
    }.start()
    for least in (0..<1000).reversed() { query.setParameter(Person.age, to: least) }
    isDone.wait()
    query.setParameter(Person.age, to: 98)
    _ = ages.values
    try people.put(Person("x", age: 100))
    #expect(ages.values.last == [98, 99, 100])
    // Each search used one parameter throughout.
    let whole = ages.values.allSatisfy { $0.isEmpty || $0 == Array($0[0]...$0[$0.count - 1]) }
    #expect(whole)
    observer.unsubscribe()
  }

  @Test func `observers come and go while others write`() throws {
    let temporary = try TemporaryStore(indexes: .none)
    let people = temporary.store.box(for: Person.self)
    let queue = DispatchQueue(label: "handlers", attributes: .concurrent)
    let late = Guarded(0)
    DispatchQueue.concurrentPerform(iterations: 6) { number in
      for round in 0..<20 {
        if number % 2 == 0 {
          _ = try? people.put(Person("\(round)"))
        } else {
          let serial = DispatchQueue(label: "serial", target: queue)
          let isOver = Guarded(false)
          let observer = people.subscribe(dispatchQueue: serial) {
            if isOver.withLock({ $0 }) { late.withLock { $0 += 1 } }
          }
          _ = try? people.put(Person("\(round)"))
          serial.sync {
            observer.unsubscribe()
            isOver.withLock { $0 = true }
          }
        }
      }
    }
    queue.sync(flags: .barrier) {}
    #expect(late.withLock { $0 } == 0)
    #expect(try people.count() == 120)
  }

  @Test func `a store closes while handlers read and write`() throws {
    for _ in 0..<5 {
      let temporary = try TemporaryStore(indexes: .none)
      let people = temporary.store.box(for: Person.self)
      let queue = DispatchQueue(label: "handlers")
      let isRunning = DispatchSemaphore(value: 0)
      let wrong = Guarded<[String]>([])
      let observer = people.subscribe(dispatchQueue: queue) { people, error in
        if case .illegalState = error { return }
        if let error { wrong.withLock { $0.append("\(error)") } }
        isRunning.signal()
        // Each call requests the next one.
        _ = try? temporary.store.runInTransaction {
          try temporary.store.clone().box(for: Person.self).put(Person("x"))
        }
      }
      for _ in 0..<3 { isRunning.wait() }
      temporary.store.close()
      queue.sync {}
      #expect(wrong.withLock { $0 } == [])
      observer.unsubscribe()
    }
  }

  @Test func `loops over changes end with what was written last`() async throws {
    let temporary = try TemporaryStore(indexes: .none)
    let store = temporary.store
    let changes = store.box(for: Person.self).changes
    let total = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for try await people in changes where people.count == 100 { return people.count }
          return 0
        }
      }
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<25 { try store.box(for: Person.self).put(Person("x")) }
          return 0
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(total == 400)
  }
}
