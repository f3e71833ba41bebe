extension ReadTransaction {
  /// Returns the object that a variable names, as the transaction sees it.
  ///
  /// - Parameter variable: The projected value of a variable, such as `$person`.
  /// - Returns: A new instance; nil when the object is gone, or none is named.
  /// - Throws: ``ObjectBoxError``: `unmanagedObject`, `differentStore`, `transactionEnded`.
  public func resolve<E>(_ variable: ThreadSafe<FrozenObject<E>>) throws -> E? {
    try checkUsable()
    guard let identity = try variable.identity(for: store) else { return nil }
    return try get(EntityId<E>(identity.id))
  }

  /// Returns the objects that a variable names, found anew in the transaction.
  ///
  /// - Parameter variable: The projected value of a variable, such as `$people`.
  /// - Returns: New instances; nil when no results are named, or those of a relation whose object is gone.
  /// - Throws: ``ObjectBoxError``: `differentStore`, `transactionEnded`.
  public func resolve<E>(_ variable: ThreadSafe<FrozenResults<E>>) throws -> [E]? {
    try checkUsable()
    guard let selection = try variable.identity(for: store)?.selection else { return nil }
    return try objects(selection)
  }
}

extension WriteTransaction {
  /// Changes the object that a variable names; see ``modify(_:_:)-(EntityId<E>,_)``.
  ///
  /// - Parameters:
  ///   - variable: The projected value of a variable, such as `$person`.
  ///   - change: Changes the object; when it throws, the object is not stored.
  /// - Returns: What the block returns; nil when the object is gone, or none is named.
  /// - Throws: ``ObjectBoxError`` as for a put, `unmanagedObject`, `differentStore`, `transactionEnded`, and
  ///   what the block throws.
  @discardableResult
  public func modify<E, R>(
    _ variable: ThreadSafe<FrozenObject<E>>,
    _ change: (inout E) throws -> R
  ) throws -> R? {
    try checkUsable()
    guard let identity = try variable.identity(for: store) else { return nil }
    return try modify(EntityId<E>(identity.id), change)
  }
}
