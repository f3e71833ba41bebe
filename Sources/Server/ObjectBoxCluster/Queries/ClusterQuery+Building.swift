public import ObjectBox

extension ClusterQuery {
  /// Orders the results by a property; each further call orders results that are still equal.
  ///
  /// Equal results are in the order of their IDs. NaN is greater than all numbers. Vectors are
  /// ordered element by element.
  ///
  /// - Parameters:
  ///   - property: Any property of the entity.
  ///   - flags: By default ascending, nulls first, strings ignoring case.
  /// - Returns: The ordered query.
  public func ordered<T>(
    by property: Property<E, T, Void>,
    flags: [OrderFlags] = []
  ) -> ClusterQuery<E> {
    with(selection.ordered(by: property, flags))
  }

  /// Orders the results by a property; see the overload with several flags.
  public func ordered<T>(
    by property: Property<E, T, Void>,
    flags: OrderFlags
  ) -> ClusterQuery<E> {
    with(selection.ordered(by: property, [flags]))
  }

  /// Orders the results by their IDs.
  ///
  /// - Parameters:
  ///   - property: The ID of the entity.
  ///   - flags: By default ascending; flags other than `descending` are ignored.
  /// - Returns: The ordered query.
  public func ordered<T: UntypedIdBase>(
    by property: Property<E, T, T>,
    flags: [OrderFlags] = []
  ) -> ClusterQuery<E> {
    with(selection.ordered(by: property, flags))
  }

  /// Orders the results by their IDs; see the overload with several flags.
  public func ordered<T: UntypedIdBase>(
    by property: Property<E, T, T>,
    flags: OrderFlags
  ) -> ClusterQuery<E> {
    with(selection.ordered(by: property, [flags]))
  }

  /// Orders the results by their IDs, or by the target IDs of a relation between objects of the entity.
  ///
  /// - Parameters:
  ///   - property: The ID of the entity.
  ///   - flags: By default ascending.
  /// - Returns: The ordered query.
  public func ordered(
    by property: Property<E, EntityId<E>, E>,
    flags: [OrderFlags] = []
  ) -> ClusterQuery<E> where E: Entity {
    with(selection.ordered(by: property, flags))
  }

  /// Orders the results by their IDs; see the overload with several flags.
  public func ordered(
    by property: Property<E, EntityId<E>, E>,
    flags: OrderFlags
  ) -> ClusterQuery<E> where E: Entity {
    with(selection.ordered(by: property, [flags]))
  }

  /// Orders the results by a property of the target of a to-one relation.
  ///
  /// A result whose target is missing or was removed is ordered like one whose target has null: before the others,
  /// after them with the flag `nullsLast`, or as zero with `nullsZero`.
  ///
  ///     let open = try await box.query { Order.isOpen == true }
  ///       .ordered(by: Order.customer, Customer.name, flags: .nullsLast).find()
  ///
  /// - Parameters:
  ///   - relation: A to-one relation of the entity.
  ///   - property: A property of its target.
  ///   - flags: By default ascending, nulls first, strings ignoring case.
  /// - Returns: The ordered query.
  public func ordered<V: IdBase, R: EntityInspectable & __EntityRelatable, T>(
    by relation: Property<E, V, R>,
    _ property: Property<R, T, Void>,
    flags: OrderFlags...
  ) -> ClusterQuery<E> {
    with(selection.ordered(by: relation.at(property).order(flags)))
  }

  /// Orders the results by a property that to-one relations lead to; see
  /// `ordered(by:_:flags:)`.
  ///
  /// - Parameters:
  ///   - property: A property of a related object, made by `Property.at`.
  ///   - flags: By default ascending, nulls first, strings ignoring case.
  /// - Returns: The ordered query.
  public func ordered(by property: RelatedProperty<E>, flags: OrderFlags...) -> ClusterQuery<E> {
    with(selection.ordered(by: property.order(flags)))
  }

  /// Restricts the results to objects whose to-one target matches a condition.
  ///
  /// The query's conditions and all its links must hold. Parameters of the inner conditions can
  /// only be set by alias.
  ///
  /// - Parameters:
  ///   - relation: A to-one relation of the entity.
  ///   - conditions: Returns the condition on the target; runs at once.
  /// - Returns: The narrower query.
  public func link<V: IdBase, R: EntityInspectable>(
    _ relation: Property<E, V, R>,
    conditions: () -> QueryCondition<R>
  ) -> ClusterQuery<E> {
    with(selection.narrowed(by: relation.link(conditions).condition))
  }

  /// Restricts the results to objects with a related object that matches a condition.
  ///
  /// Each result is returned once, however many related objects match.
  ///
  /// - Parameters:
  ///   - relation: A to-many relation of the entity: standalone or a backlink.
  ///   - conditions: Returns the condition on the related objects; runs at once.
  /// - Returns: The narrower query.
  public func link<R>(
    _ relation: ToManyProperty<R>,
    conditions: () -> QueryCondition<R>
  ) -> ClusterQuery<E> {
    let link: QueryCondition<E> = relation.link(conditions)
    return with(selection.narrowed(by: link.condition))
  }

  private func with(_ selection: Selection) -> ClusterQuery<E> {
    var copy = self
    copy.selection = selection
    return copy
  }

  // MARK: Relations

  /// Loads a to-one relation together with the results.
  ///
  ///     let orders = try await box.query { Order.isOpen == true }.include(Order.customer).find()
  ///
  /// If the target was removed, the relation is empty. Call it for each relation to include. All
  /// included relations take one round trip, the relations of the related objects another one, and
  /// so on.
  ///
  /// - Parameters:
  ///   - relation: A to-one relation of the entity.
  ///   - further: Adds relations of the targets; runs at once.
  /// - Returns: The query with the relation.
  public func include<V: IdBase, R>(
    _ relation: Property<E, V, R>,
    _ further: (ClusterInclusions<R>) -> ClusterInclusions<R> = { $0 }
  ) -> ClusterQuery<E>
  where R: Entity & EntityInspectable & __EntityRelatable, R == R.EntityBindingType.EntityType {
    including(inclusions.include(relation, further))
  }

  /// Loads a to-many relation together with the results.
  ///
  ///     let all = try await cities.query().include(City.customers) { $0.include(Customer.orders) }.find()
  ///
  /// - Parameters:
  ///   - relation: A to-many relation of the entity: standalone or a backlink.
  ///   - further: Adds relations of the related objects; runs at once.
  /// - Returns: The query with the relation.
  public func include<R>(
    _ relation: ToManyProperty<R>,
    _ further: (ClusterInclusions<R>) -> ClusterInclusions<R> = { $0 }
  ) -> ClusterQuery<E>
  where R: Entity & EntityInspectable & __EntityRelatable, R == R.EntityBindingType.EntityType {
    including(inclusions.include(relation, further))
  }

  private func including(_ inclusions: ClusterInclusions<E>) -> ClusterQuery<E> {
    var copy = self
    copy.inclusions = inclusions
    return copy
  }

  /// Loads the included relations of objects, in one round trip for each level, or none.
  func include(in objects: [E]) async throws {
    if inclusions.isEmpty || objects.isEmpty { return }
    try await source.load(inclusions.loads(of: objects))
  }
}
