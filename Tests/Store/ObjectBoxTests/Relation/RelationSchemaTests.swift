import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxStorage
import ObjectBoxTestSupport
import Testing

/// Relations under changing models.
struct RelationSchemaTests {
  private let store: RelationStore

  init() throws {
    store = try RelationStore()
    let student = Student("s")
    student.teachers.append(Teacher("a"))
    student.teachers.append(Teacher("b"))
    try store.students.put(student)
    try store.orders.put(Order("o", Customer("c")))
  }

  private func expectRefusal(_ model: RelationModel, _ words: String...) throws {
    #expect {
      try store.reopen(model)
    } throws: { error in
      guard case ObjectBoxError.schema(let message) = error else { return false }
      return words.allSatisfy(message.contains)
    }
    try store.reopen()
    #expect(try store.students.get(UInt64(1))?.teachers.count == 2)
  }

  @Test func `relations outlive the store`() throws {
    try store.reopen()
    #expect(try store.students.get(UInt64(1))?.teachers.map(\.name) == ["a", "b"])
    #expect(try store.teachers.get(UInt64(2))?.students.map(\.name) == ["s"])
    #expect(try store.customers.get(UInt64(1))?.orders.map(\.name) == ["o"])
  }

  @Test func `a relation that is removed cannot be read, and has its links when it is added again`()
    throws
  {
    var without = RelationModel()
    without.hasRelation = false
    try store.reopen(without)
    #expect(try store.students.count() == 1)
    #expect(throws: ObjectBoxError.self) {
      try store.students.get(UInt64(1))?.teachers.resolveFromDb()
    }
    try store.reopen()
    let student = try #require(try store.students.get(UInt64(1)))
    #expect(student.teachers.map(\.name) == ["a", "b"])
    student.teachers.remove(at: 0)
    try student.teachers.applyToDb()
    #expect(try store.teachers.get(UInt64(1))?.students.isEmpty == true)
    #expect(try store.teachers.get(UInt64(2))?.students.count == 1)
  }

  @Test(.onPlainFiles("changes the tables of a closed store"))
  func `a file that has the schema of a relation and not its tables is damaged`() throws {
    store.store.close()
    let environment = try StorageEnvironment(
      directory: store.folder.path + "/store",
      options: .init(mapSizeInBytes: 64 << 20, maximumTableCount: 40)
    )
    let transaction = try environment.beginWrite()
    for name in ["r1", "b1"] {
      let table = try #require(try transaction.openTable(name, .index, create: false))
      try transaction.drop(table, delete: true)
    }
    try transaction.commit()
    environment.close()
    #expect {
      try store.reopen()
    } throws: { error in
      guard case ObjectBoxError.fileCorrupt(let message) = error else { return false }
      return message.contains("lacks its table 'r1'")
    }
  }

  @Test func `a relation with another UID is refused`() throws {
    var model = RelationModel()
    model.relationUID = 999
    try expectRefusal(model, "relation 1", "'Student'", "901", "999")
  }

  @Test func `a relation that leads to another entity is refused`() throws {
    var model = RelationModel()
    model.relationTarget = 1
    try expectRefusal(model, "relation 1", "'Teacher'", "'Customer'", "uid")
  }

  @Test func `a to-one relation that leads to another entity is refused`() throws {
    var model = RelationModel()
    model.customerTarget = Student.entityInfo
    try expectRefusal(model, "'Order.customer'", "'Customer'", "'Student'", "uid")
  }

  @Test func `a model with fewer relations than the store has seen is refused`() throws {
    var model = RelationModel()
    model.hasRelation = false
    model.lastRelation = 0
    try expectRefusal(model, "last relation")
  }

  @Test func `a relation to an entity that the model lacks is refused`() throws {
    var model = RelationModel()
    model.entities.remove(4)
    try expectRefusal(model, "'Student'", "lacks")
  }

  @Test func `entities that go and come back have their relations`() throws {
    var model = RelationModel()
    model.hasRelation = false
    model.entities.remove(4)
    try store.reopen(model)
    #expect(try store.students.get(UInt64(1))?.name == "s")
    try store.reopen()
    #expect(try store.students.get(UInt64(1))?.teachers.map(\.name) == ["a", "b"])
    #expect(try store.teachers.count() == 2)
  }

  @Test func `a relation whose ID or UID is taken is refused by the model`() throws {
    let builder = try ModelBuilder()
    let student = try builder.entityBuilder(for: Student.self, id: 3, uid: 1003)
    try student.addToManyRelation(id: 1, uid: 901, targetId: 4, targetUid: 1004)
    #expect(throws: ObjectBoxError.self) {
      try student.addToManyRelation(id: 1, uid: 902, targetId: 4, targetUid: 1004)
    }
    #expect(throws: ObjectBoxError.self) {
      try student.addToManyRelation(id: 2, uid: 901, targetId: 4, targetUid: 1004)
    }
  }

  @Test func `a store whose model has external types and a nearest-neighbour index opens again`()
    throws
  {
    func model() throws -> OpaquePointer {
      let builder = try ModelBuilder()
      let point = try builder.entityBuilder(for: Point.self, id: 2, uid: 1002)
      try point.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 11)
      try point.addProperty(name: "x", type: .double, id: 2, uid: 12)
      try point.addProperty(name: "y", type: .float, id: 3, uid: 13)
      try point.addProperty(
        name: "vector",
        type: .floatVector,
        flags: [.indexed],
        id: 4,
        uid: 14,
        indexId: 1,
        indexUid: 101
      ).hnswParams(
        dimensions: 2,
        neighborsPerNode: 30,
        indexingSearchCount: nil,
        flags: [.reparationLimitCandidates],
        distanceType: .cosine,
        reparationBacklinkProbability: 0.5,
        vectorCacheHintSizeKB: nil
      ).externalName("vec").externalType(UInt32(ExternalPropertyType.json.rawValue))
      try point.lastProperty(id: 4, uid: 14)
      builder.lastEntity(id: 2, uid: 1002)
      builder.lastIndex(id: 1, uid: 101)
      return builder.finish()
    }
    let path = store.folder.path + "/points"
    do {
      let points = try Store(model: try model(), directory: path)
      try points.box(for: Point.self).put(Point(id: 0, x: 1, y: 2))
      points.close()
    }
    let points = try Store(model: try model(), directory: path)
    #expect(try points.box(for: Point.self).count() == 1)
  }
}
