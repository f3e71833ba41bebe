import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// Entities and properties that the model loses and regains.
struct RetiredDataTests {
  private let changing: ChangingStore

  init() throws {
    changing = try ChangingStore()
  }

  // MARK: Entities

  @Test func `an entity that comes back has its objects, indexes and ID sequence`() throws {
    try changing.fill(try changing.openPeople())
    try changing.openPoints().close()
    let store = try changing.openPeople()
    let people = store.box(for: Person.self)
    #expect(try people.all().map(\.name) == ["Jane", "John"])
    let query = try people.query { Person.age == 40 }.build()
    #expect(try query.explain().hasPrefix("index on 'age'"))
    #expect(try query.findIds() == [2])
    #expect(try people.put(Person("New", email: "new")) == 4)
    #expect(throws: ObjectBoxError.self) { try people.put(Person("Twin", email: "jane")) }
    #expect(try store.statistics.retiredData.entities.map(\.name) == ["Point"])
  }

  @Test func `a model from before a rename without a UID finds the objects of the old name`() throws
  {
    let before: (inout ChangingStore.Model) throws -> Void = {
      try $0.add(Person.self, uid: 1001, ChangingStore.all)
    }
    try changing.fill(try changing.open(before))
    do {
      let store = try changing.open(lastIndex: 3) {
        try $0.add(Point.self, uid: 1002, ChangingStore.point)
      }
      try store.box(for: Point.self).put(Point(id: 0, x: 1, y: nil))
      store.close()
    }
    do {
      let store = try changing.open(before)
      #expect(try store.box(for: Person.self).count() == 2)
      #expect(try store.statistics.retiredData.entities.map(\.objectCount) == [1])
      store.close()
    }
    // Restores the entity, as a switch between two branches does.
    let store = try changing.open(lastIndex: 3) {
      try $0.add(Point.self, uid: 1002, ChangingStore.point)
    }
    #expect(try store.box(for: Point.self).count() == 1)
  }

