/// How the results of a query are ordered by a property; several combine.
public enum OrderFlags: UInt32, NumberedEnumeration, CaseIterable, Sendable {
  /// From the greatest to the least.
  case descending = 1
  /// Strings by their bytes; otherwise the case of ASCII letters does not count.
  case caseSensitive = 2
  /// Integers as unsigned ones.
  case unsigned = 4
  /// Nulls after all values; otherwise before them.
  case nullsLast = 8
  /// Nulls as zero.
  case nullsZero = 16
}
