/// Relations that are loaded together with the results.
///
/// Without it each relation is loaded when it is first used, by a search of its own. An included relation is
/// loaded by one pass over the related objects, in the transaction that finds the results. It is then as if
/// each had been used: `target` and the objects of to-many relations are those that were stored at that time,
/// in the same order. Every relation has instances of its own, as with loading on first use, so a change of
/// one shows in no other.
extension QueryBuilder {
  /// Loads a to-one relation together with the results.
  ///
  /// A relation whose target was removed has no target afterwards, as with loading on first use.
  ///
  ///     let orders = try box.query { Order.isOpen == true }.include(Order.customer).build().find()
  ///
  /// The objects of all searches and subscriptions of the query include the relation. May be called for several
  /// relations.
  ///
  /// - Parameter relation: A to-one relation of the entity.
  /// - Returns: The builder itself.
  /// - Complexity: Each search reads each target once, in the order of their IDs; all objects of the target
  ///   entity when the targets are a large part of them.
  public func include<V: IdBase, R>(_ relation: Property<E, V, R>) -> QueryBuilder<E>
  where R: Entity & EntityInspectable & __EntityRelatable, R == R.EntityBindingType.EntityType {
    including(RelationInclusion(.toOne(property: relation.propertyId), to: R.self))
  }

  /// Loads a to-many relation together with the results.
  ///
  ///     let customers = try box.query().include(Customer.orders).build().find()
  ///
  /// The objects of all searches and subscriptions of the query include the relation. May be called for several
  /// relations.
  ///
  /// - Parameter relation: A to-many relation of the entity: a standalone one, or the other end of one or of
  ///   a to-one relation.
  /// - Returns: The builder itself.
  /// - Complexity: Each search reads the entries of the relation and the related objects once, in their
  ///   order; all of them when the results are a large part of the objects that have the relation.
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
  @inline(__always)
  func including<C: Sequence>(_ search: () throws -> C) throws -> C where C.Element == E {
    if inclusions.isEmpty { return try search() }
    return try box.reading { _, transaction in
      let objects = try search()
      let isLoaded: Void? = try objects.withContiguousStorageIfAvailable {
        try load($0, transaction)
      }
      if isLoaded == nil {
        try ContiguousArray(objects).withUnsafeBufferPointer { try load($0, transaction) }
      }
      return objects
    }
  }

  /// Loads the relations of objects that were found.
  private func load(_ objects: UnsafeBufferPointer<E>, _ transaction: Transaction) throws {
    for inclusion in inclusions { try inclusion.load(of: objects, in: box.store, transaction) }
  }

  /// Returns the result of a search, with the included relations loaded in the same transaction.
  @inline(__always)
  func including(_ search: () throws -> E?) throws -> E? {
    if inclusions.isEmpty { return try search() }
    return try box.reading { _, transaction in
      guard let object = try search() else { return nil }
      try withUnsafePointer(to: object) {
        try load(UnsafeBufferPointer(start: $0, count: 1), transaction)
      }
      return object
    }
  }
}
