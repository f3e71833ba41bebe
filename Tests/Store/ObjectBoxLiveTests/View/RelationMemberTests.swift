import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import Testing

/// Relations read as members of handles.
struct RelationMemberTests {
  private let temporary: RelationStore
  private let store: Store

  init() throws {
    temporary = try RelationStore()
    store = temporary.store
    let ann = Customer("Ann")
    try temporary.customers.put([ann, Customer("Ben")])
    try temporary.orders.put([Order("1", ann), Order("2")])
    let student = Student("Sue")
    student.teachers.replace([Teacher("T1")])
    try temporary.students.put(student)
  }

  /// Adds to each to-many relation, and replaces each to-one target.
  private func change() throws {
    let ben = try #require(try temporary.customers.get(Id(2)))
    let orders = try temporary.orders.all()
    for order in orders { order.customer.target = ben }
    try temporary.orders.put(orders)
    let student = try #require(try temporary.students.get(Id(1)))
    student.teachers.append(Teacher("T2"))
    try student.teachers.applyToDb()
    let teacher = try #require(try temporary.teachers.get(Id(1)))
    teacher.students.append(Student("Tom"))
    try teacher.students.applyToDb()
  }

  @Test func `relations of a frozen object show its version`() throws {
    let snapshot = try store.freeze()
    let ann = try #require(try snapshot.object(Customer.self, 1))
    let order = try #require(try snapshot.object(Order.self, 1))
    let sue = try #require(try snapshot.object(Student.self, 1))
    let teacher = try #require(try snapshot.object(Teacher.self, 1))
    try change()
    #expect(ann.orders.map(\.name) == ["1"])
    #expect(order.customer?.name == "Ann")
    #expect(order.customer?.snapshot === snapshot)
    #expect(try snapshot.object(Order.self, 2)?.customer == nil)
    #expect(sue.teachers.map(\.name) == ["T1"])
    #expect(teacher.students.map(\.name) == ["Sue"])
    #expect(teacher.students[0].teachers.first?.students.count == 1)
    #expect(try ann.orders.query { Order.name == "2" }.isEmpty)
    #expect(try store.freeze().object(Customer.self, 2)?.orders.count == 2)
  }

  @Test func `relations of a frozen object can be read after close`() throws {
    let snapshot = try store.freeze()
    let ann = try #require(try snapshot.object(Customer.self, 1))
    let order = try #require(try snapshot.object(Order.self, 1))
    let value = try order.value()
    store.close()
    #expect(ann.orders.count == 1)
    #expect(order.customer?.name == "Ann")
    #expect(value.customer.target?.orders.map(\.name) == ["1"])
  }

  @Test func `relations of a frozen object are empty once its snapshot is invalidated`() throws {
    let snapshot = try store.freeze()
    let ann = try #require(try snapshot.object(Customer.self, 1))
    let order = try #require(try snapshot.object(Order.self, 1))
    let orders = ann.orders
    #expect(orders.count == 1)
    snapshot.invalidate()
    #expect(ann.orders.isEmpty)
    #expect(order.customer == nil)
    #expect(orders.count == 1)
    #expect(orders.isInvalidated)
    #expect(order.name == "")
  }

  @Test func `relations of a live object show the version of its view`() throws {
    let live = try store.live()
    let ann = try #require(try live.object(Customer.self, 1))
    let order = try #require(try live.object(Order.self, 1))
    let sue = try #require(try live.object(Student.self, 1))
    let teacher = try #require(try live.object(Teacher.self, 1))
    #expect(ann.orders.count == 1)
    try change()
    expect(order, sue, teacher, customer: "Ann", orders: ["1"], ["T1"], ["Sue"])
    let orders = ann.orders
    #expect(ann.orders === orders)
    try live.refresh()
    #expect(orders.isEmpty)
    #expect(ann.orders === orders)
    let (teachers, students) = (["T1", "T2"], ["Sue", "Tom"])
    expect(order, sue, teacher, customer: "Ben", orders: ["1", "2"], teachers, students)
  }

  private func expect(
    _ order: LiveObject<Order>,
    _ sue: LiveObject<Student>,
    _ teacher: LiveObject<Teacher>,
    customer: String,
    orders: [String],
    _ teachers: [String],
    _ students: [String]
  ) {
    #expect(order.customer?.name == customer)
    #expect(order.customer?.orders.map(\.name) == orders)
    #expect(sue.teachers.map(\.name) == teachers)
    #expect(teacher.students.map(\.name) == students)
  }

  @Test func `a computed member follows relations in the version of the handle`() throws {
    let live = try store.live()
    let ann = try #require(try live.object(Customer.self, 1))
    let order = try #require(try live.object(Order.self, 1))
    let frozen = try order.freeze()
    #expect(try live.version() == frozen.snapshot.version())
    try change()
    #expect(order.customerName == "Ann")
    #expect(ann.orderNames == ["1"])
    #expect(frozen.customerName == "Ann")
    #expect(frozen.customersOrders.map(\.name) == ["1"])
    #expect(order.customersOrders.map(\.name) == ["1"])
    try live.refresh()
    #expect(order.customerName == "Ben")
    #expect(ann.orderNames == [])
    #expect(order.customersOrders.map(\.name) == ["1", "2"])
    frozen.snapshot.invalidate()
    #expect(frozen.customersOrders.isEmpty)
    #expect(try live.object(Order.self, 2)?.newOrders.isEmpty == true)
  }

  @Test func `relations of a live object are as they were seen last when it is gone`() throws {
    let live = try store.live()
    let ann = try #require(try live.object(Customer.self, 1))
    let order = try #require(try live.object(Order.self, 1))
    #expect(ann.orders.count == 1)
    live.invalidate()
    #expect(ann.orders.count == 1)
    #expect(ann.orders.isInvalidated)
    #expect(order.customer?.isInvalidated == true)
    #expect(live.isInvalidated)
    store.close()
    #expect(ann.orders.count == 1)
    #expect(try #require(order.customer).id == 1)
  }

  @Test func `a frozen struct and its relations show its version`() throws {
    let id = try store.box(for: Author.self).put(Author(name: "A"))
    let book = Book(title: "1")
    book.author.targetId = id
    try temporary.books.put(book)
    let snapshot = try store.freeze()
    try temporary.books.removeAll()
    let frozen = try #require(try snapshot.object(id))
    #expect(frozen.books.map(\.title) == ["1"])
    #expect(frozen.books.first?.author?.name == "A")
    #expect(try frozen.value().books.map(\.title) == ["1"])
  }

  @Test func `thaw of a live handle returns itself`() throws {
    let live = try store.live()
    let ann = try #require(try live.object(Customer.self, 1))
    let people = try live.query(Customer.self)
    #expect(try ann.thaw() === ann)
    #expect(try people.thaw() === people)
    #expect(try ann.orders.thaw() === ann.orders)
    #expect(try people.thaw(in: live) === people)
    try live.write { try $0.remove(ann) }
    #expect(try ann.thaw() == nil)
  }
}

extension Customer {
  fileprivate var orderNames: [String] { orders.map(\.name) }
}

extension Order {
  fileprivate var customerName: String? { customer.target?.name }
  fileprivate var customersOrders: ToMany<Order> { customer.target?.orders ?? nil }
  fileprivate var newOrders: ToMany<Order> { nil }
}
