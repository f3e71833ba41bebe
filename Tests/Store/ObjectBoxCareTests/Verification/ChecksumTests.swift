import CObjectBoxRecords
import Dispatch
import Foundation
import ObjectBox
import ObjectBoxCare
import ObjectBoxDynamic
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import ObjectBoxStorage
import ObjectBoxTestSupport
import Testing

/// Checksums reveal damaged records wherever objects are created from them.
struct ChecksumTests {
  /// Makes a store of three people and closes it.
  private static func makeStore(_ indexes: PersonIndexes = .none) throws -> TemporaryStore {
    let temporary = try TemporaryStore(indexes: indexes)
    try temporary.store.box(for: Person.self).put(
      ["Ada", "Berta", "Cora"].map { Person($0, email: "\($0)@example.org", age: 7) }
    )
    temporary.store.close()
    return temporary
  }

  /// Returns whether a call throws the error of the damaged record with ID 2.
  private static func notices(_ call: () throws -> Void) -> Bool {
    do {
      try call()
      return false
    } catch ObjectBoxError.fileCorrupt(let message) {
      return message.contains("'Person' with ID 2 ")
    } catch {
      return false
    }
  }

  // MARK: Noticing

  @Test
  func `each changed byte of a record is noticed by all ways to its object, and by the check`()
    throws
  {
    let temporary = try Self.makeStore()
    let record = try #require(try RawStore(path: temporary.path).objects("e1")[2])
    for place in record.indices {
      try ChangedFile.changeRecord(temporary.path, id: 2) { $0[place] ^= 0x11 }
      try temporary.reopen(indexes: .none)
      let store = temporary.store
      let people = store.box(for: Person.self)
      let named = try store.box(named: "Person")
      let all = try people.query().build()
      let byName = try people.query().ordered(by: Person.name).build()
      let snapshot = try store.freeze()
      let results = try snapshot.query(Person.self)
      let ways: [() throws -> Void] = [
        { _ = try people.get(2) }, { _ = try people.get([1, 2, 3] as [Id]) },
        { _ = try people.get([3, 2] as [Id]) }, { _ = try people.get([2] as [Id], maxCount: 1) },
        { _ = try people.getAsDictionary([2] as [Id]) }, { _ = try people.all() },
        { _ = try people.allContiguous() }, { try people.forEach { _ in } }, { _ = try all.find() },
        { _ = try all.find(offset: 1, limit: 1) }, { _ = try byName.find() },
        { _ = try named.get(2) },
        { _ = try named.all() }, { _ = try results.find() },
        { _ = try #require(try snapshot.object(EntityId<Person>(2)))[Person.name] },
        { _ = try named.put(["id": 2, "age": 8]) },
      ]
      for (number, way) in ways.enumerated() {
        #expect(Self.notices(way), "byte \(place), way \(number)")
      }
      #expect(try people.get(1)?.name == "Ada")
      // Filters read single values: they may give any answer or the error, but never crash.
      _ = try? people.query { Person.age > 3 && Person.name.contains("B") }.build().findIds()
      _ = try? people.query { Person.email.isNil() }.build().count()
      let report = try store.verify()
      #expect(report.faults.map(\.objectID) == [2], "byte \(place): \(report.faults)")
      store.close()
      try ChangedFile.changeRecord(temporary.path, id: 2) { $0 = record }
    }
    try temporary.reopen(indexes: .none)
    #expect(try temporary.store.box(for: Person.self).all().count == 3)
  }

  @Test func `a record under another ID, and one in another entity's table, are noticed`() throws {
    let temporary = try Self.makeStore()
    let raw = try RawStore(path: temporary.path).objects("e1")
    try ChangedFile.changeRecord(temporary.path, id: 2) { $0 = raw[1] ?? [] }
    try temporary.reopen(indexes: .none)
    #expect(Self.notices { _ = try temporary.store.box(for: Person.self).get(2) })
    let faults = try temporary.store.verify().faults
    #expect(
      faults.map(\.message) == [
        "the record of 'Person' with ID 2 has a wrong checksum: it is damaged, or belongs to another object"
      ]
    )
    let checksums = try [1001, 1002].map { (uid: UInt64) in
      try FormatBytes.checksum(of: Array(#require(raw[1]).dropLast(4)), entityUID: uid, id: 1)
    }
    #expect(checksums[0] != checksums[1])
  }

  @Test func `a damaged record can be removed and replaced`() throws {
    let temporary = try Self.makeStore(.all)
    try ChangedFile.changeRecord(temporary.path, id: 2) { $0[$0.count - 1] ^= 1 }
    try ChangedFile.changeRecord(temporary.path, id: 3) { $0[$0.count - 1] ^= 1 }
    try temporary.reopen()
    let people = temporary.store.box(for: Person.self)
    #expect(try temporary.store.verify().faults.map(\.objectID) == [2, 3])
    #expect(try people.remove(2 as Id))
    let cora = Person("Cora", email: "Cora@example.org", age: 8)
    cora.id = 3
    try people.put(cora)
    #expect(try people.all().map(\.age) == [7, 8])
    #expect(try temporary.store.verify().faults == [])
  }

  @Test func `a damaged record is not written again with a right checksum`() throws {
    let relations = try RelationStore()
    let order = Order("A", Customer())
    try relations.orders.put(order)
    relations.store.close()
    let path = relations.folder.path + "/store"
    try ChangedFile.changeRecord(path, table: "e2", id: order.id.value) { $0[$0.count - 5] ^= 1 }
    try relations.reopen()
    // The removal would set the order's relation to null.
    #expect {
      _ = try relations.customers.removeAll()
    } throws: { error in
      if case ObjectBoxError.fileCorrupt = error { true } else { false }
    }
    #expect(try relations.store.verify().faults.map(\.objectID) == [order.id.value])
  }

  // MARK: Writing

  @Test func `every kind of write gives records right checksums`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let people = store.box(for: Person.self)
    let ada = Person("Ada", email: "a", age: 1)
    try people.put(ada)
    ada.name = "Ada Lovelace, whose name is longer now"
    try people.put(ada, mode: .update)
    try people.put((0..<100).map { Person(String(repeating: "x", count: $0 * 37), email: "\($0)") })
    let large = Person("large")
    // One of these sizes fills the record's room exactly.
    for count in [1000, 2013, 2014, 2015, 2016, 2017, 5000, 100_000] {
      large.photo = Data(repeating: 7, count: count)
      try people.put(large)
    }
    try store.box(for: Point.self).put(Point(id: 700, x: 1, y: nil))
    _ = try people.async.put(Person("asynchronous"))
    try store.write { try $0.put(Person("block")) }
    let named = try store.box(named: "Person")
    try named.put(["id": ada.id, "age": 2])
    try named.put(["name": "by name", "photo": Data([1, 2])])
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for index in 0..<10 {
        _ = try? people.put(Person("gathered", email: "\(thread)/\(index)"))
      }
    }
    #expect(try store.verify().faults == [])

