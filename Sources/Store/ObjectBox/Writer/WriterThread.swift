internal import Foundation

/// The thread of an open store that commits asynchronous writes, and transactions that calls begin
/// and end.
///
/// LMDB requires that a write transaction begins and ends on one thread. Writes that no thread
/// waits for, or that outlive a call, therefore run on this thread. There are three kinds:
///
/// - *Records* of ``AsyncBox``, which `enqueue` adds. The thread asks ``WriterGate`` for the write
///   lock in the order of blocked callers.
/// - *Blocks*, which `add` adds. The thread asks for the lock in the background, after blocked
///   callers. It lends each block a ``WriterThreadTransaction``, and waits while the block runs in its own
///   isolation.
/// - *Begun* transactions. Their caller takes the lock in `begin`, on its own thread, and waits for
///   this thread to begin the transaction. The thread lends it until a later call ends it.
///
/// The thread starts with the first request, and ends when the store closes and its queues are
/// empty. Meanwhile it repeats these steps:
///
/// 1. `nextSession` requests the lock for the waiting kinds, and waits until one is granted. The gate has one holder,
///    so there is at most one granted session. A grant may arrive on any thread: the gate calls it on the thread that
///    leaves.
/// 2. The session runs as one ``CommitGroup``: all waiting records, several blocks, or one begun transaction.
/// 3. The thread commits the group, leaves the gate, and then reports to the callers: failures of records, and the
///    outcome of each lent transaction.
///
/// Callers access only the queues and their own requests, under `condition`. The thread never holds `condition` during
/// a transaction, while it calls code of the program, or while it waits for the write lock.
///
/// Invariant of `@unchecked Sendable`: the variables are accessed only while `condition` is locked.
package final class WriterThread: @unchecked Sendable {
  /// The work of a period in which the thread holds the write lock; releases the lock.
  private typealias Session = () -> Void

  let transactions: TransactionScheduler
  let maximumGroupSize: Int
  /// Time that the thread waits for another block to share a commit.
  let linger: Duration
  package let operations = OpenOperations()
  /// Signalled whenever a variable changes.
  let condition = NSCondition()
  var records = RecordQueue()
  var blocks = BlockQueue()
  /// The block that was offered a transaction or is running.
  var current: QueuedBlock?
  /// True when a caller waits for the write lock that the thread holds for blocks.
  var isLockWanted = false
  /// False once the store closes.
  private(set) var takesMore = true
  /// True from the request for the lock until the session that it is granted to begins.
  var asksForRecords = false
  var asksForBlocks = false
  private var granted: Session?
  private var isRunning = false
  /// The thread while it runs.
  private var thread: pthread_t?

  init(_ transactions: TransactionScheduler, maximumGroupSize: Int, linger: Duration) {
    self.transactions = transactions
    self.maximumGroupSize = maximumGroupSize
    self.linger = linger
  }

  // MARK: Lending

  /// Takes the write lock on the calling thread, and begins a transaction on the writer thread.
  ///
  /// For transactions that a later call ends. Any thread may release their handle; then only the writer thread can end
  /// them.
  ///
  /// - Returns: The transaction. The lock is released after the transaction is handed back and
  ///   ended.
  /// - Throws: ``ObjectBoxError`` when it cannot begin.
  func begin() throws -> WriterThreadTransaction {
    try transactions.checkVersionLimit()
    transactions.gate.enter()
    // The previous holder of the lock may have closed the store.
    guard !transactions.isClosed else {
      transactions.gate.leave()
      throw StoreError.closed(transactions.file.location)
    }
    var begun: Result<WriterThreadTransaction, any Error>?
    return try condition.withLock {
      grant { [self] in lend { begun = $0 } }
      startThread()
      while true {
        if let begun { return try begun.get() }
        condition.wait()
      }
    }
  }

  /// Lends a transaction to the caller of `begin`; `lent` is called while `condition` is locked.
  private func lend(_ lent: (Result<WriterThreadTransaction, any Error>) -> Void) {
    var group = CommitGroup(transactions)
    let begun = Result { try group.lend() }
    condition.withLock {
      lent(begun)
      condition.broadcast()
    }
    if case .success(let transaction) = begun { _ = group.takeBack(transaction) }
    commit(&group)
  }

  /// Commits a group, releases the write lock, and reports the outcome to the borrowers.
  func commit(_ group: inout CommitGroup) {
    let result = Result { try group.commit() }
    transactions.gate.leave()
    for member in group.lent { member.resolve(result) }
  }

  // MARK: The thread

  private func grant(_ session: @escaping Session) {
    granted = session
    condition.broadcast()
  }

  /// Starts the thread unless it runs; `condition` is locked.
  func startThread() {
    guard !isRunning else { return }
    isRunning = true
    OwnThread.start("ObjectBox writer") { [self] in
      condition.withLock { self.thread = pthread_self() }
      while let session = nextSession() { session() }
    }
  }

  /// Waits for the write lock; nil if the store is closing and the queues are empty.
  private func nextSession() -> Session? {
    condition.withLock {
      while true {
        requestLock()
        if let session = granted {
          granted = nil
          return session
        }
        if !takesMore, !asksForRecords, !asksForBlocks {
          isRunning = false
          thread = nil
          condition.broadcast()
          return nil
        }
        condition.wait()
      }
    }
  }

  /// Requests the write lock for waiting records and blocks.
  private func requestLock() {
    if !records.isEmpty, !asksForRecords {
      asksForRecords = true
      let isGranted = transactions.gate.request(
        granted: { self.condition.withLock { self.grant(self.writeRecords) } }
      )
      if isGranted { grant(writeRecords) }
    }
    if !blocks.isEmpty, !asksForBlocks {
      asksForBlocks = true
      let isGranted = transactions.gate.requestInBackground(
        onContention: { self.condition.withLock { self.noteContention() } },
        granted: { self.condition.withLock { self.grant(self.runBlocks) } }
      )
      if isGranted { grant(runBlocks) }
    }
  }

  /// Notes that a caller other than a block wants the write lock; `condition` is locked.
  func noteContention() {
    isLockWanted = true
    condition.broadcast()
  }

  // MARK: Closing

  /// True if the caller runs on the writer thread.
  var isCurrent: Bool {
    condition.withLock { thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
  }

  /// True when new work is rejected and the thread has ended; `condition` is locked.
  var isEnded: Bool { !takesMore && !isRunning }

  /// Rejects new records and blocks from now on.
  func refuseMore() {
    condition.withLock {
      takesMore = false
      condition.broadcast()
    }
  }
}
