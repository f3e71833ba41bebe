// Links as conditions. They nest: a link inside another leads on to the next entity.

extension Property where V: IdBase, R: EntityInspectable {
  /// Matches objects whose to-one relation leads to an object that matches a condition.
  ///
  /// Can be used anywhere in a condition: alone, under `&&` and `||`, and inside other links.
  /// Parameters of the inner conditions can be set by alias only.
  ///
  ///     let found = try notes.query {
  ///       Note.isPinned == true || Note.author.link { Author.name == "Ada" }
  ///     }.build().find()
  ///
  /// - Parameter conditions: Returns the condition on the target; called at once.
  /// - Returns: The condition.
  public func link(_ conditions: () -> QueryCondition<R>) -> QueryCondition<E> {
    QueryCondition(
      .link(LinkCondition(.toOne(property: propertyId), to: R.entityInfo, conditions().condition))
    )
  }
}

extension ToManyProperty {
  /// Matches objects with a related object that matches a condition.
  ///
  /// Can be used anywhere in a condition: alone, under `&&` and `||`, and inside other links.
  /// `QueryBuilder.build` rejects a relation of another entity. Parameters of the inner conditions
  /// can be set by alias only.
  ///
  ///     let busy = try authors.query { Author.notes.link { Note.stars > 3 } }.build().find()
  ///
  /// - Parameter conditions: Returns the condition on the related objects; called at once.
  /// - Returns: The condition on the entity that has the relation.
  public func link<E>(_ conditions: () -> QueryCondition<R>) -> QueryCondition<E> {
    QueryCondition(
      .link(LinkCondition(end, to: R.entityInfo, conditions().condition))
    )
  }
}
