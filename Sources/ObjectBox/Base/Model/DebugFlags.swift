/// Kinds of log output in ObjectBox's API; this library takes no such flags.
public enum DebugFlags: UInt32, NumberedEnumeration, CaseIterable, Sendable {
  case logTransactionsRead = 1
  case logTransactionsWrite = 2
  case logQueries = 4
  case logQueryParameters = 8
  case logAsyncQueue = 16
  case logCacheHits = 32
  case logCacheAll = 64
}
