import ObjectBox
import ObjectBoxRuntimeTestSupport
import Testing

/// Changes of to-many relations that a put of the stored host includes, and objects of other
/// stores.
struct RelationPutTests {
  private let store: RelationStore

  init() throws {
    store = try RelationStore()
    try store.students.put(Student("s"))
    try store.teachers.put([Teacher("a"), Teacher("b")])
    try store.customers.put(Customer("Jane"))
    try store.orders.put([Order("x"), Order("y")])
  }

  private func student() throws -> Student { try #require(try store.students.get(1)) }
  private func teacher(_ id: Id) throws -> Teacher { try #require(try store.teachers.get(id)) }
  private func customer() throws -> Customer { try #require(try store.customers.get(1)) }
  private func order(_ id: EntityId<Order>) throws -> Order {
    try #require(try store.orders.get(id))
  }

  /// The teachers of the stored student.
  private func names() throws -> [String] { try student().teachers.map(\.name) }

  @Test func `a put in a write transaction stores changed relations of a stored object`() throws {
    let student = try student()
    student.teachers.append(try teacher(2))
    student.teachers.append(Teacher("c"))
    try store.store.write { try $0.put(student) }
    #expect(!student.teachers.hasPendingDbChanges)
    #expect(try names() == ["b", "c"])
    student.teachers.remove(at: 0)
    try store.store.write { try $0.put([student]) }
    #expect(try names() == ["c"])
  }

  @Test func `puts of a box store changed relations, one by one and many`() throws {
    let student = try student()
    student.teachers.append(try teacher(1))
    try store.students.put(student)
    #expect(try names() == ["a"])
    student.teachers.append(try teacher(2))
    try store.students.put([student])
    #expect(try names() == ["a", "b"])
    student.teachers.removeAll()
    try store.students.putAndReturnIDs([student])
    #expect(try names() == [])
  }

  @Test func `a put stores changed backlinks of both kinds`() throws {
    let customer = try customer()
    customer.orders.append(try order(2))
    try store.store.write { try $0.put(customer) }
    #expect(try order(2).customer.target?.name == "Jane")
    let teacher = try teacher(1)
    teacher.students.append(try student())
    try store.store.write { try $0.put(teacher) }
    #expect(try names() == ["a"])
  }

  @Test func `the put of a struct stores the changes of a relation that was read`() throws {
    try store.authors.put(Author(name: "Jane"))
    var author = try #require(try store.authors.get(EntityId<Author>(1)))
    author.books.append(Book(title: "t"))
    author.name = "Ada"
    try store.store.write { try $0.put(author) }
    let read = try #require(try store.authors.get(EntityId<Author>(1)))
    #expect(read.name == "Ada")
    #expect(read.books.map(\.title) == ["t"])
    #expect(author.books.map(\.id) == [1])
  }

  @Test func `an object that a changed backlink puts takes its own changes along`() throws {
    let student = try student()
    let teacher = try teacher(1)
    // Each object is a pending change of the other.
    student.teachers.append(teacher)
    teacher.students.append(student)
    try store.store.write { try $0.put([teacher]) }
    #expect(try names() == ["a"])
    #expect(student.teachers.hasPendingDbChanges)
    try store.students.put(student)
    #expect(try names() == ["a"])
  }

  @Test func `after a rollback the changes are changes again, and the next put stores them`() throws
  {
    struct Stop: Error {}
    let student = try student()
    let new = Teacher("c")
    student.teachers.append(try teacher(1))
    student.teachers.append(new)
    #expect(throws: Stop.self) {
      try store.store.write { transaction in
        try transaction.put(student)
        #expect(!student.teachers.hasPendingDbChanges)
        student.teachers.remove(at: 0)
        throw Stop()
      }
    }
    #expect(new.id == 0)
    #expect(student.teachers.hasPendingDbChanges)
    #expect(student.teachers.map(\.name) == ["c"])
    #expect(try names() == [])
    try store.store.write { try $0.put(student) }
    #expect(try names() == ["c"])
    #expect(new.id != 0)
  }

  @Test func `removals are changes again after a rollback as well`() throws {
    struct Stop: Error {}
    let student = try student()
    student.teachers.append(try teacher(1))
    try store.students.put(student)
    student.teachers.removeAll()
    #expect(throws: Stop.self) {
      try store.store.runInTransaction {
        try store.students.put(student)
        throw Stop()
      }
    }
    #expect(try names() == ["a"])
    #expect(student.teachers.hasPendingDbChanges && student.teachers.isEmpty)
    try store.students.put(student)
    #expect(try names() == [])
  }

  @Test func `a put that is refused leaves the relation as it was`() throws {
    let student = try student()
    student.teachers.append(try teacher(1))
    student.id = 99
    #expect(throws: ObjectBoxError.self) { try store.students.put(student) }
    student.id = 1
    #expect(student.teachers.hasPendingDbChanges)
    try store.students.put(student, mode: .update)
    #expect(try names() == ["a"])
  }

  // MARK: Other stores

  private func isOfOther(_ error: any Error, _ other: RelationStore) -> Bool {
    guard case .differentStore(let message)? = error as? ObjectBoxError else { return false }
    return message.contains("'\(store.store.directoryPath)'")
      && message.contains("'\(other.store.directoryPath)'")
  }

  @Test func `a to-one given an object of another store is refused, and both are named`() throws {
    let other = try RelationStore()
    try other.customers.put([Customer("a"), Customer("b")])
    let stranger = try #require(try other.customers.get(2))
    let new = Order("z", stranger)
    #expect { try store.orders.put(new) } throws: { isOfOther($0, other) }
    let stored = try order(1)
    stored.customer.target = stranger
    #expect { try store.store.write { try $0.put(stored) } } throws: { isOfOther($0, other) }
    #expect { try store.orders.put([stored]) } throws: { isOfOther($0, other) }
    #expect(try store.orders.count() == 2)
    #expect(try order(1).customer.hasValue == false)
    // A clone of the store counts as the same store.
    let same = try #require(
      try store.store.clone().box(for: Customer.self).get(1)
    )
    stored.customer.target = same
    try store.orders.put(stored)
    #expect(try order(1).customer.targetId == 1)
  }

