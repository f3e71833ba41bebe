import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import Testing

@Suite(.timeLimit(.minutes(15)))
struct CommitSequenceTests {
  private let temporary: TemporaryStore
  private let store: Store
  private let people: Box<Person>

  init() throws {
    temporary = try TemporaryStore()
    store = temporary.store
    people = store.box(for: Person.self)
  }

  @Test func `all commits are told, in their order, with the objects they touched`() async throws {
    let (ada, bob) = (Person("Ada"), Person("Bob"))
    try people.put(ada)
    let commits = try store.commits()
    #expect(commits.start == (try store.version()))
    var loop = commits.makeAsyncIterator()
    try await store.write { transaction in
      try transaction.put(bob)
      ada.age = 1
      try transaction.put(ada)
      try transaction.put(Point(id: 0, x: 1, y: nil))
    }
    let version = try store.version()
    try await store.write(withoutNotifying: .all) { try $0.remove(ada) }
    try people.removeAll()
    try await store.write { _ in }
    try people.put(Person("C"))
    let first = try #require(await loop.next())
    #expect(first.version == version)
    #expect(Set(first.changes.keys) == ["Person", "Point"])
    #expect(first.changes["Person"]?.inserted == [2])
    #expect(first.changes["Person"]?.updated == [1])
    #expect(first.changes["Point"]?.inserted == [1])
    #expect(first.changes["Person"]?.isComplete == true)
    #expect(await loop.next()?.changes["Person"]?.removed == [1])
    #expect(await loop.next()?.changes["Person"]?.hasRemovedAll == true)
    let last = try #require(await loop.next())
    #expect(last.changes["Person"]?.inserted == [3])
    #expect(last.version == (try store.version()))
    commits.token.invalidate()
    #expect(await loop.next() == nil)
  }

  @Test func `transactions that are committed together are one record`() async throws {
    let commits = try store.commits()
    var loop = commits.makeAsyncIterator()
    let (store, queue) = (store, SerialQueue())
    let blocker = try begin()
    for name in ["A", "B", "C"] {
      store.writeAsync(on: queue, isGroupingAllowed: true) { try $0.put(Person(name)) }
    }
    blocker.cancelWrite()
    let record = try #require(await loop.next())
    #expect(record.changes["Person"]?.inserted == [1, 2, 3])
  }

  private func begin() throws -> WriteTransaction { try store.beginWrite() }

  @Test func `past commits are not known`() throws {
    try people.put(Person("A"))
    let version = try store.version()
    #expect(try store.commits(after: version).start == version)
    try people.put(Person("B"))
    let error = #expect(throws: ObjectBoxError.self) { try store.commits(after: version) }
    #expect(error?.description.hasPrefix("illegalArgument: the commits after version") ?? false)
  }

  @Test func `a loop ends with its task and with the store`() async throws {
    let commits = try store.commits()
    let task = Task {
      for await _ in commits {}
      return true
    }
    task.cancel()
    #expect(await task.value)
    var second = try store.commits().makeAsyncIterator()
    try people.put(Person("A"))
    store.close()
    #expect(await second.next()?.changes.count == 1)
    #expect(await second.next() == nil)
  }
}
