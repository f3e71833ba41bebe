import Dispatch
import Foundation
import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import Testing

/// Each way in which an asynchronous write ends gives its completion a distinct outcome.
struct CompletionOutcomeTests {
  private struct Stop: Error {}
  private let temporary: TemporaryStore
  private let store: Store
  private let people: Box<Person>
  private let queue = SerialQueue(label: "completions")

  init() throws {
    temporary = try TemporaryStore()
    store = temporary.store
    people = store.box(for: Person.self)
  }

  /// Blocks the queue until the returned semaphore is signalled.
  private func holdQueue() -> DispatchSemaphore {
    let hold = DispatchSemaphore(value: 0)
    queue.async { hold.wait() }
    return hold
  }

  /// Returns the outcome that the completion of a block on the queue gets.
  private func outcome(
    of block: @escaping @Sendable (WriteTransaction) throws -> Void
  ) async -> (any Error)? {
    await withCheckedContinuation { done in
      store.writeAsync(on: queue, block) { done.resume(returning: $0) }
    }
  }

  // MARK: Cancelled before the block

  @Test func `a write that is cancelled before its block begins completes with that`() async throws
  {
    let hold = holdQueue()
    let error = await withCheckedContinuation { done in
      let id = store.writeAsync(on: queue) { _ in
        Issue.record("it must not run")
      } onComplete: { [queue] error in
        #expect(queue.isCurrent)
        done.resume(returning: error)
      }
      #expect(store.cancelAsyncWrite(id))
      #expect(!store.cancelAsyncWrite(id))
      #expect(store.isPerformingAsynchronousWriteOperations)
      hold.signal()
    }
    #expect(error as? WriteCancellation == .beforeBegin)
    #expect("\(try #require(error))".contains("never runs"))
    #expect(error?.localizedDescription == "\(WriteCancellation.beforeBegin)")
    await withCheckedContinuation { done in queue.async { done.resume() } }
    #expect(!store.isPerformingAsynchronousWriteOperations)
    #expect(try store.statistics.unheardFailures == 0)
  }

  @MainActor @Test func `the completion of a write that its actor cancels comes after the call`()
    async throws
  {
    var isInCall = false
    let error = await withCheckedContinuation { done in
      let id = store.writeAsync { _ in
        Issue.record("it must not run")
      } onComplete: { error in
        MainActor.assertIsolated()
        #expect(!isInCall)
        done.resume(returning: error)
      }
      isInCall = true
      #expect(store.cancelAsyncWrite(id))
      isInCall = false
    }
    #expect(error as? WriteCancellation == .beforeBegin)
  }

  @MainActor @Test func `a cancelled write of a live view completes, and leaves the view as it is`()
    async throws
  {
    let live = try store.live()
    live.autorefresh = false
    let version = try live.version()
    let error = await withCheckedContinuation { done in
      let id = live.writeAsync { _ in
        Issue.record("it must not run")
      } onComplete: {
        done.resume(returning: $0)
      }
      Thread { [people] in try? people.put([Person("of another thread")]) }.start()
      while (try? people.isEmpty()) ?? true {}
      #expect(live.cancelAsyncWrite(id))
      #expect(live.isPerformingAsynchronousWriteOperations)
    }
    #expect(error as? WriteCancellation == .beforeBegin)
    #expect(try live.version() == version)
    await Task.yield()
    #expect(!live.isPerformingAsynchronousWriteOperations)
  }