  @Test func `a to-one that was attached to another store refuses the object that it was given`()
    throws
  {
    let other = try RelationStore()
    let node = Node(name: "n")
    node.next.attach(to: other.nodes)
    let target = Node(name: "t")
    try other.nodes.put(target)
    node.next.target = target
    #expect { try store.nodes.put(node) } throws: { isOfOther($0, other) }
  }

  @Test func `objects of a store that was closed and opened again are its own`() throws {
    let customer = try customer()
    _ = customer.orders.count
    let order = try order(1)
    try store.reopen()
    order.customer.target = customer
    try store.orders.put(order)
    #expect(try self.order(1).customer.targetId == 1)
  }

  @Test func `a to-many refuses objects of another store, in a put and when it is applied`() throws
  {
    let other = try RelationStore()
    try other.teachers.put(Teacher("stranger"))
    let stranger = try #require(try other.teachers.get(1))
    let student = try student()
    student.teachers.append(stranger)
    #expect { try store.students.put(student) } throws: { isOfOther($0, other) }
    #expect { try student.teachers.applyToDb() } throws: { isOfOther($0, other) }
    #expect(student.teachers.hasPendingDbChanges)
    let new = Student("n")
    new.teachers.append(stranger)
    #expect { try store.store.write { try $0.put(new) } } throws: { isOfOther($0, other) }
    #expect(try store.students.count() == 1)
  }

  @Test func `changes of an object of another store are not stored there by a put here`() throws {
    let other = try RelationStore()
    try other.students.put(Student("s"))
    let stranger = try #require(try other.students.get(1))
    stranger.teachers.append(Teacher("new"))
    #expect { try store.students.put(stranger) } throws: { isOfOther($0, other) }
    #expect(try other.teachers.isEmpty())
  }
}
