// Orders by ID; the ID property has its own type.

extension QueryBuilder {
  /// Orders the results by ID without sorting: reads them in this order or in reverse, and only up
  /// to a limit.
  ///
  /// - Parameters:
  ///   - property: The ID of the entity.
  ///   - flags: By default ascending; flags other than `descending` are ignored.
  /// - Returns: The builder itself.
  public func ordered<T: UntypedIdBase>(
    by property: Property<E, T, T>,
    flags: [OrderFlags] = []
  ) -> QueryBuilder<E> {
    with(selection.ordered(by: property, flags))
  }

  /// Orders the results by ID; see the form with several flags.
  ///
  /// - Parameters:
  ///   - property: The ID of the entity.
  ///   - flags: `descending` to begin with the highest ID.
  /// - Returns: The builder itself.
  public func ordered<T: UntypedIdBase>(
    by property: Property<E, T, T>,
    flags: OrderFlags
  ) -> QueryBuilder<E> {
    with(selection.ordered(by: property, [flags]))
  }

  /// Orders the results by ID without sorting, or by the target IDs of a relation to the entity
  /// itself.
  ///
  /// - Parameters:
  ///   - property: The ID of the entity.
  ///   - flags: By default ascending.
  /// - Returns: The builder itself.
  public func ordered(
    by property: Property<E, EntityId<E>, E>,
    flags: [OrderFlags] = []
  ) -> QueryBuilder<E> where E: Entity {
    with(selection.ordered(by: property, flags))
  }

  /// Orders the results by ID; see the form with several flags.
  ///
  /// - Parameters:
  ///   - property: The ID of the entity.
  ///   - flags: `descending` to begin with the highest ID.
  /// - Returns: The builder itself.
  public func ordered(
    by property: Property<E, EntityId<E>, E>,
    flags: OrderFlags
  ) -> QueryBuilder<E> where E: Entity {
    with(selection.ordered(by: property, [flags]))
  }
}
