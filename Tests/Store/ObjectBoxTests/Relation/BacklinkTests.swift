import ObjectBox
import ObjectBoxRuntimeTestSupport
import Testing

/// To-many relations that are the backlink of a to-one relation.
struct BacklinkTests {
  private let store: RelationStore
  private let customers: Box<Customer>
  private let orders: Box<Order>

  init() throws {
    store = try RelationStore()
    customers = store.customers
    orders = store.orders
  }

  private func customer(_ id: Id = 1) throws -> Customer { try #require(try customers.get(id)) }

  @Test func `it holds the objects whose to-one relation leads to the host`() throws {
    let jane = Customer("Jane")
    try orders.put([Order("a", jane), Order("b"), Order("c", jane)])
    let customer = try customer()
    #expect(customer.orders.map(\.name) == ["a", "c"])
    #expect(try customer.orders.getUncachedIdsFromDb() == [1, 3])
    #expect(customer.orders.first?.customer.target?.orders.last?.customer.target?.name == "Jane")
  }

  @Test func `objects of a new host are put with it, and lead to it`() throws {
    let customer = Customer("Jane")
    let order = Order("a")
    customer.orders.append(order)
    customer.orders.append(Order("b"))
    try customers.put(customer)
    #expect(order.id == 1)
    #expect(order.customer.targetId == 1)
    #expect(order.customer.target?.name == "Jane")
    #expect(try self.customer().orders.map(\.name) == ["a", "b"])
  }

  @Test func `applied changes set the to-one relations of the objects`() throws {
    try orders.put([Order("a", Customer("Jane")), Order("b")])
    let customer = try customer()
    let gone = customer.orders[0]
    customer.orders.removeFirst()
    customer.orders.append(try #require(try orders.get(EntityId<Order>(2))))
    customer.orders.append(Order("c"))
    try customer.orders.applyToDb()
    #expect(!gone.customer.hasValue)
    #expect(try orders.all().map { $0.customer.targetId } == [nil, 1, 1])
    #expect(try self.customer().orders.map(\.name) == ["b", "c"])
  }

  @Test func `an object that is taken back before the changes are applied is not put`() throws {
    try customers.put(Customer("Jane"))
    let customer = try customer()
    let new = ["a", "b", "c"].map { Order($0) }
    customer.orders.append(contentsOf: new)
    customer.orders.removeAll { $0.name == "b" }
    try customer.orders.applyToDb()
    #expect(try orders.all().map(\.name) == ["a", "c"])
    #expect(new[1].id == 0 && !new[1].customer.hasValue)
    #expect(customer.orders.map(\.name) == ["a", "c"])
  }

  @Test func `applied changes leave alone an object that went to another host, or was removed`()
    throws
  {
    try customers.put([Customer("Jane"), Customer("John")])
    let jane = try customer(1)
    let john = try customer(2)
    jane.orders.append(contentsOf: [Order("a"), Order("b")])
    try jane.orders.applyToDb()
    let order = jane.orders[0]
    jane.orders.removeAll()
    john.orders.append(order)
    try john.orders.applyToDb()
    try orders.remove(EntityId<Order>(2))
    try jane.orders.applyToDb()
    #expect(try orders.all().map { $0.customer.targetId } == [2])
    #expect(order.customer.targetId == 2)
  }

  @Test func `removing the host leaves its objects, and the loaded list until a reset`() throws {
    let new = Customer("Jane")
    new.orders.append(Order("a"))
    try customers.put(new)
    let customer = try customer()
    #expect(customer.orders.count == 1)
    try customers.remove(customer)
    #expect(customer.orders.count == 1)
    customer.orders.reset()
    #expect(customer.orders.isEmpty)
    #expect(try orders.all().map { $0.customer.targetId } == [nil])
  }

  @Test func `a host without an ID stops the process`() async {
    await #expect(processExitsWith: .failure) {
      let store = try RelationStore()
      _ = ToMany<Order>.backlink(
        sourceBox: store.orders,
        sourceProperty: Order.customer,
        targetId: 0
      )
    }
  }
}
