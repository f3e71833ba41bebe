extension Box {
  // MARK: One object

  /// Removes the object with the given ID and all references to it.
  ///
  /// To-one relations to it become null; its entries in to-many relations are removed.
  ///
  /// A relation with `onDelete` also removes the objects at its other end, or lets them forbid the removal. This
  /// applies to every removal, including one by a put that replaces an object with the same unique value. Objects that
  /// a rule removes are not counted in results and forbid nothing.
  ///
  /// As in ObjectBox, a missing object is an error, although there is a result. `remove([id])` skips
  /// it, and returns the number of removed objects.
  ///
  /// - Parameter id: An ID.
  /// - Returns: False for ID 0, else true.
  /// - Throws: ``ObjectBoxError/notFound(message:)`` when there is no such object;
  ///   ``ObjectBoxError/constraintViolated(message:)`` when a relation with `onDelete = "restrict"`
  ///   forbids it (nothing is removed then); other errors when the store is closed, read-only or
  ///   full.
  @discardableResult
  public func remove<I: UntypedIdBase>(_ id: I) throws -> Bool { try removeOne(id.value) }

  /// Removes the object with the given ID.
  ///
  /// - Parameter id: An ID.
  /// - Returns: False for ID 0, else true.
  /// - Throws: ``ObjectBoxError/notFound(message:)`` when there is no such object.
  @discardableResult
  public func remove(_ id: EntityId<E>) throws -> Bool { try removeOne(id.value) }

  /// Removes the stored object with the ID of the given object.
  ///
  ///     if let note = try notes.get(id), note.stars == 0 { try notes.remove(note) }
  ///
  /// - Parameter entity: An object.
  /// - Returns: False when it was never stored, else true.
  /// - Throws: ``ObjectBoxError/notFound(message:)`` when it is no longer stored.
  @discardableResult
  public func remove(_ entity: E) throws -> Bool {
    try removeOne(E.entityBinding.entityId(of: entity))
  }

  private func removeOne(_ id: UInt64) throws -> Bool {
    guard id != 0 else {
      try store.checkOpen()
      return false
    }
    let wasThere = try writingUndoably(if: isLinked) { writer, _ in
      try writer.remove(ids: CollectionOfOne(id)) > 0
    }
    // Thrown after the transaction: a missing object must not roll back an outer transaction.
    guard wasThere else {
      throw ObjectBoxError.notFound(
        message:
          "cannot remove '\(E.entityInfo.entityName)' with ID \(id): there is no such object; "
          + "remove([id]) skips a missing one"
      )
    }
    return true
  }

  // MARK: Many objects

  /// Removes objects in one transaction.
  ///
  ///     let removed = try notes.remove(try notes.all().filter { $0.title.count > 80 })
  ///     print("\(removed) notes removed")
  ///
  /// - Parameter entities: Objects; objects that are not stored are skipped.
  /// - Returns: How many were removed.
  /// - Throws: ``ObjectBoxError`` when the store is closed, read-only or full.
  @discardableResult
  public func remove<C: Collection>(_ entities: C) throws -> UInt64 where C.Element == E {
    let binding = E.entityBinding
    return try removeMany(entities.lazy.map { binding.entityId(of: $0) })
  }

  /// Removes objects in one transaction.
  ///
  /// - Parameter entities: Objects; objects that are not stored are skipped.
  /// - Returns: How many were removed.
  /// - Throws: ``ObjectBoxError`` when the store is closed, read-only or full.
  @discardableResult
  public func remove(_ entities: E...) throws -> UInt64 { try remove(entities) }

  /// Removes the objects with the given IDs in one transaction.
  ///
  /// - Parameter ids: IDs; those without an object are skipped.
  /// - Returns: How many were removed.
  /// - Throws: ``ObjectBoxError`` when the store is closed, read-only or full.
  @discardableResult
  public func remove(_ ids: [Id]) throws -> UInt64 { try removeMany(ids) }

  // Disfavoured: a single ID takes the form that returns whether the object existed.
  /// Removes the objects with the given IDs in one transaction.
  ///
  /// - Parameter ids: IDs; those without an object are skipped.
  /// - Returns: How many were removed.
  /// - Throws: ``ObjectBoxError`` when the store is closed, read-only or full.
  @_disfavoredOverload
  @discardableResult
  public func remove(_ ids: Id...) throws -> UInt64 { try removeMany(ids) }

  /// Removes the objects with the given IDs in one transaction.
  ///
  /// - Parameter ids: IDs; those without an object are skipped.
  /// - Returns: How many were removed.
  /// - Throws: ``ObjectBoxError`` when the store is closed, read-only or full.
  @discardableResult
  public func remove<I: UntypedIdBase, C: Collection>(_ ids: C) throws -> UInt64
  where C.Element == I {
    try removeMany(ids.lazy.map(\.value))
  }

  // Disfavoured: a single ID takes the form that returns whether the object existed.
  /// Removes the objects with the given IDs in one transaction.
  ///
  /// - Parameter ids: IDs; those without an object are skipped.
  /// - Returns: How many were removed.
  /// - Throws: ``ObjectBoxError`` when the store is closed, read-only or full.
  @_disfavoredOverload
  @discardableResult
  public func remove<I: UntypedIdBase>(_ ids: I...) throws -> UInt64 {
    try removeMany(ids.lazy.map(\.value))
  }

  /// Removes the objects with the given IDs in one transaction.
  ///
  /// - Parameter ids: IDs; those without an object are skipped.
  /// - Returns: How many were removed.
  /// - Throws: ``ObjectBoxError`` when the store is closed, read-only or full.
  @discardableResult
  public func remove<C: Collection>(_ ids: C) throws -> UInt64 where C.Element == EntityId<E> {
    try removeMany(ids.lazy.map(\.value))
  }

  /// Removes the objects with the given IDs in one transaction.
  ///
  /// - Parameter ids: IDs; those without an object are skipped.
  /// - Returns: How many were removed.
  /// - Throws: ``ObjectBoxError`` when the store is closed, read-only or full.
  @discardableResult
  public func remove(_ ids: EntityId<E>...) throws -> UInt64 {
    try removeMany(ids.lazy.map(\.value))
  }

  func removeMany<S: Sequence>(_ ids: S) throws -> UInt64 where S.Element == UInt64 {
    try writingUndoably(if: isLinked || ids.underestimatedCount > 1) { writer, _ in
      try writer.remove(ids: ids)
    }
  }

  /// Removes all objects and returns their number; their IDs are not assigned again.
  ///
  /// Throws ``ObjectBoxError`` when the store is closed, read-only or full. The cost grows with the entity's pages and
  /// with the number of objects in other entities that get a null to-one relation; with delete rules, it grows with the
  /// removed objects.
  ///
  ///     try store.runInTransaction {
  ///       try notes.removeAll()
  ///       try notes.put(lines.map { Note(title: $0) })
  ///     }
  @discardableResult
  public func removeAll() throws -> UInt64 {
    try writingUndoably { writer, _ in try writer.removeAll() }
  }
}
