import Foundation
import ObjectBox
import ObjectBoxCare
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import ObjectBoxStorage
import ObjectBoxTestSupport
import Testing

/// Verification finds each fault of a store, and nothing else.
struct VerificationTests {
  /// Makes a store of 100 people and closes it.
  private static func makeStore(_ indexes: PersonIndexes = .all) throws -> TemporaryStore {
    let temporary = try TemporaryStore(indexes: indexes)
    try temporary.store.box(for: Person.self).put(
      (1...100).map { Person("name \($0 % 40)", email: "\($0)@example.org", age: Int32($0)) }
    )
    temporary.store.close()
    return temporary
  }

  private static func faults(_ temporary: TemporaryStore) throws -> [StoreFault] {
    try Store.verify(directory: temporary.path).faults
  }

  // MARK: Sound stores

  @Test func `a store after puts, updates and removals is sound, open and closed`() throws {
    let temporary = try TemporaryStore()
    let people = temporary.store.box(for: Person.self)
    var generator = SplitMix(seed: 1)
    for round in 0..<30 {
      try people.put(
        (0..<50).map { Person("name \($0)", email: "\(round)/\($0)", age: Int32(round)) }
      )
      for id in try people.query().build().findIds() where generator.next() % 3 == 0 {
        try people.remove(id)
      }
    }
    try temporary.store.box(for: Point.self).put(Point(id: 700, x: 1, y: nil))
    let report = try temporary.store.verify()
    #expect(report.faults == [])
    #expect(report.isSound)
    #expect(report.recordCount == (try people.count()) + 1)
    #expect(report.entryCount == 3 * (try people.count()))
    #expect(report.version == UInt64(try temporary.store.version()))
    temporary.store.close()
    let closed = try Store.verify(directory: temporary.path)
    #expect(closed == report)
    #expect(closed.pageCount * 4096 >= closed.sizeInBytes || closed.sizeInBytes % 4096 != 0)
    #expect(try Store.verify(directory: temporary.path + "/data.mdb") == report)
  }

  @Test func `the free pages of a store that LMDB's tools have opened are counted`() throws {
    let fixture = try #require(StoreFixtureTests.recorded.first)
    let directory = try TemporaryDirectory()
    let path = try fixture.copy(to: directory)
    // Programs that name a file instead of a folder: LMDB keeps MDB_NOSUBDIR among the flags of the
    // free list, in both head pages.
    try ChangedFile.changeBytes(path) { for head in [0, 4096] { $0[head + 45] |= 0x40 } }
    let environment = try StorageEnvironment(
      directory: path,
      options: .init(mapSizeInBytes: 1 << 26, maximumTableCount: 64)
    )
    defer { environment.close() }
    #expect(try environment.roomInFile().pages > 2)
  }

  @Test(arguments: StoreFixtureTests.recorded)
  func `recorded stores are sound`(_ fixture: StoreFixtureTests.Recorded) throws {
    let directory = try TemporaryDirectory()
    let report = try Store.verify(directory: try fixture.copy(to: directory))
    #expect(report.faults.map(\.objectID) == fixture.unreadableIDs)
    #expect(report.isSound == fixture.unreadableIDs.isEmpty)
  }

  @Test
  func `a store that holds a snapshot's version is sound, and the check holds its version alone`()
    throws
  {
    let temporary = try TemporaryStore()
    let people = temporary.store.box(for: Person.self)
    try people.put((1...500).map { Person("\($0)") })
    let snapshot = try temporary.store.freeze()
    for _ in 0..<5 { try people.put(try people.all()) }
    #expect(try temporary.store.verify().faults == [])
    #expect(temporary.store.activeVersions.count == 1)
    withExtendedLifetime(snapshot) {}
  }

