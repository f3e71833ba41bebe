import Foundation
import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

@Suite(.timeLimit(.minutes(15)))
struct ChangeSequenceTests {
  private let temporary: TemporaryStore
  private let store: Store
  private let people: Box<Person>

  init() throws {
    temporary = try TemporaryStore()
    store = temporary.store
    people = store.box(for: Person.self)
  }

  @Test func `a loop gets the same sets as a handler`() async throws {
    let recorder = ChangeRecorder<CollectionEvent>()
    let token = try people.query().build().observe(recorder)
    _ = recorder.values
    var seen: [CollectionEvent] = []
    for await change in try store.changes(try people.query().build()) {
      seen.append(CollectionEvent(change))
      // Waits for the handler, which would otherwise merge two changes.
      _ = recorder.values
      switch seen.count {
      case 1: try people.put([Person("A"), Person("B")])
      case 2: try people.remove(EntityId(1))
      default: break
      }
      if seen.count == 3 { break }
    }
    #expect(seen == [.initial([]), .update([1, 2], [], [0, 1]), .update([2], [0])])
    #expect(seen == recorder.take())
    token.invalidate()
  }

  @Test func `its token leaves it out of silent writes`() async throws {
    let changes = try people.query().build().changeSets()
    var loop = changes.makeAsyncIterator()
    #expect(await loop.next().map { CollectionEvent($0) } == .initial([]))
    let token = changes.token
    try await store.write(withoutNotifying: [token]) { try $0.put(Person("silent")) }
    try people.put(Person("told"))
    #expect(await loop.next().map { CollectionEvent($0) } == .update([1, 2], [], [1]))
  }

  @Test(.onPlainFiles("looks at the size of data.mdb"))
  func `a slow loop holds up nobody, gets one sum, and pins no version`() async throws {
    try people.put((0..<50).map { Person("\($0)") })
    var loop = try people.query().build().changeSets().makeAsyncIterator()
    let first = await loop.next()
    let recorder = ChangeRecorder<CollectionEvent>()
    let token = try people.query().build().observe(recorder)
    for round in 1...100 {
      try people.put(
        try people.all().map { person in
          person.age = Int32(round)
          return person
        }
      )
    }
    #expect(recorder.take().count > 1)
    try people.remove(EntityId(7))
    let size = try FileManager.default.attributesOfItem(atPath: temporary.path + "/data.mdb")[.size]
    // If a version stayed alive, each round would take new pages.
    #expect((size as? Int ?? 0) < 700_000)
    let sum = try #require(await loop.next().map { CollectionEvent($0) })
    #expect(sum.deletions == [6])
    #expect(sum.modifications == (0..<50).filter { $0 != 6 })
    #expect(first?.results.count == 50)
    token.invalidate()
  }

  @Test func `cancelling the task ends the loop and its observation`() async throws {
    let changes = try people.query().build().changeSets()
    let (ready, continuation) = AsyncStream<Void>.makeStream()
    let task = Task {
      var count = 0
      for await _ in changes {
        count += 1
        continuation.yield()
      }
      return count
    }
    var signals = ready.makeAsyncIterator()
    await signals.next()
    task.cancel()
    #expect(await task.value == 1)
    try people.put(Person("A"))
    var again = changes.makeAsyncIterator()
    #expect(await again.next() == nil)
  }

  @Test func `a loop ends with its token, and with the store`() async throws {
    let changes = try people.query().build().changeSets()
    var loop = changes.makeAsyncIterator()
    _ = await loop.next()
    try people.put(Person("A"))
    changes.token.invalidate()
    #expect(await loop.next() == nil)
    var second = try people.query().build().changeSets().makeAsyncIterator()
    _ = await second.next()
    store.close()
    #expect(await second.next() == nil)
  }

  @Test func `a query of another store is refused`() throws {
    let other = try TemporaryStore()
    let error = #expect(throws: ObjectBoxError.self) {
      try other.store.changes(try people.query().build())
    }
    #expect(error?.description.hasPrefix("differentStore: ") ?? false)
  }
}
