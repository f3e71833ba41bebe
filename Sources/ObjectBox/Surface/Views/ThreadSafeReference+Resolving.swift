extension Snapshot {
  /// Returns what a reference stands for, as this snapshot shows it, and uses the reference up.
  ///
  /// - Parameter reference: A reference of the same store.
  /// - Returns: A handle; nil when the object is not in the snapshot.
  /// - Throws: ``ObjectBoxError``: `referenceAlreadyResolved`, `differentStore`, `invalidated`.
  public func resolve<M>(_ reference: ThreadSafeReference<M>) throws -> M.Frozen? {
    let source = try reference.take(for: store)
    return try M.Frozen.__frozen(try source.__identity(), in: self)
  }
}

extension ReadTransaction {
  /// Returns the object that a reference stands for, as the transaction sees it, and uses the reference up.
  ///
  /// - Parameter reference: A reference of the same store.
  /// - Returns: A new instance; nil when the object is gone.
  /// - Throws: ``ObjectBoxError``: `referenceAlreadyResolved`, `differentStore`, `transactionEnded`.
  public func resolve<M, E>(_ reference: ThreadSafeReference<M>) throws -> E?
  where M.Frozen == FrozenObject<E> {
    try checkUsable()
    return try get(try reference.take(for: store).id)
  }

  /// Returns the objects that a reference to results stands for, found anew in the transaction, and uses the
  /// reference up.
  ///
  /// - Parameter reference: A reference of the same store.
  /// - Returns: New instances; nil when they are those of a relation whose object is gone.
  /// - Throws: ``ObjectBoxError``: `referenceAlreadyResolved`, `differentStore`, `transactionEnded`.
  public func resolve<M, E>(_ reference: ThreadSafeReference<M>) throws -> [E]?
  where M.Frozen == FrozenResults<E> {
    try checkUsable()
    return try objects(try reference.take(for: store).selection)
  }

  func objects<E>(_ selection: Selection) throws -> [E]?
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    guard try selection.isHostThere(store) else { return nil }
    return try selection.query(E.self, store).find()
  }
}

extension LiveStore {
  /// Returns what a reference stands for, as this view shows it, and uses the reference up.
  ///
  /// A view that shows an older version than the one that was referred to is refreshed first.
  ///
  /// - Parameter reference: A reference of the same store.
  /// - Returns: A handle; nil when the object is not in the view.
  /// - Throws: ``ObjectBoxError``: `referenceAlreadyResolved`, `differentStore`, `invalidated`,
  ///   `wrongIsolation`.
  public func resolve<M>(_ reference: ThreadSafeReference<M>) throws -> M.Live? {
    try checkUsable()
    let frozen = try reference.take(for: store)
    try catchUp(to: try frozen.snapshot.version())
    return try frozen.thaw(in: self)
  }
}
