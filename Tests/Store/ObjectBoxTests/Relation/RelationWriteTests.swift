import ObjectBox
import ObjectBoxRuntimeTestSupport
import Testing

/// Relations with observers and asynchronous puts.
@Suite(.timeLimit(.minutes(15)))
struct RelationWriteTests {
  private let store: RelationStore
  private let calls = Recorder<String>()

  init() throws {
    store = try RelationStore()
  }

  private func observe<E>(_ box: Box<E>) -> Observer {
    box.subscribe(dispatchQueue: calls.queue, flags: []) { [calls] in calls.note("\(E.self)") }
  }

  @Test func `objects whose to-one relation is set to null are told as changed`() throws {
    let jane = Customer("Jane")
    try store.orders.put([Order("a", jane), Order("b")])
    let observers = [observe(store.orders), observe(store.customers)]
    try store.customers.remove(jane)
    #expect(calls.values.sorted() == ["Customer", "Order"])
    try store.customers.put(Customer("John"))
    #expect(calls.values.sorted() == ["Customer", "Customer", "Order"])
    for observer in observers { observer.unsubscribe() }
  }

  @Test func `targets that a put stores on the way are told`() throws {
    let observers = [observe(store.orders), observe(store.customers)]
    try store.orders.put(Order("a", Customer("Jane")))
    #expect(calls.values.sorted() == ["Customer", "Order"])
    for observer in observers { observer.unsubscribe() }
  }

  @Test func `a change of a standalone relation is told as one of the entity that declares it`()
    throws
  {
    let student = Student("s")
    let teacher = Teacher("t")
    try store.students.put(student)
    try store.teachers.put(teacher)
    let observers = [observe(store.students), observe(store.teachers)]
    student.teachers.append(teacher)
    try student.teachers.applyToDb()
    #expect(calls.values == ["Student"])
    teacher.students.reset()
    teacher.students.removeAll()
    try teacher.students.applyToDb()
    #expect(calls.values == ["Student", "Student"])
    for observer in observers { observer.unsubscribe() }
  }

  @Test func `an asynchronous put stores a new target, and its targets, before the call returns`()
    throws
  {
    let jane = Customer("Jane")
    let order = Order("a", jane)
    try store.orders.async.put([order, Order("b", jane)])
    #expect(jane.id != 0)
    #expect(try store.customers.all().map(\.name) == ["Jane"])
    store.store.awaitAsyncSubmitted()
    #expect(try store.orders.all().map { $0.customer.target?.name } == ["Jane", "Jane"])
    #expect(try store.customers.get(jane.id)?.orders.count == 2)
  }
}
