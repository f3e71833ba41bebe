public import ObjectBox

// Changes to the objects of variables and references.

extension WriteTransaction {
  // MARK: Variables

  /// Changes the object of a variable; see `modify(_:_:)`.
  ///
  /// - Parameters:
  ///   - variable: The projected value of a variable, such as `$person`.
  ///   - change: Changes the object; when it throws, the object is not stored.
  /// - Returns: The result of the block; nil when the object is gone, or the variable is empty.
  /// - Throws: `ObjectBoxError` as for a put, `unmanagedObject`, `differentStore`,
  ///   `transactionEnded`, and the block's error.
  @discardableResult
  public func modify<E, R>(
    _ variable: ThreadSafe<FrozenObject<E>>,
    _ change: (inout E) throws -> R
  ) throws -> R? {
    try checkUsable()
    guard let identity = try variable.identity(for: store) else { return nil }
    return try modify(EntityId<E>(identity.id), change)
  }

  /// Removes the object of a variable.
  ///
  /// - Parameter variable: The projected value of a variable, such as `$person`.
  /// - Returns: False when the object is already gone or the variable is empty, else true.
  /// - Throws: `ObjectBoxError`: `unmanagedObject`, `differentStore`, `transactionEnded`, and
  ///   `constraintViolated` when a relation forbids it.
  @discardableResult
  public func remove<E>(_ variable: ThreadSafe<FrozenObject<E>>) throws -> Bool {
    try checkUsable()
    guard let identity = try variable.identity(for: store) else { return false }
    return try remove(EntityId<E>(identity.id))
  }

  /// Removes the objects of a variable, read in the transaction.
  ///
  /// - Parameter variable: The projected value of a variable, such as `$people`.
  /// - Returns: The number of objects; 0 when the variable is empty.
  /// - Throws: `ObjectBoxError`: `differentStore`, `transactionEnded`, and `constraintViolated`
  ///   when a relation forbids it; nothing is removed then.
  @discardableResult
  public func remove<E>(_ variable: ThreadSafe<FrozenResults<E>>) throws -> Int {
    try checkUsable()
    return try remove(E.self, try variable.identity(for: store)?.selection)
  }

  // MARK: References

  /// Consumes a reference, and removes its object.
  ///
  /// - Parameter reference: A reference of the same store.
  /// - Returns: False when the object is already gone, else true.
  /// - Throws: `ObjectBoxError`: `referenceAlreadyResolved`, `differentStore`, `transactionEnded`,
  ///   and `constraintViolated` when a relation forbids it.
  @discardableResult
  public func remove<M, E>(_ reference: ThreadSafeReference<M>) throws -> Bool
  where M.Frozen == FrozenObject<E> {
    try checkUsable()
    return try remove(try reference.take(for: store).id)
  }

  /// Consumes a reference to results, and removes their objects, read in the transaction.
  ///
  /// - Parameter reference: A reference of the same store.
  /// - Returns: The number of objects.
  /// - Throws: `ObjectBoxError`: `referenceAlreadyResolved`, `differentStore`, `transactionEnded`,
  ///   and `constraintViolated` when a relation forbids it; nothing is removed then.
  @discardableResult
  public func remove<M, E>(_ reference: ThreadSafeReference<M>) throws -> Int
  where M.Frozen == FrozenResults<E> {
    try checkUsable()
    return try remove(E.self, try reference.take(for: store).__identity().selection)
  }

  private func remove<E>(_ type: E.Type, _ selection: Selection?) throws -> Int
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    guard let selection, try selection.isHostThere(store) else { return 0 }
    return try remove(try selection.ids(Box<E>(store: store)).map { EntityId<E>($0) })
  }
}
