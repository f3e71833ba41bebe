extension ReadTransaction {
  /// Returns the value of an object's property, read from the record without making an object.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - id: The object's ID.
  /// - Returns: Nil when there is no such object.
  /// - Throws: ``ObjectBoxError``: `transactionEnded`, or `illegalArgument` when the model lacks
  ///   the property.
  public func value<E, V: RecordValue, R>(
    of property: Property<E, V, R>,
    _ id: EntityId<E>
  ) throws -> V.Projection? {
    let transaction = try checkUsable()
    return try RecordProjection(property, store.file).value(of: id.value, transaction)
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
  public func withBytes<E, V: RecordValue, T>(
    of property: Property<E, V, Void>,
    _ id: EntityId<E>,
    _ body: (RawSpan) throws -> T
  ) throws -> T? {
    let transaction = try checkUsable()
    return try RecordProjection(property, store.file).withBytes(of: id.value, transaction, body)
  }
}
