package import ObjectBox

/// The other end of the to-one relation of ``Order``.
package final class Customer: Entity, EntityInspectable, __EntityRelatable {
  package typealias EntityType = Customer
  package typealias EntityBindingType = CustomerBinding
  package static let entityInfo = EntityInfo(name: "Customer", id: 1)
  package static let entityBinding = CustomerBinding()

  package var id: Id = 0
  package var name = ""
  package var orders: ToMany<Order> = nil
  package var _id: EntityId<Customer> { EntityId(id) }

  package init(_ name: String = "") {
    self.name = name
  }
}

package final class CustomerBinding: EntityBinding, Sendable {
  package typealias EntityType = Customer
  package typealias IdType = Id
  package init() {}
  package func generatorBindingVersion() -> Int { 1 }
  package func setEntityIdUnlessStruct(of entity: Customer, to entityId: Id) {
    entity.id = entityId
  }
  package func entityId(of entity: Customer) -> Id { entity.id }
  package func collect(
    fromEntity entity: Customer,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) throws {
    let name = propertyCollector.prepare(string: entity.name)
    propertyCollector.collect(id, at: 4)
    propertyCollector.collect(dataOffset: name, at: 6)
  }
  package func postPut(fromEntity entity: Customer, id: Id, store: Store) throws {
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
  package func createEntity(entityReader: RecordReader, store: Store) -> Customer {
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
package final class Order: Entity, EntityInspectable, __EntityRelatable {
  package typealias EntityType = Order
  package typealias EntityBindingType = OrderBinding
  package static let entityInfo = EntityInfo(name: "Order", id: 2)
  package static let entityBinding = OrderBinding()

  package var id: EntityId<Order> = 0
  package var name = ""
  package var customer: ToOne<Customer> = nil
  package var _id: EntityId<Order> { id }

  package init(_ name: String = "", _ customer: Customer? = nil) {
    self.name = name
    self.customer.target = customer
  }

  package static var name: Property<Order, String, Void> { Property(propertyId: 2) }
  package static var customer: Property<Order, EntityId<Customer>, Customer> {
    Property(propertyId: 3)
  }
}

extension Property where E == Order {
  package static var name: Property<Order, String, Void> {
    Property<Order, String, Void>(propertyId: 2)
  }
  package static var customer: Property<Order, Id, Customer> {
    Property<Order, Id, Customer>(propertyId: 3)
  }
}

package final class OrderBinding: EntityBinding, Sendable {
  package typealias EntityType = Order
  package typealias IdType = EntityId<Order>
  package init() {}
  package func generatorBindingVersion() -> Int { 1 }
  package func setEntityIdUnlessStruct(of entity: Order, to entityId: Id) {
    entity.id = EntityId(entityId)
  }
  package func entityId(of entity: Order) -> Id { entity.id.value }
  package func collect(
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
  package func postPut(fromEntity entity: Order, id: Id, store: Store) throws {
    guard entityId(of: entity) == 0 else { return }
    entity.customer.attach(to: store.box(for: Customer.self))
  }
  package func setToOneRelation(_ propertyId: obx_schema_id, of entity: Order, to entityId: Id?) {
    switch propertyId {
    case 3: entity.customer.targetId = entityId.map { EntityId<Customer>($0) }
    default: fatalError("no to-one relation has property ID \(propertyId)")
    }
  }
  package func createEntity(entityReader: RecordReader, store: Store) -> Order {
    let order = Order()
    order.id = entityReader.read(at: 4)
    order.name = entityReader.read(at: 6)
    order.customer = entityReader.read(at: 8, store: store)
    return order
  }
}

/// Has a standalone relation.
package final class Student: Entity, EntityInspectable, __EntityRelatable {
  package typealias EntityType = Student
  package typealias EntityBindingType = StudentBinding
  package static let entityInfo = EntityInfo(name: "Student", id: 3)
  package static let entityBinding = StudentBinding()

  package var id: Id = 0
  package var name = ""
  package var teachers: ToMany<Teacher> = nil
  package var _id: EntityId<Student> { EntityId(id) }

  package init(_ name: String = "") {
    self.name = name
  }
}

package final class StudentBinding: EntityBinding, Sendable {
  package typealias EntityType = Student
  package typealias IdType = Id
  package init() {}
  package func generatorBindingVersion() -> Int { 1 }
  package func setEntityIdUnlessStruct(of entity: Student, to entityId: Id) { entity.id = entityId }
  package func entityId(of entity: Student) -> Id { entity.id }
  package func collect(
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
  package func postPut(fromEntity entity: Student, id: Id, store: Store) throws {
    guard entityId(of: entity) == 0 else { return }
    let teachers = teachers(of: id, store)
    if !entity.teachers.isEmpty { teachers.replace(entity.teachers) }
    entity.teachers = teachers
    try entity.teachers.applyToDb()
  }
  package func createEntity(entityReader: RecordReader, store: Store) -> Student {
    let student = Student()
    student.id = entityReader.read(at: 4)
    student.name = entityReader.read(at: 6)
    student.teachers = teachers(of: student.id, store)
    return student
  }
}

/// The other end of the standalone relation of ``Student``; also refers to a favourite student.
package final class Teacher: Entity, EntityInspectable, __EntityRelatable {
  package typealias EntityType = Teacher
  package typealias EntityBindingType = TeacherBinding
  package static let entityInfo = EntityInfo(name: "Teacher", id: 4)
  package static let entityBinding = TeacherBinding()

  package var id: Id = 0
  package var name = ""
  package var students: ToMany<Student> = nil
  package var favourite: ToOne<Student> = nil
  package var _id: EntityId<Teacher> { EntityId(id) }

  package init(_ name: String = "") {
    self.name = name
  }
}

package final class TeacherBinding: EntityBinding, Sendable {
  package typealias EntityType = Teacher
  package typealias IdType = Id
  package init() {}
  package func generatorBindingVersion() -> Int { 1 }
  package func setEntityIdUnlessStruct(of entity: Teacher, to entityId: Id) { entity.id = entityId }
  package func entityId(of entity: Teacher) -> Id { entity.id }
  package func collect(
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
  package func postPut(fromEntity entity: Teacher, id: Id, store: Store) throws {
    guard entityId(of: entity) == 0 else { return }
    let students = students(of: id, store)
    if !entity.students.isEmpty { students.replace(entity.students) }
    entity.students = students
    try entity.students.applyToDb()
    entity.favourite.attach(to: store.box(for: Student.self))
  }
  package func createEntity(entityReader: RecordReader, store: Store) -> Teacher {
    let teacher = Teacher()
    teacher.id = entityReader.read(at: 4)
    teacher.name = entityReader.read(at: 6)
    teacher.favourite = entityReader.read(at: 8, store: store)
    teacher.students = students(of: teacher.id, store)
    return teacher
  }
}

/// Refers to another node, has a unique name, and can run code while it is put.
package final class Node: Entity, EntityInspectable, __EntityRelatable {
  package typealias EntityType = Node
  package typealias EntityBindingType = NodeBinding
  package static let entityInfo = EntityInfo(name: "Node", id: 5)
  package static let entityBinding = NodeBinding()

  package var id: Id = 0
  package var next: ToOne<Node> = nil
  package var name: String?
  package var whileCollected: () throws -> Void = {}
  package var afterPut: () throws -> Void = {}
  package var _id: EntityId<Node> { EntityId(id) }

  package init(name: String? = nil) {
    self.name = name
  }
}

package final class NodeBinding: EntityBinding, Sendable {
  package typealias EntityType = Node
  package typealias IdType = Id
  package init() {}
  package func generatorBindingVersion() -> Int { 1 }
  package func setEntityIdUnlessStruct(of entity: Node, to entityId: Id) { entity.id = entityId }
  package func entityId(of entity: Node) -> Id { entity.id }
  package func collect(
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
  package func postPut(fromEntity entity: Node, id: Id, store: Store) throws {
    try entity.afterPut()
  }
  package func createEntity(entityReader: RecordReader, store: Store) -> Node {
    let node = Node()
    node.id = entityReader.read(at: 4)
    node.next = entityReader.read(at: 6, store: store)
    node.name = entityReader.read(at: 8)
    return node
  }
}

/// A struct that is a relation target; its ID is immutable.
package struct Author: Entity, EntityInspectable, __EntityRelatable {
  package typealias EntityType = Author
  package typealias EntityBindingType = AuthorBinding
  package static let entityInfo = EntityInfo(name: "Author", id: 6)
  package static let entityBinding = AuthorBinding()

  package let id: EntityId<Author>
  package var name: String
  package var books: ToMany<Book>
  package var _id: EntityId<Author> { id }

  package init(id: EntityId<Author> = 0, name: String, books: ToMany<Book> = nil) {
    self.id = id
    self.name = name
    self.books = books
  }
}

package final class AuthorBinding: EntityBinding, Sendable {
  package typealias EntityType = Author
  package typealias IdType = EntityId<Author>
  package init() {}
  package func generatorBindingVersion() -> Int { 1 }
  package func entityId(of entity: Author) -> Id { entity.id.value }
  package func collect(
    fromEntity entity: Author,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) {
    let name = propertyCollector.prepare(string: entity.name)
    propertyCollector.collect(id, at: 4)
    propertyCollector.collect(dataOffset: name, at: 6)
  }
  package func createEntity(entityReader: RecordReader, store: Store) -> Author {
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

/// A struct that is a relation host.
package struct Book: Entity, EntityInspectable, __EntityRelatable {
  package typealias EntityType = Book
  package typealias EntityBindingType = BookBinding
  package static let entityInfo = EntityInfo(name: "Book", id: 7)
  package static let entityBinding = BookBinding()

  package var id: Id = 0
  package var title: String
  package var author: ToOne<Author> = nil

  package init(id: Id = 0, title: String, author: ToOne<Author> = nil) {
    self.id = id
    self.title = title
    self.author = author
  }
  package var _id: EntityId<Book> { EntityId(id) }

  package static var author: Property<Book, EntityId<Author>, Author> { Property(propertyId: 3) }
}

package final class BookBinding: EntityBinding, Sendable {
  package typealias EntityType = Book
  package typealias IdType = Id
  package init() {}
  package func generatorBindingVersion() -> Int { 1 }
  package func setStructEntityId(of entity: inout Book, to entityId: Id) { entity.id = entityId }
  package func entityId(of entity: Book) -> Id { entity.id }
  package func collect(
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
  package func setToOneRelation(_ propertyId: obx_schema_id, of entity: Book, to entityId: Id?) {
    entity.author.targetId = entityId.map { EntityId<Author>($0) }
  }
  package func createEntity(entityReader: RecordReader, store: Store) -> Book {
    Book(
      id: entityReader.read(at: 4),
      title: entityReader.read(at: 6),
      author: entityReader.read(at: 8, store: store)
    )
  }
}
