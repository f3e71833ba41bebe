import CObjectBoxAllocationCount
import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
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

  @Test func `removals are changes again after a rollback of runInTransaction`() throws {
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

  /// A list that is changed and stored again and again, against a plain model, with rollbacks.
  @Test(arguments: 1...6)
  func `changes that are stored one after the other leave the list's objects`(
    seed: Int
  ) throws {
    struct Stop: Error {}
    var random = SplitMix(seed: seed)
    let student = try student()
    var spare = try store.teachers.all()
    for round in 0..<25 {
      let before = student.teachers.map(\.name)
      let stored = try names()
      let isRolledBack = Int.random(in: 0..<3, using: &random) == 0
      var expected = before
      do {
        try store.store.runInTransaction {
          for step in 0..<Int.random(in: 1...6, using: &random) {
            switch Int.random(in: 0..<5, using: &random) {
            case 0 where !student.teachers.isEmpty:
              let place = Int.random(in: 0..<student.teachers.count, using: &random)
              spare.append(student.teachers.remove(at: place))
            case 1 where !spare.isEmpty:
              let place = Int.random(in: 0...student.teachers.count, using: &random)
              student.teachers.insert(
                spare.remove(at: Int.random(in: 0..<spare.count, using: &random)),
                at: place
              )
            default: student.teachers.append(Teacher("\(round).\(step)"))
            }
            if Bool.random(using: &random) { try store.students.put(student) }
          }
          try store.students.put(student)
          expected = student.teachers.map(\.name)
          if isRolledBack { throw Stop() }
        }
      } catch is Stop {}
      #expect(student.teachers.map(\.name) == expected)
      #expect(try names().sorted() == (isRolledBack ? stored : expected).sorted())
      #expect(
        student.teachers.hasPendingDbChanges == (isRolledBack && Set(stored) != Set(expected))
      )
      // The next put stores the changes that were rolled back.
      try store.students.put(student)
      #expect(try names().sorted() == expected.sorted())
    }
  }

  /// The memory of undoing is that of the changes, not of the list for each change.
  @Test(
    .onPlainFiles(
      "tests of encrypted stores run beside each other, and change the process's memory"
    ),
    .enabled(if: objectbox_test_heap_bytes() >= 0, "sanitizers have allocators of their own")
  )
  func `one change after the other of a long list keeps no copies of the list`() throws {
    func bytes(_ count: Int) throws -> Int {
      let store = try RelationStore()
      try store.students.put(Student("s"))
      let student = try #require(try store.students.get(1))
      return try store.store.runInTransaction {
        let before = objectbox_test_heap_bytes()
        for number in 0..<count {
          student.teachers.append(Teacher("\(number)"))
          try store.students.put(student)
        }
        return objectbox_test_heap_bytes() - before
      }
    }
    let (small, large) = (try bytes(200), try bytes(800))
    #expect(large < 8 * small, "\(small), \(large)")
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
