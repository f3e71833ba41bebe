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
