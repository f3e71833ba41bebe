import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import Testing

@Suite(.timeLimit(.minutes(15)))
struct ObjectChangeSequenceTests {
  private let temporary: TemporaryStore
  private let store: Store
  private let people: Box<Person>
  private let ada = Person("Ada", age: 36)

  init() throws {
    temporary = try TemporaryStore()
    store = temporary.store
    people = store.box(for: Person.self)
    try people.put(ada)
  }

  private func put(age: Int32) throws {
    ada.age = age
    try people.put(ada)
  }

  @Test func `a loop gets the same changes as a handler, and ends with the object`() async throws {
    let recorder = ChangeRecorder<String>()
    let token = try people.observe(ada._id, on: recorder.queue) { recorder.note($0.text) }
    let changes = try people.changes(of: ada._id)
    try put(age: 37)
    var seen: [String] = []
    for await change in changes {
      seen.append(change.text)
      // Waits for the handler, which would otherwise merge two changes.
      _ = recorder.values
      switch seen.count {
      case 1:
        ada.email = "ada@x"
        try put(age: 38)
      case 2: try people.remove(ada)
      default: break
      }
    }
    #expect(seen == ["age: 36 -> 37", "email: nil -> ada@x, age: 37 -> 38", "deleted"])
    #expect(seen == recorder.take())
    var again = changes.makeAsyncIterator()
    #expect(await again.next() == nil)
    token.invalidate()
  }

  @Test func `only the properties asked for count`() async throws {
    var loop = try people.changes(of: ada._id, properties: [Person.name]).makeAsyncIterator()
    try put(age: 37)
    ada.name = "Adele"
    try put(age: 38)
    #expect(await loop.next()?.text == "name: Ada -> Adele")
  }

  @Test func `its token leaves it out of silent writes`() async throws {
    let changes = try people.changes(of: ada._id)
    var loop = changes.makeAsyncIterator()
    ada.age = 37
    try await store.write(withoutNotifying: [changes.token]) { try $0.put(ada) }
    ada.name = "Adele"
    try people.put(ada)
    #expect(await loop.next()?.text == "name: Ada -> Adele")
  }

  @Test func `a removal that is not told ends the loop without a word`() async throws {
    var loop = try people.changes(of: ada._id).makeAsyncIterator()
    try put(age: 37)
    try await store.write(withoutNotifying: .all) { try $0.removeAll(Person.self) }
    #expect(await loop.next()?.text == "age: 36 -> 37")
    #expect(await loop.next() == nil)
    let bob: Id = try people.put(Person("Bob"))
    var second = try people.changes(of: EntityId(bob)).makeAsyncIterator()
    try await store.write(withoutNotifying: .all) { try $0.removeAll(Person.self) }
    #expect(await second.next() == nil)
  }

  @Test func `a slow loop gets one sum, and pins no version`() async throws {
    var loop = try people.changes(of: ada._id).makeAsyncIterator()
    for age in 37...80 { try put(age: Int32(age)) }
    #expect(store.activeVersions.isEmpty)
    ada.email = "ada@x"
    try people.put(ada)
    #expect(await loop.next()?.text == "email: nil -> ada@x, age: 36 -> 80")
    #expect(store.activeVersions.isEmpty)
  }

  @Test func `cancelling the task ends the loop and its observation`() async throws {
    let changes = try people.changes(of: ada._id)
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
    try put(age: 37)
    await signals.next()
    task.cancel()
    #expect(await task.value == 1)
    try put(age: 38)
    var again = changes.makeAsyncIterator()
    #expect(await again.next() == nil)
  }

  @Test func `a loop ends with its token, and with the store`() async throws {
    let changes = try people.changes(of: ada._id)
    var loop = changes.makeAsyncIterator()
    try put(age: 37)
    changes.token.invalidate()
    #expect(await loop.next() == nil)
    var second = try people.changes(of: ada._id).makeAsyncIterator()
    store.close()
    #expect(await second.next() == nil)
  }

  @Test func `an object must be there when the sequence is made`() throws {
    let error = #expect(throws: ObjectBoxError.self) { try people.changes(of: EntityId(7)) }
    #expect(error?.description.hasPrefix("unmanagedObject: ") ?? false)
  }
}
