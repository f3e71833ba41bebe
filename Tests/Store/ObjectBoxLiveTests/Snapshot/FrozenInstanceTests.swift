import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import Testing

/// Instances read from a snapshot, and their relations.
struct FrozenInstanceTests {
  private let temporary: RelationStore
  private let store: Store

  init() throws {
    temporary = try RelationStore()
    store = temporary.store
    let ann = Customer("Ann")
    try temporary.customers.put(ann)
    try temporary.orders.put(Order("1", ann))
    let student = Student("Sue")
    student.teachers.replace([Teacher("T1")])
    try temporary.students.put(student)
  }

  private func removeAll() throws {
    try temporary.orders.removeAll()
    try temporary.customers.removeAll()
    try temporary.students.removeAll()
    try temporary.teachers.removeAll()
  }

  @Test func `relations of instances read the version of the snapshot`() throws {
    let snapshot = try store.freeze()
    let order = try #require(try snapshot.object(Order.self, 1)).value()
    let student = try #require(try snapshot.query(Student.self).find().first)
    let teachers = try #require(try snapshot.object(Student.self, 1)).teachers.find()
    try removeAll()
    #expect(order.customer.target?.name == "Ann")
    #expect(order.customer.target?.orders.map(\.name) == ["1"])
    #expect(order.customer.target?.orders.first?.customer.target?.name == "Ann")
    #expect(try student.teachers.getUncachedFromDb().map(\.name) == ["T1"])
    #expect(try student.teachers.getUncachedIdsFromDb() == [1])
    #expect(student.teachers.first?.students.map(\.name) == ["Sue"])
    #expect(teachers.first?.students.map(\.name) == ["Sue"])
    // Inside other transactions as well.
    let another = try #require(try snapshot.object(Customer.self, 1)).value()
    try store.write { _ in #expect(another.orders.count == 1) }
    try store.read { _ in #expect(another.orders.first?.customer.target?.name == "Ann") }
  }

  @Test func `relations of instances go on after close, and keep the file until they end`() throws {
    var instances: [Customer] = []
    do {
      let snapshot = try store.freeze()
      instances = try snapshot.query(Customer.self).find()
    }
    #expect(store.activeVersions.count == 1)
    store.close()
    #expect(instances.first?.orders.first?.customer.target?.name == "Ann")
    instances = []
    #expect(store.activeVersions.isEmpty)
  }

  @Test func `relations of instances go on when the snapshot is invalidated`() throws {
    let snapshot = try store.freeze()
    let customer = try #require(try snapshot.object(Customer.self, 1)).value()
    snapshot.invalidate()
    try removeAll()
    #expect(customer.orders.map(\.name) == ["1"])
  }

  @Test func `a relation of an instance cannot be applied`() throws {
    let snapshot = try store.freeze()
    let student = try #require(try snapshot.object(Student.self, 1)).value()
    let customer = try #require(try snapshot.object(Customer.self, 1)).value()
    let teacher = try #require(try snapshot.object(Teacher.self, 1)).value()
    student.teachers.append(Teacher("T2"))
    customer.orders.removeAll()
    teacher.students.removeAll()
    #expect { try student.teachers.applyToDb() } throws: { isFrozen($0) }
    #expect { try customer.orders.applyToDb() } throws: { isFrozen($0) }
    #expect { try store.write { _ in try teacher.students.applyToDb() } } throws: { isFrozen($0) }
    #expect(try temporary.teachers.count() == 1)
    #expect(try temporary.orders.count() == 1)
    #expect(student.teachers.hasPendingDbChanges)
  }

  @Test func `an instance can be put, and keeps its targets`() throws {
    let snapshot = try store.freeze()
    let order = try #require(try snapshot.object(Order.self, 1)).value()
    order.name = "one"
    try temporary.orders.put(order)
    #expect(try temporary.orders.get(order.id)?.customer.target?.name == "Ann")
    order.customer.target = Customer("Ben")
    try temporary.orders.put(order)
    #expect(try temporary.orders.get(order.id)?.customer.target?.name == "Ben")
    let student = try #require(try snapshot.object(Student.self, 1)).value()
    student.id = 0
    student.name = "Twin"
    try temporary.students.put(student)
    #expect(try temporary.students.get(student.id)?.teachers.map(\.name) == ["T1"])
    #expect(try snapshot.object(Order.self, 1)?.customer?.name == "Ann")
  }
}
