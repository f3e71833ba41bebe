import Dispatch
import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// Relations that queries load with their results.
struct InclusionTests {
  private static let customerOrders = ToManyProperty<Order>(.valuePropertyId(3))
  private static let studentTeachers = ToManyProperty<Teacher>(.relationId(1))
  private static let teacherStudents = ToManyProperty<Student>(.backlinkRelationId(1))
  private static let favourite = Property<Teacher, EntityId<Student>, Student>(propertyId: 3)

  private let store: RelationStore

  init() throws {
    store = try RelationStore()
  }

  private func customer(_ name: String, orders: [String]) throws -> Customer {
    let customer = Customer(name)
    try store.customers.put(customer)
    try store.orders.put(
      orders.map { name in
        let order = Order(name)
        order.customer.target = customer
        return order
      }
    )
    return customer
  }

  // MARK: Equal to loading on first use

  @Test(arguments: 1...8)
  func `included relations are those that are loaded on first use, in random data`(seed: Int) throws
  {
    var random = SplitMix(seed: seed)
    let store = try RelationStore()
    let (students, teachers) = (store.students, store.teachers)
    let count = Int.random(in: 0...40, using: &random)
    try students.put((0..<count).map { Student("\($0)") })
    try teachers.put((0..<count).map { Teacher("\($0)") })
    let studentIDs = try students.all().map(\.id)
    for teacher in try teachers.all() {
      // Some favourites are empty, some are the same student, and some have an ID without an
      // object.
      switch Int.random(in: 0..<5, using: &random) {
      case 0: break
      case 1: teacher.favourite.targetId = EntityId(UInt64(count) + 7)
      case 2: teacher.favourite.targetId = studentIDs.first.map { EntityId($0) }
      default: teacher.favourite.targetId = EntityId(random.pick(studentIDs))
      }
      let own = studentIDs.filter { _ in Int.random(in: 0..<6, using: &random) == 0 }
      teacher.students.replace(try students.get(own.map { EntityId<Student>($0) }))
      try teachers.put(teacher)
    }
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      _ = try students.remove([random.pick(studentIDs + [0])])
    }

    for isInTransaction in [false, true] {
      func check() throws {
        if isInTransaction, let id = studentIDs.last {
          let added = Student("added")
          try students.put(added)
          let teacher = try teachers.get(EntityId<Teacher>(1))
          teacher?.students.append(added)
          if let teacher { try teachers.put(teacher) }
          _ = try students.remove([id])
        }
        for (offset, limit) in [(0, 0), (3, 4), (0, 1)] {
          let plain = try teachers.query().build().find(offset: offset, limit: limit)
          let included = try teachers.query().include(Self.teacherStudents).include(Self.favourite)
            .build().find(offset: offset, limit: limit)
          #expect(plain.map(\.id) == included.map(\.id))
          for (lazy, eager) in zip(plain, included) {
            #expect(eager.students.resolved)
            #expect(eager.students.map(\.id) == lazy.students.map(\.id))
            #expect(!eager.students.hasPendingDbChanges)
            #expect(eager.favourite.target?.id == lazy.favourite.target?.id)
            #expect(eager.favourite.debugDescription == lazy.favourite.debugDescription)
          }
        }
        let plain = try students.query().build().find()
        let included = try students.query().include(Self.studentTeachers).build().findContiguous()
        for (lazy, eager) in zip(plain, included) {
          #expect(eager.teachers.resolved)
          #expect(eager.teachers.map(\.id) == lazy.teachers.map(\.id))
        }
      }
      if isInTransaction { try store.store.runInTransaction(check) } else { try check() }
    }
  }

  @Test(arguments: [true, false])
  func `backlinks of all hosts and of a few are the same, with and without an index`(
    hasIndex: Bool
  ) throws {
    let store = try RelationStore(RelationModel(hasCustomerIndex: hasIndex))
    var random = SplitMix(seed: 9)
    let customers = (0..<50).map { Customer("\($0)") }
    try store.customers.put(customers)
    try store.orders.put(
      (0..<300).map { number in
        let order = Order("\(number)")
        let target = random.pick(customers)
        order.customer.target = number % 7 == 0 ? nil : target
        return order
      }
    )
    for limit in [0, 1, 2, 10, 49] {
      let query = try store.customers.query().ordered(
        by: Property(propertyId: 1),
        flags: .descending
      )
      .include(Self.customerOrders).build()
      let found = try query.find(limit: limit)
      #expect(found.map(\.id) == Array((1...50).reversed().prefix(limit == 0 ? 50 : limit)))
      for customer in found {
        #expect(customer.orders.resolved)
        let stored = try store.customers.get(customer.id)
        #expect(customer.orders.map(\.name) == stored?.orders.map(\.name))
      }
    }
  }

  // MARK: Uses

  @Test func `included relations are read with the search, and later changes do not show`() throws {
    let customer = try customer("a", orders: ["1", "2"])
    let found = try store.customers.query().include(Self.customerOrders).build().find()
    try store.orders.removeAll()
    #expect(found[0].orders.map(\.name) == ["1", "2"])
    #expect(try store.customers.get(customer.id)?.orders.isEmpty == true)
    found[0].orders.reset()
    #expect(found[0].orders.isEmpty)
  }

  @Test func `the objects of included relations load their own on first use`() throws {
    _ = try customer("a", orders: ["1"])
    let order = try store.orders.query().include(Order.customer).build().findUnique()
    #expect(order?.customer.target?.orders.resolved == false)
    #expect(order?.customer.target?.orders.map(\.name) == ["1"])
  }

  @Test func `subscriptions pass objects with included relations`() throws {
    let queue = DispatchQueue(label: "inclusions")
    let resolved = Guarded<[Bool]>([])
    let query = try store.customers.query().include(Self.customerOrders).build()
    let observer = query.subscribe(dispatchQueue: queue, flags: []) { customers, _ in
      resolved.withLock { $0 += customers.map(\.orders.resolved) }
    }
    try store.customers.put(Customer("a"))
    queue.sync {}
    #expect(resolved.withLock { $0 } == [true])
    observer.unsubscribe()
  }
}
