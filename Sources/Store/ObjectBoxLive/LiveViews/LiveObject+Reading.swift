public import ObjectBox

extension LiveObject {
  // MARK: Properties

  /// The value of a property, read from the record without making an object.
  ///
  /// Throws `ObjectBoxError`: `invalidated` when the object is gone, `wrongIsolation`, `closed`.
  public subscript<V: RecordValue, R>(_ property: Property<E, V, R>) -> V.Projection {
    get throws {
      let value = try stored(property)
      if live.isTrackingRead {
        track(.property(property.propertyId), value) { try? $0.stored(property) }
      }
      return value
    }
  }

  private func stored<V: RecordValue, R>(_ property: Property<E, V, R>) throws -> V.Projection {
    try checkThere()
    return try live.value(of: property, id)
  }

  /// Passes the stored bytes of a string, byte vector or vector to a block; copies them only inside
  /// a write.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - body: Gets the bytes, which are valid until it returns.
  /// - Returns: The block's result; nil when the property has no value or is of another type.
  /// - Throws: The block's error, and `ObjectBoxError`: `invalidated`, `wrongIsolation`, `closed`.
  public func withBytes<V: RecordValue, T>(
    of property: Property<E, V, Void>,
    _ body: (RawSpan) throws -> T
  ) throws -> T? {
    try checkThere()
    if live.isTrackingRead { track(.content, ()) { _ in () } }
    return try live.withBytes(of: property, id, body)
  }

  // MARK: Relations

  /// Returns the target of a to-one relation.
  ///
  /// - Parameter relation: A to-one relation of the entity.
  /// - Returns: The object in the same view; nil without a target.
  /// - Throws: `ObjectBoxError`: `invalidated` when the object is gone, `wrongIsolation`, `closed`.
  public func target<V: RecordValue & IdBase, R>(
    _ relation: Property<E, V, R>
  ) throws -> LiveObject<R>?
  where V.Projection == V {
    try live.object(EntityId<R>(try self[relation].value))
  }

  /// Returns the related objects of a to-many relation, by ascending ID.
  ///
  /// - Parameter relation: A to-many relation of the entity, standalone or backlink.
  /// - Returns: The relation in the same view, which moves with it.
  /// - Throws: `ObjectBoxError`: `invalidated` when the object is gone, `wrongIsolation`, `closed`,
  ///   or `illegalArgument` when the entity has no such relation.
  public func targets<R>(_ relation: ToManyProperty<R>) throws -> LiveRelation<R> {
    try checkThere()
    return try live.reading { LiveRelation(try Selection(relation, of: id, $0), in: live) }
  }
}
