import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// Relations to missing objects, in stores that refuse them and in others.
struct DanglingRelationTests {
  /// A store with the entities of ``RelationStore``.
  private final class Shop {
    let folder: TemporaryDirectory
    private(set) var store: Store
    private let directory: String
    private let model: RelationModel

    init(
      refuses: Bool = true,
      _ model: RelationModel = RelationModel(),
      inMemory: Bool = false
    ) throws {
      folder = try TemporaryDirectory()
      self.model = model
      directory = (inMemory ? "memory:" : "") + folder.path + "/store"
      let configuration = Self.configuration(directory, refuses)
      store = try Store(model: try model.build(), configuration: configuration)
    }

    private static func configuration(_ directory: String, _ refuses: Bool) -> Store.Configuration {
      var configuration = Store.Configuration(directory: directory)
      configuration.refusesDanglingRelations = refuses
      // The statistics count them.
      configuration.onUnheardFailure = { _ in }
      return configuration
    }

    func reopen(refuses: Bool) throws {
      store.close()
      let configuration = Self.configuration(directory, refuses)
      store = try Store(model: try model.build(), configuration: configuration)
    }

    var customers: Box<Customer> { store.box() }
    var orders: Box<Order> { store.box() }
    var students: Box<Student> { store.box() }
    var teachers: Box<Teacher> { store.box() }

    func put(order: Id = 0, to customer: Id) throws {
      let object = Order("o")
      object.id = EntityId(order)
      object.customer.targetId = EntityId(customer)
      try orders.put(object)
    }

    /// Adds or removes a pair of the standalone relation, whether or not its objects are stored.
    func relate(_ student: Id, _ teacher: Id, isRelated: Bool = true, fromTeacher: Bool = false)
      throws
    {
      let other = Teacher("t")
      other.id = teacher
      let pupil = Student("s")
      pupil.id = student
      if fromTeacher {
        var relation = ToMany<Student>.backlink(
          sourceBox: students,
          targetId: EntityId<Teacher>(teacher),
          relationId: 1
        )
        isRelated ? relation.append(pupil) : relation.removeAll { $0.id == student }
        return try relation.applyToDb()
      }
      var relation = ToMany<Teacher>.relation(
        sourceId: EntityId<Student>(student),
        targetBox: teachers,
        relationId: 1
      )
      isRelated ? relation.append(other) : relation.removeAll { $0.id == teacher }
      try relation.applyToDb()
    }
  }

  private func refusal(_ body: () throws -> Void) -> String? {
    do { try body() } catch ObjectBoxError.constraintViolated(let message) { return message } catch
    {
      return "other: \(error)"
    }
    return nil
  }

  @Test func `by default a relation keeps the ID of a missing object`() throws {
    let shop = try Shop(refuses: false)
    try shop.put(to: 77)
    try shop.students.put(Student("s"))
    try shop.relate(1, 9)
    #expect(try shop.orders.get(EntityId<Order>(1))?.customer.targetId?.value == 77)
    #expect(try shop.orders.get(EntityId<Order>(1))?.customer.target == nil)
    #expect(try shop.students.get(UInt64(1))?.teachers.isEmpty == true)
  }

  @Test(arguments: [DeleteRule.cascade, .restrict, .nullify])
  func `delete rules pass over missing objects`(rule: DeleteRule) throws {
    let model = RelationModel(teachersRule: rule, studentsRule: rule)
    let shop = try Shop(refuses: false, model)
    try shop.students.put([Student("a"), Student("b")])
    try shop.teachers.put([Teacher("a"), Teacher("b")])
    // Two objects meet at a missing one, from either end.
    for id in [1, 2] as [Id] {
      try shop.relate(id, 9)
      try shop.relate(8, id)
    }
    #expect(try shop.students.remove(UInt64(1)))
    #expect(try shop.teachers.remove(UInt64(1)))
    #expect(try shop.students.all().map(\.name) == ["b"])
    #expect(try shop.teachers.all().map(\.name) == ["b"])
  }

