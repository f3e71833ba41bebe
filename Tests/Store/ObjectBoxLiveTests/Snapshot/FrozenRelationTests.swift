import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import Testing

struct FrozenRelationTests {
  private let temporary: RelationStore
  private let store: Store

  init() throws {
    temporary = try RelationStore()
    store = temporary.store
    let ann = Customer("Ann")
    try temporary.customers.put(ann)
    try temporary.orders.put([Order("1", ann), Order("2", ann), Order("3")])
    let student = Student("Sue")
    student.teachers.replace([Teacher("T1"), Teacher("T2")])
    try temporary.students.put(student)
  }

  private let orders = ToManyProperty<Order>(.valuePropertyId(3))
  private let teachers = ToManyProperty<Teacher>(.relationId(1))
  private let students = ToManyProperty<Student>(.backlinkRelationId(1))

  @Test func `what a frozen object leads to is that of its snapshot`() throws {
    let snapshot = try store.freeze()
    try temporary.orders.removeAll()
    try temporary.customers.removeAll()
    try temporary.teachers.removeAll()

    let order = try #require(try snapshot.object(Order.self, 1))
    let customer = try #require(try order.target(Order.customer))
    #expect(customer.isFrozen)
    #expect(customer.snapshot === snapshot)
    #expect(customer.name == "Ann")
    #expect(try snapshot.object(Order.self, 3)?.target(Order.customer) == nil)

    let backlinks = try customer.targets(orders)
    #expect(backlinks.isFrozen)
    #expect(try backlinks.find().map(\.name) == ["1", "2"])
    #expect(try backlinks.first?.target(Order.customer)?.name == "Ann")

    let student = try #require(try snapshot.object(Student.self, 1))
    #expect(try student.targets(teachers).find().map(\.name) == ["T1", "T2"])
    let teacher = try #require(try student.targets(teachers).last)
    #expect(try teacher.targets(students).ids == [1])
    #expect(try temporary.teachers.count() == 0)
  }

  @Test func `the objects of a relation can be narrowed and ordered`() throws {
    let snapshot = try store.freeze()
    let customer = try #require(try snapshot.object(Customer.self, 1))
    let down = try customer.targets(orders).ordered(by: Order.name, flags: [.descending])
    #expect(try down.values(of: Order.name) == ["2", "1"])
    #expect(try down.query { Order.name != "2" }.ids == [1])
  }

  @Test func `a relation that the entity lacks is refused`() throws {
    let order = try #require(try store.freeze().object(Order.self, 1))
    let error = #expect(throws: ObjectBoxError.self) { try order.targets(teachers) }
    guard case .illegalArgument = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
