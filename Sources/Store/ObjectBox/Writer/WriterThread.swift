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
/// so there is at most one granted session. A grant may arrive on any thread: the gate calls it on the thread that
/// leaves. 2. The session runs as one ``CommitGroup``: all waiting records, several blocks, or one begun transaction.
/// 3. The thread commits the group, leaves the gate, and then reports to the callers: failures of records, and the
/// outcome of each lent transaction.
///
/// Callers access only the queues and their own requests, under `condition`. The thread never holds `condition` during
/// a transaction, while it calls code of the program, or while it waits for the write lock.
///
/// Invariant of `@unchecked Sendable`: the variables are accessed only while `condition` is locked.
package final class WriterThread: @unchecked Sendable {
  /// A period in which the thread holds the write lock, named for what it writes.
  package enum Session {
    case records
    case blocks
    case begun(BeginRequest)
  }

  /// A caller that has taken the write lock and waits for its transaction.
  package final class BeginRequest {
    var result: Result<WriterThreadTransaction, any Error>?
  }

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
  private var asksForRecords = false
  private var asksForBlocks = false
  private var granted: Session?
  private var isRunning = false
  /// The thread while it runs.
  private var thread: pthread_t?

  init(_ transactions: TransactionScheduler, maximumGroupSize: Int, linger: Duration) {
    self.transactions = transactions
    self.maximumGroupSize = maximumGroupSize
    self.linger = linger
  }

  func locked<T>(_ body: () throws -> T) rethrows -> T {
    condition.lock()
    defer { condition.unlock() }
    return try body()
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
    let request = BeginRequest()
    return try locked {
      grant(.begun(request))
      startThread()
      while true {
        if let result = request.result { return try result.get() }
        condition.wait()
      }
    }
  }

  private func serve(_ request: BeginRequest) {
    var group = CommitGroup(transactions)
    var members: [WriterThreadTransaction] = []
    let result = Result {
      WriterThreadTransaction(try transactions.file.translating { try group.begin() })
    }
    locked {
      request.result = result
      condition.broadcast()
    }
    if case .success(let lent) = result { _ = takeBack(lent, &group, &members) }
    commit(&group, members)
  }

  /// Waits until a transaction is handed back, and adds it to the group or rolls it back.
  ///
  /// - Returns: True if other transactions may share its commit.
  func takeBack(
    _ lent: WriterThreadTransaction,
    _ group: inout CommitGroup,
    _ members: inout [WriterThreadTransaction]
  ) -> Bool {
    let transaction = lent.transaction
    switch lent.waitForEnding() {
    case .rollback:
      group.drop(transaction)
      lent.resolve(.success(()))
      return true
    case .commit(let summary, let isGroupingAllowed):
      do {
        try transactions.file.translating { try group.add(transaction, summary) }
        members.append(lent)
      } catch {
        lent.resolve(.failure(error))
      }
      return isGroupingAllowed && summary.skipped.isEmpty
    }
  }

  /// Commits a group, releases the write lock, and reports the outcome to the members.
  func commit(_ group: inout CommitGroup, _ members: [WriterThreadTransaction]) {
    let result = Result { try group.commit() }
    transactions.gate.leave()
    for member in members { member.resolve(result) }
  }

  // MARK: The thread

  private func grant(_ session: Session) {
    granted = session
    condition.broadcast()
  }

  /// Starts the thread unless it runs; `condition` is locked.
  func startThread() {
    guard !isRunning else { return }
    isRunning = true
    let thread = Thread { [self] in
      locked { self.thread = pthread_self() }
      while let session = nextSession() {
        switch session {
        case .records:
          writeRecords()
          locked { asksForRecords = false }
        case .blocks:
          runBlocks()
          locked { asksForBlocks = false }
        case .begun(let request): serve(request)
        }
      }
    }
    thread.name = "ObjectBox writer"
    thread.start()
  }

  /// Waits for the write lock; nil if the store is closing and the queues are empty.
  private func nextSession() -> Session? {
    locked {
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
      if transactions.gate.request(granted: { self.locked { self.grant(.records) } }) {
        grant(.records)
      }
    }
    if !blocks.isEmpty, !asksForBlocks {
      asksForBlocks = true
      let isGranted = transactions.gate.requestInBackground(
        onContention: { self.locked { self.noteContention() } },
        granted: { self.locked { self.grant(.blocks) } }
      )
      if isGranted { grant(.blocks) }
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
    locked { thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
  }

  /// True when new work is rejected and the thread has ended; `condition` is locked.
  var isEnded: Bool { !takesMore && !isRunning }

  /// Rejects new records and blocks from now on.
  func refuseMore() {
    locked {
      takesMore = false
      condition.broadcast()
    }
  }
}
