extension WriteTransaction {
  // MARK: Live handles

  /// Removes stored objects, and returns how many there were; their handles are invalid then.
  ///
  /// - Parameter objects: Handles of live views of this store: an array, or a part of live results.
  /// - Returns: How many of them were still there.
  /// - Throws: ``ObjectBoxError``: `differentStore`, `wrongIsolation`, `transactionEnded`, and
  ///   `constraintViolated` when a relation forbids it; then none is removed.
  @discardableResult
  public func remove<C: Collection, E>(_ objects: C) throws -> Int
  where C.Element == LiveObject<E> {
    let ids = try objects.map { object in
      try object.live.checkUsable()
      try store.checkSame(as: object.live.store)
      return object.id
    }
    return try remove(ids)
  }

  // MARK: Variables

  /// Removes the object that a variable names.
  ///
  /// - Parameter variable: The projected value of a variable, such as `$person`.
  /// - Returns: False when the object is gone already, or none is named, else true.
  /// - Throws: ``ObjectBoxError``: `unmanagedObject`, `differentStore`, `transactionEnded`, and
  ///   `constraintViolated` when a relation forbids it.
  @discardableResult
  public func remove<E>(_ variable: ThreadSafe<FrozenObject<E>>) throws -> Bool {
    try checkUsable()
    guard let identity = try variable.identity(for: store) else { return false }
    return try remove(EntityId<E>(identity.id))
  }

  /// Removes the objects that a variable names, found anew in the transaction.
  ///
  /// - Parameter variable: The projected value of a variable, such as `$people`.
  /// - Returns: How many there were; 0 when no results are named.
  /// - Throws: ``ObjectBoxError``: `differentStore`, `transactionEnded`, and `constraintViolated` when a
  ///   relation forbids it; then none is removed.
  @discardableResult
  public func remove<E>(_ variable: ThreadSafe<FrozenResults<E>>) throws -> Int {
    try checkUsable()
    guard let selection = try variable.identity(for: store)?.selection else { return 0 }
    return try remove(E.self, selection)
  }

  // MARK: References

  /// Removes the object that a reference stands for, and uses the reference up.
  ///
  /// - Parameter reference: A reference of the same store.
  /// - Returns: False when the object is gone already, else true.
  /// - Throws: ``ObjectBoxError``: `referenceAlreadyResolved`, `differentStore`, `transactionEnded`, and
  ///   `constraintViolated` when a relation forbids it.
  @discardableResult
  public func remove<M, E>(_ reference: ThreadSafeReference<M>) throws -> Bool
  where M.Frozen == FrozenObject<E> {
    try checkUsable()
    return try remove(try reference.take(for: store).id)
  }

  /// Removes the objects that a reference to results stands for, found anew in the transaction, and uses the
  /// reference up.
  ///
  /// - Parameter reference: A reference of the same store.
  /// - Returns: How many there were.
  /// - Throws: ``ObjectBoxError``: `referenceAlreadyResolved`, `differentStore`, `transactionEnded`, and
  ///   `constraintViolated` when a relation forbids it; then none is removed.
  @discardableResult
  public func remove<M, E>(_ reference: ThreadSafeReference<M>) throws -> Int
  where M.Frozen == FrozenResults<E> {
    try checkUsable()
    return try remove(E.self, try reference.take(for: store).selection)
  }

  private func remove<E>(_ type: E.Type, _ selection: Selection) throws -> Int
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    guard try selection.isHostThere(store) else { return 0 }
    return try remove(try selection.ids(type, store).map { EntityId<E>($0) })
  }

  // MARK: Frozen handles

  /// Refuses: a snapshot keeps what it shows.
  ///
  /// - Parameter object: An object of a snapshot.
  /// - Returns: Never.
  /// - Throws: ``ObjectBoxError/frozen(message:)``.
  @available(*, deprecated, message: "thaw first, or pass its id")
  @discardableResult
  public func remove<E>(_ object: FrozenObject<E>) throws -> Bool {
    throw FrozenError.make("an object of a snapshot cannot be removed")
  }

  /// Refuses: a snapshot keeps what it shows.
  ///
  /// - Parameter objects: Objects of a snapshot.
  /// - Returns: Never.
  /// - Throws: ``ObjectBoxError/frozen(message:)``.
  @available(*, deprecated, message: "thaw first, or pass the ids")
  @discardableResult
  public func remove<C: Collection, E>(_ objects: C) throws -> Int
  where C.Element == FrozenObject<E> {
    throw FrozenError.make("objects of a snapshot cannot be removed")
  }
}
