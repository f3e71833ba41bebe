/// Relations that are loaded together with the results.
///
/// Otherwise each relation is loaded on first use, by a search of its own. An included relation is
/// loaded by one pass over the related objects, in the transaction that finds the results. The
/// outcome equals loading on first use at that time: the same targets and objects in the same
/// order. Each relation gets instances of its own, so changing an object shows in no other
/// relation.
extension QueryBuilder {
  /// Loads a to-one relation together with the results.
  ///
  /// A relation whose target was removed has no target afterwards.
  ///
  ///     let orders = try box.query { Order.isOpen == true }.include(Order.customer).build().find()
  ///
  /// All searches and subscriptions of the query load the relation. May be called for several
  /// relations.
  ///
  /// - Parameter relation: A to-one relation of the entity.
  /// - Returns: The builder itself.
  /// - Complexity: Each search reads each target once, by ascending ID; it reads all objects of the
  ///   target entity when the targets are a large part of them.
  public func include<V: IdBase, R>(_ relation: Property<E, V, R>) -> QueryBuilder<E>
  where R: Entity & EntityInspectable & __EntityRelatable, R == R.EntityBindingType.EntityType {
    including(RelationInclusion(.toOne(property: relation.propertyId), to: R.self))
  }

  /// Loads a to-many relation together with the results.
  ///
  ///     let customers = try box.query().include(Customer.orders).build().find()
  ///
  /// All searches and subscriptions of the query load the relation. May be called for several
  /// relations.
  ///
  /// - Parameter relation: A to-many relation of the entity: a standalone relation, or a backlink
  ///   of a standalone or to-one relation.
  /// - Returns: The builder itself.
  /// - Complexity: Each search reads the relation's entries and the related objects once, in order;
  ///   it reads all of them when the results are a large part of the objects that have the
  ///   relation.
  public func include<R>(_ relation: ToManyProperty<R>) -> QueryBuilder<E>
  where R: Entity & EntityInspectable & __EntityRelatable, R == R.EntityBindingType.EntityType {
    including(RelationInclusion(relation.end, to: R.self))
  }

  private func including(_ inclusion: RelationInclusion) -> QueryBuilder<E> {
    if !selection.inclusions.contains(where: { $0.end == inclusion.end }) {
      selection.inclusions.append(inclusion)
    }
    return self
  }
}

extension Query {
  /// Returns the results of a search, with the included relations loaded in the same transaction.
  func including(_ search: () throws -> ContiguousArray<E>) throws -> ContiguousArray<E> {
    if inclusions.isEmpty { return try search() }
    return try box.reading { _, transaction in
      let objects = try search()
      try objects.withUnsafeBufferPointer { objects in
        for inclusion in inclusions { try inclusion.load(of: objects, in: box.store, transaction) }
      }
      return objects
    }
  }
}
