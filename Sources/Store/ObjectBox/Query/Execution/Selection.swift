/// The objects of a query, an observer or a view: the objects of an entity or of one relation that
/// meet a condition, in an order.
///
/// Its functions read in the thread's open transaction or in their own.
@usableFromInline
package struct Selection: Sendable {
  /// A relation of an object.
  package struct Related: Sendable, Equatable {
    package var link: RelationLink
    /// The entity ID of the object that has the relation.
    var hostEntity: UInt32
  }

  /// The relation whose objects are selected; nil for the whole entity.
  package var related: Related?
  package var condition: Condition?
  package var orders: [QueryOrder] = []
  /// The relations to load with the objects.
  package var inclusions: [RelationInclusion] = []
  /// True to skip damaged objects; false to throw for them.
  package var skipsDamagedObjects = false

  /// Returns the selection with a further condition.
  package func narrowed(by other: Condition) -> Selection {
    var copy = self
    copy.condition = condition?.adding(other) ?? other
    return copy
  }

  /// Returns the selection with a further order, for objects equal so far.
  package func ordered(by order: QueryOrder) -> Selection {
    var copy = self
    copy.orders.append(order)
    return copy
  }

  /// Returns the selection with a further order by a property of any type.
  package func ordered<E, V, R>(by property: Property<E, V, R>, _ flags: [OrderFlags]) -> Selection
  {
    ordered(by: QueryOrder(propertyID: property.propertyId, flags))
  }

  // MARK: The model

  /// Checks that condition and orders fit the entity.
  ///
  /// - Throws: ``ObjectBoxError``: `propertyTypeMismatch` or `illegalArgument`, as a run would.
  package func check(on table: EntityTable, in file: StoreFile) throws {
    try condition?.check(on: table, in: file)
    for order in orders { try order.check(on: table, in: file) }
    for inclusion in inclusions {
      _ = try LinkCondition(inclusion.end, to: inclusion.target, .all([]))
        .targetTable(of: table, in: file)
    }
  }

  /// The indexes of other entities with changes that concern the selection: from links and the
  /// relation.
  package func entities(in file: StoreFile) -> Set<Int> {
    let ordering = orders.flatMap { $0.path.map(\.target) }
    let others = (condition?.linkTargets ?? []) + ordering + (related.map { [$0.hostEntity] } ?? [])
    return Set(others.compactMap { file.table(entity: $0)?.number })
  }

  // MARK: Reading

  /// Returns the query for the objects; for a relation, for its current objects.
  ///
  /// - Throws: ``ObjectBoxError`` when the model lacks the entity, or the relation cannot be read.
  package func query<E>(_ box: Box<E>) throws -> Query<E> {
    let table = try box.table()
    var selection = self
    selection.related = nil
    if let ids = try relatedIDs(box) {
      selection = selection.narrowed(by: try .comparingID(.isIn, ids, of: table.schema))
    }
    return Query(box: box, table, selection)
  }

  private func relatedIDs<E>(_ box: Box<E>) throws -> [UInt64]? {
    try related.map { related in
      try box.reading { table, transaction in try related.link.ids(in: table, transaction) }
    }
  }

  /// Returns the IDs of the objects, in their order.
  package func ids<E>(_ box: Box<E>) throws -> [UInt64] {
    if condition == nil, orders.isEmpty, !skipsDamagedObjects, let ids = try relatedIDs(box) {
      return ids
    }
    return try query(box).findIds().map(\.value)
  }

  /// Filters the given IDs by the condition; keeps their order.
  package func matches<E>(among ids: [UInt64], in box: Box<E>) throws -> [UInt64] {
    try box.reading { table, transaction in
      try QueryExecution.matching(ids, condition, in: table, transaction)
    }
  }

  /// The entity's properties that alone decide the selected objects and their order.
  ///
  /// Nil when other objects count too, with a relation, links, orders by related objects or nearest
  /// neighbours, and when words are searched for.
  package func decidingProperties(of entity: EntitySchema) -> PropertySet? {
    guard related == nil, condition?.isOfPropertiesOnly ?? true,
      orders.allSatisfy({ $0.path.isEmpty })
    else { return nil }
    let ids = Set((condition?.properties ?? []).map(\.propertyID) + orders.map(\.propertyID))
    return entity.properties.enumerated().reduce(into: PropertySet()) { set, property in
      if ids.contains(property.element.identity.id) {
        set.formUnion(PropertySet(index: property.offset))
      }
    }
  }

  /// Returns whether the object that has the relation is stored; true without a relation.
  package func isHostThere(_ store: Store) throws -> Bool {
    guard let related else { return true }
    guard let table = store.file.table(entity: related.hostEntity) else { return false }
    return try store.transactions.inTransaction(isWritable: false) { transaction, _ in
      try table.contains(related.link.host, in: transaction.storage)
    }
  }
}

extension Selection {
  /// Selects the objects that meet a condition; without a condition, all.
  @usableFromInline
  package init(of condition: Condition? = nil) {
    self.condition = condition
  }

  /// Selects the related objects of an object.
  ///
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` when the object's entity has no such
  ///   relation.
  package init<E, R>(_ relation: ToManyProperty<R>, of host: EntityId<E>, _ store: Store) throws
  where
    E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType,
    R: EntityInspectable & __EntityRelatable, R == R.EntityBindingType.EntityType
  {
    let link = LinkCondition(relation.end, to: R.entityInfo, .all([]))
    _ = try link.targetTable(of: try Box<E>(store: store).table(), in: store.file)
    related = Related(
      link: RelationLink(end: relation.end, host: host.value),
      hostEntity: E.entityInfo.entitySchemaId
    )
  }

  /// Selects the objects of a relation instance; none for a relation of no stored object.
  package init<R>(_ relation: ToMany<R>, _ file: StoreFile) {
    guard let link = relation.link, link.host != 0,
      let table = file.table(entity: R.entityInfo.entitySchemaId),
      let host = link.end.hostTable(of: table, in: file)
    else {
      condition = .any([])
      return
    }
    related = Related(link: link, hostEntity: host.schema.identity.id)
  }
}

extension Condition {
  /// Checks that the condition fits its entity, and that inner conditions fit the targets of links.
  ///
  /// - Throws: ``ObjectBoxError``: `propertyTypeMismatch` or `illegalArgument`, as a run would.
  fileprivate func check(on table: EntityTable, in file: StoreFile) throws {
    switch self {
    case .property(let condition) where condition.comparison.isSearch:
      _ = try condition.search(in: table)
    case .property(let condition): try ConditionTypes.check(condition, in: table.schema)
    case .all(let parts), .any(let parts):
      for part in parts { try part.check(on: table, in: file) }
    case .link(let link):
      let target = try link.targetTable(of: table, in: file)
      if let aggregate = link.aggregate { _ = try RelatedTest(aggregate, of: target.schema) }
      try link.condition.check(on: target, in: file)
    }
  }
}
