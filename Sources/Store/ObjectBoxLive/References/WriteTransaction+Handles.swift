public import ObjectBox

// Changes to the objects of live handles.

extension WriteTransaction {
  /// Changes a stored object: reads it, passes it to a block, and stores the result and its changed
  /// to-many relations.
  ///
  /// The handle shows the change in this transaction; after the commit all views show it.
  ///
  /// - Parameters:
  ///   - object: A handle of a live view of this store.
  ///   - change: Changes an independent instance; when it throws, the object is not stored.
  /// - Returns: The result of the block.
  /// - Throws: `ObjectBoxError`: `invalidated` when the object is gone, `differentStore`,
  ///   `wrongIsolation`, `transactionEnded`, as for a put; and the block's error.
  @discardableResult
  public func modify<E, R>(
    _ object: LiveObject<E>,
    _ change: (inout E) throws -> R
  ) throws -> R {
    let box = try box(E.self)
    try store.checkSame(as: object.live.store)
    var entity = try object.value()
    object.live.didWrite()
    let result = try change(&entity)
    try box.put(entity, mode: .update)
    return result
  }

  /// Stores an object, or changes the stored one, and returns a handle of it.
  ///
  /// - Parameters:
  ///   - entity: An object; with ID 0 it is new and gets the next ID.
  ///   - live: The view of the handle.
  /// - Returns: The handle; it becomes invalid if the transaction is rolled back.
  /// - Throws: `ObjectBoxError`: `differentStore`, `wrongIsolation`, `transactionEnded`, as for a
  ///   put.
  public func put<E>(_ entity: E, in live: LiveStore) throws -> LiveObject<E> {
    try check(live)
    live.didWrite()
    let id = EntityId<E>(try put(entity).value)
    return try live.object(id) ?? LiveObject(gone: id, in: live)
  }

  /// Removes a stored object; its handles become invalid.
  ///
  /// - Parameter object: A handle of a live view of this store.
  /// - Returns: False when it was already gone, else true.
  /// - Throws: `ObjectBoxError`: `differentStore`, `wrongIsolation`, `transactionEnded`, and
  ///   `constraintViolated` when a relation forbids it.
  @discardableResult
  public func remove<E>(_ object: LiveObject<E>) throws -> Bool {
    try check(object.live)
    object.live.didWrite()
    return try remove(object.id)
  }

  /// Removes stored objects; their handles become invalid.
  ///
  /// - Parameter objects: Handles of live views of this store: an array, or a slice of live
  ///   results.
  /// - Returns: The number of objects that existed.
  /// - Throws: `ObjectBoxError`: `differentStore`, `wrongIsolation`, `transactionEnded`, and
  ///   `constraintViolated` when a relation forbids it; nothing is removed then.
  @discardableResult
  public func remove<C: Collection, E>(_ objects: C) throws -> Int
  where C.Element == LiveObject<E> {
    let ids = try objects.map { object in
      try check(object.live)
      return object.id
    }
    return try remove(ids)
  }

  /// Removes all current objects of live results.
  ///
  /// - Parameter results: Results of a live view of this store.
  /// - Returns: The number of objects.
  /// - Throws: `ObjectBoxError`: `invalidated`, `differentStore`, `wrongIsolation`,
  ///   `transactionEnded`, and `constraintViolated` when a relation forbids it.
  @discardableResult
  public func remove<E>(_ results: LiveResults<E>) throws -> Int {
    try store.checkSame(as: results.live.store)
    let box = try box(E.self)
    results.live.didWrite()
    return Int(try box.remove(try results.ids))
  }

  private func check(_ live: LiveStore) throws {
    try live.checkUsable()
    try store.checkSame(as: live.store)
  }
}

extension ToMany {
  /// Adds the object of a live handle, for `WriteTransaction.modify`.
  ///
  /// - Parameter object: A handle of the relation's store.
  /// - Throws: `ObjectBoxError`: `invalidated` when the object is gone, `differentStore`,
  ///   `wrongIsolation`.
  public func append(_ object: LiveObject<S>) throws {
    let value = try object.value()
    try box?.store.checkSame(as: object.live.store)
    // The protocol's function is mutating, but this is a class.
    var relation = self
    relation.append(value)
  }
}
