public import ObjectBox

extension DynamicBox {
  /// Returns the IDs of the related objects of an object, ascending.
  ///
  /// - Parameters:
  ///   - relation: The name of a to-one or standalone to-many relation.
  ///   - id: The ID of an object of this entity.
  /// - Returns: IDs in the target entity; none when the object is not stored.
  /// - Throws: `ObjectBoxError.illegalArgument(message:)` when the entity has no such relation,
  ///   others when the store is closed or cannot be read.
  public func targets(_ relation: String, of id: Id) throws -> [Id] {
    let (end, _) = try entity.relation(relation)
    return try reading { try RelationReader(end, entity.table, in: $0).ids(of: id) }
  }

  /// Returns the IDs of the objects whose relation leads to the given object, ascending.
  ///
  /// - Parameters:
  ///   - source: The name of the entity that has the relation.
  ///   - relation: The name of a to-one or standalone to-many relation of that entity.
  ///   - id: The ID of an object of this entity.
  /// - Returns: IDs in the entity that has the relation.
  /// - Throws: `ObjectBoxError.illegalArgument(message:)` when there is no such relation to this
  ///   entity, others when the store is closed or cannot be read.
  public func sources(_ source: String, _ relation: String, of id: Id) throws -> [Id] {
    let source = try DynamicEntity(named: source, in: store.file)
    let (end, target) = try source.relation(relation)
    try entity.check(target, isTargetOf: relation, source)
    return try reading { try RelationReader(end.reversed, source.table, in: $0).ids(of: id) }
  }

  /// Adds objects to a standalone to-many relation; existing links stay.
  ///
  /// - Parameters:
  ///   - targets: IDs of stored objects.
  ///   - relation: The name of the relation.
  ///   - id: The ID of a stored object of this entity.
  /// - Throws: `ObjectBoxError`: `notFound` when one of the objects is not stored,
  ///   `illegalArgument` when the entity has no such relation, others when the store is closed,
  ///   read-only or full.
  public func add(_ targets: [Id], to relation: String, of id: Id) throws {
    try changing(relation, of: id) { table, target, transaction in
      for other in targets {
        try Self.check(other, in: target, transaction)
        transaction.notePair(id.value, other.value, of: table)
        try table.add(source: id, target: other, in: transaction.storage)
      }
    }
  }

  /// Removes objects from a standalone to-many relation; the objects themselves stay.
  ///
  /// - Parameters:
  ///   - targets: IDs; those that the relation does not contain are skipped.
  ///   - relation: The name of the relation.
  ///   - id: The ID of a stored object of this entity.
  /// - Throws: `ObjectBoxError`: `notFound` when the object of this entity is not stored,
  ///   `illegalArgument` when the entity has no such relation, others when the store is closed,
  ///   read-only or full.
  public func remove(_ targets: [Id], from relation: String, of id: Id) throws {
    try changing(relation, of: id) { table, _, transaction in
      for other in targets {
        transaction.notePair(id.value, other.value, of: table)
        try table.remove(source: id, target: other, in: transaction.storage)
      }
    }
  }

  private func changing(
    _ name: String,
    of id: Id,
    _ body: (RelationTable, EntityTable, Transaction) throws -> Void
  ) throws {
    guard case (.standalone(let relation), let target) = try entity.relation(name),
      let table = entity.file.relation(id: relation)
    else {
      throw ObjectBoxError.illegalArgument(
        message:
          "'\(entity.name).\(name)' is a to-one relation; put the ID of its target under its name"
      )
    }
    try writing { writer, _ in
      let transaction = writer.transaction
      try Self.check(id, in: entity.table, transaction)
      transaction.noteChange(of: table)
      try body(table, target, transaction)
    }
  }

  private static func check(_ id: Id, in table: EntityTable, _ transaction: Transaction) throws {
    if try table.contains(id, in: transaction.storage) { return }
    throw ObjectBoxError.notFound(
      message:
        "a relation cannot join '\(table.name)' with ID \(id): there is no such object; put it first"
    )
  }
}
