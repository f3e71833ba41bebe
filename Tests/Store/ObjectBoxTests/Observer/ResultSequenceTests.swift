import ObjectBox
import ObjectBoxRuntimeTestSupport
import Testing

@Suite(.timeLimit(.minutes(15)))
struct ResultSequenceTests {
  private let temporary: TemporaryStore
  private let store: Store
  private let people: Box<Person>

  init() throws {
    temporary = try TemporaryStore()
    store = temporary.store
    people = store.box(for: Person.self)
  }

  @Test func `a loop gets what is there, then an element for each commit`() async throws {
    try people.put(Person("A"))
    var seen: [[String]] = []
    for try await people in people.changes {
      seen.append(people.map(\.name))
      if seen.count == 3 { break }
      try self.people.put(Person("more"))
    }
    #expect(seen == [["A"], ["A", "more"], ["A", "more", "more"]])
  }

  @Test func `a loop that is slower than the commits skips to the newest`() async throws {
    var iterator = people.changes.makeAsyncIterator()
    #expect(try await iterator.next()?.count == 0)
    for number in 1...50 { try people.put(Person("\(number)")) }
    #expect(try await iterator.next()?.count == 50)
    try store.box(for: Point.self).put(Point(id: 0, x: 0, y: 0))
    try people.removeAll()
    #expect(try await iterator.next()?.count == 0)
  }

  @Test func `a query's results follow its parameters`() async throws {
    let query = try people.query { Person.age > 50 }.build()
    var iterator = query.results.makeAsyncIterator()
    try people.put([Person("Old", age: 70), Person("Young", age: 7)])
    #expect(try await iterator.next()?.map(\.name) == ["Old"])
    query.setParameter(Person.age, to: 0)
    try people.put(Person("Baby"))
    #expect(try await iterator.next()?.map(\.name) == ["Old", "Young"])
  }

  @Test func `a loop ends when the store instance closes`() async throws {
    var iterator = people.changes.makeAsyncIterator()
    _ = try await iterator.next()
    try people.put(Person("A"))
    store.close()
    #expect(try await iterator.next() == nil)
    #expect(try await iterator.next() == nil)
  }

  @Test func `a loop over a closed store gets the error`() async throws {
    let changes = people.changes
    store.close()
    var early = changes.makeAsyncIterator()
    #expect(try await early.next() == nil)
    var late = people.changes.makeAsyncIterator()
    await #expect {
      _ = try await late.next()
    } throws: { error in
      if case ObjectBoxError.illegalState = error { true } else { false }
    }
  }

  @Test func `a loop that waits ends with its task`() async throws {
    let (ready, continuation) = AsyncStream<Void>.makeStream()
    let changes = people.changes
    let task = Task {
      var count = 0
      for try await _ in changes {
        count += 1
        continuation.yield()
      }
      return count
    }
    var signals = ready.makeAsyncIterator()
    await signals.next()
    task.cancel()
    #expect(try await task.value == 1)
  }

  @Test func `a loop that waits ends when the store closes meanwhile`() async throws {
    let (ready, continuation) = AsyncStream<Void>.makeStream()
    let changes = people.changes
    let task = Task {
      for try await _ in changes { continuation.yield() }
    }
    var signals = ready.makeAsyncIterator()
    await signals.next()
    store.close()
    try await task.value
  }

  @Test func `a sequence does not keep its store open`() async throws {
    let name = "memory:sequence-\(temporary.path)"
    func sequence() throws -> ResultSequence<Person> {
      try Store(model: try TemporaryStore.model(), directory: name).box(for: Person.self).changes
    }
    var iterator = try sequence().makeAsyncIterator()
    #expect(try !Store.isOpen(directory: name))
    #expect(try await iterator.next() == nil)
  }

  @MainActor @Test func `objects stay on the actor of the loop`() async throws {
    var iterator = people.changes.makeAsyncIterator()
    let found = try await iterator.next(isolation: MainActor.shared)
    // Instances of a non-Sendable class, used on the main actor.
    #expect(found?.isEmpty == true)
  }
}
