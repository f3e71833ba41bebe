import Dispatch
import Foundation
import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import Testing

/// An actor with a store; its blocks run in its isolation.
private actor Clerk {
  let store: Store
  var log: [String] = []
  var completed: [Int] = []

  init(_ store: Store) {
    self.store = store
  }

  func note(_ text: String) { log.append(text) }

  /// Puts an object of the actor in a block; returns the order of the call and both blocks.
  func putAtHome() async -> [String] {
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      let person = Person("A")
      store.writeAsync { transaction in
        self.assertIsolated()
        try transaction.put(person)
        self.log.append("block")
      } onComplete: { error in
        self.assertIsolated()
        self.log.append("done \(person.id) \(error == nil)")
        done.resume()
      }
      log.append("called")
    }
    return log
  }

  func writeNumbers(_ count: Int, isGroupingAllowed: Bool = false) async -> [Int] {
    completed = []
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      for number in 0..<count {
        store.writeAsync(isGroupingAllowed: isGroupingAllowed) { transaction in
          try transaction.put(Person("\(number)"))
        } onComplete: { error in
          if error == nil { self.completed.append(number) }
          if number == count - 1 { done.resume() }
        }
      }
    }
    return completed
  }

  func isIsolatedInBody() async throws -> Bool {
    let person = Person("B")
    let id = try await store.write { transaction in
      assertIsolated()
      log.append("body")
      return try transaction.put(person)
    }
    return id != 0 && log == ["body"]
  }
}

struct AsyncWriteTests {
  private struct Stop: Error {}
  private let temporary: TemporaryStore
  private let store: Store
  private let people: Box<Person>

  init() throws {
    temporary = try TemporaryStore()
    store = temporary.store
    people = store.box(for: Person.self)
  }

  private func names() throws -> [String] { try people.all().map(\.name) }

  @Test func `blocks and completions run in the actor that asked`() async throws {
    let clerk = Clerk(store)
    #expect(await clerk.putAtHome() == ["called", "block", "done 1 true"])
    #expect(try people.count() == 1)
    #expect(try await Clerk(store).isIsolatedInBody())
  }

