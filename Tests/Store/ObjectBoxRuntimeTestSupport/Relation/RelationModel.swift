package import ObjectBox
package import ObjectBoxTestSupport

/// A test's variant of the model of the entities with relations.
package struct RelationModel: Sendable {
  package var hasCustomerIndex = true
  package var hasRelation = true
  package var relationUID: UInt64 = 901
  package var relationTarget: UInt32 = 4
  package var relationName: String?
  package var lastRelation: UInt32 = 1
  package var customerTarget = Customer.entityInfo
  package var nodeNameFlags: [PropertyFlags] = [.unique, .indexHash, .indexed]
  package var customerRule = DeleteRule.nullify
  package var favouriteRule = DeleteRule.nullify
  package var nextRule = DeleteRule.nullify
  /// The rule of the standalone relation, for its targets.
  package var teachersRule = DeleteRule.nullify
  /// The rule of the standalone relation, for its sources.
  package var studentsRule = DeleteRule.nullify
  package var entities: Set<UInt32> = [1, 2, 3, 4, 5, 6, 7]
  /// Adds to the entity `Student`, which has no property 3.
  package var changeStudent: @Sendable (EntityBuilder<Student>) throws -> Void = { _ in }

  package init(
    hasCustomerIndex: Bool = true,
    hasRelation: Bool = true,
    relationUID: UInt64 = 901,
    relationTarget: UInt32 = 4,
    relationName: String? = nil,
    lastRelation: UInt32 = 1,
    customerTarget: EntityInfo = Customer.entityInfo,
    nodeNameFlags: [PropertyFlags] = [.unique, .indexHash, .indexed],
    customerRule: DeleteRule = DeleteRule.nullify,
    favouriteRule: DeleteRule = DeleteRule.nullify,
    nextRule: DeleteRule = DeleteRule.nullify,
    teachersRule: DeleteRule = DeleteRule.nullify,
    studentsRule: DeleteRule = DeleteRule.nullify,
    entities: Set<UInt32> = [1, 2, 3, 4, 5, 6, 7]
  ) {
    self.hasCustomerIndex = hasCustomerIndex
    self.hasRelation = hasRelation
    self.relationUID = relationUID
    self.relationTarget = relationTarget
    self.relationName = relationName
    self.lastRelation = lastRelation
    self.customerTarget = customerTarget
    self.nodeNameFlags = nodeNameFlags
    self.customerRule = customerRule
    self.favouriteRule = favouriteRule
    self.nextRule = nextRule
    self.teachersRule = teachersRule
    self.studentsRule = studentsRule
    self.entities = entities
  }

  private static func uid(_ entity: UInt32) -> UInt64 { 1000 + UInt64(entity) }

  package func build() throws -> OpaquePointer {
    let builder = try ModelBuilder()
    try add(Customer.self, to: builder, [("name", .string)])
    try add(Order.self, to: builder, [("name", .string)]) { order in
      try order.addToOneRelation(
        name: "customer",
        targetEntityInfo: customerTarget,
        flags: hasCustomerIndex ? [.indexed, .indexPartialSkipZero] : [],
        id: 3,
        uid: 203,
        indexId: hasCustomerIndex ? 1 : 0,
        indexUid: hasCustomerIndex ? 801 : 0
      )
      .onDelete(customerRule)
    }
    try add(Student.self, to: builder, [("name", .string)]) { student in
      try changeStudent(student)
      guard hasRelation else { return }
      try student.addToManyRelation(
        id: 1,
        uid: relationUID,
        targetId: relationTarget,
        targetUid: Self.uid(relationTarget)
      )
      if let relationName { try student.relationName(relationName) }
      try student.relationOnDelete(teachersRule)
      try student.relationOnTargetDelete(studentsRule)
      try student.relationExternalName("teaching")
      try student.relationExternalType(UInt32(ExternalPropertyType.mongoIdVector.rawValue))
    }
    try add(Teacher.self, to: builder, [("name", .string)]) { teacher in
      try addToOne("favourite", 3, to: teacher, Student.entityInfo, index: 2).onDelete(
        favouriteRule
      )
    }
    try add(Node.self, to: builder, []) { node in
      try addToOne("next", 2, to: node, Node.entityInfo, index: 3).onDelete(nextRule)
      try node.addProperty(
        name: "name",
        type: .string,
        flags: nodeNameFlags,
        id: 3,
        uid: 503,
        indexId: 5,
        indexUid: 805
      )
    }
    try add(Author.self, to: builder, [("name", .string)])
    try add(Book.self, to: builder, [("title", .string)]) { book in
      try addToOne("author", 3, to: book, Author.entityInfo, index: 4)
    }
    builder.lastEntity(id: 7, uid: Self.uid(7))
    builder.lastIndex(id: 5, uid: 805)
    builder.lastRelation(id: lastRelation, uid: 900 + UInt64(lastRelation))
    return builder.finish()
  }

  private func add<E: EntityInspectable>(
    _ entity: E.Type,
    to builder: ModelBuilder,
    _ properties: [(String, PropertyType)],
    _ more: (EntityBuilder<E>) throws -> Void = { _ in }
  ) throws {
    let id = E.entityInfo.entitySchemaId
    guard entities.contains(id) else { return }
    let base = UInt64(id) * 100
    let entity = try builder.entityBuilder(for: E.self, id: id, uid: Self.uid(id))
    try entity.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: base + 1)
    for (place, property) in properties.enumerated() {
      try entity.addProperty(
        name: property.0,
        type: property.1,
        id: UInt32(place) + 2,
        uid: base + 2 + UInt64(place)
      )
    }
    try more(entity)
    try entity.lastProperty(id: 3, uid: base + 3)
  }

  @discardableResult
  private func addToOne<E>(
    _ name: String,
    _ id: UInt32,
    to entity: EntityBuilder<E>,
    _ target: EntityInfo,
    index: UInt32
  ) throws -> PropertyBuilder where E: EntityInspectable {
    try entity.addToOneRelation(
      name: name,
      targetEntityInfo: target,
      flags: [.indexed, .indexPartialSkipZero],
      id: id,
      uid: UInt64(E.entityInfo.entitySchemaId) * 100 + UInt64(id),
      indexId: index,
      indexUid: 800 + UInt64(index)
    )
  }
}

/// A store of entities with relations, in a new folder that is deleted with its owner.
package final class RelationStore {
  package let folder: TemporaryDirectory
  package private(set) var store: Store

  package init(_ model: RelationModel = RelationModel()) throws {
    folder = try TemporaryDirectory()
    store = try Store(model: try model.build(), directory: folder.path + "/store")
  }

  /// Closes the store and reopens it.
  package func reopen(_ model: RelationModel = RelationModel()) throws {
    store.close()
    store = try Store(model: try model.build(), directory: folder.path + "/store")
  }

  package var customers: Box<Customer> { store.box() }
  package var orders: Box<Order> { store.box() }
  package var students: Box<Student> { store.box() }
  package var teachers: Box<Teacher> { store.box() }
  package var nodes: Box<Node> { store.box() }
  package var authors: Box<Author> { store.box() }
  package var books: Box<Book> { store.box() }
}
