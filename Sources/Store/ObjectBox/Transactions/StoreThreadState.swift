internal import ObjectBoxStorage
internal import Synchronization

/// One thread's use of one store.
///
/// Invariant of `@unchecked Sendable`: the owning thread accesses the variables only while `activity` is 1. The thread
/// that closes the store first sets the closing mark and then reads `activity`; it accesses `reader` only if it has
/// read 0, or if the owner has ended. The owner first sets `activity` and then reads the mark. Both orders are
/// sequentially consistent, so at least one of the two threads sees the other.
package final class StoreThreadState: @unchecked Sendable {
  /// Thrown when a write would begin while an object is encoded outside of a transaction.
  struct WriteWhileEncoding: Error {}

  let transactions: TransactionScheduler
  /// The thread's open transaction.
  ///
  /// Unretained, so a read counts no reference: `reader` or `owner` keeps it alive.
  private(set) var open: Unmanaged<Transaction>?
  /// The open transaction, unless it is `reader`.
  private var owner: Transaction?
  /// The use of the pinned version that the thread read last.
  var lastUse: PinUse?
  /// A reset read transaction, which keeps its reader slot for the next read.
  private(set) var reader: Transaction?
  /// An ended write transaction without other references; the next write transaction reuses its
  /// memory.
  private var endedWriter: Transaction?
  /// Builders that are not in use.
  ///
  /// Nested puts need several.
  private var builders: [FlatBufferBuilder] = []
  /// True while an object is encoded outside of a transaction; no write may begin meanwhile.
  var isEncoding = false
  /// Closes the store once the thread's write transaction has ended; nil unless `close` was called in it.
  ///
  /// The argument returns whether the caller blocks an isolation.
  var closing: (((ObjectIdentifier) -> Bool) -> Void)?
  /// True while the thread calls commit listeners, holding the write lock.
  var isPublishing = false
  /// 1 while the thread is inside a transaction or about to begin one.
  let activity = Atomic<Int>(0)

  init(_ transactions: TransactionScheduler) {
    self.transactions = transactions
  }

  // MARK: Transactions

  /// Returns whether the open transaction uses the given storage transaction.
  func reads(_ storage: StorageTransaction) -> Bool {
    open?._withUnsafeGuaranteedRef { $0.storage === storage } ?? false
  }

  /// The thread's open transaction.
  package var current: Transaction? {
    get { open?.takeUnretainedValue() }
    set {
      open = newValue.map(Unmanaged.passUnretained)
      owner = newValue
    }
  }

  /// Makes a write transaction the open one.
  func begin(_ writer: consuming Transaction) -> Unmanaged<Transaction> {
    let reference = Unmanaged.passUnretained(writer)
    open = reference
    owner = consume writer
    return reference
  }

  /// Returns the open write transaction, and leaves none open.
  func takeOpenWriter() -> Transaction? {
    open = nil
    return owner.take()
  }

  /// Makes a read transaction the open one, and keeps it for later reads of the thread.
  func keep(_ reader: Transaction) -> Unmanaged<Transaction> {
    let reference = Unmanaged.passUnretained(reader)
    self.reader = reader
    open = reference
    return reference
  }

  /// Restarts the kept read transaction at the newest commit and makes it the open one.
  ///
  /// - Returns: Nil when there is none.
  /// - Throws: `StorageError` when the newest commit cannot be read.
  func reopenReader() throws -> Unmanaged<Transaction>? {
    guard let reference = reader.map(Unmanaged.passUnretained) else { return nil }
    try reference._withUnsafeGuaranteedRef { try $0.renew() }
    open = reference
    return reference
  }

  /// Notes that the kept read transaction is no longer the open one.
  func leaveReader() { open = nil }

  /// Ends the kept read transaction; false when there is none.
  func dropReader() -> Bool {
    guard let reader else { return false }
    reader.abort()
    self.reader = nil
    return true
  }

  /// Keeps an ended write transaction for reuse, unless something else refers to it.
  func keepWriter(_ writer: inout Transaction?) {
    guard isKnownUniquelyReferenced(&writer), writer?.clear() ?? false else { return }
    endedWriter = writer.take()
  }

  /// Returns the kept write transaction, once; nil if none was kept.
  func takeWriter() -> Transaction? { endedWriter.take() }

  /// Lends a builder of records in a layout to a body; a put inside the body takes another one.
  package func withBuilder<T>(
    _ layout: RecordLayout,
    _ body: (FlatBufferBuilder) throws -> T
  ) rethrows -> T {
    let builder = builders.popLast() ?? FlatBufferBuilder(layout: layout)
    defer { builders.append(builder) }
    builder.scratch.use(layout)
    return try body(builder)
  }

  /// Runs a body with another transaction instead of the thread's own.
  ///
  /// The caller ensures that no other thread uses the transaction meanwhile.
  func lending<T>(_ transaction: Transaction, _ body: () throws -> T) rethrows -> T {
    let replaced = install(transaction)
    defer { restore(replaced) }
    return try body()
  }

  /// The transaction that an installed one replaces.
  struct ReplacedTransaction {
    fileprivate let transaction: Transaction?
    fileprivate let activity: Int
  }

  /// Replaces the thread's own transaction, until `restore`.
  func install(_ transaction: Transaction) -> ReplacedTransaction {
    let replaced = ReplacedTransaction(
      transaction: current,
      activity: activity.exchange(1, ordering: .sequentiallyConsistent)
    )
    current = transaction
    return replaced
  }

  /// Restores the transaction that `install` has replaced.
  func restore(_ replaced: ReplacedTransaction) {
    current = replaced.transaction
    if replaced.activity == 0 { transactions.leave(self) }
    // The restored transaction was cancelled meanwhile, and nothing uses it any more.
    if let current, current.depth == 0 { current.takePendingEnd()?() }
  }
}
