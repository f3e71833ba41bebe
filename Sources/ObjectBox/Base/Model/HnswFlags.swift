/// Settings of a nearest-neighbour index.
public enum HnswFlags: UInt32, NumberedEnumeration, CaseIterable, Sendable {
  case debugLogs = 1
  case debugLogsDetailed = 2
  case vectorCacheSimdPaddingOff = 4
  case reparationLimitCandidates = 8
}
