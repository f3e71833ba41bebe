/// The number of related objects, for conditions.
///
///     let busy = try authors.query { Author.notes.count > 3 }.build()
public struct RelatedCount<R>: Sendable {
  let end: RelationEnd
  let target: EntityInfo
  let condition: Condition

  func matches<E>(
    _ comparison: PropertyCondition.Comparison,
    _ number: Int
  ) -> QueryCondition<E> {
    let count = LinkCount(comparison, number)
    return QueryCondition(.link(LinkCondition(end, to: target, condition, count: count)))
  }
}

extension ToManyProperty {
  /// The number of related objects.
  ///
  /// A condition on it reads the related objects once, and counts them for all objects.
  public var count: RelatedCount<R> {
    RelatedCount(end: end, target: R.entityInfo, condition: .all([]))
  }

  /// Returns the number of related objects that match a condition.
  ///
  ///     let busy = try authors.query {
  ///       Author.notes.count { Note.isPinned == true } > 3
  ///     }.build()
  ///
  /// - Parameter conditions: Returns the condition on the related objects; called at once.
  /// - Returns: The number, for comparisons.
  public func count(_ conditions: () -> QueryCondition<R>) -> RelatedCount<R> {
    RelatedCount(end: end, target: R.entityInfo, condition: conditions().condition)
  }

  /// Matches objects without a related object.
  public func isEmpty<E>() -> QueryCondition<E> { count == 0 }

  /// Matches objects with at least one related object.
  public func isNotEmpty<E>() -> QueryCondition<E> { count > 0 }
}

/// Matches objects with this number of related objects.
public func == <E, R>(left: RelatedCount<R>, right: Int) -> QueryCondition<E> {
  left.matches(.equal, right)
}

/// Matches objects with another number of related objects.
public func != <E, R>(left: RelatedCount<R>, right: Int) -> QueryCondition<E> {
  left.matches(.notEqual, right)
}

/// Matches objects with fewer related objects.
public func < <E, R>(left: RelatedCount<R>, right: Int) -> QueryCondition<E> {
  left.matches(.less, right)
}

/// Matches objects with at most this number of related objects.
public func <= <E, R>(left: RelatedCount<R>, right: Int) -> QueryCondition<E> {
  left.matches(.lessOrEqual, right)
}

/// Matches objects with more related objects.
public func > <E, R>(left: RelatedCount<R>, right: Int) -> QueryCondition<E> {
  left.matches(.greater, right)
}

/// Matches objects with at least this number of related objects.
public func >= <E, R>(left: RelatedCount<R>, right: Int) -> QueryCondition<E> {
  left.matches(.greaterOrEqual, right)
}
