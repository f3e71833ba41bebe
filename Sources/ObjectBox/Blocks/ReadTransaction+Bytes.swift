extension ReadTransaction {
  /// Returns the value of a property of an object, read from its record: no object is made.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - id: The object's ID.
  /// - Returns: Nil when there is no such object.
  /// - Throws: ``ObjectBoxError``: `transactionEnded`, or `illegalArgument` when the model lacks the
  ///   property.
  public func value<E, V: RecordValue, R>(
    of property: Property<E, V, R>,
    _ id: EntityId<E>
  ) throws -> V.Projection? {
    let transaction = try checkUsable()
    return try RecordProjection(property, store.file).value(of: id.value, transaction)
  }

  /// Passes the stored bytes of a string, of bytes or of a vector to a block, in a read transaction without
  /// copying them.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - id: The object's ID.
  ///   - body: Gets the bytes, which are valid as long as it runs.
  /// - Returns: The result of the block; nil when there is no such object, the property has no value, or is
  ///   of another type.
  /// - Throws: The block's error, and ``ObjectBoxError``: `transactionEnded`, or `illegalArgument` when
  ///   the model lacks the property.
  public func withBytes<E, V: RecordValue, T>(
    of property: Property<E, V, Void>,
    _ id: EntityId<E>,
    _ body: (RawSpan) throws -> T
  ) throws -> T? {
    let transaction = try checkUsable()
    return try RecordProjection(property, store.file).withBytes(of: id.value, transaction, body)
  }
}
