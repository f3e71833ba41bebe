import ObjectBox

/// The other end of the to-one relation of ``Order``.
final class Customer: Entity, EntityInspectable, __EntityRelatable {
  typealias EntityType = Customer
  typealias EntityBindingType = CustomerBinding
  static let entityInfo = EntityInfo(name: "Customer", id: 1)
  static let entityBinding = CustomerBinding()

  var id: Id = 0
  var name = ""
  var orders: ToMany<Order> = nil
  var _id: EntityId<Customer> { EntityId(id) }

  init(_ name: String = "") {
    self.name = name
  }
}

final class CustomerBinding: EntityBinding, Sendable {
  typealias EntityType = Customer
  typealias IdType = Id
  init() {}
  func generatorBindingVersion() -> Int { 1 }
  func setEntityIdUnlessStruct(of entity: Customer, to entityId: Id) { entity.id = entityId }
  func entityId(of entity: Customer) -> Id { entity.id }
  func collect(
    fromEntity entity: Customer,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) throws {
    let name = propertyCollector.prepare(string: entity.name)
    propertyCollector.collect(id, at: 4)
    propertyCollector.collect(dataOffset: name, at: 6)
  }
  func postPut(fromEntity entity: Customer, id: Id, store: Store) throws {
    guard entityId(of: entity) == 0 else { return }
    let orders = ToMany<Order>.backlink(
      sourceBox: store.box(for: Order.self),
      sourceProperty: Order.customer,
      targetId: EntityId<Customer>(id)
    )
    if !entity.orders.isEmpty { orders.replace(entity.orders) }
    entity.orders = orders
    try entity.orders.applyToDb()
  }
  func createEntity(entityReader: FlatBufferReader, store: Store) -> Customer {
    let customer = Customer()
    customer.id = entityReader.read(at: 4)
    customer.name = entityReader.read(at: 6)
    customer.orders = ToMany<Order>.backlink(
      sourceBox: store.box(for: Order.self),
      sourceProperty: Order.customer,
      targetId: EntityId<Customer>(customer.id)
    )
    return customer
  }
}

/// Has a to-one relation.
final class Order: Entity, EntityInspectable, __EntityRelatable {
  typealias EntityType = Order
  typealias EntityBindingType = OrderBinding
  static let entityInfo = EntityInfo(name: "Order", id: 2)
  static let entityBinding = OrderBinding()

  var id: EntityId<Order> = 0
  var name = ""
  var customer: ToOne<Customer> = nil
  var _id: EntityId<Order> { id }

  init(_ name: String = "", _ customer: Customer? = nil) {
    self.name = name
    self.customer.target = customer
  }

  static var name: Property<Order, String, Void> { Property(propertyId: 2) }
  static var customer: Property<Order, EntityId<Customer>, Customer> { Property(propertyId: 3) }
}

extension Property where E == Order {
  static var name: Property<Order, String, Void> { Property<Order, String, Void>(propertyId: 2) }
  static var customer: Property<Order, Id, Customer> {
    Property<Order, Id, Customer>(propertyId: 3)
  }
}

final class OrderBinding: EntityBinding, Sendable {
  typealias EntityType = Order
  typealias IdType = EntityId<Order>
  init() {}
  func generatorBindingVersion() -> Int { 1 }
  func setEntityIdUnlessStruct(of entity: Order, to entityId: Id) { entity.id = EntityId(entityId) }
  func entityId(of entity: Order) -> Id { entity.id.value }
  func collect(
    fromEntity entity: Order,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) throws {
    let name = propertyCollector.prepare(string: entity.name)
    propertyCollector.collect(id, at: 4)
    try propertyCollector.collect(entity.customer, at: 8, store: store)
    propertyCollector.collect(dataOffset: name, at: 6)
  }
  func postPut(fromEntity entity: Order, id: Id, store: Store) throws {
    guard entityId(of: entity) == 0 else { return }
    entity.customer.attach(to: store.box(for: Customer.self))
  }
  func setToOneRelation(_ propertyId: obx_schema_id, of entity: Order, to entityId: Id?) {
    switch propertyId {
    case 3: entity.customer.targetId = entityId.map { EntityId<Customer>($0) }
    default: fatalError("no to-one relation has property ID \(propertyId)")
    }
  }
  func createEntity(entityReader: FlatBufferReader, store: Store) -> Order {
    let order = Order()
    order.id = entityReader.read(at: 4)
    order.name = entityReader.read(at: 6)
    order.customer = entityReader.read(at: 8, store: store)
    return order
  }
}

