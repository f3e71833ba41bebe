/// A pair of a standalone relation, stored with its source.
///
/// Relations are sets in which additions win: each addition has its own dot, and a removal takes only the dot that its
/// device saw.
package struct Pair: Hashable, Comparable, Sendable {
  /// The relation.
  package let relation: PropertyUID
  /// The target object.
  package let target: ObjectKey
  /// The transaction that added the pair.
  package let dot: TransactionToken

  /// Creates a pair.
  package init(relation: PropertyUID, target: ObjectKey, dot: TransactionToken) {
    self.relation = relation
    self.target = target
    self.dot = dot
  }

  /// Orders pairs by relation, target and dot.
  package static func < (left: Self, right: Self) -> Bool {
    if left.relation != right.relation { return left.relation < right.relation }
    return left.target != right.target ? left.target < right.target : left.dot < right.dot
  }
}

/// The relation and the target of a pair, which tell it from the other pairs of its source.
package struct PairEnd: Hashable, Sendable {
  /// The relation.
  package let relation: PropertyUID
  /// The target object.
  package let target: ObjectKey

  /// Creates the end of pairs to a target.
  package init(_ relation: PropertyUID, _ target: ObjectKey) {
    self.relation = relation
    self.target = target
  }

  /// Takes the end of a pair.
  package init(_ pair: Pair) { self.init(pair.relation, pair.target) }
}
