import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// Conditions on the number of related objects.
struct RelatedCountTests {
  private let relations: RelationStore

  init() throws {
    relations = try RelationStore()
    let customers = ["Ada", "Bob", "Cleo"].map { Customer($0) }
    try relations.customers.put(customers)
    try relations.orders.put([
      Order("shoes", customers[0]), Order("hat", customers[0]), Order("hat", customers[1]),
      Order("hat", customers[0]), Order("none"),
    ])
    let teachers = ["X", "Y", "Z"].map(Teacher.init)
    try relations.teachers.put(teachers)
    for (name, taught) in [("Tom", [0, 1]), ("Zoe", [1]), ("Kim", [])] {
      let student = Student(name)
      for place in taught { student.teachers.append(teachers[place]) }
      try relations.students.put(student)
    }
  }

  private func customers(_ condition: QueryCondition<Customer>) throws -> [String] {
    try relations.customers.query { condition }.build().find().map(\.name)
  }

  @Test func `a backlink is counted`() throws {
    #expect(try customers(Customer.orders.count == 0) == ["Cleo"])
    #expect(try customers(Customer.orders.isEmpty()) == ["Cleo"])
    #expect(try customers(Customer.orders.isNotEmpty()) == ["Ada", "Bob"])
    #expect(try customers(Customer.orders.count > 1) == ["Ada"])
    #expect(try customers(Customer.orders.count >= 1) == ["Ada", "Bob"])
    #expect(try customers(Customer.orders.count < 3) == ["Bob", "Cleo"])
    #expect(try customers(Customer.orders.count <= 1) == ["Bob", "Cleo"])
    #expect(try customers(Customer.orders.count != 1) == ["Ada", "Cleo"])
    #expect(try customers(Customer.orders.count == 3) == ["Ada"])
  }

  @Test func `related objects that match a condition are counted, beside other conditions`() throws
  {
    #expect(try customers(Customer.orders.count { Order.name == "hat" } == 2) == ["Ada"])
    #expect(try customers(Customer.orders.count { Order.name == "hat" } < 2) == ["Bob", "Cleo"])
    #expect(try customers(Customer.orders.isEmpty() || Customer.name == "Bob") == ["Bob", "Cleo"])
    #expect(try customers(Customer.orders.isNotEmpty() && Customer.name > "B") == ["Bob"])
    let ofBusy: QueryCondition<Order> = Order.customer.link { Customer.orders.count > 2 }
    #expect(try relations.orders.query { ofBusy }.build().findIds().map(\.value) == [1, 2, 4])
  }

  @Test func `a standalone relation is counted at both ends`() throws {
    let students = try relations.students.query { Student.teachers.count == 1 }.build()
    #expect(try students.find().map(\.name) == ["Zoe"])
    let none = try relations.students.query { Student.teachers.isEmpty() }.build()
    #expect(try none.find().map(\.name) == ["Kim"])
    let teachers = try relations.teachers.query { Teacher.students.count > 1 }.build()
    #expect(try teachers.find().map(\.name) == ["Y"])
    #expect(try teachers.explain().contains("to > 1 'Student'"))
  }

  @Test func `counts follow removals, and links without a count stay as they are`() throws {
    let query = try relations.customers.query { Customer.orders.count >= 2 }.build()
    #expect(try query.count() == 1)
    try relations.orders.query { Order.name == "hat" }.build().remove()
    #expect(try query.count() == 0)
    #expect(try customers(Customer.orders.link { Order.name == "shoes" }) == ["Ada"])
  }
}