/// Has a standalone relation.
final class Student: Entity, EntityInspectable, __EntityRelatable {
  typealias EntityType = Student
  typealias EntityBindingType = StudentBinding
  static let entityInfo = EntityInfo(name: "Student", id: 3)
  static let entityBinding = StudentBinding()

  var id: Id = 0
  var name = ""
  var teachers: ToMany<Teacher> = nil
  var _id: EntityId<Student> { EntityId(id) }

  init(_ name: String = "") {
    self.name = name
  }
}

final class StudentBinding: EntityBinding, Sendable {
  typealias EntityType = Student
  typealias IdType = Id
  init() {}
  func generatorBindingVersion() -> Int { 1 }
  func setEntityIdUnlessStruct(of entity: Student, to entityId: Id) { entity.id = entityId }
  func entityId(of entity: Student) -> Id { entity.id }
  func collect(
    fromEntity entity: Student,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) {
    let name = propertyCollector.prepare(string: entity.name)
    propertyCollector.collect(id, at: 4)
    propertyCollector.collect(dataOffset: name, at: 6)
  }
  private func teachers(of id: Id, _ store: Store) -> ToMany<Teacher> {
    ToMany<Teacher>.relation(
      sourceId: EntityId<Student>(id.value),
      targetBox: store.box(for: Teacher.self),
      relationId: 1
    )
  }
  func postPut(fromEntity entity: Student, id: Id, store: Store) throws {
    guard entityId(of: entity) == 0 else { return }
    let teachers = teachers(of: id, store)
    if !entity.teachers.isEmpty { teachers.replace(entity.teachers) }
    entity.teachers = teachers
    try entity.teachers.applyToDb()
  }
  func createEntity(entityReader: FlatBufferReader, store: Store) -> Student {
    let student = Student()
    student.id = entityReader.read(at: 4)
    student.name = entityReader.read(at: 6)
    student.teachers = teachers(of: student.id, store)
    return student
  }
}

/// The other end of the standalone relation of ``Student``; it also leads to a favourite student.
final class Teacher: Entity, EntityInspectable, __EntityRelatable {
  typealias EntityType = Teacher
  typealias EntityBindingType = TeacherBinding
  static let entityInfo = EntityInfo(name: "Teacher", id: 4)
  static let entityBinding = TeacherBinding()

  var id: Id = 0
  var name = ""
  var students: ToMany<Student> = nil
  var favourite: ToOne<Student> = nil
  var _id: EntityId<Teacher> { EntityId(id) }

  init(_ name: String = "") {
    self.name = name
  }
}

final class TeacherBinding: EntityBinding, Sendable {
  typealias EntityType = Teacher
  typealias IdType = Id
  init() {}
  func generatorBindingVersion() -> Int { 1 }
  func setEntityIdUnlessStruct(of entity: Teacher, to entityId: Id) { entity.id = entityId }
  func entityId(of entity: Teacher) -> Id { entity.id }
  func collect(
    fromEntity entity: Teacher,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) throws {
    let name = propertyCollector.prepare(string: entity.name)
    propertyCollector.collect(id, at: 4)
    try propertyCollector.collect(entity.favourite, at: 8, store: store)
    propertyCollector.collect(dataOffset: name, at: 6)
  }
  private func students(of id: Id, _ store: Store) -> ToMany<Student> {
    ToMany<Student>.backlink(
      sourceBox: store.box(for: Student.self),
      targetId: EntityId<Teacher>(id.value),
      relationId: 1
    )
  }
  func postPut(fromEntity entity: Teacher, id: Id, store: Store) throws {
    guard entityId(of: entity) == 0 else { return }
    let students = students(of: id, store)
    if !entity.students.isEmpty { students.replace(entity.students) }
    entity.students = students
    try entity.students.applyToDb()
    entity.favourite.attach(to: store.box(for: Student.self))
  }
  func createEntity(entityReader: FlatBufferReader, store: Store) -> Teacher {
    let teacher = Teacher()
    teacher.id = entityReader.read(at: 4)
    teacher.name = entityReader.read(at: 6)
    teacher.favourite = entityReader.read(at: 8, store: store)
    teacher.students = students(of: teacher.id, store)
    return teacher
  }
}

/// Leads to another node, has a unique name, and can do work while it is put.
final class Node: Entity, EntityInspectable, __EntityRelatable {
  typealias EntityType = Node
  typealias EntityBindingType = NodeBinding
  static let entityInfo = EntityInfo(name: "Node", id: 5)
  static let entityBinding = NodeBinding()

