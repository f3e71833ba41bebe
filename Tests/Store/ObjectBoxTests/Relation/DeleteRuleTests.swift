import ObjectBox
import ObjectBoxRuntimeTestSupport
import Testing

/// Removals of objects whose relations have delete rules.
struct DeleteRuleTests {
  private static let cascade = RelationModel(
    customerRule: .cascade,
    favouriteRule: .cascade,
    nextRule: .cascade,
    teachersRule: .cascade
  )
  private static let restrict = RelationModel(customerRule: .restrict, nextRule: .restrict)

  private func refusal(_ body: () throws -> Void) -> String {
    let error = #expect(throws: ObjectBoxError.self) { try body() }
    guard case .constraintViolated(let message) = error else {
      Issue.record("\(String(describing: error))")
      return ""
    }
    return message
  }

  // MARK: Cascade

  @Test(arguments: [true, false])
  func `objects go with the target of their to-one relation`(_ hasIndex: Bool) throws {
    var model = Self.cascade
    model.hasCustomerIndex = hasIndex
    let store = try RelationStore(model)
    let jane = Customer("Jane")
    try store.orders.put([
      Order("a", jane), Order("b"), Order("c", jane), Order("d", Customer("X")),
    ])
    #expect(try store.customers.remove(jane))
    #expect(try store.orders.all().map(\.name) == ["b", "d"])
    #expect(try store.customers.all().map(\.name) == ["X"])
  }

  @Test func `targets of a standalone relation go with the object, and what hangs on them`() throws
  {
    let store = try RelationStore(Self.cascade)
    let (a, b) = (Student("a"), Student("b"))
    let shared = Teacher("shared")
    a.teachers.replace([Teacher("own"), shared])
    b.teachers.replace([shared])
    try store.students.put([a, b])
    #expect(try store.students.remove(a))
    #expect(try store.teachers.isEmpty())
    #expect(try store.students.get(b.id)?.teachers.isEmpty == true)
  }

  @Test func `rules of several relations work together, and circles end`() throws {
    let store = try RelationStore(Self.cascade)
    let student = Student("a")
    let (first, second) = (Teacher("1"), Teacher("2"))
    // Removing the teacher's favourite removes the teacher; removing a student removes its teachers.
    student.teachers.replace([first])
    try store.students.put(student)
    second.favourite.target = student
    first.favourite.target = student
    try store.teachers.put([first, second])
    #expect(try store.students.remove(student))
    #expect(try store.teachers.isEmpty())
    #expect(try store.students.isEmpty())
  }

  @Test func `a circle of objects goes as a whole`() throws {
    let store = try RelationStore(Self.cascade)
    let nodes = (0..<3).map { _ in Node() }
    try store.nodes.put(nodes)
    for (node, next) in zip(nodes, nodes[1...] + [nodes[0]]) { node.next.target = next }
    try store.nodes.put(nodes)
    #expect(try store.nodes.remove(nodes[1]))
    #expect(try store.nodes.isEmpty())
  }

  @Test func `a chain of 100,000 objects goes without a deep stack`() throws {
    let store = try RelationStore(Self.cascade)
    let count = 100_000
    let nodes = (0..<count).map { _ in Node() }
    try store.nodes.put(nodes)
    for (node, next) in zip(nodes, nodes.dropFirst()) { node.next.targetId = EntityId(next.id) }
    try store.nodes.put(nodes)
    #expect(try store.nodes.remove(nodes[count - 1].id))
    #expect(try store.nodes.isEmpty())
  }

  @Test func `a query removes what hangs on its results`() throws {
    let store = try RelationStore(Self.cascade)
    let next = Node(name: "b")
    let node = Node(name: "a")
    node.next.target = next
    try store.nodes.put(node)
    #expect(try store.nodes.query().build().remove() == 2)
    #expect(try store.nodes.isEmpty())
  }

  @Test func `observers of what goes with an object are told`() throws {
    let store = try RelationStore(Self.cascade)
    try store.orders.put(Order("a", Customer("Jane")))
    let counts = Recorder<Int>()
    let observer = store.orders.subscribe(dispatchQueue: counts.queue, flags: []) { orders, _ in
      counts.note(orders.count)
    }
    try store.customers.removeAll()
    #expect(counts.values == [0])
    withExtendedLifetime(observer) {}
  }

  // MARK: Replaced values, asynchronous removals, schema

  @Test func `an object that is referred to is not replaced by one with its unique value`() throws {
    let flags: [PropertyFlags] = [.unique, .uniqueOnConflictReplace, .indexHash, .indexed]
    let store = try RelationStore(RelationModel(nodeNameFlags: flags, nextRule: .restrict))
    let (old, other) = (Node(name: "x"), Node(name: "y"))
    other.next.target = old
    try store.nodes.put(other)
    #expect(refusal { try store.nodes.put(Node(name: "x")) }.contains("'Node' with ID 1"))
    #expect(try store.nodes.all().map(\.name) == ["y", "x"])
  }

  @Test func `an object that is put stays when what it replaces takes others with it`() throws {
    let flags: [PropertyFlags] = [.unique, .uniqueOnConflictReplace, .indexHash, .indexed]
    let store = try RelationStore(RelationModel(nodeNameFlags: flags, nextRule: .cascade))
    let (old, other) = (Node(name: "x"), Node(name: "y"))
    other.next.target = old
    try store.nodes.put(other)
    other.name = "x"
    other.next.target = nil
    try store.nodes.put(other)
    #expect(try store.nodes.all().map(\.id) == [other.id])
    #expect(try store.nodes.get(other.id)?.name == "x")
  }

  @Test func `asynchronous removals follow the rules together`() throws {
    let store = try RelationStore(Self.restrict)
    let (a, b) = (Node(name: "a"), Node(name: "b"))
    a.next.target = b
    try store.nodes.put(a)
    try store.nodes.async.remove(b)
    #expect(store.store.awaitAsyncSubmitted())
    #expect(try store.nodes.count() == 2)
    try store.nodes.async.remove([b, a])
    #expect(store.store.awaitAsyncSubmitted())
    #expect(try store.nodes.isEmpty())
  }

  @Test func `rules stand in the store file, and follow the model`() throws {
    let store = try RelationStore()
    try store.orders.put(Order("a", Customer("Jane")))
    try store.reopen(Self.restrict)
    try store.reopen(Self.restrict)
    #expect(refusal { try store.customers.removeAll() }.contains("'Order.customer'"))
    try store.reopen(Self.cascade)
    try store.customers.removeAll()
    #expect(try store.orders.isEmpty())
    try store.reopen()
    try store.orders.put(Order("a", Customer("Jane")))
    try store.customers.removeAll()
    #expect(try store.orders.all().map(\.customer.targetId) == [nil])
  }
}
