import Foundation
import ObjectBox
import ObjectBoxTestSupport
import Testing

/// Generated relations, also after changes and after reopening.
struct RelationTests {
  private let folder: TemporaryDirectory
  private var path: String { folder.path + "/store" }
  private let store: Store

  init() throws {
    folder = try TemporaryDirectory()
    store = try Store(directoryPath: folder.path + "/store")
  }

  @Test func `a to-one puts its new target on the way, and both sides know it`() throws {
    let orders: Box<Order> = store.box()
    let order = Order("shoes", Customer("Ada"))
    try orders.put(order)
    let read = try #require(try orders.get(order.id))
    #expect(read.customer.target?.name == "Ada")
    let customer = try #require(try store.box(for: Customer.self).all().first)
    #expect(customer.orders.map(\.name) == ["shoes"])
    #expect(customer.orders[0].customer.target?.id == customer.id)
  }

  @Test func `a new object takes its to-many relations with it`() throws {
    let customer = Customer("Ada")
    customer.orders.append(Order("one"))
    customer.orders.append(Order("two"))
    try store.box(for: Customer.self).put(customer)
    #expect(customer.orders.canInteractWithDb)
    let orders = try store.box(for: Order.self).all()
    #expect(orders.map(\.name) == ["one", "two"])
    #expect(orders.allSatisfy { $0.customer.target?.name == "Ada" })
  }

  @Test func `standalone relations are changed by applying, from either side`() throws {
    let order = Order("shoes")
    order.watchers.append(Customer("Ada"))
    order.watchers.append(Customer("Bob"))
    try store.box(for: Order.self).put(order)
    let ada = try #require(
      try store.box(for: Customer.self).query { .name == "Ada" }.build().findUnique()
    )
    #expect(ada.watched.map(\.name) == ["shoes"])
    ada.watched.removeAll()
    try ada.watched.applyToDb()
    order.watchers.reset()
    #expect(order.watchers.map(\.name) == ["Bob"])
  }

  @Test func `a put of a stored object stores the changes of its relations`() throws {
    let customers: Box<Customer> = store.box()
    try customers.put(Customer("Ada"))
    try store.box(for: Order.self).put([Order("one"), Order("two")])
    let ada = try #require(try customers.all().first)
    let orders = try store.box(for: Order.self).all()
    ada.orders.append(orders[0])
    ada.watched.append(contentsOf: [orders[1], Order("three")])
    try store.write { try $0.put(ada) }
    #expect(!ada.orders.hasPendingDbChanges && !ada.watched.hasPendingDbChanges)
    let read = try #require(try customers.all().first)
    #expect(read.orders.map(\.name) == ["one"])
    #expect(read.watched.map(\.name) == ["two", "three"])
    read.watched.removeAll()
    try customers.put(read)
    #expect(try customers.all().first?.watched.isEmpty == true)
  }

  @Test func `relations that belong to nothing yet are bound when their stored object is put`()
    throws
  {
    let customers: Box<Customer> = store.box()
    let first = Customer("Ada")
    first.watched.append(Order("one"))
    try customers.put(first)
    let again = Customer("Ada")
    again.id = first.id
    again.orders.append(Order("two"))
    try customers.put(again)
    #expect(again.orders.canInteractWithDb && again.watched.canInteractWithDb)
    let read = try #require(try customers.all().first)
    #expect(read.orders.map(\.name) == ["two"])
    #expect(read.watched.map(\.name) == ["one"])
    // A newly assigned relation leaves the changes of another relation alone.
    read.watched.removeAll()
    read.orders = nil
    try customers.put(read)
    #expect(try customers.all().first?.watched.isEmpty == true)
  }

  @Test func `a generated to-one refuses an object of another store`() throws {
    let other = try Store(directoryPath: folder.path + "/other")
    try other.box(for: Customer.self).put(Customer("Ada"))
    let stranger = try #require(try other.box(for: Customer.self).all().first)
    #expect {
      try store.box(for: Order.self).put(Order("one", stranger))
    } throws: { error in
      guard case .differentStore(let message)? = error as? ObjectBoxError else { return false }
      return message.contains("'\(path)'") && message.contains("'\(other.directoryPath)'")
    }
  }

  @Test func `a store is opened without blocking, by its path and by a configuration`() async throws
  {
    try store.box(for: Customer.self).put(Customer("Ada"))
    store.close()
    let again = try await Store.open(directoryPath: path, maxReaders: 200)
    again.close()
    var configuration = Store.Configuration(directory: path)
    configuration.readOnly = true
    let reader = try await Store.open(configuration: configuration)
    #expect(try reader.box(for: Customer.self).count() == 1)
  }

  @Test func `the entity and the model agree after reopening`() throws {
    try store.box(for: Order.self).put(Order("shoes", Customer("Ada")))
    store.close()
    let again = try Store(directoryPath: path)
    let order = try #require(try again.box(for: Order.self).all().first)
    #expect(order.customer.target?.name == "Ada")
    try again.box(for: Customer.self).removeAll()
    #expect(try again.box(for: Order.self).all().first?.customer.hasValue == false)
  }

  @Test func `structs come back with bound relations`() throws {
    let box: Box<Student> = store.box()
    let tom = try box.put(struct: Student(id: 0, name: "Tom", teachers: nil, best: nil, fans: nil))
    var student = Student(id: 0, name: "Zoe", teachers: nil, best: ToOne(tom), fans: nil)
    student.teachers.append(Teacher(id: 0, name: "Mr. X", students: nil))
    var stored = try box.put(struct: student)
    #expect(stored.id == 2)
    #expect(stored.teachers.canInteractWithDb)
    #expect(stored.teachers.map(\.name) == ["Mr. X"])
    stored.teachers.append(Teacher(id: 0, name: "Mrs. Y", students: nil))
    try stored.teachers.applyToDb()

    let read = try #require(try box.get(stored.id))
    #expect(read.teachers.map(\.name) == ["Mr. X", "Mrs. Y"])
    #expect(read.best.target?.name == "Tom")
    #expect(try box.get(tom.id)?.fans.map(\.name) == ["Zoe"])
    let teacher = try #require(try store.box(for: Teacher.self).all().first)
    #expect(teacher.students.map(\.name) == ["Zoe"])
  }

  @Test func `several structs are stored in one transaction`() throws {
    let box: Box<Student> = store.box()
    let students = ["a", "b"].map { Student(id: 0, name: $0, teachers: nil, best: nil, fans: nil) }
    let stored = try box.put(structs: students)
    #expect(stored.map(\.id) == [1, 2])
    #expect(stored.allSatisfy { $0.teachers.canInteractWithDb })
  }

  @Test func `an object with an ID of the user's choice keeps its new relations`() throws {
    let box: Box<Place> = store.box()
    let place = Place()
    place.id = 77
    place.position = [1, 2]
    place.neighbours.append(Place())
    try box.put(place)
    #expect(place.neighbours.canInteractWithDb)
    #expect(try box.get(77 as Id)?.neighbours.count == 1)
    #expect(try box.get(77 as Id)?.position == [1, 2])
  }
}
