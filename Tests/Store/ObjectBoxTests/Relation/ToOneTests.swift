import ObjectBox
import ObjectBoxRuntimeTestSupport
import Testing

struct ToOneTests {
  private let store: RelationStore
  private let customers: Box<Customer>
  private let orders: Box<Order>

  init() throws {
    store = try RelationStore()
    customers = store.customers
    orders = store.orders
  }

  private func order(_ id: EntityId<Order>) throws -> Order {
    try #require(try orders.get(id))
  }

  @Test func `the first use of a target loads it, and the first use after a reset again`() throws {
    let customer = Customer("Jane")
    try customers.put(customer)
    try orders.put(Order("a", customer))
    let order = try order(1)
    let loaded = try #require(order.customer.target)
    #expect(loaded.name == "Jane" && loaded !== customer)
    customer.name = "Joan"
    try customers.put(customer)
    #expect(order.customer.target === loaded)
    order.customer.targetId = 1
    #expect(order.customer.target === loaded)
    order.customer.reset()
    #expect(order.customer.target?.name == "Joan")
  }

  @Test func `a target that was never stored is put with its host, after an ID of its own`() throws
  {
    let order = Order("a", Customer("Jane"))
    #expect(order.customer.hasValue && order.customer.targetId == nil)
    try orders.put(order)
    let customer = try #require(order.customer.target)
    #expect(customer.id == 1)
    #expect(order.customer.targetId == nil)
    order.customer.reset()
    #expect(order.customer.targetId == 1)
    #expect(order.customer.target?.name == "Jane")
    #expect(try customers.count() == 1)
    #expect(try self.order(order.id).customer.target?.name == "Jane")
  }

  @Test func `a target that is stored already is not put again`() throws {
    let customer = Customer("Jane")
    try customers.put(customer)
    customer.name = "changed"
    try orders.put(Order("a", customer))
    #expect(try customers.all().map(\.name) == ["Jane"])
  }

  @Test func `a target can be set by its ID, and set to nothing`() throws {
    try customers.put([Customer("Jane"), Customer("John")])
    let order = Order("a")
    order.customer.targetId = 2
    #expect(order.customer.target == nil, "no box is attached yet")
    order.customer.attach(to: customers)
    #expect(order.customer.target?.name == "John")
    try orders.put(order)
    #expect(try self.order(order.id).customer.targetId == 2)
    order.customer.targetId = nil
    #expect(!order.customer.hasValue)
    order.customer.target = try customers.get(1)
    order.customer.target = nil
    try orders.put(order)
    #expect(!(try self.order(order.id)).customer.hasValue)
  }

  @Test func `a target that is not there reads as nil, with its ID`() throws {
    let order = Order("a")
    order.customer.targetId = 99
    try orders.put(order)
    let read = try self.order(order.id)
    #expect(read.customer.target == nil)
    #expect(read.customer.hasValue && read.customer.targetId == 99)
    #expect(read.customer.debugDescription == "ToOne<Customer>(unresolvable 99)")
  }

  @Test func `a description loads the target, a debug description does not`() throws {
    let order = Order("a")
    #expect("\(order.customer)" == "ToOne(nil)")
    order.customer.target = Customer("Jane")
    #expect(order.customer.description.hasPrefix("ToOne("))
    #expect(order.customer.debugDescription == "ToOne<Customer>(unstored)")
  }

  @Test func `a target of a closed store reads as nil`() throws {
    try orders.put(Order("a", Customer("Jane")))
    let order = try order(1)
    store.store.close()
    #expect(order.customer.target == nil)
  }

  @Test func `removing a target makes the relations that lead to it null`() throws {
    let jane = Customer("Jane")
    let john = Customer("John")
    try orders.put([Order("a", jane), Order("b", john), Order("c", jane)])
    try customers.remove(jane)
    #expect(try orders.all().map { $0.customer.targetId } == [nil, 2, nil])
    #expect(try orders.all().map(\.name) == ["a", "b", "c"])
    #expect(try orders.query { Order.customer.isNil() }.build().findIds() == [1, 3])
    #expect(try orders.query { Order.customer == 1 }.build().count() == 0)
    try customers.put(Customer("new"))
    #expect(try customers.get(UInt64(3))?.orders.isEmpty == true)
  }

  @Test func `removing many targets, or all, makes the relations null as well`() throws {
    let all = (1...6).map { Customer("\($0)") }
    try orders.put(all.map { Order($0.name, $0) })
    try customers.remove([1, 2])
    #expect(try orders.all().map { $0.customer.targetId } == [nil, nil, 3, 4, 5, 6])
    try customers.query().build().remove()
    #expect(try orders.all().allSatisfy { !$0.customer.hasValue })
    let order = Order("z", Customer("z"))
    try orders.put(order)
    try customers.removeAll()
    #expect(!(try self.order(order.id)).customer.hasValue)
    #expect(try orders.count() == 7)
  }

  @Test func `relations without an index become null as well`() throws {
    var model = RelationModel()
    model.hasCustomerIndex = false
    let store = try RelationStore(model)
    let jane = Customer("Jane")
    try store.orders.put([Order("a", jane), Order("b", Customer("John"))])
    #expect(try store.customers.get(UInt64(1))?.orders.map(\.name) == ["a"])
    try store.customers.remove(jane)
    #expect(try store.orders.all().map { $0.customer.targetId } == [nil, 2])
    try store.customers.removeAll()
    #expect(try store.orders.all().allSatisfy { !$0.customer.hasValue })
  }

  @Test func `conditions on a relation go through its index`() throws {
    let jane = Customer("Jane")
    try orders.put((0..<20).map { Order("\($0)", $0 % 5 == 0 ? jane : Customer("\($0)")) })
    let byLiteral = try orders.query { Order.customer == 1 }.build()
    #expect(try byLiteral.findIds() == [1, 6, 11, 16])
    #expect(try byLiteral.explain().hasPrefix("index on 'customer'"))
    let byID = try orders.query { Order.customer == jane._id && Order.name == "5" }.build()
    #expect(try byID.findIds() == [6])
    #expect(try orders.query { Order.customer.isEqual(to: jane.id) }.build().count() == 4)
    let inBlock = try orders.query { .customer == 1 && .name == "10" }.build()
    #expect(try inBlock.findIds() == [11])
    #expect(try inBlock.explain().hasPrefix("index on 'customer'"))
    try customers.remove(jane)
    // A relation's index has neither nulls nor zeros.
    #expect(try orders.query { Order.customer.isNil() }.build().count() == 4)
    #expect(try orders.query { Order.customer.isNotNil() }.build().count() == 16)
  }

  @Test func `a failed transaction leaves a relation usable`() throws {
    struct Stop: Error {}
    let order = Order("a", Customer("Jane"))
    #expect(throws: Stop.self) {
      try store.store.runInTransaction {
        try orders.put(order)
        throw Stop()
      }
    }
    #expect(try customers.isEmpty() && orders.isEmpty())
    #expect(order.customer.target?.name == "Jane")
  }
}
