extension Box {
  /// Starts a query for all objects.
  @inlinable
  public func query() -> QueryBuilder<E> { QueryBuilder(box: self, nil) }

  /// Starts a query for the objects that match a condition.
  ///
  /// Inside the block the properties of the entity can be named as `.name` and as `E.name`.
  @inlinable
  public func query(_ conditions: () -> QueryCondition<E>) -> QueryBuilder<E> {
    QueryBuilder(box: self, conditions())
  }
}

/// Collects the condition and the orders of a query.
///
/// A class for source compatibility: its functions return the builder itself.
public final class QueryBuilder<E>
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  /// A property that is no relation.
  public typealias QueryProperty<T> = Property<E, T, Void> where T: EntityPropertyTypeConvertible

  @usableFromInline package let box: Box<E>
  @usableFromInline package var selection: Selection

  // Inlinable with the other steps of building a query, so that its metadata is known and it may lie on the stack.
  @inlinable
  package init(box: Box<E>, _ condition: QueryCondition<E>?) {
    self.box = box
    selection = Selection(of: condition?.condition)
  }

  /// Orders the results by a property; further calls order results that are equal so far.
  ///
  /// A single order by a property with a value index reads the results in the order of the index when that is
  /// cheaper than sorting: without a condition, or with a limit. For strings this needs the flag
  /// `caseSensitive`. Other orders read all results; with a limit at most the sum of `offset` and `limit` is
  /// kept. Equal results are in the order of their IDs.
  ///
  /// - Parameters:
  ///   - property: Any property of the entity.
  ///   - flags: By default ascending, nulls first, strings without regard to the case of ASCII letters.
  /// - Returns: The builder itself.
  public func ordered<T>(
    by property: Property<E, T, Void>,
    flags: [OrderFlags] = []
  ) -> QueryBuilder<E> {
    ordered(byPropertyID: property.propertyId, flags)
  }

  func ordered(byPropertyID propertyID: UInt32, _ flags: [OrderFlags]) -> QueryBuilder<E> {
    let flags = flags.reduce(0) { $0 | $1.rawValue }
    selection = selection.ordered(by: QueryOrder(propertyID: propertyID, flags: flags))
    return self
  }

  /// Orders the results by a property; further calls order results that are equal so far.
  ///
  /// - Parameters:
  ///   - property: Any property of the entity.
  ///   - flags: A flag.
  /// - Returns: The builder itself.
  public func ordered<T>(
    by property: Property<E, T, Void>,
    flags: OrderFlags
  ) -> QueryBuilder<E> {
    ordered(by: property, flags: [flags])
  }

  /// Restricts the results to objects whose to-one relation leads to an object that matches a condition.
  ///
  /// The conditions of the query and all its links must hold. The query can only set parameters of the
  /// inner conditions by alias.
  ///
  /// - Parameters:
  ///   - relation: A to-one relation of the entity.
  ///   - conditions: Returns the condition on the target; it is called at once.
  /// - Returns: The builder itself.
  public func link<V: IdBase, R: EntityInspectable>(
    _ relation: Property<E, V, R>,
    conditions: @escaping () -> QueryCondition<R>
  ) -> QueryBuilder<E> {
    adding(relation.link(conditions))
  }

  /// Restricts the results to objects with a related object that matches a condition.
  ///
  /// Each result comes once, however many of its related objects match. The conditions of the query and
  /// all its links must hold. The query can only set parameters of the inner conditions by alias.
  ///
  /// - Parameters:
  ///   - relation: A to-many relation of the entity: a standalone one, or the other end of one or of a
  ///     to-one relation.
  ///   - conditions: Returns the condition on the related objects; it is called at once.
  /// - Returns: The builder itself.
  public func link<R>(
    _ relation: ToManyProperty<R>,
    conditions: @escaping () -> QueryCondition<R>
  ) -> QueryBuilder<E> {
    adding(relation.link(conditions))
  }

  private func adding(_ link: QueryCondition<E>) -> QueryBuilder<E> {
    selection = selection.narrowed(by: link.condition)
    return self
  }

  /// Leaves damaged objects out of the results, where the query would throw `fileCorrupt`.
  ///
  /// Each record that the query reads is checked before the condition is tested, and ``Query/skippedIds`` has the
  /// IDs of the damaged ones. Subscriptions, snapshots and live views with the query leave them out as well. It
  /// takes the time of reading each record by one thread: counts are not taken from indexes, and results are
  /// sorted. Damaged pages, and damaged objects that relations lead to, are errors nevertheless; and an object that
  /// an index no longer leads to is not met. Files that earlier versions made have no checksums, so that only records
  /// that have no readable form are left out there.
  ///
  /// - Returns: The builder itself.
  public func skippingDamagedObjects() -> QueryBuilder<E> {
    selection.skipsDamagedObjects = true
    return self
  }

  /// Makes the query; may be called more than once.
  ///
  /// Throws ``ObjectBoxError``: `propertyTypeMismatch` when a condition does not fit its property,
  /// `illegalArgument` for a property or relation that the model lacks.
  @inlinable
  public func build() throws -> Query<E> { try Query(checking: selection, in: box) }
}