  @Test func `an older model that brings nothing back is refused as ever`() throws {
    try changing.open {
      try $0.add(Person.self, uid: 1001, ChangingStore.all)
      try $0.add(Point.self, uid: 1002, ChangingStore.point)
    }.close()
    #expect {
      _ = try changing.open { try $0.add(Person.self, uid: 1001, ChangingStore.all) }
    } throws: { error in
      "\(error)".contains("newer model")
    }
  }

  @Test func `an entity that takes the ID of a retired one leaves its objects alone`() throws {
    try changing.fill(try changing.openPeople())
    try changing.openPoints().close()
    let other: (inout ChangingStore.Model) throws -> Void = {
      try $0.add(
        Customer.self,
        uid: 2001,
        [ChangingStore.Prop(name: "name", type: .string, id: 2, uid: 77)]
      )
    }
    do {
      let store = try changing.open(last: (2, 1002), other)
      #expect(try store.box(for: Customer.self).isEmpty())
      try store.box(for: Customer.self).put(Customer("Customer"))
      store.close()
    }
    do {
      let store = try changing.openPeople()
      #expect(try store.box(for: Person.self).all().map(\.name) == ["Jane", "John"])
      #expect(try store.box(for: Person.self).query { Person.age == 40 }.build().findIds() == [2])
      #expect(Set(try store.statistics.retiredData.entities.map(\.name)) == ["Point", "Customer"])
      store.close()
    }
    let store = try changing.open(last: (2, 1002), other)
    #expect(try store.box(for: Customer.self).all().map(\.name) == ["Customer"])
  }

  @Test func `an entity comes back under another ID`() throws {
    do {
      let store = try changing.open(last: (6, 1006)) {
        try $0.add(Node.self, uid: 1001, [ChangingStore.email])
      }
      try store.box(for: Node.self).put(Node(name: "Ada"))
      store.close()
    }
    try changing.open(last: (6, 1006)) { try $0.add(Point.self, uid: 1002, ChangingStore.point) }
      .close()
    let store = try changing.open(last: (6, 1006)) {
      try $0.add(Person.self, uid: 1001, ChangingStore.all)
    }
    #expect(try store.box(for: Person.self).all().map(\.email) == ["Ada"])
  }

  @Test func `a nearest-neighbour index is built anew for an entity that comes back`() throws {
    let store = try SightStore()
    try store.box.put([Sight([0, 0]), Sight([5, 5]), Sight([9, 9])])
    store.store.close()
    do {
      let builder = try ModelBuilder()
      let point = try builder.entityBuilder(for: Point.self, id: 2, uid: 1002)
      try point.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 11)
      try point.lastProperty(id: 1, uid: 11)
      builder.lastEntity(id: 2, uid: 1002)
      builder.lastIndex(id: 1, uid: 100)
      try Store(model: builder.finish(), directory: store.path).close()
    }
    try store.reopen(SightIndex())
    let query = try store.box.query {
      Sight.vector.nearestNeighbors(queryVector: [6, 6], maxCount: 1)
    }
    .build()
    #expect(try query.findIds() == [2])
  }

  @Test func `as many entities as there are can be retired and come back`() throws {
    let directory = changing.folder.path + "/many"
    func open(_ ids: ClosedRange<UInt32>) throws -> Store {
      let builder = try ModelBuilder()
      for id in ids {
        try Numbered.$number.withValue(id) {
          let entity = try builder.entityBuilder(for: Numbered.self, id: id, uid: 1000 + UInt64(id))
          try entity.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: UInt64(id))
          try entity.lastProperty(id: 1, uid: UInt64(id))
        }
      }
      builder.lastEntity(id: 200, uid: 1200)
      return try Store(model: builder.finish(), directory: directory)
    }
    try open(1...200).close()
    do {
      let store = try open(200...200)
      #expect(try store.statistics.retiredData.entities.count == 199)
      store.close()
    }
    do {
      let store = try open(1...200)
      #expect(try store.statistics.retiredData.isEmpty)
      store.close()
    }
    let store = try open(1...1)
    #expect(try store.discardRetiredData().entities.count == 199)
  }

  // MARK: Relations

  private func relations() throws -> RelationStore {
    let store = try RelationStore()
    let student = Student("s")
    for name in ["a", "b", "c"] { student.teachers.append(Teacher(name)) }
    try store.students.put([student, Student("t")])
    let order = Order("o", Customer("c"))
    try store.orders.put([order, Order("p", Customer("d"))])
    return store
  }

  @Test func `relations come back with the entities at their ends`() throws {
    let store = try relations()
    var model = RelationModel()
    model.hasRelation = false
    model.entities = [3, 5, 6, 7]
    model.customerTarget = Student.entityInfo
    try store.reopen(model)
    let retired = try store.store.statistics.retiredData
    #expect(retired.entities.map(\.name) == ["Customer", "Order", "Teacher"])
    #expect(retired.entities.map(\.objectCount) == [2, 2, 3])
    #expect(retired.relations.map(\.linkCount) == [3])
    #expect(retired.relations.map(\.source) == ["Student"])
    #expect(retired.relations.map(\.target) == ["Teacher"])
    #expect(retired.sizeInBytes > 0)
    try store.reopen()
    #expect(try store.students.get(UInt64(1))?.teachers.map(\.name) == ["a", "b", "c"])
    #expect(try store.teachers.get(UInt64(2))?.students.map(\.name) == ["s"])
    #expect(try store.customers.get(UInt64(1))?.orders.map(\.name) == ["o"])
    #expect(try store.orders.get(UInt64(1))?.customer.target?.name == "c")
  }

  @Test func `links and references to objects that were removed meanwhile do not come back`() throws
  {
    let store = try relations()
    let teacher = try #require(try store.teachers.get(UInt64(1)))
    teacher.favourite.target = try store.students.get(UInt64(1))
    try store.teachers.put(teacher)
    var model = RelationModel()
    model.hasRelation = false
    model.entities = [1, 3, 5, 6, 7]
    try store.reopen(model)
    try store.students.remove(UInt64(1))
    try store.customers.remove(UInt64(1))
    try store.reopen()
    #expect(try store.teachers.all().allSatisfy { $0.students.isEmpty })
    #expect(try store.teachers.get(UInt64(1))?.favourite.targetId == nil)
    #expect(try store.orders.get(UInt64(1))?.customer.targetId == nil)
    #expect(try store.orders.get(UInt64(2))?.customer.target?.name == "d")
    let orders = try store.orders.query { Order.customer == 1 }.build()
    #expect(try orders.count() == 0)
    let student = try #require(try store.students.get(UInt64(2)))
    student.teachers.append(try #require(try store.teachers.get(UInt64(1))))
    try student.teachers.applyToDb()
    #expect(try store.teachers.get(UInt64(1))?.students.map(\.name) == ["t"])
  }

  @Test func `a relation whose ID another one has taken keeps its links`() throws {
    let store = try relations()
    var other = RelationModel()
    other.hasRelation = false
    try store.reopen(other)
    other.hasRelation = true
    other.relationUID = 950
    other.lastRelation = 2
    try store.reopen(other)
    #expect(try store.students.get(UInt64(1))?.teachers.isEmpty == true)
    let student = try #require(try store.students.get(UInt64(2)))
    student.teachers.append(try #require(try store.teachers.get(UInt64(3))))
    try student.teachers.applyToDb()
    other.hasRelation = false
    try store.reopen(other)
    #expect(try store.store.statistics.retiredData.relations.map(\.linkCount) == [3, 1])
    try store.reopen()
    #expect(try store.students.get(UInt64(1))?.teachers.count == 3)
    #expect(try store.students.get(UInt64(2))?.teachers.isEmpty == true)
  }

  // MARK: Properties

  @Test func `a property that comes back has its values in the records not written since`() throws {
    try changing.fill(try changing.openPeople())
    do {
      let store = try changing.openPeople([ChangingStore.name, ChangingStore.age])
      let people = store.box(for: Person.self)
      let jane = Person("Jane", age: 30)
      jane.id = 1
      try people.put(jane)
      store.close()
    }
    let store = try changing.openPeople()
    let people = store.box(for: Person.self)
    #expect(try people.all().map(\.email) == [nil, "john"])
    #expect(try people.all().map(\.age) == [30, 40])
    let query = try people.query { Person.email == "john" }.build()
    #expect(try query.explain().hasPrefix("index on 'email'"))
    #expect(try query.findIds() == [2])
    #expect(throws: ObjectBoxError.self) { try people.put(Person("Twin", email: "john")) }
  }

  @Test func `a model from before a rename without a UID finds the values of the old name`() throws
  {
    try changing.fill(try changing.openPeople(last: 4))
    let renamed = ChangingStore.Prop(name: "mail", type: .string, id: 5)
    do {
      let store = try changing.openPeople(
        [ChangingStore.name, ChangingStore.age, renamed],
        last: 5
      )
      try store.box(for: Person.self).put(Person("New"))
      store.close()
    }
    let store = try changing.openPeople(last: 4)
    #expect(try store.box(for: Person.self).all().map(\.email) == ["jane", "john", nil])
  }

  @Test func `a property with the ID of a removed one and another UID reads as null`() throws {
    try changing.fill(try changing.openPeople())
    try changing.openPeople([ChangingStore.name, ChangingStore.age]).close()
    var other = ChangingStore.email
    other.uid = 33
    do {
      let store = try changing.openPeople([ChangingStore.name, ChangingStore.age, other])
      let people = store.box(for: Person.self)
      #expect(try people.all().map(\.email) == [nil, nil])
      #expect(try people.query { Person.email.isNil() }.build().count() == 2)
      try people.put(Person("New", email: "jane"))
      store.close()
    }
    try changing.openPeople([ChangingStore.name, ChangingStore.age]).close()
    // Another type does no harm.
    do {
      let store = try changing.openPeople([
        ChangingStore.name, ChangingStore.Prop(name: "n", type: .long, id: 3, uid: 34),
      ])
      let number = Property<Person, Int64?, Void>(propertyId: 3)
      let query = try store.box(for: Person.self).query { number.isNil() }.build()
      #expect(try query.count() == 3)
      store.close()
    }
    try changing.openPeople([ChangingStore.name, ChangingStore.age]).close()
    let store = try changing.openPeople()
    #expect(try store.box(for: Person.self).all().map(\.email) == ["jane", "john", nil])
  }

  @Test func `a property that comes back with another type is refused like a change of its type`()
    throws
  {
    try changing.fill(try changing.openPeople())
    try changing.openPeople([ChangingStore.name]).close()
    #expect {
      _ = try changing.openPeople([
        ChangingStore.name, ChangingStore.Prop(name: "age", type: .string, id: 4),
      ])
    } throws: { error in
      "\(error)".contains("'Person.age'") && "\(error)".contains("uid")
    }
    #expect(try changing.openPeople().box(for: Person.self).all().map(\.age) == [30, 40])
  }
}

/// An entity whose name ends with the number that is set.
private enum Numbered: EntityInspectable {
  @TaskLocal static var number: UInt32 = 0
  static var entityInfo: EntityInfo { EntityInfo(name: "Numbered\(number)", id: number) }
  static let entityBinding = PersonBinding()
}
