// Unlike an `EntityId`, an `Id` does not know its entity: another argument states it.

extension WriteTransaction {
  // MARK: Changing

  /// Changes a stored object: reads it, passes it to a block, and stores the result and its changed
  /// to-many relations.
  ///
  ///     try transaction.modify(Person.self, id) { $0.age += 1 }
  ///
  /// - Parameters:
  ///   - type: The entity.
  ///   - id: The object's ID.
  ///   - change: Changes it; when it throws, the object is not stored.
  /// - Returns: The block's result; nil when there is no such object.
  /// - Throws: ``ObjectBoxError`` as for a put, `transactionEnded`, and the block's error.
  @discardableResult
  public func modify<E, R, I: UntypedIdBase>(
    _ type: E.Type,
    _ id: I,
    _ change: (inout E) throws -> R
  ) throws -> R?
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try modify(EntityId<E>(id.value), change)
  }

  /// Changes a stored object.
  ///
  /// - Parameters:
  ///   - type: The entity.
  ///   - id: The object's ID.
  ///   - change: Changes it; when it throws, the object is not stored.
  /// - Returns: The block's result; nil when there is no such object.
  /// - Throws: ``ObjectBoxError`` as for a put, `transactionEnded`, and the block's error.
  @discardableResult
  public func modify<E, R>(
    _ type: E.Type,
    _ id: EntityId<E>,
    _ change: (inout E) throws -> R
  ) throws -> R?
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try modify(id, change)
  }

  /// Changes a stored object; the block's parameter states the entity.
  ///
  ///     try transaction.modify(id) { (person: inout Person) in person.age += 1 }
  ///
  /// - Parameters:
  ///   - id: The object's ID.
  ///   - change: Changes it; when it throws, the object is not stored.
  /// - Returns: The block's result; nil when there is no such object.
  /// - Throws: ``ObjectBoxError`` as for a put, `transactionEnded`, and the block's error.
  @discardableResult
  public func modify<E, R, I: UntypedIdBase>(
    _ id: I,
    _ change: (inout E) throws -> R
  ) throws -> R?
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try modify(EntityId<E>(id.value), change)
  }

  // MARK: Removing

  /// Removes the object with the given ID.
  ///
  ///     try transaction.remove(Person.self, id)
  ///
  /// - Parameters:
  ///   - type: The entity.
  ///   - id: An ID.
  /// - Returns: False when there is no such object, else true.
  /// - Throws: ``ObjectBoxError``: `transactionEnded`, and `constraintViolated` when a relation
  ///   forbids it.
  @discardableResult
  public func remove<E, I: UntypedIdBase>(_ type: E.Type, _ id: I) throws -> Bool
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try remove(EntityId<E>(id.value))
  }

  /// Removes the object with the given ID.
  ///
  /// - Parameters:
  ///   - type: The entity.
  ///   - id: An ID.
  /// - Returns: False when there is no such object, else true.
  /// - Throws: ``ObjectBoxError``: `transactionEnded`, and `constraintViolated` when a relation
  ///   forbids it.
  @discardableResult
  public func remove<E>(_ type: E.Type, _ id: EntityId<E>) throws -> Bool
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try remove(id)
  }

  /// Removes the objects with the given IDs.
  ///
  /// - Parameters:
  ///   - type: The entity.
  ///   - ids: IDs; those without an object are skipped.
  /// - Returns: How many objects existed.
  /// - Throws: ``ObjectBoxError``: `transactionEnded`, and `constraintViolated` when a relation
  ///   forbids it; nothing is removed then.
  @discardableResult
  public func remove<E, C: Collection>(_ type: E.Type, _ ids: C) throws -> Int
  where
    C.Element: UntypedIdBase, E: EntityInspectable & __EntityRelatable,
    E == E.EntityBindingType.EntityType
  {
    try remove(ids.map { EntityId<E>($0.value) })
  }

  /// Does not compile: nothing says which entity the ID belongs to.
  @available(
    *,
    unavailable,
    message: """
      an 'Id' does not say which entity it belongs to: write 'transaction.remove(Person.self, \
      id)'
      """
  )
  @discardableResult
  public func remove<I: UntypedIdBase>(_ id: I) throws -> Bool { false }

  /// Does not compile: nothing says which entity the IDs belong to.
  @available(
    *,
    unavailable,
    message: """
      an 'Id' does not say which entity it belongs to: write 'transaction.remove(Person.self, \
      ids)'
      """
  )
  @discardableResult
  public func remove<C: Collection>(_ ids: C) throws -> Int where C.Element: UntypedIdBase { 0 }
}