    let relations = try RelationStore()
    try relations.orders.put([Order("A", Customer()), Order("B", Customer())])
    try relations.customers.remove(1 as Id)
    #expect(try relations.orders.all().map { $0.customer.targetId?.value } == [nil, 2])
    #expect(try relations.store.verify().faults == [])
  }

  @Test
  func
    `retired objects come back with right checksums, without references to objects that are gone`()
    throws
  {
    let changing = try ChangingStore()
    try changing.fill(try changing.openPeople())
    try changing.openPoints().close()
    let store = try changing.openPeople([ChangingStore.name])
    #expect(try store.box(for: Person.self).all().map(\.name) == ["Jane", "John"])
    #expect(try store.verify().faults == [])
    store.close()

    let relations = try RelationStore()
    try relations.orders.put([Order("A", Customer()), Order("B", Customer())])
    var model = RelationModel()
    model.entities = [1, 3, 4, 5, 6, 7]
    try relations.reopen(model)
    try relations.customers.remove(1 as Id)
    try relations.reopen()
    #expect(try relations.orders.all().map { $0.customer.targetId?.value } == [nil, 2])
    #expect(try relations.store.verify().faults == [])
  }

  @Test func `an entity that comes back under another ID has right checksums`() throws {
    let changing = try ChangingStore()
    try changing.fill(try changing.openPeople())
    try changing.openPoints().close()
    let store = try changing.open(last: (3, 1001)) { model in
      let person = try model.builder.entityBuilder(for: Person.self, id: 3, uid: 1001)
      try person.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 1_001_001)
      try person.addProperty(name: "name", type: .string, id: 2, uid: 2)
      try person.lastProperty(id: 5, uid: 5)
    }
    #expect(try store.box(named: "Person").all().map { $0["name"] as? String } == ["Jane", "John"])
    #expect(try store.verify().faults == [])
  }

  // MARK: The schema's digest

  @Test func `each changed byte of the schema, its layouts and its format is noticed`() throws {
    let temporary = try Self.makeStore()
    for key in ["digest", "format", "layouts/1", "schema"] {
      let value = try #require(try RawStore(path: temporary.path).value(key))
      for place in value.indices {
        var changed = value
        changed[place] ^= 2
        try ChangedFile.changeValue(temporary.path, key: key, to: changed)
        // Another format number may also belong to no version.
        #expect(throws: ObjectBoxError.self, "\(key) \(place)") {
          try temporary.reopen(indexes: .none)
        }
        let report = try Store.verify(directory: temporary.path)
        #expect(report.faults.map(\.part) == [.schema] && !report.isComplete, "\(key) \(place)")
      }
      try ChangedFile.changeValue(temporary.path, key: key, to: value)
    }
    try ChangedFile.changeValue(temporary.path, key: "digest", to: [1, 2, 3, 4])
    #expect {
      try temporary.reopen(indexes: .none)
    } throws: { error in
      guard case ObjectBoxError.fileCorrupt(let message) = error else { return false }
      return message.contains("digest of the schema")
    }
  }

  @Test func `the digest follows the changes of the schema`() throws {
    let changing = try ChangingStore()
    func digest() throws -> [UInt8]? { try RawStore(path: changing.path).value("digest") }
    try changing.fill(try changing.openPeople())
    let first = try digest()
    try changing.openPeople().close()
    #expect(try digest() == first)
    let points = try changing.openPoints()
    #expect(try digest() != first)
    try points.discardRetiredData()
    points.close()
    try changing.openPoints().close()
    #expect(try Store.verify(directory: changing.path).faults == [])
  }

  // MARK: The function

  @Test func `the processor's instruction and the table give the same checksums`() {
    var generator = SplitMix(seed: 3)
    for size in Array(0..<70) + [255, 1000, 4097] {
      let bytes = (0..<size).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
      let (seed, id) = (UInt32(truncatingIfNeeded: generator.next()), generator.next())
      let identity = withUnsafeBytes(of: id.littleEndian) { Array($0) }
      let byTable = ~obx_crc32c_by_table(
        obx_crc32c_by_table(seed, identity, identity.count),
        bytes,
        bytes.count
      )
      #expect(obx_record_checksum(seed, id, bytes, bytes.count) == byTable, "\(size) bytes")
    }
    #expect(~obx_crc32c_by_table(.max, "123456789", 9) == 0xe306_9283)
  }
}
