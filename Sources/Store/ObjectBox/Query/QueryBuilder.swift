extension Box {
  /// Starts a query for all objects.
  @inlinable
  public func query() -> QueryBuilder<E> { QueryBuilder(box: self, nil) }

  /// Starts a query for the objects that match a condition.
  ///
  /// Inside the block the properties of the entity can be named as `.name` and as `E.name`.
  ///
  ///     let good = try notes.query { .stars > 3 && Note.title.contains("milk") }.build().find()
  @inlinable
  public func query(_ conditions: () -> QueryCondition<E>) -> QueryBuilder<E> {
    QueryBuilder(box: self, conditions())
  }
}

/// Collects the condition and the orders of a query.
///
/// A class for source compatibility: its functions return the builder itself.
///
///     let query = try notes.query { Note.isPinned == true }
///       .ordered(by: Note.stars, flags: .descending)
///       .ordered(by: Note.title)
///       .build()
public final class QueryBuilder<E>
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  /// A property that is not a relation.
  public typealias QueryProperty<T> = Property<E, T, Void> where T: EntityPropertyTypeConvertible

  @usableFromInline package let box: Box<E>
  @usableFromInline package var selection: Selection

  // Inlinable with the other steps of building a query, so that its metadata is known and it can be
  // stack-allocated.
  @inlinable
  package init(box: Box<E>, _ condition: QueryCondition<E>?) {
    self.box = box
    selection = Selection(of: condition?.condition)
  }

  /// Orders the results by a property; further calls order results that are equal so far.
  ///
  /// A single order by a property with a value index can read the results in index order, if that
  /// is cheaper than sorting: without a condition, or with a limit. For strings this requires the
  /// flag `caseSensitive`. Other orders read all results; with a limit they keep at most `offset`
  /// plus `limit`. Equal results are ordered by ID.
  ///
  ///     let oldestFirst = try notes.query().ordered(by: Note.created).build()
  ///     let newestFirst = try notes.query().ordered(by: Note.created, flags: .descending).build()
  ///
  /// - Parameters:
  ///   - property: Any property of the entity.
  ///   - flags: Default: ascending, nulls first, strings compared without case in every script.
  /// - Returns: The builder itself.
  public func ordered<T>(
    by property: Property<E, T, Void>,
    flags: [OrderFlags] = []
  ) -> QueryBuilder<E> {
    with(selection.ordered(by: property, flags))
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
    with(selection.ordered(by: property, [flags]))
  }

  /// Restricts the results to objects whose to-one relation leads to an object that matches a
  /// condition.
  ///
  /// The query's conditions and all its links must hold. Parameters of the inner conditions can be
  /// set by alias only.
  ///
  ///     let ofAda = try notes.query().link(Note.author) { Author.name == "Ada" }.build().find()
  ///
  /// - Parameters:
  ///   - relation: A to-one relation of the entity.
  ///   - conditions: Returns the condition on the target; called at once.
  /// - Returns: The builder itself.
  public func link<V: IdBase, R: EntityInspectable>(
    _ relation: Property<E, V, R>,
    conditions: @escaping () -> QueryCondition<R>
  ) -> QueryBuilder<E> {
    with(selection.narrowed(by: relation.link(conditions).condition))
  }

  /// Restricts the results to objects with a related object that matches a condition.
  ///
  /// Each result occurs once, however many of its related objects match. The query's conditions and
  /// all its links must hold. Parameters of the inner conditions can be set by alias only.
  ///
  ///     let busy = try authors.query().link(Author.notes) { Note.stars > 3 }.build().find()
  ///
  /// - Parameters:
  ///   - relation: A to-many relation of the entity: a standalone relation, or a backlink of a
  ///     standalone or to-one relation.
  ///   - conditions: Returns the condition on the related objects; called at once.
  /// - Returns: The builder itself.
  public func link<R>(
    _ relation: ToManyProperty<R>,
    conditions: @escaping () -> QueryCondition<R>
  ) -> QueryBuilder<E> {
    let link: QueryCondition<E> = relation.link(conditions)
    return with(selection.narrowed(by: link.condition))
  }

  /// Replaces the selection, and returns the builder.
  func with(_ selection: Selection) -> QueryBuilder<E> {
    self.selection = selection
    return self
  }

  /// Skips damaged objects where the query would throw `fileCorrupt`.
  ///
  /// Each record is checked before the condition is tested; ``Query/skippedIds`` holds the IDs of
  /// the damaged objects. Subscriptions, snapshots and live views of the query skip them as well.
  /// The query then reads each record on one thread: it neither takes counts from indexes nor saves
  /// sorting. Damaged pages, and damaged targets of relations, remain errors. A damaged object that
  /// its index no longer contains is not found.
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
