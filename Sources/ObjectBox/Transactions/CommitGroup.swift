internal import ObjectBoxStorage

/// Write transactions that share one commit: the first one is LMDB's own, those that follow are children of it.
///
/// A member that fails is rolled back alone. The thread that begins a group holds the write lock and ends it.
struct CommitGroup {
  private let transactions: StoreTransactions
  /// The outermost storage transaction; nil before the first member, and after that was rolled back alone.
  private var parent: StorageTransaction?
  private var summaries: [CommitSummary] = []
  /// Members that ran on this thread, which undoes their changes in memory when the commit fails.
  private var own: [Transaction] = []

  init(_ transactions: StoreTransactions) {
    self.transactions = transactions
  }

  /// Begins the transaction of the next member.
  ///
  /// A single member uses the outermost transaction itself, since a child costs memory and time.
  mutating func begin() throws -> Transaction {
    let storage: StorageTransaction
    if let parent, !summaries.isEmpty {
      storage = try transactions.file.environment.beginWrite(inside: parent)
    } else {
      try transactions.checkVersionLimit()
      storage = try transactions.file.environment.beginWrite()
      parent = storage
    }
    return transactions.writeTransaction(storage)
  }

  /// Adds a transaction that is ready to commit; when this throws, it is rolled back.
  mutating func add(_ transaction: Transaction, _ summary: CommitSummary) throws {
    if transaction.storage !== parent { try transaction.storage.commit() }
    summaries.append(summary)
  }

  /// Rolls back a transaction that `begin` began.
  mutating func drop(_ transaction: Transaction) {
    transaction.storage.abortUnlessEnded()
    if transaction.storage === parent { parent = nil }
  }

  /// Runs a body as the next member, on this thread; when it throws, it is rolled back alone.
  mutating func run(_ body: (Transaction) throws -> Void) throws {
    try transactions.file.translating {
      let transaction = try begin()
      do {
        try ThreadContext.current.state(for: transactions).lending(transaction) {
          try body(transaction)
        }
        if let refusal = transaction.refusal { throw refusal }
        try add(transaction, transaction.flushForCommit())
        own.append(transaction)
      } catch {
        transaction.undoInMemory()
        drop(transaction)
        throw error
      }
    }
  }

  /// Commits all members with one wait for the disk, and tells observers.
  ///
  /// - Throws: ``ObjectBoxError`` when the commit fails, which rolls all of them back.
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
    // A later member may have changed what an earlier one knows.
    if summaries.count == 1 { own.first?.keepGraphs() }
    for transaction in own { transaction.outcome(isCommitted: true) }
  }
}

// MARK: Batches

extension CommitGroup {
  /// A write of a batch with the reason why it is not stored.
  typealias Failure<Write> = (write: Write, error: any Error)

  /// Commits a batch of small writes, and returns those that are not stored; the caller holds the write lock.
  ///
  /// `write` returns an error when it refuses a write before changing anything, and throws when the
  /// transaction may hold a part of the write. The batch is one member of a group; after a failure each write
  /// is a member of its own. When the commit fails, each write is committed by itself.
  static func commit<Write>(
    _ writes: ArraySlice<Write>,
    in transactions: StoreTransactions,
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
