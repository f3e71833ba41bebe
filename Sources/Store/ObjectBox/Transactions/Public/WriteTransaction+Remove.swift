extension WriteTransaction {
  /// Removes the stored objects with the IDs of the given objects.
  ///
  ///     try transaction.remove(try people.query { .age > 120 }.build().find())
  ///
  /// - Parameter entities: Objects. For a to-many relation, removes its objects from the store, not
  ///   only from the relation.
  /// - Returns: How many of them were stored.
  /// - Throws: ``ObjectBoxError``: `transactionEnded`, and `constraintViolated` when a relation
  ///   forbids it; nothing is removed then.
  @discardableResult
  public func remove<C: Collection, E>(_ entities: C) throws -> Int
  where
    C.Element == E, E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType
  {
    Int(try box(E.self).remove(Array(entities)))
  }

  /// Removes the objects with the given IDs.
  ///
  /// - Parameter ids: IDs; those without an object are skipped.
  /// - Returns: How many objects existed.
  /// - Throws: ``ObjectBoxError``: `transactionEnded`, and `constraintViolated` when a relation
  ///   forbids it; nothing is removed then.
  @discardableResult
  public func remove<C: Collection, E>(_ ids: C) throws -> Int
  where
    C.Element == EntityId<E>, E: EntityInspectable & __EntityRelatable,
    E == E.EntityBindingType.EntityType
  {
    Int(try box(E.self).remove(Array(ids)))
  }
}