  @Test func `links to missing objects are counted by relation, and are no faults`() throws {
    let relations = try RelationStore()
    for customer in [Id(7), 7, 9] {
      let order = Order("o")
      order.customer.targetId = EntityId(customer)
      try relations.orders.put(order)
    }
    try relations.orders.put([Order("whole", Customer("c")), Order("without")])
    let (student, missing) = (Student("s"), Teacher("missing"))
    student.teachers.append(Teacher("t"))
    try relations.students.put(student)
    missing.id = 5
    student.teachers.append(missing)
    try student.teachers.applyToDb()
    let report = try relations.store.verify()
    #expect(report.isSound)
    #expect(
      report.danglingRelations.map(\.description) == [
        "'Order.customer' to 'Customer' has 3 links with a missing object, the first from ID 1 to ID 7",
        "'Student.relation1' to 'Teacher' has 1 link with a missing object, from ID 1 to ID 5",
      ]
    )
    relations.store.close()
    #expect(try Store.verify(directory: relations.folder.path + "/store") == report)
    // Opening checks for damage alone.
    var configuration = Store.Configuration(directory: relations.folder.path + "/store")
    configuration.validateOnOpen = .full
    try Store(model: try RelationModel().build(), configuration: configuration).close()
  }

  // MARK: Faults of content

  @Test func `a missing index entry is found`() throws {
    let temporary = try Self.makeStore()
    try ChangedFile.changeEntry(
      temporary.path,
      table: "i3",
      key: [1, 0x80, 0, 0, 7],
      id: 7,
      isThere: false
    )
    let fault = try #require(try Self.faults(temporary).first)
    #expect(fault.part == .index)
    #expect(fault.entity == "Person")
    #expect(fault.objectID == 7)
    #expect(fault.message == "the index of 'Person.age' lacks the object with ID 7")
  }

  @Test func `an index entry of a missing object, and one with a wrong key, are found`() throws {
    let temporary = try Self.makeStore()
    try ChangedFile.changeEntry(
      temporary.path,
      table: "i3",
      key: [1, 0x80, 0, 0, 7],
      id: 777,
      isThere: true
    )
    try ChangedFile.changeEntry(
      temporary.path,
      table: "i3",
      key: [1, 0x80, 0, 0, 9],
      id: 8,
      isThere: true
    )
    #expect(
      try Self.faults(temporary).map(\.message) == [
        "the index of 'Person.age' leads to the missing object with ID 777",
        "the index of 'Person.age' has a wrong key for the object with ID 8",
      ]
    )
  }

  @Test func `an entry that took another's place is found from both sides`() throws {
    let temporary = try Self.makeStore()
    try ChangedFile.changeEntry(
      temporary.path,
      table: "i3",
      key: [1, 0x80, 0, 0, 7],
      id: 7,
      isThere: false
    )
    try ChangedFile.changeEntry(
      temporary.path,
      table: "i3",
      key: [1, 0x80, 0, 0, 7],
      id: 8,
      isThere: true
    )
    let messages = try Self.faults(temporary).map(\.message)
    #expect(messages.first == "the index of 'Person.age' lacks the object with ID 7")
  }

  @Test func `objects with the same unique value are found`() throws {
    var (without, with) = (PersonIndexes.all, PersonIndexes.all)
    without.email = [.indexHash, .indexed]
    with.email = [.unique, .indexHash, .indexed]
    let temporary = try TemporaryStore(indexes: without)
    try temporary.store.box(for: Person.self).put([
      Person("a", email: "x"), Person("b", email: "x"),
    ])
    temporary.store.close()
    // Only the copied schema declares the values unique.
    let other = try TemporaryStore(indexes: with)
    other.store.close()
    try ChangedFile.copySchema(from: other.path, to: temporary.path)
    let faults = try Self.faults(temporary)
    #expect(faults.map(\.part) == [.unique])
    #expect(
      faults.first?.message
        == "the objects of 'Person' with the IDs 1 and 2 have the same 'email', which is unique"
    )
  }

  /// A change of a record's bytes, and the words of its fault.
  struct RecordDamage: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let change: @Sendable (inout [UInt8]) -> Void

    init(_ words: String, _ change: @escaping @Sendable (inout [UInt8]) -> Void) {
      testDescription = words
      self.change = change
    }
  }

  @Test(arguments: [
    RecordDamage("has 1 bytes; none has fewer than 2") { $0 = [0] },
    RecordDamage("is of layout 9; the entity has 1") { $0[0] = 9 },
    RecordDamage("has 5 bytes; none of layout 0 has fewer than 23") { $0 = Array($0[..<5]) },
    RecordDamage("marks a value of a property that its layout lacks") { $0[2] |= 0x80 },
    RecordDamage("has 'name', which is no UTF-8") { $0[19] = 0xff },
    RecordDamage("and its values end at byte") { $0.append(1) },
    RecordDamage("has 'name' from byte 19 to 255") { $0[7] = 255 },
    RecordDamage("has bytes for 'name', which is null") { $0[2] &= ~1 },
  ])
  func `a record that fits no layout is found`(_ damage: RecordDamage) throws {
    let temporary = try Self.makeStore(.none)
    try ChangedFile.changeRecord(temporary.path, id: 5, damage.change)
    let fault = try #require(try Self.faults(temporary).first)
    #expect(fault.part == .record)
    #expect(fault.objectID == 5)
    #expect(fault.message.hasPrefix("the record of 'Person' with ID 5 "))
    #expect(fault.message.contains(damage.testDescription))
  }

  @Test(arguments: [false, true])
  func `damaged records of entities that the model has lost are found`(hasMoved: Bool) throws {
    let changing = try ChangingStore()
    try changing.fill(try changing.openPeople())
    try changing.openPoints().close()
    if hasMoved {
      // Another entity takes the ID.
      try changing.open(last: (2, 1002)) { model in
        let point = try model.builder.entityBuilder(for: Point.self, id: 1, uid: 1003)
        try point.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 31)
        try point.lastProperty(id: 1, uid: 31)
      }.close()
    }
    let table = hasMoved ? "retired/e1001" : "e1"
    #expect(try Store.verify(directory: changing.path).faults == [])
    try ChangedFile.changeRecord(changing.path, table: table, id: 2) { $0[4] ^= 1 }
    let faults = try Store.verify(directory: changing.path).faults
    #expect(faults.map(\.objectID) == [2], "\(faults)")
    #expect(
      faults.first?.message.hasPrefix("the record of the retired 'Person' with ID 2 ") == true
    )
  }

  @Test func `pairs at one end of a relation that the model has lost are found`() throws {
    let relations = try RelationStore()
    let student = Student("s")
    try relations.students.put(student)
    let teacher = Teacher("t")
    try relations.teachers.put(teacher)
    student.teachers.replace([teacher])
    try student.teachers.applyToDb()
    var model = RelationModel()
    model.hasRelation = false
    try relations.reopen(model)
    relations.store.close()
    let path = relations.folder.path + "/store"
    #expect(try Store.verify(directory: path).faults == [])
    try ChangedFile.changeEntry(
      path,
      table: "r1",
      key: [0, 0, 0, 0, 0, 0, 0, 1],
      id: 9,
      isThere: true
    )
    let faults = try Store.verify(directory: path).faults
    #expect(faults.map(\.part) == [.relation, .relation], "\(faults)")
  }

  @Test func `a table that the schema lacks, and one that is missing, are found`() throws {
    let temporary = try Self.makeStore()
    try ChangedFile.change(temporary.path) { transaction in
      _ = try transaction.openTable("stranger", .plain, create: true)
    }
    #expect(
      try Self.faults(temporary).map(\.message) == [
        "the file has the table 'stranger', which its schema lacks"
      ]
    )
    try ChangedFile.change(temporary.path) { try $0.dropTable("i3", .index) }
    let report = try Store.verify(directory: temporary.path)
    #expect(report.faults.map(\.part) == [.schema])
    #expect(report.faults.first?.message.contains("lacks its table 'i3'") == true)
    #expect(!report.isComplete)
  }

  @Test func `an ID sequence beyond all IDs is found`() throws {
    let temporary = try Self.makeStore()
    try ChangedFile.change(temporary.path) { transaction in
      let table = try #require(try transaction.openTable("objectbox", .plain, create: false))
      try transaction.put(
        table,
        key: Array("sequence/1".utf8),
        value: [UInt8](repeating: 0xff, count: 8)
      )
    }
    #expect(try Self.faults(temporary).map(\.part) == [.sequence])
  }

  // MARK: Faults of structure

  @Test func `damaged pages are found, whichever page it is`() throws {
    let temporary = try Self.makeStore()
    let file = URL(fileURLWithPath: temporary.path + "/data.mdb")
    let whole = try Data(contentsOf: file)
    let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
    let free = try freePages(temporary.path)
    for page in 0..<(whole.count / pageSize) {
      try ChangedFile.changeBytes(temporary.path) { bytes in
        bytes.replaceSubrange(page * pageSize..<(page + 1) * pageSize, with: Data(count: pageSize))
      }
      let report = try Store.verify(directory: temporary.path)
      #expect(report.isSound == free.contains(page), "page \(page): \(report.faults)")
      let isStructural = report.faults.contains { $0.part == .page || $0.part == .file }
      #expect(isStructural != free.contains(page), "page \(page)")
      try whole.write(to: file)
    }
    #expect(try Self.faults(temporary) == [])
  }

  /// Returns the pages that no table uses; their bytes have no meaning.
  private func freePages(_ path: String) throws -> Set<Int> {
    let image = try StorageImage(path: path + "/data.mdb")
    let head = try #require(image.newestHead())
    var used: Set<Int> = []
    // A page is in use if damage to it is found.
    for page in 2..<(image.sizeInBytes / head.pageSizeInBytes) {
      let copy = path + "/copy.mdb"
      var bytes = image.withBytes { Data($0) }
      bytes[page * head.pageSizeInBytes] ^= 0xff
      try bytes.write(to: URL(fileURLWithPath: copy))
      let changed = try StorageImage(path: copy)
      if try changed.firstFinding(head, .all) != nil { used.insert(page) }
    }
    try FileManager.default.removeItem(atPath: path + "/copy.mdb")
    return Set(2..<(image.sizeInBytes / head.pageSizeInBytes)).subtracting(used)
  }

  @Test func `any changed byte gives a report, and never a crash`() throws {
    let temporary = try Self.makeStore()
    let file = URL(fileURLWithPath: temporary.path + "/data.mdb")
    let whole = try Data(contentsOf: file)
    var generator = SplitMix(seed: 7)
    for _ in 0..<400 {
      try ChangedFile.changeBytes(temporary.path) { bytes in
        for _ in 0..<(1 + generator.next() % 4) {
          let place = Int(generator.next() % UInt64(bytes.count))
          bytes[place] = UInt8(truncatingIfNeeded: generator.next())
        }
        if generator.next() % 8 == 0 {
          bytes = bytes.prefix(Int(generator.next() % UInt64(bytes.count)))
        }
      }
      _ = try Store.verify(directory: temporary.path)
      try whole.write(to: file)
    }
    #expect(try Self.faults(temporary) == [])
  }

  @Test(arguments: [0, 1]) func `a head page with a wrong number is a fault`(page: Int) throws {
    let temporary = try Self.makeStore()
    let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
    try ChangedFile.changeBytes(temporary.path) { $0[page * pageSize] ^= 4 }
    #expect(
      try Self.faults(temporary).map(\.message) == ["head page \(page) of the file is damaged"]
    )
  }

  @Test func `a file that is no store has a fault, and a missing one is an error`() throws {
    let folder = try TemporaryDirectory()
    #expect(throws: ObjectBoxError.self) { _ = try Store.verify(directory: folder.path) }
    for content in [
      Data(), Data("no store".utf8), Data(count: 4096), Data(repeating: 7, count: 100_000),
    ] {
      try content.write(to: URL(fileURLWithPath: folder.path + "/data.mdb"))
      let report = try Store.verify(directory: folder.path)
      #expect(!report.isSound)
      #expect(report.faults.map(\.part) == [.file, .file])
    }
  }

  // MARK: Limits

  @Test
  func `a check ends at the greatest number of faults, and when its progress handler says so`()
    throws
  {
    let temporary = try Self.makeStore()
    try ChangedFile.change(temporary.path) { transaction in
      let table = try #require(try transaction.openTable("i3", .index, create: false))
      try transaction.drop(table, delete: false)
    }
    let report = try Store.verify(directory: temporary.path, maximumFaultCount: 3)
    #expect(report.faults.count == 3)
    #expect(!report.isComplete)
    #expect(try Store.verify(directory: temporary.path, maximumFaultCount: 100).isComplete)
    let many = try TemporaryStore()
    try many.store.box(for: Person.self).put((0..<10_000).map { Person("\($0)") })
    var parts: [Double] = []
    let whole = try many.store.verify { part in
      parts.append(part)
      return true
    }
    #expect(whole.isSound)
    #expect(parts == parts.sorted() && parts.count > 3 && parts.allSatisfy { 0...1 ~= $0 })
    let ended = try many.store.verify { $0 < 0.5 }
    #expect(!ended.isComplete && ended.faults.isEmpty)
  }
}
