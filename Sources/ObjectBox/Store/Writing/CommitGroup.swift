internal import ObjectBoxStorage

/// Write transactions that one commit makes lasting: the first one itself, and others inside it.
///
/// The thread that begins it ends it.
struct CommitGroup {
  private let core: OpenStore
  /// Holds everything; nil before the first transaction, and after one that was rolled back alone.
  private var parent: StorageTransaction?
  private var members: [(transaction: LentTransaction, summary: CommitSummary)] = []

  init(_ core: OpenStore, first: StorageTransaction? = nil) {
    self.core = core
    parent = first
  }

  var count: Int { members.count }

  /// Begins the storage transaction of the next member.
  ///
  /// A member that is alone needs none inside another, which would cost memory and time.
  mutating func begin() throws -> StorageTransaction {
    if let parent, !members.isEmpty {
      return try core.file.environment.beginWrite(inside: parent)
    }
    try core.transactions.checkVersionLimit()
    let begun = try core.file.environment.beginWrite()
    parent = begun
    return begun
  }

  /// Takes in a transaction that was handed back to be committed; one that cannot be is rolled back.
  mutating func add(_ lent: LentTransaction, _ summary: CommitSummary) {
    do {
      if lent.transaction.storage !== parent { try lent.transaction.storage.commit() }
      members.append((lent, summary))
    } catch {
      lent.resolve(.failure(core.file.shown(error)))
    }
  }

  /// Rolls back a transaction that `begin` began.
  mutating func drop(_ storage: StorageTransaction) {
    storage.abort()
    if storage === parent { parent = nil }
  }

  /// Commits all members with one wait for the disk, and tells the observers.
  mutating func commit() -> Result<Void, any Error> {
    guard let parent else { return .success(()) }
    self.parent = nil
    guard !members.isEmpty else {
      parent.abort()
      return .success(())
    }
    return Result {
      try core.file.translating { try core.transactions.commit(parent, members.map(\.summary)) }
    }
  }

  /// Tells the members what became of them.
  func resolve(_ result: Result<Void, any Error>) {
    for member in members { member.transaction.resolve(result) }
  }
}
