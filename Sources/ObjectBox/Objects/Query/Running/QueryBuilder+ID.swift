// Orders by the ID, whose property has another type than the rest.

extension QueryBuilder {
  /// Orders the results by their IDs, which sorts nothing: the objects are read in this order, or from the
  /// highest ID on, and no more of them than a limit asks for.
  ///
  /// - Parameters:
  ///   - property: The ID of the entity.
  ///   - flags: By default ascending; of the others only `descending` counts.
  /// - Returns: The builder itself.
  public func ordered<T: UntypedIdBase>(
    by property: Property<E, T, T>,
    flags: [OrderFlags] = []
  ) -> QueryBuilder<E> {
    ordered(byPropertyID: property.propertyId, flags)
  }

  /// Orders the results by their IDs, as the form with several flags does.
  ///
  /// - Parameters:
  ///   - property: The ID of the entity.
  ///   - flags: `descending` to begin with the highest ID.
  /// - Returns: The builder itself.
  public func ordered<T: UntypedIdBase>(
    by property: Property<E, T, T>,
    flags: OrderFlags
  ) -> QueryBuilder<E> {
    ordered(byPropertyID: property.propertyId, [flags])
  }

  /// Orders the results by their IDs, which sorts nothing, or by the IDs that a relation between objects of
  /// the entity leads to.
  ///
  /// - Parameters:
  ///   - property: The ID of the entity.
  ///   - flags: By default ascending.
  /// - Returns: The builder itself.
  public func ordered(
    by property: Property<E, EntityId<E>, E>,
    flags: [OrderFlags] = []
  ) -> QueryBuilder<E> where E: Entity {
    ordered(byPropertyID: property.propertyId, flags)
  }

  /// Orders the results by their IDs, as the form with several flags does.
  ///
  /// - Parameters:
  ///   - property: The ID of the entity.
  ///   - flags: `descending` to begin with the highest ID.
  /// - Returns: The builder itself.
  public func ordered(
    by property: Property<E, EntityId<E>, E>,
    flags: OrderFlags
  ) -> QueryBuilder<E> where E: Entity {
    ordered(byPropertyID: property.propertyId, [flags])
  }
}
