import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import Testing

/// Run under the thread sanitizer as well.
@MainActor
struct LiveWritingConcurrencyTests {
  private struct Failure: Error {}

  @Test func `asynchronous writes run at home, with live objects, and the view goes along`()
    async throws
  {
    let temporary = try TemporaryStore()
    let live = try temporary.store.live()
    live.autorefresh = false
    let people = try live.query(Person.self)
    let ann = try await live.write { try $0.put(Person("Ann"), in: live) }
    #expect(people.count == 1)
    var isComplete = false
    #expect(!live.isPerformingAsynchronousWriteOperations)
    live.writeAsync { transaction in
      MainActor.assertIsolated()
      #expect(live.isPerformingAsynchronousWriteOperations)
      try transaction.modify(ann) { $0.name = "Anna" }
      try transaction.put(Person("Ben"))
    } onComplete: { error in
      #expect(error == nil)
      #expect(people.count == 2)
      #expect(ann.name == "Anna")
      isComplete = true
    }
    #expect(live.isPerformingAsynchronousWriteOperations)
    await nextTurns(until: { isComplete })
    #expect(isComplete)
    #expect(!live.isPerformingAsynchronousWriteOperations)
    #expect(people.map(\.name) == ["Anna", "Ben"])
  }

  @Test func `what others do is not an own write`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let live = try store.live()
    var isComplete = false
    store.writeAsync { _ in
      #expect(!live.isPerformingAsynchronousWriteOperations)
      #expect(live.isInWriteTransaction)
    } onComplete: { _ in
      isComplete = true
    }
    #expect(store.isPerformingAsynchronousWriteOperations)
    #expect(!live.isPerformingAsynchronousWriteOperations)
    await nextTurns(until: { isComplete })
  }

  @Test
  func `a begun write that does not commit leaves nothing, and a commit tells when it is done`()
    async throws
  {
    let temporary = try TemporaryStore()
    let live = try temporary.store.live()
    live.autorefresh = false
    _ = try live.version()
    var isComplete = false
    try live.beginAsyncWrite { try $0.put(Person("Nobody")) }
    try live.beginAsyncWrite { transaction in
      try transaction.put(Person("Ann"))
      try transaction.commitAsyncWrite { error in
        #expect(error == nil)
        #expect((try? live.count(Person.self)) == 1)
        isComplete = true
      }
    }
    // The operation ends after its completion.
    await nextTurns(until: { isComplete && !live.isPerformingAsynchronousWriteOperations })
    #expect(isComplete)
    #expect(!live.isPerformingAsynchronousWriteOperations)
  }

  @Test func `a cancelled write is not under way any more`() async throws {
    let temporary = try TemporaryStore()
    let live = try temporary.store.live()
    var isComplete = false
    var isCalled = false
    live.writeAsync({ _ in }, onComplete: { _ in isComplete = true })
    let second = live.writeAsync { _ in isCalled = true }
    #expect(live.cancelAsyncWrite(second))
    #expect(!live.cancelAsyncWrite(second))
    await nextTurns(until: {
      isComplete && !live.isPerformingAsynchronousWriteOperations
    })
    #expect(isComplete)
    #expect(!isCalled)
    #expect(!live.isPerformingAsynchronousWriteOperations)
  }

  @Test func `a block that throws is rolled back, and its handles are invalid`() async throws {
    let temporary = try TemporaryStore()
    let live = try temporary.store.live()
    let ann = try await live.write { try $0.put(Person("Ann"), in: live) }
    var made: LiveObject<Person>?
    var failure: (any Error)?
    var isComplete = false
    live.writeAsync { transaction in
      made = try transaction.put(Person("Ben"), in: live)
      try transaction.remove(ann)
      throw Failure()
    } onComplete: { error in
      failure = error
      isComplete = true
    }
    await nextTurns(until: { isComplete })
    #expect(failure is Failure)
    #expect(made?.isInvalidated == true)
    #expect(!ann.isInvalidated)
    await #expect(throws: Failure.self) {
      try await live.write { transaction in
        try transaction.remove(ann)
        throw Failure()
      }
    }
    #expect(!ann.isInvalidated)
  }

  @Test func `an invalidation runs own asynchronous writes first`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let live = try store.live()
    _ = try live.version()
    var completions = 0
    for number in 1...10 {
      live.writeAsync { transaction in
        MainActor.assertIsolated()
        try transaction.put(Person("\(number)"))
      } onComplete: { _ in
        completions += 1
      }
    }
    live.invalidate()
    #expect(live.isInvalidated)
    #expect(try live.count(Person.self) == 10)
    #expect(completions == 0)
    await nextTurns(until: { completions == 10 })
    #expect(completions == 10)
  }

  @Test func `an invalidation does not wait for suspended tasks of its actor`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let live = try store.live()
    _ = try live.version()
    let task = Task { @MainActor in
      try await live.write { try $0.put(Person("Late")) }
    }
    await Task.yield()
    for _ in 1...3 { live.writeAsync { try $0.put(Person("Early")) } }
    live.invalidate()
    #expect(try live.query(Person.self) { Person.name == "Early" }.count == 3)
    _ = try await task.value
    #expect(try live.count(Person.self) == 4)
  }

  @Test func `objects are passed to a write, or nil when they are gone`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let live = try store.live()
    try await live.write { transaction in
      try transaction.put((1...500).map { Person("mail", age: $0 <= 200 ? 1 : 0) })
    }
    let read = try live.query(Person.self) { Person.age == 1 }
    var failure: (any Error)?
    store.writeAsync(passing: read, errorHandler: { failure = $0 }) { transaction, mails in
      try mails?.forEach { try transaction.remove($0) }
    }
    await nextTurns(until: { read.isEmpty })
    #expect(failure == nil)
    #expect(try live.count(Person.self) == 300)

    let first = try #require(try live.object(Person.self, 201))
    let frozen = try first.freeze()
    let name = try await store.write(passing: first) { transaction, mail in
      mail?.name = "changed"
      if let mail { try transaction.put(mail) }
      return mail?.name
    }
    #expect(name == "changed")
    try await live.write { try $0.remove(first) }
    let isGone = try await store.write(passing: frozen) { _, mail in mail == nil }
    #expect(isGone)
    var isCalled = false
    store.writeAsync(passing: first, errorHandler: { failure = $0 }) { _, _ in isCalled = true }
    #expect(failure.map(isInvalidated) == true)
    #expect(!isCalled)
  }
}
