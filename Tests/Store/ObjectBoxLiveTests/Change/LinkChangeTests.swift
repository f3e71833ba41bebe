import ObjectBox
import ObjectBoxRuntimeTestSupport
import Testing

struct LinkChangeTests {
  private let relations: RelationStore
  private let recorder = ChangeRecorder<CollectionEvent>()

  init() throws {
    relations = try RelationStore()
  }

  @Test func `changes of linked objects change results`() throws {
    let ada = Customer("Ada")
    let (shoes, hat) = (Order("shoes", ada), Order("hat"))
    try relations.orders.put([shoes, hat])
    let token = try relations.orders.query()
      .link(Order.customer) { Customer.name == "Ada" }.build().observe(recorder)
    #expect(recorder.take() == [.initial([shoes.id.value])])
    ada.name = "Adele"
    try relations.customers.put(ada)
    #expect(recorder.take() == [.update([], [0])])
    ada.name = "Ada"
    try relations.customers.put(ada)
    #expect(recorder.take() == [.update([shoes.id.value], [], [0])])
    try relations.books.put(Book(title: "Other"))
    #expect(recorder.take() == [])
    token.invalidate()
  }

  @Test func `a change of a standalone relation changes the results at both ends`() throws {
    let (student, teacher) = (Student("Tom"), Teacher("X"))
    try relations.students.put(student)
    try relations.teachers.put(teacher)
    let token = try relations.teachers.query()
      .link(Teacher.students) { Student.name == "Tom" }.build().observe(recorder)
    let students = ChangeRecorder<CollectionEvent>()
    let second = try relations.students.query()
      .link(Student.teachers) { Teacher.name == "X" }.build().observe(students)
    #expect(recorder.take() == [.initial([])])
    #expect(students.take() == [.initial([])])
    student.teachers.append(teacher)
    try student.teachers.applyToDb()
    #expect(recorder.take() == [.update([teacher.id], [], [0])])
    #expect(students.take() == [.update([student.id], [], [0])])
    token.invalidate()
    second.invalidate()
  }
}
