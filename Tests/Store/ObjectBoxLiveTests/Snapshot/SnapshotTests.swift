import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import Testing

struct SnapshotTests {
  private let temporary: TemporaryStore
  private let store: Store
  private let people: Box<Person>

  init() throws {
    temporary = try TemporaryStore()
    store = temporary.store
    people = store.box(for: Person.self)
    try people.put([Person("A", age: 1), Person("B", age: 2), Person("C", age: 3)])
  }

  @Test func `a snapshot shows what was committed when it was made`() throws {
    let snapshot = try store.freeze()
    try people.removeAll()
    try people.put(Person("D"))
    #expect(try snapshot.count(Person.self) == 3)
    #expect(try snapshot.query(Person.self).find().map(\.name) == ["A", "B", "C"])
    #expect(try snapshot.query(Person.self) { Person.age >= 2 }.find().map(\.name) == ["B", "C"])
    #expect(try snapshot.object(Person.self, 1)?.value().name == "A")
    #expect(try snapshot.object(EntityId<Person>(4)) == nil)
    #expect(try people.all().map(\.name) == ["D"])
    let view: any StoreView = snapshot
    #expect(try !view.refresh())
    #expect(try view.freeze() === snapshot)
    #expect(try snapshot.count(Person.self) == 3)
  }

  @Test func `a snapshot and its handles thaw to what is live`() throws {
    let snapshot = try store.freeze()
    let first = try #require(try snapshot.object(Person.self, 1))
    let results = try snapshot.query(Person.self)
    try people.remove(1)
    let live = try snapshot.thaw()
    #expect(!live.isFrozen)
    #expect(try first.thaw(in: live) == nil)
    #expect(try snapshot.object(Person.self, 2)?.thaw(in: live)?.id == 2)
    #expect(try results.thaw(in: live)?.freeze().ids == [2, 3])
  }

  @Test func `two snapshots of one version are the same, those of two versions are not`() throws {
    let first = try store.freeze()
    #expect(try store.freeze() === first)
    #expect(try temporary.store.clone().freeze() === first)
    #expect(first.freeze() === first)
    try people.put(Person("D"))
    let second = try store.freeze()
    #expect(second !== first)
    #expect(try second.version() > first.version())
    #expect(try second.version() == store.version())
  }

  @Test func `a snapshot inside of a write shows the last commit`() throws {
    try store.write { transaction in
      try transaction.put(Person("D"))
      let snapshot = try store.freeze()
      #expect(try snapshot.count(Person.self) == 3)
      #expect(try snapshot.object(Person.self, 4) == nil)
      // The transaction still sees its own writes.
      #expect(try transaction.count(Person.self) == 4)
      #expect(try people.count() == 4)
    }
  }

  @Test func `members read by name and by property`() throws {
    let jane = try #require(try store.freeze().object(Person.self, 2))
    let id = try people.put(Person("B2", age: 7))
    #expect(id == 4)
    #expect(jane.name == "B")
    #expect(jane.age == 2)
    #expect(jane.email == nil)
    #expect(try jane[Person.name] == "B")
    #expect(try jane[Person.age] == 2)
    #expect(try jane[Person.email] == nil)
    #expect(jane.isFrozen)
    #expect(!jane.isInvalidated)
    #expect(jane.id == 2)
  }

  @Test func `results are a collection of handles, and can be narrowed and ordered`() throws {
    let snapshot = try store.freeze()
    try people.removeAll()
    let all = try snapshot.query(Person.self)
    #expect(all.count == 3)
    #expect(all.map { $0.name } == ["A", "B", "C"])
    #expect(all.reversed().map(\.id) == [3, 2, 1])
    let down = try all.query { Person.age < 3 }.ordered(by: Person.age, flags: [.descending])
    #expect(try down.ids == [2, 1])
    #expect(try down.query { Person.name == "A" }.find().map(\.name) == ["A"])
    let built = try snapshot.query(
      builder: people.query { Person.age > 1 }.ordered(by: Person.name, flags: .descending)
    )
    #expect(try built.values(of: Person.name) == ["C", "B"])
    #expect(all.freeze() === all)
  }

  @Test func `what does not fit the model is refused when the results are asked for`() throws {
    let snapshot = try store.freeze()
    let unknown = Property<Person, Int32, Void>(propertyId: 99)
    #expect(throws: ObjectBoxError.self) { try snapshot.query(Person.self) { unknown == 3 } }
    #expect(throws: ObjectBoxError.self) {
      try snapshot.query(Person.self).ordered(by: unknown)
    }
    let jane = try #require(try snapshot.object(Person.self, 1))
    let error = #expect(throws: ObjectBoxError.self) { try jane[unknown] }
    #expect("\(error.map { "\($0)" } ?? "")".contains("no property with ID 99"))
  }

  @Test func `a query of another store is refused`() throws {
    let other = try TemporaryStore()
    let snapshot = try store.freeze()
    let error = #expect(throws: ObjectBoxError.self) {
      try snapshot.query(builder: other.store.box(for: Person.self).query())
    }
    guard case .differentStore = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `an invalidated snapshot gives its version up, and using it throws`() throws {
    let snapshot = try store.freeze()
    let jane = try #require(try snapshot.object(Person.self, 1))
    let results = try snapshot.query(Person.self)
    let unread = try snapshot.query(Person.self)
    #expect(results.count == 3)
    #expect(store.activeVersions.count == 1)
    snapshot.invalidate()
    snapshot.invalidate()
    #expect(store.activeVersions.isEmpty)
    #expect(snapshot.isInvalidated && jane.isInvalidated && results.isInvalidated)
    for use: () throws -> Any? in [
      { try snapshot.version() }, { try snapshot.count(Person.self) },
      { try snapshot.object(Person.self, 1) }, { try snapshot.query(Person.self) },
      { try jane.value() }, { try jane[Person.age] }, { try results.find() },
      { try results.ids }, { try results.values(of: Person.age) },
    ] {
      let error = #expect(throws: ObjectBoxError.self) { _ = try use() }
      guard case .invalidated = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
    // Members that cannot throw return an empty value, except the ID and the count.
    #expect(jane.name == "")
    #expect(jane.email == nil)
    #expect(jane.value(\.id) == 1)
    #expect(results.count == 3)
    #expect(unread.isEmpty)
    // A new snapshot of the same version is a different instance.
    #expect(try store.freeze() !== snapshot)
  }

  @Test func `a snapshot goes on when the store is closed, and lets the file go with its end`()
    throws
  {
    var snapshot: Snapshot? = try store.freeze()
    var results = try snapshot?.query(Person.self)
    store.close()
    #expect(throws: ObjectBoxError.self) { try store.freeze() }
    #expect(try snapshot?.count(Person.self) == 3)
    #expect(try results?.find().count == 3)
    #expect(try snapshot?.object(Person.self, 3)?[Person.age] == 3)
    #expect(results?.first?.name == "A")
    results = nil
    snapshot = nil
    // Another model, which would be refused while the file is open.
    try temporary.reopen(indexes: .none)
    #expect(try temporary.store.box(for: Person.self).count() == 3)
  }
}

extension FrozenObject {
  /// Has the name of a member of the handle.
  fileprivate func value<V>(_ member: KeyPath<E, V>) -> V { self[dynamicMember: member] }
}
