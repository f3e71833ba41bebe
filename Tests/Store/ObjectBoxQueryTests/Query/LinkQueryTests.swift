import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

struct LinkQueryTests {
  private let relations: RelationStore

  init() throws {
    relations = try RelationStore()
    let (ada, bob, cleo) = (Customer("Ada"), Customer("Bob"), Customer("Cleo"))
    try relations.customers.put([ada, bob, cleo])
    try relations.orders.put([
      Order("shoes", ada), Order("hat", ada), Order("hat", bob), Order("hat", ada), Order("none"),
    ])
    let teachers = ["X", "Y", "Z"].map(Teacher.init)
    try relations.teachers.put(teachers)
    for (name, taught) in [("Tom", [0, 1]), ("Zoe", [1]), ("Kim", [])] {
      let student = Student(name)
      for place in taught { student.teachers.append(teachers[place]) }
      try relations.students.put(student)
    }
    teachers[2].favourite.targetId = 2
    try relations.teachers.put(teachers[2])
  }

  private func ids<E>(_ builder: QueryBuilder<E>) throws -> [UInt64] {
    let query = try builder.build()
    let ids = try query.findIds().map(\.value)
    #expect(try query.count() == ids.count)
    #expect(try query.find().map { $0._id.value } == ids)
    return ids
  }

  // MARK: Kinds of relations

  @Test func `a backlink of a to-one finds each host once, however many of its objects match`()
    throws
  {
    let customers = relations.customers
    #expect(try ids(customers.query().link(Customer.orders) { Order.name == "hat" }) == [1, 2])
    #expect(try ids(customers.query().link(Customer.orders) { Order.name == "shoes" }) == [1])
    #expect(try ids(customers.query().link(Customer.orders) { Order.name == "none" }) == [])
  }

  @Test func `a to-one without an index links all the same, from both ends`() throws {
    var model = RelationModel()
    model.hasCustomerIndex = false
    try relations.reopen(model)
    let orders = relations.orders.query().link(Order.customer) { Customer.name == "Ada" }
    #expect(try ids(orders) == [1, 2, 4])
    let customers = relations.customers.query { Customer.name > "A" }
      .link(Customer.orders) { Order.name == "hat" }
    #expect(try ids(customers) == [1, 2])
  }

  @Test func `an order whose customer was removed links to nobody`() throws {
    try relations.customers.remove([1])
    let orders = relations.orders.query().link(Order.customer) { Customer.name != "" }
    #expect(try ids(orders) == [3])
  }

  // MARK: Combination

  @Test func `links hold under || as elsewhere`() throws {
    let orders = relations.orders
    let either = orders.query {
      Order.name == "none" || Order.customer.link { Customer.name == "Bob" }
    }
    #expect(try ids(either) == [3, 5])
    let mixed = orders.query {
      (Order.name == "hat" || Order.name == "none")
        && (Order.customer.link { Customer.name == "Bob" } || Order.name == "none")
        || Order.name == "shoes" && Order.customer.link { Customer.name == "Ada" }
    }
    #expect(try ids(mixed) == [1, 3, 5])
    let customers = relations.customers.query {
      Customer.name == "Cleo" || Customer.orders.link { Order.name == "shoes" }
    }
    #expect(try ids(customers) == [1, 3])
    let students = relations.students.query {
      Student.teachers.link { Teacher.name == "X" } || Student.admirers.link { Teacher.name == "Z" }
    }
    #expect(try ids(students) == [1, 2])
    let teachers = relations.teachers.query {
      Teacher.students.link { Student.name == "Tom" } || Teacher.name == "Z"
    }
    #expect(try ids(teachers) == [1, 2, 3])
  }

  @Test func `a link that stands there twice is carried out once`() throws {
    let ada: QueryCondition<Order> = Order.customer.link { Customer.name == "Ada" }
    let query = relations.orders.query {
      ada && Order.name == "shoes" || Order.name == "none" || ada && Order.name == "hat"
    }
    #expect(try ids(query) == [1, 2, 4, 5])
    let plan = try query.build().explain()
    #expect(plan.split(separator: "\n").count { $0.hasPrefix("link:") } == 1, "\(plan)")
  }