  @MainActor @Test func `blocks and completions run on the main actor`() async throws {
    let dog = Person("dog")
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      store.writeAsync { transaction in
        MainActor.assertIsolated()
        try transaction.put([dog, Person("dog"), Person("dog")])
      } onComplete: { _ in
        MainActor.assertIsolated()
        done.resume()
      }
    }
    #expect(try people.query { Person.name == "dog" }.build().count() == 3)
    #expect(dog.id == 1)
  }

  @Test func `asynchronous writes and their completions keep their order`() async throws {
    #expect(await Clerk(store).writeNumbers(100) == Array(0..<100))
    #expect(try names() == (0..<100).map { "\($0)" })
  }

  @MainActor @Test func `a blocking write overtakes asynchronous ones without a deadlock`()
    async throws
  {
    func writeBlocking(_ name: String) throws { try store.write { _ = try $0.put(Person(name)) } }
    await confirmation { confirm in
      await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
        store.writeAsync {
          try $0.put(Person("later"))
        } onComplete: { _ in
          confirm()
          done.resume()
        }
        #expect(throws: Never.self) { try writeBlocking("first") }
      }
    }
    #expect(try names() == ["first", "later"])
  }

  @Test func `a queue whose job writes blocking still gets its asynchronous writes`() async throws {
    let queue = SerialQueue(label: "jobs")
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      queue.async { [store] in
        store.writeAsync(on: queue) {
          _ = try $0.put(Person("later"))
        } onComplete: { _ in
          done.resume()
        }
        for number in 0..<20 { try? store.write { _ = try $0.put(Person("\(number)")) } }
      }
    }
    #expect(try names().count == 21)
    #expect(try names().last == "later")
  }

  @Test func `what a begun block does not commit is rolled back, and the next one runs`()
    async throws
  {
    let queue = SerialQueue()
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      store.beginAsyncWrite(on: queue) { _ = try $0.put(Person("lost")) }
      store.beginAsyncWrite(on: queue) {
        try $0.put(Person("kept"))
        try $0.commitAsyncWrite { _ in done.resume() }
      }
    }
    #expect(try names() == ["kept"])
  }

  @Test func `a cancelled write never runs, and can be cancelled once`() async throws {
    let queue = SerialQueue()
    let hold = DispatchSemaphore(value: 0)
    queue.async { hold.wait() }
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      store.writeAsync(on: queue) { _ = try $0.put(Person("1")) }
      let second = store.writeAsync(on: queue) { _ = try $0.put(Person("2")) }
      store.writeAsync(on: queue) {
        _ = try $0.put(Person("3"))
      } onComplete: { _ in
        done.resume()
      }
      #expect(store.cancelAsyncWrite(second))
      #expect(!store.cancelAsyncWrite(second))
      hold.signal()
    }
    #expect(try names() == ["1", "3"])
  }

  @Test func `a cancelled commit keeps its data and loses its completion`() async throws {
    let queue = SerialQueue()
    let calls = Guarded(0)
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      store.beginAsyncWrite(on: queue) { [store] transaction in
        try transaction.put(Person("kept"))
        let id = try transaction.commitAsyncWrite { _ in calls.withLock { $0 += 1 } }
        #expect(store.cancelAsyncWrite(id))
        #expect(!store.cancelAsyncWrite(id))
      }
      store.writeAsync(on: queue) { _ in
      } onComplete: { _ in
        done.resume()
      }
    }
    #expect(calls.withLock { $0 } == 0)
    #expect(try names() == ["kept"])
  }

  @Test func `a store tells whether asynchronous writes are under way`() async throws {
    let queue = SerialQueue()
    #expect(!store.isPerformingAsynchronousWriteOperations)
    let hold = DispatchSemaphore(value: 0)
    queue.async { hold.wait() }
    let inBlock = Guarded<Bool?>(nil)
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      store.writeAsync(on: queue) { [store] _ in
        let isPerforming = store.isPerformingAsynchronousWriteOperations
        inBlock.withLock { $0 = isPerforming }
      } onComplete: { [queue] _ in
        queue.async { done.resume() }
      }
      #expect(store.isPerformingAsynchronousWriteOperations)
      hold.signal()
    }
    #expect(inBlock.withLock { $0 } == true)
    #expect(!store.isPerformingAsynchronousWriteOperations)
    try writeBlocking { [store] _ in
      #expect(!store.isPerformingAsynchronousWriteOperations)
    }
  }

  private func writeBlocking(_ body: (WriteTransaction) throws -> Void) throws {
    try store.write(body)
  }

  @Test func `a store that closes runs what was asked for first`() async throws {
    let queue = SerialQueue()
    for number in 0..<50 { store.writeAsync(on: queue) { _ = try $0.put(Person("\(number)")) } }
    store.close()
    do {
      try await store.write { _ in }
      Issue.record("a closed store must refuse")
    } catch {
      #expect("\(error)".hasPrefix("closed: "))
    }
    let again = try Store(model: try TemporaryStore.model(), directory: temporary.path)
    #expect(try again.box(for: Person.self).count() == 50)
  }

  @MainActor @Test func `an actor that closes the store runs its own blocks in the call`()
    async throws
  {
    for number in 0..<50 { store.writeAsync { _ = try $0.put(Person("\(number)")) } }
    store.close()
    let again = try Store(model: try TemporaryStore.model(), directory: temporary.path)
    #expect(try again.box(for: Person.self).count() == 50)
  }

  @Test func `a block may commit itself, and completes once`() async throws {
    let queue = SerialQueue()
    let completions = Guarded<[Bool]>([])
    let commits = try store.statistics.commits
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      store.writeAsync(on: queue) { transaction in
        try transaction.put(Person("A"))
        try transaction.commitWrite()
      } onComplete: { error in
        completions.withLock { $0.append(error == nil) }
        done.resume()
      }
    }
    #expect(completions.withLock { $0 } == [true])
    #expect(try store.statistics.commits == commits + 1)
    #expect(try names() == ["A"])
  }

  @Test func `an error of the block reaches its completion, and the next one runs`() async throws {
    let queue = SerialQueue()
    let errors = Guarded<[String]>([])
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      store.writeAsync(on: queue) { transaction in
        try transaction.put(Person("lost"))
        throw Stop()
      } onComplete: { error in
        errors.withLock { $0.append("\(type(of: error))|\(error is Stop)") }
      }
      store.writeAsync(on: queue) {
        _ = try $0.put(Person("kept"))
      } onComplete: { _ in
        done.resume()
      }
    }
    #expect(errors.withLock { $0 }.map { $0.hasSuffix("|true") } == [true])
    #expect(try names() == ["kept"])
  }

  @Test func `cancelled tasks do not write, and the others do`() async throws {
    let (entered, leave) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread { [store] in
      try? store.write { _ in
        entered.signal()
        leave.wait()
      }
    }.start()
    func waitForEntry() { entered.wait() }
    waitForEntry()
    let tasks = (0..<10).map { number in
      Task { [store] in
        try await store.write { _ = try $0.put(Person("\(number)")) }
      }
    }
    while !store.isPerformingAsynchronousWriteOperations { await Task.yield() }
    for number in 0..<5 { tasks[number].cancel() }
    leave.signal()
    var outcomes: [Bool] = []
    for task in tasks {
      do {
        try await task.value
        outcomes.append(true)
      } catch {
        #expect(error is CancellationError)
        outcomes.append(false)
      }
    }
    let expected = (0..<10).map { $0 >= 5 }
    #expect(outcomes == expected)
    #expect(try Set(names()) == ["5", "6", "7", "8", "9"])
  }

  @Test func `writes that blocks and completions ask for run later`() async throws {
    let queue = SerialQueue()
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      store.writeAsync(on: queue) { [store] transaction in
        try transaction.put(Person("outer"))
        store.beginAsyncWrite(on: queue) { inner in
          try inner.put(Person("from a block"))
          try inner.commitAsyncWrite { _ in
            store.beginAsyncWrite(on: queue) { last in
              try last.put(Person("from a completion"))
              try last.commitAsyncWrite { _ in done.resume() }
            }
          }
        }
      }
    }
    #expect(try names() == ["outer", "from a block", "from a completion"])
  }

  @Test func `writes that allow it share waits for the disk`() async throws {
    let before = try store.statistics
    #expect(await Clerk(store).writeNumbers(200, isGroupingAllowed: true).count == 200)
    let grouped = try store.statistics
    #expect(grouped.commits - before.commits == 200)
    #expect(grouped.syncs - before.syncs <= 20)
    #expect(await Clerk(store).writeNumbers(20).count == 20)
    let single = try store.statistics
    #expect(single.syncs - grouped.syncs == 20)
    #expect(try people.count() == 220)
  }

  @Test func `one of a group that fails leaves the others`() async throws {
    let queue = SerialQueue()
    let hold = DispatchSemaphore(value: 0)
    queue.async { hold.wait() }
    let failed = Guarded<[Int]>([])
    let before = try store.statistics
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      for number in 0..<20 {
        store.writeAsync(on: queue, isGroupingAllowed: true) { transaction in
          try transaction.put(Person("\(number)"))
          if number == 6 { throw Stop() }
        } onComplete: { error in
          if error != nil { failed.withLock { $0.append(number) } }
          if number == 19 { done.resume() }
        }
      }
      hold.signal()
    }
    #expect(failed.withLock { $0 } == [6])
    #expect(try names() == (0..<20).filter { $0 != 6 }.map { "\($0)" })
    #expect(try store.statistics.syncs - before.syncs == 1)
  }

  @Test func `a commit is seen once it is on disk, and not before`() async throws {
    let queue = SerialQueue()
    let version = try store.version()
    let seen = Guarded<[Int]>([])
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      store.beginAsyncWrite(on: queue) { [store] transaction in
        try transaction.put(Person("A"))
        let reader = Thread {
          let inside = (try? store.version()) ?? -1
          seen.withLock { $0.append(inside) }
        }
        reader.start()
        while seen.withLock({ $0.isEmpty }) {}
        try transaction.commitAsyncWrite { _ in
          let after = (try? store.version()) ?? -1
          seen.withLock { $0.append(after) }
          done.resume()
        }
      }
    }
    #expect(seen.withLock { $0 } == [version, version + 1])
  }

  @Test func `outside of actors a block cannot be called back, which is told`() async throws {
    let told = Guarded("")
    @Sendable func ask(_ store: Store) {
      store.writeAsync { _ in
      } onComplete: { error in
        told.withLock { $0 = error.map { "\($0)" } ?? "no error" }
      }
    }
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      Thread { [store] in
        ask(store)
        done.resume()
      }.start()
    }
    #expect(told.withLock { $0 }.hasPrefix("asyncWriteNotSchedulable: "))
  }
}
