import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

@Suite(.timeLimit(.minutes(15)))
struct CollectionChangeTests {
  private let temporary: TemporaryStore
  private let store: Store
  private let people: Box<Person>
  private let recorder = ChangeRecorder<CollectionEvent>()

  init() throws {
    temporary = try TemporaryStore()
    store = temporary.store
    people = store.box(for: Person.self)
  }

  private var byAge: Query<Person> {
    get throws { try people.query().ordered(by: Person.age).build() }
  }

  @Test func `deletions and modifications are old places, insertions new ones`() throws {
    let (one, three, five, seven) = (
      Person("1", age: 1), Person("3", age: 3), Person("5", age: 5), Person("7", age: 7)
    )
    try people.put([one, three, five, seven])
    let token = try byAge.observe(recorder)
    #expect(recorder.take() == [.initial([one.id, three.id, five.id, seven.id])])
    let (zero, six) = (Person("0", age: 0), Person("6", age: 6))
    try store.write { transaction in
      try transaction.remove(three)
      try transaction.put([zero, six])
      seven.name = "seven"
      try transaction.put(seven)
    }
    #expect(
      recorder.take() == [
        .update([zero.id, one.id, five.id, six.id, seven.id], [1], [0, 3], [3])
      ]
    )
    token.invalidate()
  }

  @Test func `commits are told together while the observer is busy`() throws {
    let token = try byAge.observe(recorder)
    #expect(recorder.take() == [.initial([])])
    try recorder.whileBusy {
      for age in 1...4 { try people.put(Person("\(age)", age: Int32(10 - age))) }
      try people.remove(EntityId(2))
    }
    #expect(recorder.take() == [.update([4, 3, 1], [], [0, 1, 2])])
    token.invalidate()
  }

  @Test func `what is committed before the first call is part of the initial results`() throws {
    var token: NotificationToken?
    try recorder.whileBusy {
      token = try byAge.observe(recorder)
      try people.put(Person("A"))
    }
    #expect(recorder.take() == [.initial([1])])
    token?.invalidate()
  }

  @Test func `what changes no result is not told`() throws {
    let ada = Person("Ada", age: 36)
    try people.put(ada)
    let token = try people.query { Person.age > 30 }.build().observe(recorder)
    let everything = ChangeRecorder<StoreNotification>()
    let second = try store.observe(on: everything.queue) { everything.note($0) }
    _ = recorder.take()
    try store.write { _ in }
    #expect(
      try store.write { transaction in
        try transaction.put(Person("B", age: 50))
        transaction.cancelWrite()
        return 7
      } == 7
    )
    #expect(everything.take() == [])
    try store.box(for: Point.self).put(Point(id: 0, x: 0, y: 0))
    #expect(everything.take() == [.didChange])
    try people.put(Person("young", age: 3))
    try people.put(ada)
    #expect(recorder.take() == [])
    token.invalidate()
    second.invalidate()
  }

  @Test func `an object that comes and goes at once is not told`() throws {
    let token = try byAge.observe(recorder)
    _ = recorder.take()
    try store.write { transaction in
      let person = Person("short")
      try transaction.put(person)
      try transaction.remove(person)
    }
    #expect(recorder.take() == [])
    token.invalidate()
  }

  @Test func `an object with another place counts as deleted and inserted`() throws {
    let (a, b, c) = (Person("a", age: 1), Person("b", age: 2), Person("c", age: 3))
    try people.put([a, b, c])
    let token = try byAge.observe(recorder)
    _ = recorder.take()
    a.age = 9
    b.name = "B"
    try people.put([a, b])
    #expect(recorder.take() == [.update([2, 3, 1], [0], [2], [1])])
    // When two objects swap places, the changed object counts as moved.
    b.age = 4
    try people.put(b)
    #expect(recorder.take() == [.update([3, 2, 1], [0], [1])])
    c.age = 5
    try people.put(c)
    #expect(recorder.take() == [.update([2, 3, 1], [0], [1])])
    token.invalidate()
  }

  @Test func `only the properties asked for count as modifications`() throws {
    let ada = Person("Ada", age: 36)
    try people.put(ada)
    let token = try people.query().build().observe(
      recorder,
      properties: [Person.name, Person.email]
    )
    _ = recorder.take()
    ada.age = 37
    try people.put(ada)
    #expect(recorder.take() == [])
    ada.email = "ada@x"
    try people.put(ada)
    try people.put(Person("Bob"))
    #expect(recorder.take().map(\.modifications).contains([0]))
    token.invalidate()
  }

  @Test func `objects that are removed together and put again count as modified`() throws {
    let (a, b) = (Person("a"), Person("b"))
    try people.put([a, b])
    let token = try people.query().build().observe(recorder)
    _ = recorder.take()
    try store.write { transaction in
      try transaction.removeAll(Person.self)
      try transaction.put(b)
    }
    #expect(recorder.take() == [.update([b.id], [0], [], [1])])
    token.invalidate()
  }

  @Test func `the query is taken with the parameters it had`() throws {
    let query = try people.query { Person.age > 50 }.build()
    let token = try query.observe(recorder)
    query.setParameter(Person.age, to: 0)
    try people.put([Person("young", age: 3), Person("old", age: 70)])
    #expect(recorder.take().last?.ids == [2])
    token.invalidate()
  }
}