  @Test func `a cancelled write without a completion is no failure`() async throws {
    let hold = holdQueue()
    let writes = [
      store.writeAsync(on: queue) { _ in Issue.record("it must not run") },
      store.beginAsyncWrite(on: queue) { _ in Issue.record("it must not run") },
    ]
    for id in writes { #expect(store.cancelAsyncWrite(id)) }
    hold.signal()
    #expect(await outcome { _ in } == nil)
    #expect(try store.statistics.unheardFailures == 0)
  }

  // MARK: Cancelled in the block

  @Test func `a block that calls cancelWrite completes with that, and not as one that is stored`()
    async throws
  {
    let error = await outcome { transaction in
      try transaction.put(Person("A"))
      transaction.cancelWrite()
    }
    #expect(error as? WriteCancellation == .byCancelWrite)
    #expect(error?.localizedDescription == "\(WriteCancellation.byCancelWrite)")
    #expect(try people.isEmpty())
    #expect(try store.statistics.unheardFailures == 0)
  }

  @Test func `an error after cancelWrite, and an own commit before an error, keep their outcome`()
    async throws
  {
    let afterCancel = await outcome { transaction in
      transaction.cancelWrite()
      throw Stop()
    }
    #expect(afterCancel is Stop)
    #expect(await outcome { try $0.commitWrite() } == nil)
    let afterCommit = await outcome { transaction in
      try transaction.put(Person("A"))
      try transaction.commitWrite()
      transaction.cancelWrite()
      throw Stop()
    }
    #expect(afterCommit is Stop)
    #expect(try people.count() == 1)
  }

  @MainActor @Test func `a block of a live view that calls cancelWrite completes with that`()
    async throws
  {
    let live = try store.live()
    let error = await withCheckedContinuation { done in
      live.writeAsync { transaction in
        _ = try transaction.put(Person("A"), in: live)
        transaction.cancelWrite()
      } onComplete: {
        done.resume(returning: $0)
      }
    }
    #expect(error as? WriteCancellation == .byCancelWrite)
    #expect(try live.query(Person.self).isEmpty)
  }

  @Test func `an error handler of a write that is passed a handle hears of cancellations`()
    async throws
  {
    let id = try people.put(Person("A"))
    let person = try #require(try store.freeze().object(Person.self, id.value))
    let hold = holdQueue()
    let errors = await withCheckedContinuation { done in
      let errors = Guarded<[any Error]>([])
      let first = store.writeAsync(passing: person, on: queue) { error in
        errors.withLock { $0.append(error) }
      } _: { _, _ in
        Issue.record("it must not run")
      }
      store.writeAsync(passing: person, on: queue) { error in
        errors.withLock { $0.append(error) }
        done.resume(returning: errors.withLock { $0 })
      } _: { transaction, person in
        try transaction.remove(try #require(person))
        transaction.cancelWrite()
      }
      #expect(store.cancelAsyncWrite(first))
      hold.signal()
    }
    #expect(
      errors.compactMap { $0 as? WriteCancellation } == [
        WriteCancellation.beforeBegin, .byCancelWrite,
      ]
    )
    #expect(try people.count() == 1)
  }

  @MainActor @Test func `an error handler in the caller's actor hears of cancelWrite`() async throws
  {
    try people.put([Person("A")])
    let everybody = try store.freeze().query(Person.self)
    let error = await withCheckedContinuation { done in
      store.writeAsync(passing: everybody, errorHandler: { done.resume(returning: $0) }) {
        transaction,
        people in
        try transaction.remove(people ?? [])
        transaction.cancelWrite()
      }
    }
    #expect(error as? WriteCancellation == .byCancelWrite)
    #expect(try people.count() == 1)
  }

  // MARK: Closing

  @Test func `close hands each completion to its queue before it returns`() async throws {
    let hold = holdQueue()
    let outcomes = Guarded<[String]>([])
    @Sendable func note(_ name: String, _ error: (any Error)?) {
      let text =
        "\(name) \((error as? WriteCancellation).map { "\($0 == .beforeBegin)" } ?? "stored")"
      outcomes.withLock { $0.append(text) }
    }
    let cancelled = store.writeAsync(on: queue) { _ in
      Issue.record("it must not run")
    } onComplete: {
      note("cancelled", $0)
    }
    for number in 0..<3 {
      store.writeAsync(on: queue) {
        _ = try $0.put(Person("\(number)"))
      } onComplete: {
        note("\(number)", $0)
      }
    }
    #expect(store.cancelAsyncWrite(cancelled))
    hold.signal()
    store.close()
    // Runs after everything that is already in the queue.
    await withCheckedContinuation { done in queue.async { done.resume() } }
    #expect(outcomes.withLock { $0 } == ["cancelled true", "0 stored", "1 stored", "2 stored"])
    let again = try Store(model: try TemporaryStore.model(), directory: temporary.path)
    #expect(try again.box(for: Person.self).count() == 3)
  }

  @MainActor @Test func `completions of the actor that closes the store come after the call`()
    async throws
  {
    var outcomes: [String] = []
    for number in 0..<3 {
      store.writeAsync {
        try $0.put(Person("\(number)"))
        if number == 1 { throw Stop() }
      } onComplete: {
        outcomes.append("\(number) \($0 == nil)")
      }
    }
    store.close()
    #expect(outcomes.isEmpty)
    store.writeAsync { _ in
    } onComplete: {
      outcomes.append("closed \($0 is ObjectBoxError)")
    }
    #expect(outcomes == ["closed true"])
    while outcomes.count < 4, !Task.isCancelled { await Task.yield() }
    #expect(outcomes == ["closed true", "0 true", "1 false", "2 true"])
  }
}
