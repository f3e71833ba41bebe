internal import Foundation

/// An order of groups.
package struct GroupOrder: Sendable {
  package enum Subject: Sendable {
    case key
    case aggregate(AggregateSource)
  }

  package var subject: Subject
  package var isDescending: Bool

  /// Compares two values: nulls first, then numbers, NaN above all of them, texts by their bytes.
  ///
  /// - Returns: A negative number, zero or a positive number.
  package static func compare(_ first: GroupCell.Content, _ second: GroupCell.Content) -> Int {
    switch (first, second) {
    case (.null, .null): return 0
    case (.null, _): return -1
    case (_, .null): return 1
    case (.integer(let first), .integer(let second)):
      return first < second ? -1 : first > second ? 1 : 0
    case (.unsigned(let first), .unsigned(let second)):
      return first < second ? -1 : first > second ? 1 : 0
    case (.unsigned(let first), .integer(let second)):
      return second < 0 || first > UInt64(second) ? 1 : first < UInt64(second) ? -1 : 0
    case (.integer, .unsigned): return -compare(second, first)
    case (.date(let first), .date(let second)):
      return first < second ? -1 : first > second ? 1 : 0
    case (.text(let first), .text(let second)):
      return first.utf8.lexicographicallyPrecedes(second.utf8)
        ? -1 : second.utf8.lexicographicallyPrecedes(first.utf8) ? 1 : 0
    default:
      let (first, second) = (GroupCell(first).double, GroupCell(second).double)
      if first.isNaN || second.isNaN { return first.isNaN ? second.isNaN ? 0 : 1 : -1 }
      return first < second ? -1 : first > second ? 1 : 0
    }
  }
}

extension GroupCell.Content {
  var isNaN: Bool {
    if case .double(let number) = self { return number.isNaN }
    return false
  }
}
