import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import Testing

/// Changes of relations through live handles.
struct LiveRelationWritingTests {
  private struct Cancelled: Error {}

  private let temporary: RelationStore
  private let live: LiveStore
  private let sue: LiveObject<Student>
  private let teachers: [LiveObject<Teacher>]
  private let ann: LiveObject<Customer>
  private let orders: [LiveObject<Order>]

  init() throws {
    temporary = try RelationStore()
    let live = try temporary.store.live()
    self.live = live
    (sue, teachers, ann, orders) = try live.write { transaction in
      (
        try transaction.put(Student("Sue"), in: live),
        try ["T1", "T2", "T3"].map { try transaction.put(Teacher($0), in: live) },
        try transaction.put(Customer("Ann"), in: live),
        try ["1", "2", "3"].map { try transaction.put(Order($0), in: live) }
      )
    }
  }

  /// The names in the newest commit.
  private func storedTeachers() throws -> [String] {
    try temporary.students.get(sue.id)?.teachers.map(\.name) ?? []
  }

  private func storedOrders() throws -> [String] {
    try temporary.customers.get(ann.id)?.orders.map(\.name) ?? []
  }

  @Test func `a change of a relation is stored, and shows in the write and afterwards`() throws {
    let relation = sue.teachers
    try live.write { _ in
      try sue.teachers.append(teachers[1])
      #expect(relation.map(\.name) == ["T2"])
      try sue.teachers.append(contentsOf: [teachers[2], teachers[0], teachers[1]])
      #expect(relation.map(\.name) == ["T1", "T2", "T3"])
      let students: [String] = teachers[0].students.map(\.name)
      #expect(students == ["Sue"])
    }
    #expect(relation.map(\.name) == ["T1", "T2", "T3"])
    #expect(try storedTeachers() == ["T1", "T2", "T3"])
  }

  @Test func `insertions and removals tell what they changed, and are stored`() throws {
    let relation = sue.teachers
    try live.write { _ in try sue.teachers.append(contentsOf: teachers) }
    let changes: [Bool] = try live.write { _ -> [Bool] in
      let first: Bool = try sue.teachers.insert(teachers[0])
      let second: Bool = try sue.teachers.remove(teachers[0])
      let third: Bool = try sue.teachers.remove(teachers[0])
      let fourth: Bool = try sue.teachers.insert(teachers[0])
      return [first, second, third, fourth]
    }
    #expect(changes == [false, true, false, true])
    try live.write { _ in try sue.teachers.remove(at: 1) }
    #expect(try storedTeachers() == ["T1", "T3"])
    try live.write { _ in try sue.teachers.replace([teachers[1], teachers[2]]) }
    #expect(try storedTeachers() == ["T2", "T3"])
    try live.write { _ in try sue.teachers.removeAll { $0.name == "T2" } }
    #expect(try storedTeachers() == ["T3"])
    try live.write { _ in try sue.teachers.removeAll() }
    #expect(relation.isEmpty)
    #expect(try storedTeachers() == [])
    #expect(try temporary.teachers.count() == 3)
  }

  @Test func `a backlink of a standalone relation is changed as the relation is`() throws {
    try live.write { _ in
      try teachers[0].students.append(sue)
      try teachers[1].students.append(sue)
    }
    #expect(sue.teachers.map(\.name) == ["T1", "T2"])
    try live.write { _ in try teachers[0].students.removeAll() }
    #expect(sue.teachers.map(\.name) == ["T2"])
    #expect(try storedTeachers() == ["T2"])
    try live.write { _ in
      try teachers[2].students.replace([Student("Tom"), try sue.value()])
    }
    #expect(teachers[2].students.map(\.name) == ["Sue", "Tom"])
    #expect(try storedTeachers() == ["T2", "T3"])
  }

  @Test func `a backlink of a to-one relation changes the to-one relations`() throws {
    try live.write { _ in
      try ann.orders.append(contentsOf: orders.prefix(2))
      #expect(ann.orders.map(\.name) == ["1", "2"])
      #expect(orders[0].customer?.name == "Ann")
    }
    #expect(orders[1].customer?.id == ann.id)
    #expect(try storedOrders() == ["1", "2"])
    let removed = try live.write { _ in
      [try ann.orders.remove(orders[0]), try ann.orders.remove(orders[2])]
    }
    #expect(removed == [true, false])
    #expect(orders[0].customer == nil)
    let ben = try live.write { try $0.put(Customer("Ben"), in: live) }
    try live.write { _ in try ben.orders.replace(orders) }
    #expect(ann.orders.isEmpty)
    #expect(ben.orders.count == 3)
    #expect(try orders.map { try $0.target(Order.customer)?.name } == ["Ben", "Ben", "Ben"])
    try live.write { _ in try ben.orders.removeAll() }
    #expect(orders.allSatisfy { $0.customer == nil })
    #expect(orders.map(\.name) == ["1", "2", "3"])
  }

