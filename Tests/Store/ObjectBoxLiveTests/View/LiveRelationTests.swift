import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import Testing

/// Calls that throw and that the compiler warns of.
private protocol ForbiddenCalls {
  func add(_ teacher: FrozenObject<Teacher>, to teachers: ToMany<Teacher>) throws
  func modify(_ student: FrozenObject<Student>, _ transaction: WriteTransaction) throws
}

private struct Forbidden: ForbiddenCalls {
  @available(*, deprecated)
  func add(_ teacher: FrozenObject<Teacher>, to teachers: ToMany<Teacher>) throws {
    try teachers.append(teacher)
  }

  @available(*, deprecated)
  func modify(_ student: FrozenObject<Student>, _ transaction: WriteTransaction) throws {
    try transaction.modify(student) { $0.name = "" }
  }
}

struct LiveRelationTests {
  private static let orders = ToManyProperty<Order>(.valuePropertyId(3))
  private static let teachers = ToManyProperty<Teacher>(.relationId(1))

  @Test func `relations lead to handles of the same view`() throws {
    let temporary = try RelationStore()
    let live = try temporary.store.live()
    let (customer, order) = try live.write { transaction in
      let customer = Customer("Ann")
      let order = Order("first", customer)
      try transaction.put(order)
      return (
        try #require(try live.object(customer._id)), try #require(try live.object(order._id))
      )
    }
    #expect(try order[Order.name] == "first")
    #expect(try order.target(Order.customer)?.name == "Ann")
    let orders = try customer.targets(Self.orders)
    #expect(orders.map(\.name) == ["first"])
    try temporary.store.box(for: Order.self).put(Order("second", try customer.value()))
    #expect(orders.count == 1)
    try live.refresh()
    #expect(orders.map(\.name) == ["first", "second"])
    #expect(try orders.query { Order.name == "second" }.count == 1)
    try live.write { try $0.remove(customer) }
    #expect(orders.isInvalidated)
    #expect(orders.isEmpty)
    #expect(try order.target(Order.customer) == nil)
    #expect { try customer.targets(Self.orders) } throws: { isInvalidated($0) }
  }

  @Test func `a to-many relation takes what is thawed, of its own store`() throws {
    let temporary = try RelationStore()
    let live = try temporary.store.live()
    let (timmy, lassie) = try live.write { transaction in
      (
        try transaction.put(Student("Timmy"), in: live),
        try transaction.put(Teacher("Lassie"), in: live)
      )
    }
    let teachers = try timmy.targets(Self.teachers)
    #expect(teachers.isEmpty)
    let forbidden: any ForbiddenCalls = Forbidden()
    let frozen = try lassie.freeze()
    let frozenTimmy = try timmy.freeze()
    #expect {
      try live.write { try $0.modify(timmy) { try forbidden.add(frozen, to: $0.teachers) } }
    } throws: { isFrozen($0) }
    #expect {
      try live.write { try forbidden.modify(frozenTimmy, $0) }
    } throws: { isFrozen($0) }
    #expect(teachers.isEmpty)

    let thawed = try #require(try frozen.thaw(in: live))
    try live.write { try $0.modify(timmy) { try $0.teachers.append(thawed) } }
    #expect(teachers.map(\.name) == ["Lassie"])
    #expect(try frozenTimmy.targets(Self.teachers).isEmpty)

    let other = try RelationStore()
    let stranger = try other.store.live()
    let foreign = try stranger.write { try $0.put(Teacher("Rex"), in: stranger) }
    #expect {
      try live.write { try $0.modify(timmy) { try $0.teachers.append(foreign) } }
    } throws: { isDifferentStore($0) }
    #expect(teachers.count == 1)
  }

  @Test func `entries of a relation are told by its results, not by its host`() throws {
    let temporary = try RelationStore()
    let live = try temporary.store.live()
    let (tom, teacher) = try live.write { transaction in
      (
        try transaction.put(Student("Tom"), in: live),
        try transaction.put(Teacher("X"), in: live)
      )
    }
    var calls: [String] = []
    let tokens = [
      try tom.targets(Self.teachers).observe { change in
        guard case .update(_, let deletions, let insertions, _) = change else { return }
        calls.append("\(deletions) \(insertions)")
      },
      try tom.observe { calls.append($0.text) },
    ]
    try live.refresh()
    try live.write { try $0.modify(tom) { try $0.teachers.append(teacher) } }
    try live.refresh()
    #expect(calls == ["[] [0]"])
    try live.write { try $0.remove(teacher) }
    try live.refresh()
    #expect(calls == ["[] [0]", "[0] []"])
    withExtendedLifetime(tokens) {}
  }
}
