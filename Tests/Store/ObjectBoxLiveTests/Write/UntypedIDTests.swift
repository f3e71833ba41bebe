import Foundation
import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import Testing

/// Functions that take an entity's ID also take the plain `Id` of an object.
@Suite(.timeLimit(.minutes(5)))
struct UntypedIDTests {
  private static let photo = Property<Person, Data, Void>(propertyId: 5)
  private let temporary: TemporaryStore
  private let store: Store
  private let people: Box<Person>
  private let ada = Person("Ada", age: 36)
  private let bea = Person("Bea", age: 20)

  init() throws {
    temporary = try TemporaryStore()
    store = temporary.store
    people = store.box(for: Person.self)
    ada.photo = Data([1, 2, 3])
    try people.put([ada, bea])
  }

  @Test func `a transaction gets an object by its plain ID`() throws {
    try store.read { transaction in
      let found: Person? = try transaction.get(ada.id)
      #expect(found?.name == "Ada")
      let signed: Person? = try transaction.get(Int64(bea.id))
      #expect(signed?.name == "Bea")
      let gone: Person? = try transaction.get(99 as Id)
      #expect(gone == nil)
      #expect(try transaction.get(Person.self, bea._id)?.name == "Bea")
      #expect(try transaction.get(Person.self, 1)?.name == "Ada")
    }
  }

  @Test func `a transaction reads values in place by a plain ID`() throws {
    try store.read { transaction in
      let age = try transaction.value(of: Person.age, ada.id)
      #expect(age == 36)
      #expect(try transaction.value(of: Person.age, 99 as Id) == nil)
      #expect(try transaction.withBytes(of: Self.photo, ada.id) { $0.byteCount } == 3)
    }
  }

  @Test func `a transaction changes an object by its plain ID`() throws {
    try store.write { transaction in
      #expect(try transaction.modify(Person.self, ada.id) { $0.age += 1 } != nil)
      #expect(try transaction.modify(Person.self, ada._id) { $0.age += 1 } != nil)
      #expect(try transaction.modify(ada.id) { (person: inout Person) in person.age += 1 } != nil)
      let result: Void? = try transaction.modify(Person.self, 99 as Id) { _ in
        Issue.record("there is no such object")
      }
      #expect(result == nil)
    }
    #expect(try people.get(ada.id)?.age == 39)
    #expect(try people.get(bea.id)?.age == 20)
  }

  @Test func `a transaction removes objects by their plain IDs`() throws {
    try people.put([Person("C"), Person("D"), Person("E")])
    try store.write { transaction in
      let isRemoved = try transaction.remove(Person.self, ada.id)
      #expect(isRemoved)
      #expect(try !transaction.remove(Person.self, ada.id))
      #expect(try transaction.remove(Person.self, bea._id))
      #expect(try transaction.remove(Person.self, [3, 4, 99] as [Id]) == 2)
    }
    #expect(try people.all().map(\.name) == ["E"])
  }

  @Test func `views find an object by its plain ID`() throws {
    let snapshot = try store.freeze()
    let frozen: FrozenObject<Person>? = try snapshot.object(ada.id)
    #expect(frozen?.name == "Ada")
    #expect(try snapshot.object(Person.self, bea._id)?.name == "Bea")
    let live = try store.live()
    let object: LiveObject<Person>? = try live.object(ada.id)
    #expect(object?.name == "Ada")
    #expect(try live.object(Person.self, bea._id)?.name == "Bea")
    let gone: LiveObject<Person>? = try live.object(99 as Id)
    #expect(gone == nil)
  }

  @Test func `an object is observed by its plain ID`() async throws {
    let recorder = ChangeRecorder<String>()
    let tokens = [
      try people.observe(ada.id, on: recorder.queue) { recorder.note("box \($0.text)") },
      try store.observe(Person.self, id: ada._id, on: recorder.queue) {
        recorder.note("store \($0.text)")
      },
    ]
    var changes = try people.changes(of: ada.id, properties: [Person.age]).makeAsyncIterator()
    try await store.write { transaction in
      _ = try transaction.modify(Person.self, bea.id) { $0.age = 1 }
      _ = try transaction.modify(Person.self, ada.id) { $0.age = 37 }
    }
    #expect(await changes.next()?.text == "age: 36 -> 37")
    #expect(recorder.values.sorted() == ["box age: 36 -> 37", "store age: 36 -> 37"])
    for token in tokens { token.invalidate() }
    #expect(throws: ObjectBoxError.self) { try people.changes(of: 99 as Id) }
  }

  @MainActor @Test func `an actor observes an object by its plain ID`() async throws {
    let (texts, continuation) = AsyncStream.makeStream(of: String.self)
    let tokens = [
      try people.observe(ada.id) { continuation.yield("box \($0.text)") },
      try store.observe(Person.self, id: ada._id) { continuation.yield("store \($0.text)") },
    ]
    ada.age = 37
    try people.put([ada])
    var told: Set<String> = []
    for await text in texts {
      told.insert(text)
      if told.count == 2 { break }
    }
    #expect(told == ["box age: 36 -> 37", "store age: 36 -> 37"])
    for token in tokens { token.invalidate() }
  }
}
