extension WriteTransaction {
  // MARK: Live handles

  /// Changes a stored object: reads it, passes it to a block, and stores what the block leaves, changed
  /// to-many relations included.
  ///
  /// The handle shows the change inside this transaction, and everywhere after the commit.
  ///
  /// - Parameters:
  ///   - object: A handle of a live view of this store.
  ///   - change: Changes an instance of its own; when it throws, the object is not stored.
  /// - Returns: What the block returns.
  /// - Throws: ``ObjectBoxError``: `invalidated` when the object is gone, `differentStore`,
  ///   `wrongIsolation`, `transactionEnded`, as for a put; and what the block throws.
  @discardableResult
  public func modify<E, R>(
    _ object: LiveObject<E>,
    _ change: (inout E) throws -> R
  ) throws -> R
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    let box = try box(E.self)
    var entity = try checked(object)
    object.live.didWrite()
    let result = try change(&entity)
    try box.put(entity, mode: .update)
    return result
  }

  /// Removes a stored object; its handles are invalid then.
  ///
  /// - Parameter object: A handle of a live view of this store.
  /// - Returns: False when it is gone already, else true.
  /// - Throws: ``ObjectBoxError``: `differentStore`, `wrongIsolation`, `transactionEnded`, and
  ///   `constraintViolated` when a relation forbids it.
  @discardableResult
  public func remove<E>(_ object: LiveObject<E>) throws -> Bool
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try object.live.checkUsable()
    try store.checkSame(as: object.live.store)
    object.live.didWrite()
    return try remove(object.id)
  }

  /// Removes all objects that results hold now, and returns how many there were.
  ///
  /// - Parameter results: Of a live view of this store.
  /// - Returns: How many there were.
  /// - Throws: ``ObjectBoxError``: `invalidated`, `differentStore`, `wrongIsolation`, `transactionEnded`,
  ///   and `constraintViolated` when a relation forbids it.
  @discardableResult
  public func remove<E>(_ results: LiveResults<E>) throws -> Int
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try store.checkSame(as: results.live.store)
    let box = try box(E.self)
    results.live.didWrite()
    return Int(try box.remove(try results.ids))
  }

  /// Stores an object, or changes the stored one, and returns a handle of it.
  ///
  /// - Parameters:
  ///   - entity: An object; with ID 0 it is new and gets the next ID.
  ///   - live: The view of the handle.
  /// - Returns: The handle; invalid when this is rolled back.
  /// - Throws: ``ObjectBoxError``: `differentStore`, `wrongIsolation`, `transactionEnded`, as for a put.
  public func put<E>(_ entity: E, in live: LiveStore) throws -> LiveObject<E>
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try live.checkUsable()
    try store.checkSame(as: live.store)
    live.didWrite()
    let id = EntityId<E>(try put(entity).value)
    guard let object = try live.object(id) else { return LiveObject(gone: id, in: live) }
    return object
  }

  private func checked<E>(_ object: LiveObject<E>) throws -> E
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try checkUsable()
    try store.checkSame(as: object.live.store)
    return try object.value()
  }
}
