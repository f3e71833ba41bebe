/// A condition on the objects of an entity; made by the operators and functions of ``Property``.
///
/// Made outside of a query and usable in several. A class for source compatibility; it is
/// immutable.
///
///     let isGood: QueryCondition<Note> = Note.stars > 3
///     let good = try notes.query { isGood }.build()
///     let goodOfAda = try notes.query { isGood && Note.author == ada.id }.build()
public class QueryCondition<E> {
  @usableFromInline let join: ConditionJoin<Condition>

  // Inlinable, as is `condition`, so that a condition of a single query can be stack-allocated.
  @inlinable
  init(_ condition: Condition) {
    join = .one(condition)
  }

  init(_ join: ConditionJoin<Condition>) {
    self.join = join
  }

  @inlinable package var condition: Condition { join.condition }
}

/// A condition on one property; `.=` can name it.
public class PropertyQueryCondition<E, T>: QueryCondition<E> {
  @inlinable
  package override init(_ condition: Condition) {
    super.init(condition)
  }
}

/// A condition with a name by which its parameters can be set.
public class PropertyAlias<E, T>: QueryCondition<E> {
  /// The name.
  public let alias: String

  init(_ alias: String, _ condition: Condition) {
    self.alias = alias
    var named = condition
    _ = named.changeFirst {
      $0.alias = alias
      return true
    }
    super.init(named)
  }
}

precedencegroup PropertyAliasPrecedence {
  higherThan: LogicalConjunctionPrecedence
  lowerThan: ComparisonPrecedence
  associativity: none
  assignment: true
}

infix operator .= : PropertyAliasPrecedence
infix operator ∈ : ComparisonPrecedence
infix operator ∉ : ComparisonPrecedence

/// Names a condition, so that its parameters can be set by that name.
///
///     let query = try notes.query { "text" .= Note.title.contains("") }.build()
///     query.setParameter("text", to: "milk")
public func .= <E, T>(
  alias: String,
  condition: PropertyQueryCondition<E, T>
) -> PropertyAlias<E, T> {
  PropertyAlias(alias, condition.condition)
}

/// Matches objects that both conditions match.
///
/// Takes constant time, so that a loop can join any number of conditions. `QueryBuilder.build` rejects
/// conditions in which `&&` and `||` alternate on more than 100 levels; a link counts as four levels.
///
///     let found = try notes.query { Note.stars > 3 && Note.isPinned == false }.build().find()
public func && <E>(left: QueryCondition<E>, right: QueryCondition<E>) -> QueryCondition<E> {
  QueryCondition(ConditionJoin.both(left.join, right.join))
}

/// Matches objects that at least one of the conditions matches.
///
/// Takes constant time, so that a loop can join any number of conditions. `QueryBuilder.build` rejects
/// conditions in which `&&` and `||` alternate on more than 100 levels; a link counts as four levels.
///
///     let found = try notes.query {
///       (Note.stars > 3 || Note.isPinned == true) && Note.title != ""
///     }.build().find()
public func || <E>(left: QueryCondition<E>, right: QueryCondition<E>) -> QueryCondition<E> {
  QueryCondition(ConditionJoin.either(left.join, right.join))
}
