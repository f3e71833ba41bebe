internal import ObjectBoxStorage

extension StoreTransactions {
  /// Commits a write transaction and tells observers; the caller holds the write lock.
  ///
  /// - Parameters:
  ///   - storage: The outermost storage transaction, whose cursors are closed.
  ///   - summaries: The changes of each transaction that it commits, in their order.
  /// - Throws: `StorageError` when the commit fails, which undoes everything.
  func commit(
    _ storage: StorageTransaction,
    _ summaries: some Collection<CommitSummary>
  ) throws {
    let count = summaries.reduce(0) { $0 + $1.transactionCount }
    // Such as an empty transaction, of which LMDB makes no version.
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
