internal import ObjectBoxStorage

/// Write transactions that share one commit.
///
/// LMDB allows one write transaction at a time, which may have nested children. So the first member
/// of a group is LMDB's outermost transaction, the *parent*, and each later member is a child of
/// it. One commit of the parent makes all members durable with one wait for the disk.
///
/// A group belongs to one thread, which holds the write lock (``WriterGate``) from the first `begin` until `commit` has
/// returned. That thread is an application thread in ``GroupCommitQueue``, which commits a batch of single puts. It is the
/// ``WriterThread`` for asynchronous records, for asynchronous blocks, and for transactions that are begun and ended by
/// calls.
///
/// A member goes through these steps:
///
/// 1. `begin` makes its transaction. The body uses it on this thread (`run`), or another thread borrows it
///    (``WriterThreadTransaction``).
/// 2. When the body succeeds, the member is flushed and `add` commits the child into its parent. The changes are not on
///    disk yet, and only later members see them.
/// 3. When the body fails, `drop` rolls back this member alone, and the group continues. If the member was the parent,
///    the next member begins a new parent.
/// 4. `commit` commits the parent and notifies observers. If that fails, all members are undone: the group restores the
///    objects of the members that it ran itself, and a borrower restores its own.
///
/// Members run one after the other: a parent cannot be used while it has an open child.
struct CommitGroup {
  private let transactions: TransactionScheduler
  /// The outermost storage transaction; nil before the first member, and after that member was
  /// rolled back.
  private var parent: StorageTransaction?
  private var summaries: [CommitSummary] = []
  /// Members that ran on this thread.
  ///
  /// If the commit fails, the thread undoes their changes in memory.
  private var own: [Transaction] = []
  /// Members that other threads have used; their borrowers undo changes in memory.
  private(set) var lent: [WriterThreadTransaction] = []

  init(_ transactions: TransactionScheduler) {
    self.transactions = transactions
  }

  /// Begins the transaction of the next member.
  ///
  /// The first member uses the outermost transaction itself: a child costs memory and time.
  mutating func begin() throws -> Transaction {
    let storage: StorageTransaction
    if let parent, !summaries.isEmpty {
      storage = try transactions.file.environment.beginWrite(inside: parent)
    } else {
      guard !transactions.isClosed else { throw transactions.closedError }
      try transactions.checkVersionLimit()
      storage = try transactions.file.environment.beginWrite()
      parent = storage
    }
    return transactions.writeTransaction(storage)
  }

  /// Adds a transaction that is ready to commit.
  ///
  /// If this throws, the transaction is rolled back.
  mutating func add(_ transaction: Transaction, _ summary: CommitSummary) throws {
    if transaction.storage !== parent { try transaction.storage.commit() }
    summaries.append(summary)
  }

  /// Rolls back a transaction that `begin` began.
  mutating func drop(_ transaction: Transaction) {
    transaction.storage.abortUnlessEnded()
    if transaction.storage === parent { parent = nil }
  }

  /// Runs a body as the next member, on this thread.
  ///
  /// If it throws, only this member is rolled back.
  mutating func run(_ body: (Transaction) throws -> Void) throws {
    try transactions.file.translating {
      let transaction = try begin()
      do {
        try ThreadContext.current.state(for: transactions).lending(transaction) {
          try body(transaction)
        }
        if let refusal = transaction.failure.refusal { throw refusal }
        try add(transaction, transaction.flushForCommit())
        own.append(transaction)
      } catch {
        transaction.undoInMemory()
        drop(transaction)
        throw error
      }
    }
  }

  /// Begins the transaction of the next member, which another thread borrows until `takeBack`.
  mutating func lend() throws -> WriterThreadTransaction {
    WriterThreadTransaction(try transactions.file.translating { try begin() })
  }

  /// Waits until a transaction is handed back, and adds it to the group or rolls it back.
  ///
  /// - Returns: True if other transactions may share its commit.
  mutating func takeBack(_ member: WriterThreadTransaction) -> Bool {
    switch member.waitForEnding() {
    case .rollback:
      drop(member.transaction)
      member.resolve(.success(()))
      return true
    case .commit(let summary, let isGroupingAllowed):
      do {
        try transactions.file.translating { try add(member.transaction, summary) }
        lent.append(member)
      } catch {
        member.resolve(.failure(error))
      }
      return isGroupingAllowed && summary.skipped.isEmpty
    }
  }

  /// Commits all members with one wait for the disk, and notifies observers.
  ///
  /// - Throws: ``ObjectBoxError`` when the commit fails, which rolls back all members.
  mutating func commit() throws {
    guard let parent else { return }
    self.parent = nil
    guard !summaries.isEmpty else { return parent.abort() }
    do {
      try transactions.file.translating { try transactions.commit(parent, summaries) }
    } catch {
      for transaction in own.reversed() { transaction.outcome(isCommitted: false) }
      throw error
    }
    // With several members, a later one may have changed the derived indexes of an earlier one.
    if summaries.count == 1 { own.first?.keepDerivedIndexes() }
    for transaction in own { transaction.outcome(isCommitted: true) }
  }
}

// MARK: Batches

extension CommitGroup {
  /// A write of a batch that is not stored, and the error that prevented it.
  typealias Failure<Write> = (write: Write, error: any Error)

  /// Commits a batch of small writes, and returns the writes that are not stored.
  ///
  /// The caller holds the write lock.
  ///
  /// `write` returns an error if it rejects a write before it changes anything. It throws if the transaction may
  /// contain a part of the write. The whole batch is one member of a group. If that member fails, each write becomes a
  /// member of its own. If the commit fails, each write is committed by itself.
  static func commit<Write>(
    _ writes: ArraySlice<Write>,
    in transactions: TransactionScheduler,
    by write: (Write, Transaction) throws -> ObjectBoxError?
  ) -> [Failure<Write>] {
    var group = CommitGroup(transactions)
    let failures = group.run(writes, by: write)
    do { try group.commit() } catch {
      if writes.count == 1 { return writes.map { ($0, error) } }
      return writes.indices.flatMap { commit(writes[$0...$0], in: transactions, by: write) }
    }
    return failures
  }

  private mutating func run<Write>(
    _ writes: ArraySlice<Write>,
    by write: (Write, Transaction) throws -> ObjectBoxError?
  ) -> [Failure<Write>] {
    do {
      var refused: [Failure<Write>] = []
      try run { transaction in
        for element in writes {
          if let refusal = try write(element, transaction) { refused.append((element, refusal)) }
        }
      }
      return refused
    } catch {
      if writes.count == 1 { return writes.map { ($0, error) } }
      var failures: [Failure<Write>] = []
      for index in writes.indices { failures += run(writes[index...index], by: write) }
      return failures
    }
  }
}
