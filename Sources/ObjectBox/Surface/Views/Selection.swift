/// Which objects of an entity results stand for, whatever view shows them.
///
/// Its functions read in the transaction that is open on the thread, or in one of their own.
struct Selection: Sendable {
  /// A relation of an object.
  struct Related: Sendable, Equatable {
    var link: RelationLink
    /// The ID of the entity of the object that has the relation.
    var hostEntity: UInt32
  }

  /// The relation whose objects they are; nil when they are those of the whole entity.
  var related: Related?
  var condition: Condition?
  var orders: [QueryOrder] = []

  /// Selects fewer.
  func narrowed(by other: Condition) -> Selection {
    var copy = self
    copy.condition = condition?.adding(other) ?? other
    return copy
  }

  /// Decides where the orders so far are equal.
  func ordered(by order: QueryOrder) -> Selection {
    var copy = self
    copy.orders.append(order)
    return copy
  }

  // MARK: Reading

  /// Returns the query for the objects as the store is now.
  ///
  /// - Throws: ``ObjectBoxError`` when condition or order do not fit the model.
  func query<E>(_ type: E.Type, _ store: Store) throws -> Query<E>
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    let box = Box<E>(store: store)
    let table = try box.table()
    try condition?.check(on: table, in: store.file)
    _ = try ResultOrder(orders, entity: table.schema)
    let ids = try relatedIDs(table, box)
    guard let ids else {
      return Query(box: box, entity: table.schema, condition: condition, orders: orders)
    }
    let isRelated = Condition.property(
      PropertyCondition(
        propertyID: table.schema.properties.first { $0.has(.id) }?.identity.id ?? 0,
        comparison: .isIn,
        operand: .integers(ids.map { Int64(bitPattern: $0) })
      )
    )
    return Query(
      box: box,
      entity: table.schema,
      condition: condition?.adding(isRelated) ?? isRelated,
      orders: orders
    )
  }

  private func relatedIDs<E>(_ table: EntityTable, _ box: Box<E>) throws -> [UInt64]? {
    try related.map { related in
      try box.reading { _, transaction in try related.link.ids(in: table, transaction) }
    }
  }

  /// Returns the IDs of the objects, in their order.
  func ids<E>(_ type: E.Type, _ store: Store) throws -> [UInt64]
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    if condition == nil, orders.isEmpty {
      let box = Box<E>(store: store)
      if let ids = try relatedIDs(try box.table(), box) { return ids }
    }
    return try query(type, store).findIds().map(\.value)
  }

  /// Returns whether the object is there whose relation they are; true when they are those of an entity.
  func isHostThere(_ store: Store) throws -> Bool {
    guard let related else { return true }
    guard let table = store.file.table(entity: related.hostEntity) else { return false }
    return try store.transactions.inTransaction(isWritable: false) { transaction, _ in
      try table.contains(related.link.host, in: transaction.storage)
    }
  }
}
