// Unlike an `EntityId`, an `Id` does not know its entity: the result type, a property or an
// argument states it.

extension ReadTransaction {
  /// Returns the object with the given ID; the result type states the entity.
  ///
  ///     let person: Person? = try transaction.get(id)
  ///
  /// - Parameter id: An ID; 0 is none.
  /// - Returns: A new instance, or nil when there is none.
  /// - Throws: ``ObjectBoxError``: `transactionEnded`, or when the record cannot be decoded.
  public func get<E, I: UntypedIdBase>(_ id: I) throws -> E?
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try box(E.self).get(id)
  }

  /// Does not compile: nothing says which entity the ID belongs to.
  @available(
    *,
    unavailable,
    message: """
      an 'Id' does not say which entity it belongs to: write 'transaction.get(Person.self, \
      id)'
      """
  )
  public func get<I: UntypedIdBase>(_ id: I) throws -> Never? { nil }

  // Disfavoured: an integer literal would be ambiguous with the overload for `Id`.
  /// Returns the object with the given ID.
  ///
  /// - Parameters:
  ///   - type: The entity.
  ///   - id: An ID; 0 is none.
  /// - Returns: A new instance, or nil when there is none.
  /// - Throws: ``ObjectBoxError``: `transactionEnded`, or when the record cannot be decoded.
  @_disfavoredOverload
  public func get<E>(_ type: E.Type, _ id: EntityId<E>) throws -> E?
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try box(type).get(id)
  }

  // MARK: Values in place

  /// Returns the value of an object's property, read from the record without making an object.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - id: The object's ID.
  /// - Returns: Nil when there is no such object.
  /// - Throws: ``ObjectBoxError``: `transactionEnded`, or `illegalArgument` when the model lacks
  ///   the property.
  public func value<E, V: RecordValue, R, I: UntypedIdBase>(
    of property: Property<E, V, R>,
    _ id: I
  ) throws -> V.Projection? {
    try value(of: property, EntityId<E>(id.value))
  }

  /// Passes the stored bytes of a string, byte vector or vector to a block; a read transaction does
  /// not copy them.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - id: The object's ID.
  ///   - body: Gets the bytes, which are valid until it returns.
  /// - Returns: The block's result; nil when there is no such object, or the property has no value
  ///   or is of another type.
  /// - Throws: The block's error, and ``ObjectBoxError``: `transactionEnded`, or `illegalArgument`
  ///   when the model lacks the property.
  public func withBytes<E, V: RecordValue, T, I: UntypedIdBase>(
    of property: Property<E, V, Void>,
    _ id: I,
    _ body: (RawSpan) throws -> T
  ) throws -> T? {
    try withBytes(of: property, EntityId<E>(id.value), body)
  }
}
