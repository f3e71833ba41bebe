public import ObjectBox

extension Snapshot {
  /// Consumes a reference, and returns its handle in this snapshot.
  ///
  /// - Parameter reference: A reference of the same store.
  /// - Returns: A handle; nil when the object is not in the snapshot.
  /// - Throws: `ObjectBoxError`: `referenceAlreadyResolved`, `differentStore`, `invalidated`.
  public func resolve<M>(_ reference: ThreadSafeReference<M>) throws -> M.Frozen? {
    try M.Frozen.__frozen(try reference.take(for: store).__identity(), in: self)
  }
}

extension LiveStore {
  /// Consumes a reference, and returns its handle in this view.
  ///
  /// A view that shows an older version than the reference is refreshed first.
  ///
  /// - Parameter reference: A reference of the same store.
  /// - Returns: A handle; nil when the object is not in the view.
  /// - Throws: `ObjectBoxError`: `referenceAlreadyResolved`, `differentStore`, `invalidated`,
  ///   `wrongIsolation`.
  public func resolve<M>(_ reference: ThreadSafeReference<M>) throws -> M.Live? {
    try checkUsable()
    let frozen = try reference.take(for: store)
    try catchUp(to: try frozen.snapshot.version())
    return try frozen.thaw(in: self)
  }
}

extension ReadTransaction {
  /// Consumes a reference, and returns its data, read in the transaction.
  ///
  /// - Parameter reference: A reference of the same store.
  /// - Returns: A new instance, or an array of instances for results; nil when the object or the
  ///   relation's host is gone.
  /// - Throws: `ObjectBoxError`: `referenceAlreadyResolved`, `differentStore`, `transactionEnded`.
  public func resolve<M>(_ reference: ThreadSafeReference<M>) throws -> M.Resolved? {
    try checkUsable()
    return try M.Frozen.__resolved(try reference.take(for: store).__identity(), in: self)
  }

  /// Returns the data of a variable, read in the transaction.
  ///
  /// - Parameter variable: The projected value of a variable, such as `$person`.
  /// - Returns: A new instance, or an array of instances for results; nil when the variable is
  ///   empty, or the object or the relation's host is gone.
  /// - Throws: `ObjectBoxError`: `unmanagedObject`, `differentStore`, `transactionEnded`.
  public func resolve<M>(_ variable: ThreadSafe<M>) throws -> M.Resolved? {
    try checkUsable()
    return try variable.identity(for: store).flatMap { try M.__resolved($0, in: self) }
  }
}
