/// The changed rows with pairs, by the targets of the pairs.
///
/// Built at its first use, since most transactions remove nothing; then it follows the changes.
package struct PairSources {
  private var sources: [ObjectKey: Set<ObjectKey>]?

  /// Creates an index that is not built yet.
  package init() {}

  /// Applies the change of an object's row to the index; nil for no row.
  package mutating func replace(_ old: Row?, by new: Row?, at key: ObjectKey) {
    guard sources != nil, old?.pairs ?? [] != new?.pairs ?? [] else { return }
    for pair in old?.pairs ?? [] { sources?[pair.target]?.remove(key) }
    for pair in new?.pairs ?? [] { sources?[pair.target, default: []].insert(key) }
  }

  /// Removes a target to which no pair leads any more.
  package mutating func forget(_ target: ObjectKey) { sources?[target] = nil }

  /// Returns the objects with a pair to a target.
  ///
  /// - Parameters:
  ///   - target: The target.
  ///   - rows: All changed rows, including those that were passed to `replace` so far.
  /// - Returns: The objects.
  /// - Complexity: O(*n*) pairs of the rows for the first call, O(1) for others.
  package mutating func sources(
    of target: ObjectKey,
    in rows: [ObjectKey: Row?]
  ) -> Set<ObjectKey> {
    if let sources { return sources[target] ?? [] }
    var index: [ObjectKey: Set<ObjectKey>] = [:]
    for (key, row) in rows {
      for pair in row?.pairs ?? [] { index[pair.target, default: []].insert(key) }
    }
    sources = index
    return index[target] ?? []
  }
}
