import ObjectBox
import ObjectBoxDynamic
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// Queries that skip damaged objects, and report their IDs.
struct SkippedObjectTests {
  private let temporary: TemporaryStore
  private var people: Box<Person> { temporary.store.box(for: Person.self) }

  /// Makes a store of 20 people with ages 1 to 20; records 5, 6 and 20 are changed, record 12 is
  /// empty.
  init() throws {
    temporary = try TemporaryStore()
    try temporary.store.box(for: Person.self).put(
      (1...20).map { Person("\($0)", email: "\($0)", age: Int32($0)) }
    )
    temporary.store.close()
    for id: UInt64 in [5, 6, 20] {
      try ChangedFile.changeRecord(temporary.path, id: id) { $0[$0.count - 2] ^= 0x40 }
    }
    try ChangedFile.changeRecord(temporary.path, id: 12) { $0 = [] }
    try temporary.reopen()
  }

  private static func isDamage(_ error: any Error) -> Bool {
    if case ObjectBoxError.fileCorrupt = error { true } else { false }
  }

  @Test func `all results that are sound are found, and the others told`() throws {
    let query = try people.query().skippingDamagedObjects().build()
    #expect(query.skippedIds == [])
    let expected = (1...20).filter { ![5, 6, 12, 20].contains($0) }.map { Id($0) }
    #expect(try query.find().map(\.id) == expected)
    #expect(query.skippedIds.map(\.value) == [5, 6, 12, 20])
    #expect(try query.findIds().map(\.value) == expected)
    #expect(try query.count() == 16)
    #expect(query.skippedIds.count == 4)
    #expect(try query.find(offset: 3, limit: 2).map(\.id) == [4, 7])
    #expect(query.skippedIds.map(\.value) == [5, 6])
    #expect(try query.findFirst()?.id == 1)
    #expect(query.skippedIds == [])
    #expect(try query.property(Person.age).sum() == 210 - 5 - 6 - 12 - 20)
  }

  @Test func `conditions, orders and look-ups by an index leave them out too`() throws {
    let older = try people.query { Person.age > 10 }.ordered(by: Person.age, flags: .descending)
      .skippingDamagedObjects().build()
    #expect(try older.find(limit: 3).map(\.id) == [19, 18, 17])
    #expect(older.skippedIds.map(\.value) == [12, 20])
    #expect(try older.findFirst()?.id == 19)
    let scanned = try people.query { Person.name.contains("1") }.skippingDamagedObjects().build()
    #expect(try scanned.find().map(\.id) == [1, 10, 11, 13, 14, 15, 16, 17, 18, 19])
    let one = try people.query { Person.email == "6" }.skippingDamagedObjects().build()
    #expect(try one.find().isEmpty)
    #expect(try one.findFirst() == nil)
    #expect(try one.findUnique() == nil)
    #expect(one.skippedIds.map(\.value) == [6])
    let byID = try people.query().ordered(
      by: Property<Person, Id, Void>(propertyId: 1),
      flags: .descending
    )
    .skippingDamagedObjects().build()
    #expect(try byID.find(limit: 2).map(\.id) == [19, 18])
  }

  @Test func `results of snapshots leave them out`() throws {
    let builder = people.query { Person.age < 8 }.skippingDamagedObjects()
    let snapshot = try temporary.store.freeze()
    #expect(try snapshot.query(builder: builder).find().map(\.id) == [1, 2, 3, 4, 7])
    #expect(try snapshot.query(builder: builder).ids.count == 5)
    #expect(throws: ObjectBoxError.self) {
      try snapshot.query(builder: people.query { Person.age < 8 }).find()
    }
  }

  @Test func `queries by names leave them out, and tell which`() throws {
    let named = try temporary.store.box(named: "Person")
    let query = try named.query().ordered(by: "age", flags: .descending)
      .skippingDamagedObjects().build()
    #expect(try query.find(limit: 3).map(\.id) == [19, 18, 17])
    #expect(try query.findIds().count == 16)
    #expect(try query.count() == 16)
    #expect(try query.skippedIds() == [5, 6, 12, 20])
    let some = try named.query { $0["age"] < 8 }.skippingDamagedObjects().build()
    #expect(try some.find().map(\.id) == [1, 2, 3, 4, 7])
    #expect(try some.skippedIds() == [5, 6])
    let strict = try named.query().build()
    #expect(performing: { try strict.find() }, throws: Self.isDamage)
    #expect(try strict.skippedIds() == [])
  }

  @Test func `queries that are not told to, and boxes, are strict`() throws {
    let query = try people.query().build()
    #expect(performing: { try query.find() }, throws: Self.isDamage)
    #expect(query.skippedIds == [])
    #expect(performing: { try people.all() }, throws: Self.isDamage)
    #expect(performing: { try people.get(5) }, throws: Self.isDamage)
  }

  @Test func `the objects that are told can be removed, and none is left`() throws {
    let query = try people.query().skippingDamagedObjects().build()
    _ = try query.findIds()
    // An empty record cannot be removed: its index entries are unknown.
    for id in query.skippedIds where id.value != 12 { #expect(try people.remove(id)) }
    #expect(try query.count() == 16)
    #expect(query.skippedIds.map(\.value) == [12])
  }
}
