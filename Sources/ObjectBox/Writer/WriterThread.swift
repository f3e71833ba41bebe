internal import Foundation

/// The thread of an open store that commits asynchronous writes, and transactions that calls begin and end.
///
/// LMDB asks that a write transaction begins and ends on one thread. This one serves the records of
/// ``AsyncBox``, for which it asks for the write lock in the order of blocked callers, blocks, for which it
/// asks in the background, and callers of `begin`, who bring the lock with them. One `CommitGroup` commits
/// each session.
///
/// A class, since it owns the thread. Invariant of `@unchecked Sendable`: the variables are touched while
/// the condition is locked only.
package final class WriterThread: @unchecked Sendable {
  /// A time for which the thread has the write lock.
  package enum Session {
    case records
    case blocks
    case begun(BeginRequest)
  }

  /// A caller that has the write lock and waits for its transaction.
  package final class BeginRequest {
    var result: Result<LentTransaction, any Error>?
  }

  let transactions: StoreTransactions
  let maximumGroupSize: Int
  /// How long the thread waits for another block that shares a commit.
  let linger: Duration
  package let operations = OpenOperations()
  /// Signalled whenever a variable changes.
  let condition = NSCondition()
  var records = RecordQueue()
  var blocks: [QueuedBlock] = []
  /// The block that is offered a transaction, or has one.
  var current: QueuedBlock?
  /// True when a caller blocks for the write lock that the thread has for blocks.
  var isLockWanted = false
  /// False once the store closes.
  private(set) var takesMore = true
  private var asksForRecords = false
  private var asksForBlocks = false
  private var granted: Session?
  private var isRunning = false
  /// Names the thread while it runs.
  private var thread: pthread_t?

  init(_ transactions: StoreTransactions, maximumGroupSize: Int, linger: Duration) {
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

  /// Takes the write lock on the calling thread, and begins a transaction on this one.
  ///
  /// For transactions that are ended by calls: the handle may be let go on any thread, which cannot end it.
  ///
  /// - Returns: The transaction; the lock is given up after it is handed back.
  /// - Throws: ``ObjectBoxError`` when it cannot begin.
  func begin() throws -> LentTransaction {
    try transactions.checkVersionLimit()
    transactions.gate.enter()
    // The store may have been closed by the last holder of the lock.
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
    var members: [LentTransaction] = []
    let result = Result { LentTransaction(try transactions.file.translating { try group.begin() }) }
    locked {
      request.result = result
      condition.broadcast()
    }
    if case .success(let lent) = result { _ = takeBack(lent, &group, &members) }
    commit(&group, members)
  }

  /// Waits until a transaction is handed back, which then becomes a member or is rolled back.
  ///
  /// - Returns: True when others may share its commit.
  func takeBack(
    _ lent: LentTransaction,
    _ group: inout CommitGroup,
    _ members: inout [LentTransaction]
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

  /// Commits a group, gives the write lock up, and tells the members what became of them.
  func commit(_ group: inout CommitGroup, _ members: [LentTransaction]) {
    let result = Result { try group.commit() }
    transactions.gate.leave()
    for member in members { member.resolve(result) }
  }

  // MARK: The thread

  private func grant(_ session: Session) {
    granted = session
    condition.broadcast()
  }

  /// Starts the thread, unless it runs; the condition is locked.
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

  /// Waits for the write lock; nil when nothing more comes.
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

  /// Asks for the write lock for those that wait.
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

  /// Notes that the write lock is wanted by others than blocks; the condition is locked.
  func noteContention() {
    isLockWanted = true
    condition.broadcast()
  }

  // MARK: Closing

  /// True on the thread itself.
  var isCurrent: Bool {
    locked { thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
  }

  /// True when nothing more is taken, and the thread no longer uses the store; the condition is locked.
  var isEnded: Bool { !takesMore && !isRunning }

  /// Takes no records and no blocks from now on.
  func refuseMore() {
    locked {
      takesMore = false
      condition.broadcast()
    }
  }
}