  @Test func `new objects are put with the relation, stored ones are related as they are`() throws {
    let new = Teacher("T4")
    let handle = try live.write { _ in try sue.teachers.append(new) }
    #expect(new.id == 4)
    #expect(handle.name == "T4")
    let stale = try teachers[0].value()
    try live.write { try $0.modify(teachers[0]) { $0.name = "T1a" } }
    try live.write { _ in
      try sue.teachers.append(stale)
      try sue.teachers.append(contentsOf: [Teacher("T5"), stale])
    }
    #expect(try storedTeachers() == ["T1a", "T4", "T5"])
    let order = Order("4")
    try live.write { _ in try ann.orders.append(order) }
    #expect(order.customer.targetId == ann.id)
    order.name = "four"
    try temporary.orders.put(order)
    #expect(try storedOrders() == ["four"])
    try live.write { _ in
      try ann.orders.remove(order)
      #expect(ann.orders.isEmpty)
    }
    try temporary.orders.put(order)
    #expect(try storedOrders() == [])
  }

  @Test func `new structs are put with the relation`() throws {
    let author = try live.write { try $0.put(Author(name: "A"), in: live) }
    let book = try live.write { _ in try author.books.append(Book(title: "1")) }
    #expect(book.title == "1")
    #expect(book.author?.name == "A")
    #expect(author.books.map(\.title) == ["1"])
    try live.write { _ in try author.books.remove(book) }
    #expect(book.author == nil)
    try live.write { _ in try book.set(\.author, to: Author(name: "B")) }
    #expect(book.author?.name == "B")
    #expect(try temporary.books.get(Id(1))?.author.target?.name == "B")
  }

