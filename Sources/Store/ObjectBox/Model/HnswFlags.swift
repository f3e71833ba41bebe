/// Settings of a nearest-neighbour index.
public enum HnswFlags: UInt32, NumberedEnumeration, CaseIterable, Sendable {
  /// Log output of the reference; kept in the model without effect.
  case debugLogs = 1
  /// More log output of the reference; kept in the model without effect.
  case debugLogsDetailed = 2
  /// No padding in the reference's cache of vectors; kept in the model without effect.
  case vectorCacheSimdPaddingOff = 4
  /// Fewer candidates when the reference's graph is repaired; kept in the model without effect.
  case reparationLimitCandidates = 8
}
