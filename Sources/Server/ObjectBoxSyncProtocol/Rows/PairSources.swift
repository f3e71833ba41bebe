/// The objects with pairs among changed rows, by the targets of the pairs.
///
/// Made when it is first asked for: most transactions remove nothing. Then it follows the changes.
package struct PairSources {
  private var sources: [ObjectKey: Set<ObjectKey>]?

  /// Creates an index that nobody has asked for.
  package init() {}

  /// Follows the change of an object's row; nil for none.
  package mutating func replace(_ old: Row?, by new: Row?, at key: ObjectKey) {
    guard sources != nil, old?.pairs ?? [] != new?.pairs ?? [] else { return }
    for pair in old?.pairs ?? [] { sources?[pair.target]?.remove(key) }
    for pair in new?.pairs ?? [] { sources?[pair.target, default: []].insert(key) }
  }

  /// Forgets a target to which no pair leads any more.
  package mutating func forget(_ target: ObjectKey) { sources?[target] = nil }

  /// Returns the objects with a pair to a target.
  ///
  /// - Parameters:
  ///   - target: The target.
  ///   - rows: All changed rows, with what was passed to `replace` so far.
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
