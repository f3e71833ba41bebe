extension WriteTransaction {
  /// Removes the stored objects with the IDs of the given ones, and returns their number.
  ///
  ///     try transaction.remove(try people.query { .age > 120 }.build().find())
  ///
  /// - Parameter entities: Objects: an array, or a to-many relation, whose objects are removed from the
  ///   store as well.
  /// - Returns: How many of them were stored.
  /// - Throws: ``ObjectBoxError``: `transactionEnded`, and `constraintViolated` when a relation forbids it;
  ///   then none is removed.
  @discardableResult
  public func remove<C: Collection, E>(_ entities: C) throws -> Int
  where
    C.Element == E, E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType
  {
    Int(try box(E.self).remove(Array(entities)))
  }

  /// Removes the objects with the given IDs, and returns their number.
  ///
  /// - Parameter ids: IDs; those without an object are left out.
  /// - Returns: How many objects there were.
  /// - Throws: ``ObjectBoxError``: `transactionEnded`, and `constraintViolated` when a relation forbids it;
  ///   then none is removed.
  @discardableResult
  public func remove<C: Collection, E>(_ ids: C) throws -> Int
  where
    C.Element == EntityId<E>, E: EntityInspectable & __EntityRelatable,
    E == E.EntityBindingType.EntityType
  {
    Int(try box(E.self).remove(Array(ids)))
  }
}
