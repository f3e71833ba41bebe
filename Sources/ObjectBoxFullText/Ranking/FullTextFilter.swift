/// Conditions on objects beside those on their words.
package struct FullTextFilter {
  /// IDs of the only objects to look at, ascending without repetition; nil for all.
  package var ids: [UInt64]?
  /// A further condition, which is asked last and for as few objects as possible.
  package var predicate: ((UInt64) throws -> Bool)?

  package init(ids: [UInt64]? = nil, predicate: ((UInt64) throws -> Bool)? = nil) {
    self.ids = ids
    self.predicate = predicate
  }

  var isEmpty: Bool { ids == nil && predicate == nil }

  func contains(_ id: UInt64) throws -> Bool {
    if let ids {
      let index = ids.partitioningIndex { $0 >= id }
      guard index < ids.count, ids[index] == id else { return false }
    }
    return try predicate?(id) ?? true
  }
}

extension Array {
  /// Returns the first index whose element satisfies a condition that all later ones satisfy too.
  func partitioningIndex(_ condition: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