  var id: Id = 0
  var next: ToOne<Node> = nil
  var name: String?
  var whileCollected: () throws -> Void = {}
  var afterPut: () throws -> Void = {}
  var _id: EntityId<Node> { EntityId(id) }

  init(name: String? = nil) {
    self.name = name
  }
}

final class NodeBinding: EntityBinding, Sendable {
  typealias EntityType = Node
  typealias IdType = Id
  init() {}
  func generatorBindingVersion() -> Int { 1 }
  func setEntityIdUnlessStruct(of entity: Node, to entityId: Id) { entity.id = entityId }
  func entityId(of entity: Node) -> Id { entity.id }
  func collect(
    fromEntity entity: Node,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) throws {
    let name = propertyCollector.prepare(string: entity.name)
    propertyCollector.collect(id, at: 4)
    try entity.whileCollected()
    try propertyCollector.collect(entity.next, at: 6, store: store)
    propertyCollector.collect(dataOffset: name, at: 8)
  }
  func postPut(fromEntity entity: Node, id: Id, store: Store) throws { try entity.afterPut() }
  func createEntity(entityReader: FlatBufferReader, store: Store) -> Node {
    let node = Node()
    node.id = entityReader.read(at: 4)
    node.next = entityReader.read(at: 6, store: store)
    node.name = entityReader.read(at: 8)
    return node
  }
}

/// A struct as target, whose ID never changes once it is made.
struct Author: Entity, EntityInspectable, __EntityRelatable {
  typealias EntityType = Author
  typealias EntityBindingType = AuthorBinding
  static let entityInfo = EntityInfo(name: "Author", id: 6)
  static let entityBinding = AuthorBinding()

  let id: EntityId<Author>
  var name: String
  var books: ToMany<Book>
  var _id: EntityId<Author> { id }

  init(id: EntityId<Author> = 0, name: String, books: ToMany<Book> = nil) {
    self.id = id
    self.name = name
    self.books = books
  }
}

final class AuthorBinding: EntityBinding, Sendable {
  typealias EntityType = Author
  typealias IdType = EntityId<Author>
  init() {}
  func generatorBindingVersion() -> Int { 1 }
  func entityId(of entity: Author) -> Id { entity.id.value }
  func collect(
    fromEntity entity: Author,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) {
    let name = propertyCollector.prepare(string: entity.name)
    propertyCollector.collect(id, at: 4)
    propertyCollector.collect(dataOffset: name, at: 6)
  }
  func createEntity(entityReader: FlatBufferReader, store: Store) -> Author {
    let id: EntityId<Author> = entityReader.read(at: 4)
    return Author(
      id: id,
      name: entityReader.read(at: 6),
      books: ToMany<Book>.backlink(
        sourceBox: store.box(for: Book.self),
        sourceProperty: Book.author,
        targetId: id
      )
    )
  }
}

/// A struct as host.
struct Book: Entity, EntityInspectable, __EntityRelatable {
  typealias EntityType = Book
  typealias EntityBindingType = BookBinding
  static let entityInfo = EntityInfo(name: "Book", id: 7)
  static let entityBinding = BookBinding()

  var id: Id = 0
  var title: String
  var author: ToOne<Author> = nil
  var _id: EntityId<Book> { EntityId(id) }

  static var author: Property<Book, EntityId<Author>, Author> { Property(propertyId: 3) }
}

final class BookBinding: EntityBinding, Sendable {
  typealias EntityType = Book
  typealias IdType = Id
  init() {}
  func generatorBindingVersion() -> Int { 1 }
  func setStructEntityId(of entity: inout Book, to entityId: Id) { entity.id = entityId }
  func entityId(of entity: Book) -> Id { entity.id }
  func collect(
    fromEntity entity: Book,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) throws {
    let title = propertyCollector.prepare(string: entity.title)
    propertyCollector.collect(id, at: 4)
    try propertyCollector.collect(entity.author, at: 8, store: store)
    propertyCollector.collect(dataOffset: title, at: 6)
  }
  func setToOneRelation(_ propertyId: obx_schema_id, of entity: Book, to entityId: Id?) {
    entity.author.targetId = entityId.map { EntityId<Author>($0) }
  }
  func createEntity(entityReader: FlatBufferReader, store: Store) -> Book {
    Book(
      id: entityReader.read(at: 4),
      title: entityReader.read(at: 6),
      author: entityReader.read(at: 8, store: store)
    )
  }
}