  @Test func `a to-one relation is set through the handle`() throws {
    let order = orders[0]
    try live.write { _ in
      try order.set(\.customer, to: ann)
      #expect(order.customer?.name == "Ann")
    }
    #expect(ann.orders.map(\.name) == ["1"])
    #expect(try storedOrders() == ["1"])
    let ben = Customer("Ben")
    try live.write { _ in try order.set(\.customer, to: ben) }
    #expect(ben.id == 2)
    #expect(order.customer?.name == "Ben")
    try live.write { _ in try order.set(\.customer, to: nil) }
    #expect(order.customer == nil)
    #expect(order.name == "1")
    #expect {
      try live.write { _ in try order.set(\.copyOfCustomer, to: ann) }
    } throws: { error in
      if case ObjectBoxError.illegalArgument = error { true } else { false }
    }
    #expect(order.customer == nil)
  }

  @Test func `a change outside of a write is refused`() throws {
    let order = orders[0]
    let changes: [() throws -> Void] = [
      { try sue.teachers.append(teachers[0]) }, { try sue.teachers.append(Teacher("T4")) },
      { try sue.teachers.append(contentsOf: teachers) }, { try sue.teachers.insert(teachers[0]) },
      { try sue.teachers.replace(teachers) }, { try sue.teachers.remove(teachers[0]) },
      { try sue.teachers.removeAll() }, { try teachers[0].students.append(sue) },
      { try ann.orders.append(order) }, { try order.set(\.customer, to: ann) },
      { try order.set(\.customer, to: nil) }, { try order.set(\.customer, to: Customer("Ben")) },
    ]
    for change in changes {
      #expect { try change() } throws: { isNotInWrite($0) }
    }
    #expect(sue.teachers.isEmpty)
    #expect(order.customer == nil)
    #expect(try temporary.teachers.count() == 3)
    #expect(try temporary.customers.count() == 1)
  }

  @Test func `after a rollback relations are as before`() throws {
    try live.write { _ in
      try sue.teachers.append(teachers[0])
      try orders[0].set(\.customer, to: ann)
    }
    let new = Teacher("T4")
    #expect(throws: Cancelled.self) {
      try live.write { _ in
        try sue.teachers.replace([teachers[1]])
        try sue.teachers.append(new)
        try ann.orders.removeAll()
        try ann.orders.append(orders[1])
        let names: [String] = sue.teachers.map(\.name) + ann.orders.map(\.name)
        #expect(names == ["T2", "T4", "2"])
        throw Cancelled()
      }
    }
    #expect(sue.teachers.map(\.name) == ["T1"])
    #expect(ann.orders.map(\.name) == ["1"])
    let customers: [LiveObject<Customer>?] = [orders[0].customer, orders[1].customer]
    #expect(customers.map { $0?.name } == ["Ann", nil])
    #expect(new.id == 0)
    #expect(try storedTeachers() == ["T1"])
  }

  @Test func `objects of another store and objects that are gone are refused`() throws {
    let other = try RelationStore()
    let otherLive = try other.store.live()
    let (stranger, customer) = try otherLive.write { transaction in
      (
        try transaction.put(Teacher("Rex"), in: otherLive),
        try transaction.put(Customer("Rex"), in: otherLive)
      )
    }
    try live.write { transaction in
      #expect { try sue.teachers.append(stranger) } throws: { isDifferentStore($0) }
      #expect {
        try sue.teachers.append(contentsOf: [teachers[0], stranger])
      } throws: { isDifferentStore($0) }
      #expect { try sue.teachers.remove(stranger) } throws: { isDifferentStore($0) }
      #expect { try orders[0].set(\.customer, to: customer) } throws: { isDifferentStore($0) }
      let instances = (try stranger.value(), try customer.value())
      #expect { try sue.teachers.append(instances.0) } throws: { isDifferentStore($0) }
      #expect { try orders[0].set(\.customer, to: instances.1) } throws: { isDifferentStore($0) }
      try transaction.remove(teachers[2])
      #expect { try sue.teachers.append(teachers[2]) } throws: { isInvalidated($0) }
      try sue.teachers.append(teachers[1])
    }
    #expect(sue.teachers.map(\.name) == ["T2"])
    let relation = sue.teachers
    try live.write { transaction in
      try transaction.remove(sue)
      #expect { try relation.append(teachers[0]) } throws: { isInvalidated($0) }
      #expect { try sue.teachers.append(teachers[0]) } throws: { isInvalidated($0) }
    }
  }

  @Test func `a relation that no object stores is refused`() throws {
    #expect {
      try live.write { _ in try sue.newTeachers.append(teachers[0]) }
    } throws: { error in
      if case ObjectBoxError.cannotRelateToUnsavedEntities = error { true } else { false }
    }
  }

  @Test func `a write of the store takes changes, which the view shows afterwards`() throws {
    try temporary.store.write { transaction in
      try sue.teachers.append(teachers[0])
      try transaction.modify(orders[0]) { $0.name = "one" }
      #expect(sue.teachers.count == 1)
    }
    #expect(sue.teachers.map(\.name) == ["T1"])
    #expect(orders[0].name == "one")
    try temporary.store.write { transaction in
      try sue.teachers.append(teachers[1])
      transaction.cancelWrite()
      #expect(sue.teachers.count == 1)
    }
    #expect(sue.teachers.count == 1)
    try temporary.store.runInTransaction { try sue.teachers.removeAll() }
    #expect(sue.teachers.isEmpty)
  }

  @Test func `observers of a relation and its host are told of changes through it`() throws {
    var calls: [String] = []
    let token = try sue.teachers.observe { change in
      guard case .update(let results, let deletions, let insertions, _) = change else { return }
      calls.append("\(results.count): \(deletions) \(insertions)")
    }
    try live.refresh()
    try live.write { _ in try sue.teachers.append(contentsOf: teachers) }
    try live.refresh()
    try live.write { _ in try sue.teachers.remove(teachers[1]) }
    try live.refresh()
    #expect(calls == ["3: [] [0, 1, 2]", "2: [1] []"])
    try live.write { _ in try ann.orders.replace(orders) }
    let ordered = try ann.orders.query { Order.name != "2" }.ordered(
      by: Order.name,
      flags: [.descending]
    )
    #expect(ordered.map(\.name) == ["3", "1"])
    withExtendedLifetime(token) {}
  }

  @Test func `a relation of the explicit kind can be changed as well`() throws {
    let relation = try sue.targets(ToManyProperty<Teacher>(.relationId(1)))
    try live.write { _ in try relation.append(teachers[0]) }
    #expect(sue.teachers.map(\.name) == ["T1"])
    #expect(relation.map(\.name) == ["T1"])
  }
}

@MainActor struct LiveRelationAsyncWritingTests {
  @Test func `asynchronous blocks change relations`() async throws {
    let temporary = try RelationStore()
    let live = try temporary.store.live()
    let (sue, teacher) = try await live.write { transaction in
      (
        try transaction.put(Student("Sue"), in: live),
        try transaction.put(Teacher("T1"), in: live)
      )
    }
    try await live.write { _ in try sue.teachers.append(teacher) }
    #expect(sue.teachers.map(\.name) == ["T1"])
    let error = await withCheckedContinuation { continuation in
      live.writeAsync { _ in
        try sue.teachers.append(Teacher("T2"))
      } onComplete: {
        continuation.resume(returning: $0)
      }
    }
    #expect(error == nil)
    #expect(sue.teachers.map(\.name) == ["T1", "T2"])
    try await temporary.store.write { _ in try sue.teachers.remove(teacher) }
    #expect(sue.teachers.map(\.name) == ["T2"])
  }
}

private func isNotInWrite(_ error: any Error) -> Bool {
  if case ObjectBoxError.notInWriteTransaction = error { true } else { false }
}

extension Order {
  /// Another relation with the same target, which is not the stored relation.
  fileprivate var copyOfCustomer: ToOne<Customer> { ToOne(customer.target) }
}

extension Student {
  fileprivate var newTeachers: ToMany<Teacher> { nil }
}
