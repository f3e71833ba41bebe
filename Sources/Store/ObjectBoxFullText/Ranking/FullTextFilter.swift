/// Conditions on objects, in addition to the conditions on their words.
package struct FullTextFilter {
  /// IDs of the only objects to look at, ascending without repetition; nil for all.
  package var ids: [UInt64]?
  /// A further condition, evaluated last and for as few objects as possible.
  package var predicate: ((UInt64) throws -> Bool)?

  package init(ids: [UInt64]? = nil, predicate: ((UInt64) throws -> Bool)? = nil) {
    self.ids = ids
    self.predicate = predicate
  }

  var isEmpty: Bool { ids == nil && predicate == nil }
}

/// Looks up ascending IDs in the IDs of a filter.
struct FilterWalk {
  private let ids: [UInt64]?
  private var index = 0

  init(_ filter: FullTextFilter) { ids = filter.ids }

  /// Returns whether the filter has an ID; the ID is not below the previous one.
  @inline(__always)
  mutating func contains(_ id: UInt64) -> Bool { ids.map { find(id, $0) } ?? true }

  private mutating func find(_ id: UInt64, _ ids: [UInt64]) -> Bool {
    guard index < ids.count else { return false }
    var step = 1
    var low = index
    while low + step < ids.count, ids[low + step] < id {
      low += step
      step *= 2
    }
    var high = min(ids.count, low + step + 1)
    while low < high {
      let middle = (low + high) / 2
      if ids[middle] < id { low = middle + 1 } else { high = middle }
    }
    index = low
    return low < ids.count && ids[low] == id
  }
}

extension RandomAccessCollection where Index == Int {
  /// Returns the first index of an element that satisfies a condition; all later elements satisfy it too.
  func partitioningIndex(_ condition: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