  @Test(arguments: [false, true])
  func `a put with a missing target is refused, and names both`(inMemory: Bool) throws {
    let shop = try Shop(inMemory: inMemory)
    #expect(
      refusal { try shop.put(to: 77) }
        == "cannot commit: 'Order' with ID 1 refers by 'customer' to 'Customer' with ID 77, and there is "
        + "no such target; put it in the same transaction, or clear the relation (the store has "
        + "refusesDanglingRelations)"
    )
    #expect(try shop.orders.isEmpty())
    try shop.orders.put([Order("a", Customer("new")), Order("none")])
    try shop.put(to: 1)
    #expect(try shop.orders.count() == 3)
  }

  @Test func `within a transaction a target may come after its referrer, and must stay`() throws {
    let shop = try Shop()
    try shop.customers.put(Customer("gone"))
    try shop.customers.remove(UInt64(1))
    let customer = Customer("again")
    customer.id = 1
    try shop.store.runInTransaction {
      try shop.put(to: 1)
      try shop.customers.put(customer)
    }
    #expect(try shop.orders.count() == 1)
    // A removal clears references, so nothing dangles afterwards.
    try shop.store.runInTransaction {
      try shop.put(order: 1, to: 1)
      try shop.customers.remove(UInt64(1))
    }
    #expect(try shop.orders.get(EntityId<Order>(1))?.customer.hasValue == false)
    let order = refusal {
      try shop.store.runInTransaction {
        try shop.customers.removeAll()
        try shop.put(order: 1, to: 1)
      }
    }
    #expect(
      order?.contains("'Order' with ID 1 refers by 'customer' to 'Customer' with ID 1") == true
    )
  }

  @Test func `pairs need both of their objects, from either end`() throws {
    let shop = try Shop()
    try shop.students.put(Student("s"))
    try shop.teachers.put(Teacher("t"))
    #expect(
      refusal { try shop.relate(1, 9) }?.contains(
        "'Student' with ID 1 refers by 'relation1' to 'Teacher' with ID 9, and there is no such target"
      ) == true
    )
    #expect(
      refusal { try shop.relate(8, 1, fromTeacher: true) }?.contains(
        "'Student' with ID 8 refers by 'relation1' to 'Teacher' with ID 1, and there is no such object "
          + "with the relation"
      ) == true
    )
    try shop.relate(1, 1, fromTeacher: true)
    #expect(try shop.students.get(UInt64(1))?.teachers.map(\.id) == [1])
  }

  @Test func `what the file has already stays, and other changes of its objects are stored`() throws
  {
    let shop = try Shop(refuses: false)
    try shop.put(to: 77)
    try shop.reopen(refuses: true)
    let order = try #require(try shop.orders.get(EntityId<Order>(1)))
    order.name = "renamed"
    try shop.orders.put(order)
    order.customer.targetId = 78
    #expect(refusal { try shop.orders.put(order) }?.contains("'Customer' with ID 78") == true)
    order.customer.targetId = nil
    try shop.orders.put(order)
    #expect(try shop.orders.get(EntityId<Order>(1))?.name == "renamed")
  }

  @Test func `an asynchronous put is dropped and reported, and the others are stored`() throws {
    let shop = try Shop()
    for name in ["a", "b", "c"] {
      let order = Order(name)
      if name == "b" { order.customer.targetId = 5 }
      try shop.orders.async.put(order)
    }
    shop.store.awaitAsyncCompleted()
    #expect(try shop.orders.all().map(\.name) == ["a", "c"])
    #expect(try shop.store.statistics.unheardFailures == 1)
  }

  @Test(arguments: 1...6)
  func `random transactions are refused exactly if arrays have a link to a missing object`(
    seed: Int
  ) throws {
    var random = SplitMix(seed: seed)
    var model = RelationModel()
    model.customerRule = seed.isMultiple(of: 2) ? .cascade : .nullify
    let shop = try Shop(model, inMemory: seed.isMultiple(of: 3))
    // All IDs have been assigned, so that a put may use each of them.
    try shop.customers.put((0..<6).map { _ in Customer("c") })
    try shop.orders.put((0..<6).map { _ in Order("o") })
    try shop.students.put((0..<6).map { _ in Student("s") })
    try shop.teachers.put((0..<6).map { _ in Teacher("t") })
    var now = Expected()
    var refusals = 0
    for _ in 0..<150 {
      var next = now
      let message = refusal {
        try shop.store.runInTransaction {
          for _ in 0..<Int.random(in: 1...4, using: &random) {
            try change(shop, &next, model.customerRule, &random)
          }
        }
      }
      #expect((message == nil) == next.isSound, "\(message ?? "stored") \(next)")
      if message == nil { now = next } else { refusals += 1 }
      #expect(try shop.customers.all().map(\.id) == now.customers.sorted())
      let orders = try shop.orders.all().map { ($0.id.value, $0.customer.targetId?.value ?? 0) }
      #expect(Dictionary(uniqueKeysWithValues: orders) == now.orders)
      let pairs = try shop.students.all().flatMap { student in
        try student.teachers.getUncachedIdsFromDb().map { [student.id, $0] }
      }
      #expect(Set(pairs) == now.pairs)
    }
    #expect(refusals > 20 && refusals < 130)
  }

  /// The content of the store, in arrays.
  private struct Expected {
    var customers: Set<Id> = Set(1...6)
    var orders: [Id: Id] = Dictionary(uniqueKeysWithValues: (1...6).map { ($0, 0) })
    var students: Set<Id> = Set(1...6)
    var teachers: Set<Id> = Set(1...6)
    var pairs: Set<[Id]> = []

    var isSound: Bool {
      orders.values.allSatisfy { $0 == 0 || customers.contains($0) }
        && pairs.allSatisfy { students.contains($0[0]) && teachers.contains($0[1]) }
    }

    mutating func remove(customers gone: Set<Id>, _ rule: DeleteRule) {
      customers.subtract(gone)
      if rule == .cascade {
        orders = orders.filter { !gone.contains($0.value) }
      } else {
        orders = orders.mapValues { gone.contains($0) ? 0 : $0 }
      }
    }
  }

  /// Makes the same random change to the store and to the arrays.
  private func change(
    _ shop: Shop,
    _ expected: inout Expected,
    _ rule: DeleteRule,
    _ random: inout SplitMix
  ) throws {
    let (id, other) = (Id.random(in: 1...6, using: &random), Id.random(in: 1...6, using: &random))
    switch Int.random(in: 0..<16, using: &random) {
    case 0..<4:
      try shop.put(order: id, to: other)
      expected.orders[id] = other
    case 4, 5:
      let customer = Customer("again")
      customer.id = id
      try shop.customers.put(customer)
      expected.customers.insert(id)
    case 6:
      // A missing customer may have referrers, which its removal does not reach.
      guard expected.customers.contains(id) else { return }
      try shop.customers.remove(id)
      expected.remove(customers: [id], rule)
    case 7:
      try shop.orders.remove([id])
      expected.orders[id] = nil
    case 8, 9:
      try shop.relate(id, other, fromTeacher: random.next() % 2 == 0)
      expected.pairs.insert([id, other])
    case 10:
      // A relation shows only stored objects.
      let pairs = expected.pairs.sorted { $0.lexicographicallyPrecedes($1) }
      guard
        let pair = pairs.first(where: {
          expected.students.contains($0[0]) && expected.teachers.contains($0[1])
        })
      else { return }
      try shop.relate(pair[0], pair[1], isRelated: false, fromTeacher: random.next() % 2 == 0)
      expected.pairs.remove(pair)
    case 11, 12:
      let student = Student("again")
      student.id = id
      try shop.students.put(student)
      expected.students.insert(id)
      let teacher = Teacher("again")
      teacher.id = other
      try shop.teachers.put(teacher)
      expected.teachers.insert(other)
    case 13:
      guard expected.students.contains(id) else { return }
      try shop.students.remove(id)
      expected.students.remove(id)
      expected.pairs = expected.pairs.filter { $0[0] != id }
    case 14:
      guard expected.teachers.contains(id) else { return }
      try shop.teachers.remove(id)
      expected.teachers.remove(id)
      expected.pairs = expected.pairs.filter { $0[1] != id }
    default:
      let all = expected.customers
      guard id == 1, !all.isEmpty else { return }
      try shop.customers.removeAll()
      expected.remove(customers: all, rule)
      if rule == .nullify {
        // Removing all clears all references, also those to missing objects.
        expected.orders = expected.orders.mapValues { _ in 0 }
      }
    }
  }
}