  @Test func `a parameter inside a link under || is set by its alias`() throws {
    let query = try relations.orders.query {
      Order.name == "none" || Order.customer.link { "who" .= Customer.name == "Ada" }
    }.build()
    #expect(try query.findIds().map(\.value) == [1, 2, 4, 5])
    query.setParameter("who", to: "Bob")
    #expect(try query.findIds().map(\.value) == [3, 5])
    #expect(
      "\(query)".contains("(name == \"none\" OR customer to 'Customer' with name == \"Bob\")")
    )
  }

  // MARK: Parameters

  @Test func `parameters inside a link are set by alias, and not by property`() throws {
    let query = try relations.orders.query { Order.name == "hat" }
      .link(Order.customer) { "who" .= Customer.name == "Ada" }.build()
    #expect(try query.findIds().map(\.value) == [2, 4])
    query.setParameter("who", to: "Bob")
    #expect(try query.findIds().map(\.value) == [3])
    // Both properties have the same number.
    query.setParameter(Order.name, to: "shoes")
    #expect(try query.findIds().map(\.value) == [])
    query.setParameter("who", to: "Ada")
    #expect(try query.findIds().map(\.value) == [1])
  }

  @Test func `setting a property of a link alone stops the process`() async throws {
    await #expect(processExitsWith: .failure) {
      let relations = try RelationStore()
      let query = try relations.orders.query()
        .link(Order.customer) { Customer.name == "Ada" }.build()
      query.setParameter(Order.name, to: "Bob")
    }
  }

  // MARK: Descriptions and errors

  @Test func `the description and the plan tell links`() throws {
    let query = try relations.orders.query { Order.name == "hat" }
      .link(Order.customer) { Customer.name == "Ada" }.build()
    #expect("\(query)".contains("with 2 conditions"))
    #expect("\(query)".contains("AND customer to 'Customer' with name == \"Ada\""))
    let plan = try query.explain()
    #expect(
      plan.contains("link: customer to 'Customer' with name == \"Ada\"; related objects found")
    )
    let back = try relations.customers.query().link(Customer.orders) { Order.name == "hat" }.build()
    #expect("\(back)".contains("1 condition: backlink of Order.customer to 'Order' with name"))
    #expect(try back.explain().hasPrefix("look-up of 2 IDs"))
  }

  @Test func `the description names links inside of links by their own entities`() throws {
    let query = relations.customers.query {
      Customer.orders.link { Order.customer.link { Customer.name == "Ada" } }
    }
    #expect(
      "\(try query.build())".contains(
        "backlink of Order.customer to 'Order' with customer to 'Customer' with name == \"Ada\""
      )
    )
    #expect(try ids(query) == [1])
  }

  @Test func `few candidates are tested, rather than all targets found`() throws {
    try relations.customers.put((0..<100).map { Customer("\($0)") })
    let ids = try relations.customers.all().suffix(50).map(\.id)
    try relations.orders.put(
      (0..<3).map { Order("new \($0)", try relations.customers.get(ids[$0])) }
    )
    let some = try relations.orders.query { Order.id.isEqual(to: 7) }
      .link(Order.customer) { Customer.name == "51" }.build()
    #expect(try some.explain().contains("looked up for each candidate"))
    #expect(try some.findIds().map(\.value) == [7])
    let other = try relations.orders.query { Order.id.isEqual(to: 7) }
      .link(Order.customer) { Customer.name == "50" }.build()
    #expect(try other.count() == 0)
    let many = try relations.orders.query()
      .link(Order.customer) { Customer.id.isEqual(to: ids[1]) }.build()
    #expect(try many.explain().contains("found first by look-up of 1 ID"))
    #expect(try many.findIds().map(\.value) == [7])
  }

  @Test func `a condition that does not fit its target is refused by build`() throws {
    let wrong = Property<Customer, Int32, Void>(propertyId: 2)
    #expect {
      _ = try relations.orders.query().link(Order.customer) { wrong == 3 }.build()
    } throws: { error in
      guard case ObjectBoxError.propertyTypeMismatch(let message) = error else { return false }
      return message.contains("'name'")
    }
    let missing = Property<Customer, Int32, Void>(propertyId: 77)
    #expect(throws: ObjectBoxError.self) {
      _ = try relations.orders.query().link(Order.customer) { missing == 3 }.build()
    }
  }

  @Test(arguments: [
    ToManyProperty<Order>(.relationId(1)), ToManyProperty<Order>(.backlinkRelationId(1)),
    ToManyProperty<Order>(.relationId(9)), ToManyProperty<Order>(.valuePropertyId(2)),
    ToManyProperty<Order>(.valuePropertyId(9)),
  ])
  func `a relation that does not connect the entities is refused by build`(
    relation: ToManyProperty<Order>
  ) throws {
    #expect {
      _ = try relations.customers.query().link(relation) { Order.name == "" }.build()
    } throws: { error in
      guard case ObjectBoxError.illegalArgument(let message) = error else { return false }
      return message.contains("does not connect 'Customer' with 'Order'")
    }
  }

  @Test func `a link to an entity that the model lacks is refused by build`() throws {
    var model = RelationModel()
    model.entities = [1, 2, 3, 4, 5, 6]
    try relations.reopen(model)
    let title = Property<Book, String, Void>(propertyId: 2)
    #expect {
      _ = try relations.authors.query()
        .link(ToManyProperty<Book>(.valuePropertyId(3))) { title == "" }.build()
    } throws: { error in
      guard case ObjectBoxError.illegalArgument(let message) = error else { return false }
      return message.contains("from 'Author' to 'Book', which the model of the store lacks")
    }
  }
}
