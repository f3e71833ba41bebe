import Foundation
import ObjectBox
import ObjectBoxTestSupport
import Testing

/// After a put that was refused or rolled back, the same put stores everything.
struct RefusedPutTests {
  private struct Stop: Error {}

  /// A way to put objects that fails.
  enum Way: String, CaseIterable {
    case one, many, transactionOfOne, transactionOfMany, rolledBack, write, writeMany, begun, caught
  }

  private let folder: TemporaryDirectory
  private let store: Store
  private let customers: Box<Customer>
  private let orders: Box<Order>

  init() throws {
    folder = try TemporaryDirectory()
    store = try Store(directoryPath: folder.path + "/store")
    customers = store.box()
    orders = store.box()
    try customers.put(Customer("taken"))
  }

  /// Runs a put that must fail; if `putsAnyway`, the objects alone would be stored.
  private func fail<E>(_ way: Way, _ objects: [E], in box: Box<E>, putsAnyway: Bool = false)
    throws
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    func put() throws { for object in objects { try box.put(object) } }
    func stopIfStored() throws { if putsAnyway { throw Stop() } }
    let isRefused = !putsAnyway
    func run() throws {
      switch way {
      case .one:
        guard isRefused else { throw Stop() }
        try put()
      case .many:
        guard isRefused else { throw Stop() }
        try box.put(objects)
      case .transactionOfOne:
        try store.runInTransaction {
          try put()
          try stopIfStored()
        }
      case .transactionOfMany:
        try store.runInTransaction {
          try box.put(objects)
          try stopIfStored()
        }
      case .rolledBack:
        try store.runInTransaction {
          try? box.put(objects)
          throw Stop()
        }
      case .write:
        try store.write { transaction in
          for object in objects { try transaction.put(object) }
          try stopIfStored()
        }
      case .writeMany:
        try store.write { transaction in
          try transaction.put(objects)
          try stopIfStored()
        }
      case .begun:
        let transaction = try store.beginWrite()
        for object in objects { _ = try? transaction.put(object) }
        transaction.cancelWrite()
        throw Stop()
      case .caught:
        // The transaction goes on after the refused put.
        try store.write { transaction in
          do { try transaction.put(objects) } catch {
            if isRefused { return }
          }
          throw Stop()
        }
        throw Stop()
      }
    }
    #expect(throws: (any Error).self) { try run() }
  }

  /// The stored orders as texts, and the names of all customers.
  private func stored() throws -> (orders: [String], customers: [String]) {
    let orders = try orders.all().map { order in
      "\(order.name): \(order.customer.target?.name ?? "none"), "
        + order.watchers.map(\.name).sorted().joined(separator: " ")
    }
    return (orders.sorted(), try customers.all().map(\.name).sorted())
  }

  @Test(arguments: Way.allCases)
  func `a to-one and members that a refused put reached are stored by the next`(_ way: Way) throws {
    let order = Order("shoes", Customer("Ada"))
    let second = Customer("taken")
    order.watchers.append(contentsOf: [Customer("Bob"), second])
    try fail(way, [order], in: orders)
    #expect(try stored() == ([], ["taken"]))
    #expect(order.customer.target?.id == 0)
    #expect(order.watchers.map(\.id) == [0, 0])
    second.name = "free"
    try orders.put(order)
    #expect(try stored() == (["shoes: Ada, Bob free"], ["Ada", "Bob", "free", "taken"]))
    #expect(order.customer.target?.id != 0 && order.watchers.allSatisfy { $0.id != 0 })
  }

  @Test(arguments: Way.allCases)
  func `objects of a list that was refused are new again, with all that they reached`(_ way: Way)
    throws
  {
    let ada = Customer("Ada")
    let watched = Order("hats")
    watched.customer.target = Customer("Eve")
    ada.watched.append(watched)
    ada.orders.append(Order("shoes"))
    let second = Customer("taken")
    try fail(way, [ada, second], in: customers)
    let isOneByOne = [.one, .transactionOfOne, .write, .begun].contains(way)
    if way == .one {
      // The first put succeeded by itself.
      #expect(try stored().customers == ["Ada", "Eve", "taken"])
    } else {
      #expect(try stored() == ([], ["taken"]))
      #expect(watched.id == 0 && watched.customer.target?.id == 0)
      // A put of its own that succeeded, in a transaction of ObjectBox, keeps the ID.
      #expect(ada.id == 0 || isOneByOne)
    }
    second.name = "free"
    try customers.put([ada, second])
    let all = try stored()
    #expect(all.customers == ["Ada", "Eve", "free", "taken"])
    #expect(all.orders == ["hats: Eve, Ada", "shoes: Ada, "])
  }

  @Test(arguments: Way.allCases)
  func `a stored object keeps the changes that a refused put did not store`(_ way: Way) throws {
    let order = Order("shoes")
    order.watchers.append(Customer("Old"))
    try orders.put(order)
    let second = Customer("taken")
    order.watchers.remove(at: 0)
    order.watchers.append(contentsOf: [Customer("Bob"), second])
    order.customer.target = Customer("Ada")
    try fail(way, [order], in: orders)
    #expect(try stored() == (["shoes: none, Old"], ["Old", "taken"]))
    second.name = "free"
    try orders.put(order)
    #expect(try stored().orders == ["shoes: Ada, Bob free"])
  }

  @Test(arguments: Way.allCases)
  func `structs that a rolled back put reached are stored by the next`(_ way: Way) throws {
    let students: Box<Student> = store.box()
    var student = Student(
      id: 0,
      name: "s",
      teachers: ToMany<Teacher>(),
      best: ToOne(Student(id: 0, name: "b", teachers: nil, best: nil, fans: nil)),
      fans: nil
    )
    try fail(way, [student], in: students, putsAnyway: true)
    #expect(try students.count() == 0)
    student = try students.put(struct: student)
    student.teachers.append(Teacher(id: 0, name: "t", students: nil))
    try fail(way, [student], in: students, putsAnyway: true)
    #expect(try store.box(for: Teacher.self).count() == 0)
    try students.put(student)
    let read = try #require(try students.get(student.id))
    #expect(read.best.target?.name == "b")
    #expect(read.teachers.map(\.name) == ["t"])
  }
}
