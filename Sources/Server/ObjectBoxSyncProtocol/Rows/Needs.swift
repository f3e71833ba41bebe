/// The rows that the conflict function needs to read before it can decide.
package struct Needs: Hashable, Sendable {
  /// Objects, each with its row or its tombstone.
  package var keys: Set<ObjectKey> = []
  /// Unique values; their holders are needed.
  package var uniques: Set<UniqueKey> = []
  /// Objects; the pairs that lead to them are needed.
  package var targets: Set<ObjectKey> = []
  /// Transactions; their outcomes are needed.
  package var makers: Set<TransactionToken> = []
  /// The number of unused IDs that are needed, by entity.
  package var freshIDs: [EntityUID: Int] = [:]

  /// Creates empty needs.
  package init() {}

  /// True if everything was read.
  package var isEmpty: Bool {
    keys.isEmpty && uniques.isEmpty && targets.isEmpty && makers.isEmpty && freshIDs.isEmpty
  }
}
