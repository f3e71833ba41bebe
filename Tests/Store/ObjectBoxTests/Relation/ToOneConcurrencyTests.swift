import Dispatch
import ObjectBox
import ObjectBoxRuntimeTestSupport
import Testing

/// Relations shared by several threads; run under the thread sanitizer as well.
struct ToOneConcurrencyTests {
  @Test func `threads that read one relation get one instance`() throws {
    let store = try RelationStore()
    try store.orders.put(Order("a", Customer("Jane")))
    for _ in 0..<50 {
      nonisolated(unsafe) let order = try #require(try store.orders.get(EntityId<Order>(1)))
      nonisolated(unsafe) let found = UnsafeMutablePointer<ObjectIdentifier?>.allocate(capacity: 8)
      found.initialize(repeating: nil, count: 8)
      defer { found.deallocate() }
      DispatchQueue.concurrentPerform(iterations: 8) { index in
        found[index] = order.customer.target.map { ObjectIdentifier($0) }
      }
      #expect(Set((0..<8).map { found[$0] }).count == 1)
      #expect(found[0] != nil)
    }
  }

  @Test func `threads that set and read one relation end with one of the targets`() throws {
    let store = try RelationStore()
    try store.customers.put((0..<8).map { Customer("\($0)") })
    try store.orders.put(Order("a"))
    nonisolated(unsafe) let order = try #require(try store.orders.get(EntityId<Order>(1)))
    DispatchQueue.concurrentPerform(iterations: 8) { index in
      for round in 0..<200 {
        switch (index + round) % 4 {
        case 0: order.customer.targetId = EntityId(UInt64(index + 1))
        case 1: _ = order.customer.target?.name
        case 2: order.customer.reset()
        default: _ = order.customer.hasValue
        }
      }
    }
    #expect(order.customer.target != nil)
  }

  @Test func `threads that put and remove linked objects leave relations that agree`() throws {
    let store = try RelationStore()
    let (customers, orders) = (store.customers, store.orders)
    DispatchQueue.concurrentPerform(iterations: 4) { index in
      for round in 0..<25 {
        let customer = Customer("\(index)-\(round)")
        customer.orders.append(contentsOf: [Order("a"), Order("b")])
        do {
          try customers.put(customer)
          if round % 2 == 0 { try customers.remove(customer) }
        } catch {
          Issue.record(error)
        }
      }
    }
    #expect(try orders.count() == 200)
    #expect(try customers.all().allSatisfy { $0.orders.count == 2 })
    #expect(try orders.query { Order.customer.isNil() }.build().count() == 104)
  }
}
