extension Snapshot {
  // MARK: Objects

  /// Returns an object.
  ///
  /// - Parameter id: Its ID.
  /// - Returns: A handle; nil when the snapshot has no such object.
  /// - Throws: ``ObjectBoxError/invalidated(message:)``.
  public func object<E>(_ id: EntityId<E>) throws -> FrozenObject<E>?
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try reading {
      let isThere = try Box<E>(store: reader).reading { table, transaction in
        try table.contains(id.value, in: transaction.storage)
      }
      return isThere ? FrozenObject(id, in: self) : nil
    }
  }

  /// Returns an object.
  ///
  /// - Parameters:
  ///   - type: The entity.
  ///   - id: The object's ID.
  /// - Returns: A handle; nil when the snapshot has no such object.
  /// - Throws: ``ObjectBoxError/invalidated(message:)``.
  public func object<E>(_ type: E.Type, _ id: Id) throws -> FrozenObject<E>?
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try object(EntityId<E>(id))
  }

  /// Returns the number of objects of an entity.
  ///
  /// - Parameter type: The entity.
  /// - Returns: How many there are.
  /// - Throws: ``ObjectBoxError/invalidated(message:)``.
  /// - Complexity: O(1)
  public func count<E>(_ type: E.Type) throws -> Int
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try reading { try Box<E>(store: reader).count() }
  }

  // MARK: Results

  /// Returns the objects of an entity, in the order of their IDs.
  ///
  /// - Parameter type: The entity.
  /// - Returns: Results, which are found when they are first looked at.
  /// - Throws: ``ObjectBoxError/invalidated(message:)``.
  public func query<E>(_ type: E.Type) throws -> FrozenResults<E>
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try results(Selection())
  }

  /// Returns the objects that meet a condition.
  ///
  /// - Parameters:
  ///   - type: The entity.
  ///   - condition: What they must meet; it is called at once.
  /// - Returns: Results, which are found when they are first looked at.
  /// - Throws: ``ObjectBoxError``: `invalidated`, or when the condition does not fit the model.
  public func query<E>(
    _ type: E.Type,
    _ condition: () -> QueryCondition<E>
  ) throws -> FrozenResults<E>
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try results(Selection(condition: condition().condition))
  }

  /// Returns what a query would find, with its conditions, links and orders.
  ///
  /// - Parameter builder: Of a box of this store; it is not changed.
  /// - Returns: Results, which are found when they are first looked at.
  /// - Throws: ``ObjectBoxError``: `invalidated`, `differentStore`, or when a condition does not fit the
  ///   model.
  public func query<E>(builder: QueryBuilder<E>) throws -> FrozenResults<E>
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try checkSameStore(as: builder.box.store)
    return try results(Selection(condition: builder.condition, orders: builder.orders))
  }

  /// Returns the objects of a selection, which is checked here.
  func results<E>(_ selection: Selection) throws -> FrozenResults<E>
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try reading { _ = try selection.query(E.self, reader) }
    return FrozenResults(selection, in: self)
  }

  // MARK: Stores

  /// Throws ``ObjectBoxError/differentStore(message:)`` for an instance of another store.
  func checkSameStore(as other: Store) throws {
    try store.checkSame(as: other)
  }
}

extension Store {
  /// Throws ``ObjectBoxError/differentStore(message:)`` for an instance of another store.
  func checkSame(as other: Store) throws {
    guard other.core === core else {
      throw ObjectBoxError.differentStore(
        message:
          "something of the store at '\(other.directoryPath)' was used with the one at "
          + "'\(directoryPath)'; use both with one store, or copy the objects"
      )
    }
  }
}
