import ObjectBox
import ObjectBoxRuntimeTestSupport
import Testing

struct LinkObserverTests {
  private let relations: RelationStore
  private let names = Recorder<[String]>()

  init() throws {
    relations = try RelationStore()
  }

  @Test func `results keep to links, and come anew when linked objects change`() throws {
    let ada = Customer("Ada")
    try relations.orders.put([Order("shoes", ada), Order("hat")])
    let query = try relations.orders.query()
      .link(Order.customer) { "who" .= Customer.name == "Ada" }.build()
    let observer = query.subscribe(dispatchQueue: names.queue) { [names] orders, error in
      #expect(error == nil)
      names.note(orders.map(\.name))
    }
    #expect(names.values == [["shoes"]])
    ada.name = "Adele"
    try relations.customers.put(ada)
    #expect(names.values == [["shoes"], []])
    try relations.orders.put(Order("belt", Customer("Ada")))
    #expect(names.values == [["shoes"], [], ["belt"]])
    try relations.books.put(Book(title: "Other"))
    #expect(names.values == [["shoes"], [], ["belt"]])
    query.setParameter("who", to: "Adele")
    try relations.orders.put(Order("gloves"))
    #expect(names.values == [["shoes"], [], ["belt"], ["shoes"]])
    observer.unsubscribe()
  }

  @Test func `a change of a standalone relation tells from both ends`() throws {
    let (student, teacher) = (Student("Tom"), Teacher("X"))
    try relations.students.put(student)
    try relations.teachers.put(teacher)
    let query = try relations.teachers.query()
      .link(Teacher.students) { Student.name == "Tom" }.build()
    let observer = query.subscribe(dispatchQueue: names.queue) { [names] teachers, _ in
      names.note(teachers.map(\.name))
    }
    #expect(names.values == [[]])
    student.teachers.append(teacher)
    try student.teachers.applyToDb()
    #expect(names.values == [[], ["X"]])
    observer.unsubscribe()
  }
}
