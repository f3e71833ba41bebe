/// How the results of a query are ordered by a property; several combine.
public enum OrderFlags: UInt32, NumberedEnumeration, CaseIterable, Sendable {
  /// From the greatest to the least.
  case descending = 1
  /// Compares strings by their bytes; otherwise ignores case, in every script.
  case caseSensitive = 2
  /// Compares integers as unsigned.
  case unsigned = 4
  /// Sorts nulls after all values; otherwise before them.
  case nullsLast = 8
  /// Sorts nulls as zero.
  case nullsZero = 16
}
