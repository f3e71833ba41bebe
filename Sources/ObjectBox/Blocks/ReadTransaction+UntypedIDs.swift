// An `Id` does not say which entity it belongs to, as an `EntityId` does: the type of the result, a property or
// an argument says it.

extension ReadTransaction {
  /// Returns the object with the given ID, of the entity that the result is to have.
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

  // Disfavoured: with the form for `Id`, an integer literal would be ambiguous.
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

  /// Returns the value of a property of an object, read from its record: no object is made.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - id: The object's ID.
  /// - Returns: Nil when there is no such object.
  /// - Throws: ``ObjectBoxError``: `transactionEnded`, or `illegalArgument` when the model lacks the
  ///   property.
  public func value<E, V: RecordValue, R, I: UntypedIdBase>(
    of property: Property<E, V, R>,
    _ id: I
  ) throws -> V.Projection? {
    try value(of: property, EntityId<E>(id.value))
  }

  /// Passes the stored bytes of a string, of bytes or of a vector to a block, without copying them.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - id: The object's ID.
  ///   - body: Gets the bytes, which are valid as long as it runs.
  /// - Returns: The result of the block; nil when there is no such object, the property has no value, or is
  ///   of another type.
  /// - Throws: The block's error, and ``ObjectBoxError``: `transactionEnded`, or `illegalArgument` when
  ///   the model lacks the property.
  public func withBytes<E, V: RecordValue, T, I: UntypedIdBase>(
    of property: Property<E, V, Void>,
    _ id: I,
    _ body: (RawSpan) throws -> T
  ) throws -> T? {
    try withBytes(of: property, EntityId<E>(id.value), body)
  }
}
