/// The IDs of changed objects, as a limited number of ranges.
///
/// A set of all keys would take memory in proportion to the changes. Above the limit, the ranges with the smallest gaps
/// between them are joined, so that ranges may include objects that did not change.
package struct ChangedRanges: Sendable {
  /// The number of ranges that a server keeps.
  package static let usualLimit = 16_384

  private let limit: Int
  /// Ranges in ascending order that neither overlap nor touch.
  private var ranges: [KeyRange] = []
  /// Keys that are not in ``ranges`` yet.
  private var added: [ObjectKey] = []
  private var isWidened = false

  /// Creates ranges without changes.
  ///
  /// - Parameter limit: The greatest number of ranges, at least 1 for each entity.
  package init(limit: Int = Self.usualLimit) {
    self.limit = max(limit, 1)
  }

  /// Adds the key of a changed object.
  ///
  /// - Complexity: O(log *n*) on average for a limit of *n* ranges.
  package mutating func insert(_ key: ObjectKey) {
    added.append(key)
    if added.count >= max(limit, 64) { merge() }
  }

  /// The ranges, in ascending order, with all keys that were added.
  ///
  /// The size is the one of a ``Refine``: 0 if all objects of the ranges have changed.
  package mutating func finish() -> (ranges: [KeyRange], size: Int) {
    merge()
    return (ranges, isWidened ? Refine.restSize : 0)
  }

  private mutating func merge() {
    let new = added.sorted().map { KeyRange($0.entity, $0.id...$0.id) }
    added.removeAll(keepingCapacity: true)
    var all: [KeyRange] = []
    all.reserveCapacity(ranges.count + new.count)
    var (left, right) = (ranges[...], new[...])
    while let next = Self.takeFirst(&left, &right) {
      if let last = all.last, last.entity == next.entity, Self.gap(last, next) == 0 {
        all[all.count - 1] = Self.union(last, next)
      } else {
        all.append(next)
      }
    }
    ranges = all
    if ranges.count > limit { widen() }
  }

  /// Joins the ranges with the smallest gaps until half of the limit is left.
  private mutating func widen() {
    isWidened = true
    let gaps = zip(ranges, ranges.dropFirst()).filter { $0.entity == $1.entity }
      .map(Self.gap).sorted()
    guard !gaps.isEmpty else { return }
    var closed = ranges.count - max(limit / 2, 1)
    let widest = gaps[min(closed, gaps.count) - 1]
    // Counts the gaps of the greatest width that are to be closed: otherwise all equal gaps would be closed.
    closed -= gaps.prefix { $0 < widest }.count
    var all: [KeyRange] = []
    for range in ranges {
      guard let last = all.last, last.entity == range.entity, Self.gap(last, range) <= widest else {
        all.append(range)
        continue
      }
      if Self.gap(last, range) == widest {
        guard closed > 0 else {
          all.append(range)
          continue
        }
        closed -= 1
      }
      all[all.count - 1] = Self.union(last, range)
    }
    ranges = all
  }

  private static func takeFirst(
    _ left: inout ArraySlice<KeyRange>,
    _ right: inout ArraySlice<KeyRange>
  ) -> KeyRange? {
    guard let first = left.first else { return right.popFirst() }
    guard let second = right.first else { return left.popFirst() }
    return second.begins(before: first) ? right.popFirst() : left.popFirst()
  }

  /// The number of IDs between two ranges of an entity; the first argument is the lower range.
  private static func gap(_ one: KeyRange, _ next: KeyRange) -> UInt64 {
    next.ids.lowerBound <= one.ids.upperBound ? 0 : next.ids.lowerBound - one.ids.upperBound - 1
  }

  private static func union(_ one: KeyRange, _ next: KeyRange) -> KeyRange {
    KeyRange(
      one.entity,
      one.ids.lowerBound...max(one.ids.upperBound, next.ids.upperBound)
    )
  }
}
