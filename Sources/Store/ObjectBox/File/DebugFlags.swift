/// Kinds of log output in ObjectBox's API; this library does not use them.
public enum DebugFlags: UInt32, NumberedEnumeration, CaseIterable, Sendable {
  /// Read transactions.
  case logTransactionsRead = 1
  /// Write transactions.
  case logTransactionsWrite = 2
  /// Queries.
  case logQueries = 4
  /// Values of the parameters of queries.
  case logQueryParameters = 8
  /// Work of the asynchronous queue.
  case logAsyncQueue = 16
  /// Values found in caches.
  case logCacheHits = 32
  /// All uses of caches.
  case logCacheAll = 64
}
