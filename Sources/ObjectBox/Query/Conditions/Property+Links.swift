// Links as conditions, which nest: a link inside of another leads on to the next entity.

extension Property where V: IdBase, R: EntityInspectable {
  /// Matches objects whose to-one relation leads to an object that matches a condition.
  ///
  /// It may be used anywhere in a condition: alone, under `&&` and `||`, and inside of other links. The query
  /// can only set parameters of the inner conditions by alias.
  ///
  /// - Parameter conditions: Returns the condition on the target; it is called at once.
  /// - Returns: The condition.
  public func link(_ conditions: () -> QueryCondition<R>) -> QueryCondition<E> {
    QueryCondition(
      .link(LinkCondition(.toOne(property: propertyId), to: R.entityInfo, conditions().condition))
    )
  }
}

extension ToManyProperty {
  /// Matches objects that are related to some object that matches a condition.
  ///
  /// It may be used anywhere in a condition: alone, under `&&` and `||`, and inside of other links.
  /// `QueryBuilder.build` refuses a relation of another entity. The query can only set parameters of the
  /// inner conditions by alias.
  ///
  /// - Parameter conditions: Returns the condition on the related objects; it is called at once.
  /// - Returns: The condition on the entity that has the relation.
  public func link<E>(_ conditions: () -> QueryCondition<R>) -> QueryCondition<E> {
    QueryCondition(
      .link(LinkCondition(end, to: R.entityInfo, conditions().condition))
    )
  }
}
