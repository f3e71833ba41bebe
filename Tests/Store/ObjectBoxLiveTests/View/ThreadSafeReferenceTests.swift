import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import Testing

struct ThreadSafeReferenceTests {
  private let temporary: RelationStore
  private let store: Store

  init() throws {
    temporary = try RelationStore()
    store = temporary.store
    let ann = Customer("Ann")
    try temporary.customers.put(ann)
    try temporary.orders.put([Order("B", ann), Order("A", ann), Order("D", ann), Order("C")])
  }

  private func order(_ id: Id) throws -> FrozenObject<Order> {
    try #require(try store.freeze().object(Order.self, id))
  }

  @Test func `a reference is resolved once`() throws {
    let reference = try ThreadSafeReference(to: try order(1))
    #expect(!reference.isInvalidated)
    #expect(try store.read { try $0.resolve(reference) }?.name == "B")
    #expect(reference.isInvalidated)
    #expect(reference.snapshot == nil)
    let error = #expect(throws: ObjectBoxError.self) {
      _ = try store.freeze().resolve(reference)
    }
    guard case .referenceAlreadyResolved = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `a reference shows what is there where it is resolved`() throws {
    let source = try order(1)
    let references = try (0..<3).map { _ in try ThreadSafeReference(to: source) }
    let old = try #require(references[2].snapshot)
    #expect(old === source.snapshot)
    try store.write { transaction in
      try transaction.modify(EntityId<Order>(1)) { $0.name = "new" }
      #expect(try transaction.resolve(references[0])?.name == "new")
    }
    #expect(try store.freeze().resolve(references[1])?.name == "new")
    #expect(try old.resolve(references[2])?.name == "B")
  }

  @Test func `a live view resolves references to objects, results and relations`() throws {
    let live = try store.live()
    let object = try #require(try live.resolve(try ThreadSafeReference(to: try order(1))))
    #expect(object.id == 1)
    #expect(!object.isFrozen)
    let customer = try #require(try store.freeze().object(Customer.self, 1))
    let orders = try customer.targets(ToManyProperty<Order>(.valuePropertyId(3)))
    #expect(try live.resolve(try ThreadSafeReference(to: orders))?.freeze().count == 3)
    // The resolved object can be referenced again.
    let back = try ThreadSafeReference(to: object)
    #expect(try store.freeze().resolve(back)?.name == "B")
  }

  @Test func `a reference to an object that is gone resolves to nothing`() throws {
    let references = try (0..<2).map { _ in try ThreadSafeReference(to: try order(1)) }
    try temporary.orders.remove(EntityId<Order>(1))
    #expect(try store.freeze().resolve(references[0]) == nil)
    let gone: Order? = try store.read { try $0.resolve(references[1]) }
    #expect(gone == nil)
    for reference in references { #expect(reference.isInvalidated) }
  }

  @Test func `results are found anew, with their conditions and orders`() throws {
    let results = try store.freeze().query(Order.self) { Order.name != "C" }
      .ordered(by: Order.name, flags: [.descending])
    let references = try (0..<2).map { _ in try ThreadSafeReference(to: results) }
    #expect(try store.read { try $0.resolve(references[0]) }?.map(\.name) == ["D", "B", "A"])
    try temporary.orders.put(Order("E"))
    #expect(
      try store.freeze().resolve(references[1])?.values(of: Order.name) == ["E", "D", "B", "A"]
    )
    #expect(try results.values(of: Order.name) == ["D", "B", "A"])
  }

  @Test func `relations are resolved from the object that has them, and are gone with it`() throws {
    let orders = ToManyProperty<Order>(.valuePropertyId(3))
    let customer = try #require(try store.freeze().object(Customer.self, 1))
    let references = try (0..<4).map { _ in
      try ThreadSafeReference(to: try customer.targets(orders))
    }
    let more = Order("E")
    more.customer.targetId = 1
    try temporary.orders.put(more)
    #expect(
      try store.freeze().resolve(references[0])?.values(of: Order.name) == ["B", "A", "D", "E"]
    )
    try store.write { transaction in
      #expect(try transaction.resolve(references[1])?.count == 4)
      try transaction.remove(EntityId<Customer>(1))
      let gone: [Order]? = try transaction.resolve(references[2])
      #expect(gone == nil)
    }
    #expect(try store.freeze().resolve(references[3]) == nil)
  }

  @Test func `an instance that was never stored cannot be referred to`() throws {
    let error = #expect(throws: ObjectBoxError.self) {
      try ThreadSafeReference(store, Order("never stored"))
    }
    guard case .unmanagedObject = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    let stored = try #require(try temporary.orders.get(EntityId<Order>(2)))
    let reference = try ThreadSafeReference(store, stored)
    #expect(try store.read { try $0.resolve(reference) }?.name == "A")
  }

  @Test func `an instance that is not committed cannot be referred to yet`() throws {
    try store.write { transaction in
      let order = Order("new")
      try transaction.put(order)
      let error = #expect(throws: ObjectBoxError.self) { try ThreadSafeReference(store, order) }
      guard case .notInSnapshot = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
  }

  @Test func `a reference stays usable when it was tried on another store`() throws {
    let other = try RelationStore()
    let reference = try ThreadSafeReference(to: try order(1))
    let error = #expect(throws: ObjectBoxError.self) {
      _ = try other.store.read { try $0.resolve(reference) }
    }
    guard case .differentStore = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try store.read { try $0.resolve(reference) }?.name == "B")
  }

  @Test func `a reference keeps its version alive until it is resolved or let go`() throws {
    var reference: ThreadSafeReference? = try ThreadSafeReference(to: try order(1))
    #expect(store.activeVersions.count == 1)
    reference = nil
    #expect(store.activeVersions.isEmpty)
    reference = try ThreadSafeReference(to: try order(1))
    let resolved: Order? = try store.read { try $0.resolve(#require(reference)) }
    #expect(resolved?.name == "B")
    #expect(store.activeVersions.isEmpty)
  }
}
