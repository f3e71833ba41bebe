internal import ObjectBoxStorage

extension StoreTransactions {
  /// Commits a write transaction and tells observers.
  ///
  /// The caller holds the write lock.
  ///
  /// - Parameters:
  ///   - storage: The outermost storage transaction. Its cursors are closed.
  ///   - summaries: The changes of each transaction of the commit, in order.
  /// - Throws: `StorageError` when the commit fails. Nothing is stored then.
  func commit(
    _ storage: StorageTransaction,
    _ summaries: some Collection<CommitSummary>
  ) throws {
    let count = summaries.reduce(0) { $0 + $1.transactionCount }
    // Nothing changed: LMDB makes no new version of an empty transaction.
    if count == 0 { return try storage.commit() }
    let version = storage.snapshotID
    // Announced before any reader can see the commit.
    commits.announce(summaries, version: version)
    do { try storage.commit() } catch {
      commits.withdraw()
      throw error
    }
    let state = ThreadContext.current.state(for: self)
    state.isPublishing = true
    defer { state.isPublishing = false }
    counters.count(commits: count, syncs: 1)
    commits.publish()
    warnOfLongLives(at: version)
  }
}
