// Orders by the ID, whose property has a type of its own.

extension QueryBuilder {
  /// Orders the results by their IDs without sorting: the objects are read in this order, or in reverse, and
  /// only up to a limit.
  ///
  /// - Parameters:
  ///   - property: The ID of the entity.
  ///   - flags: By default ascending; flags other than `descending` are ignored.
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

  /// Orders the results by their IDs without sorting, or by the target IDs of a relation between objects of
  /// the entity.
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
