/// A property of an object that to-one relations lead to, for orders.
///
///     let byAuthor = try notes.query().ordered(by: Note.author.at(Author.name)).build()
public struct RelatedProperty<E>: Sendable {
  /// The relations from the first entity on.
  let path: [QueryOrder.Step]
  let propertyID: UInt32

  /// Returns an order by the property.
  package func order(_ flags: [OrderFlags]) -> QueryOrder {
    var order = QueryOrder(propertyID: propertyID, flags)
    order.path = path
    return order
  }
}

extension Property where V: IdBase, R: EntityInspectable & __EntityRelatable {
  /// Returns a property of the target of the relation.
  public func at<T>(_ property: Property<R, T, Void>) -> RelatedProperty<E> {
    RelatedProperty(path: [step], propertyID: property.propertyId)
  }

  /// Returns a property that further relations of the target lead to.
  public func at(_ property: RelatedProperty<R>) -> RelatedProperty<E> {
    RelatedProperty(path: [step] + property.path, propertyID: property.propertyID)
  }

  private var step: QueryOrder.Step {
    QueryOrder.Step(relationID: propertyId, target: R.entityInfo.entitySchemaId)
  }
}

extension QueryBuilder {
  /// Orders the results by a property of the target of a to-one relation.
  ///
  /// A result without a stored target counts as null: it comes first, with the flag `nullsLast` last, and with
  /// `nullsZero` as zero. Each target is read once; with many results, all targets are read together. All
  /// results are read, even with a limit, with one exception: with `nullsLast`, and indexes of both the
  /// relation and the property, a find with a small limit reads only the first targets and their objects. An
  /// index of a text has the order of `caseSensitive`.
  ///
  ///     let byAuthor = try notes.query().ordered(by: Note.author, Author.name).build()
  ///
  /// - Parameters:
  ///   - relation: A to-one relation of the entity.
  ///   - property: A property of its target.
  ///   - flags: Default: ascending, nulls first, strings compared without case in every script.
  /// - Returns: The builder itself.
  public func ordered<V: IdBase, R: EntityInspectable & __EntityRelatable, T>(
    by relation: Property<E, V, R>,
    _ property: Property<R, T, Void>,
    flags: OrderFlags...
  ) -> QueryBuilder<E> {
    with(selection.ordered(by: relation.at(property).order(flags)))
  }

  /// Orders the results by a property that to-one relations lead to; see
  /// `ordered(by:_:flags:)`.
  ///
  /// - Parameters:
  ///   - property: A property of a related object, made by `Property.at`.
  ///   - flags: Default: ascending, nulls first, strings compared without case in every script.
  /// - Returns: The builder itself.
  public func ordered(by property: RelatedProperty<E>, flags: OrderFlags...) -> QueryBuilder<E> {
    with(selection.ordered(by: property.order(flags)))
  }
}
