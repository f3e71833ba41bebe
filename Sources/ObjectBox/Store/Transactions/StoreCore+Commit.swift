internal import ObjectBoxStorage

extension StoreCore {
  /// Commits a write transaction and tells observers; the caller is the writer.
  ///
  /// - Parameters:
  ///   - storage: The outermost storage transaction, whose cursors are closed.
  ///   - summaries: The changes of each transaction that it commits, in their order.
  /// - Throws: `StorageError` when the commit fails, which undoes everything.
  func commit(
    _ storage: StorageTransaction,
    _ summaries: some Collection<CommitSummary>
  ) throws {
    let version = storage.snapshotID
    let changes = CommitChanges.list(summaries, version: version)
    // Before any reader can see the commit.
    feed.announce(changes)
    do { try storage.commit() } catch {
      feed.withdraw(version: version)
      throw error
    }
    let state = ThreadContext.current.state(for: self)
    state.isPublishing = true
    defer { state.isPublishing = false }
    let commits = summaries.reduce(0) { count, summary in
      count + (summary.entities.isEmpty ? 0 : max(1, summary.gatheredPuts.count))
    }
    counters.count(commits: commits, syncs: min(1, commits))
    feed.tell(changes)
    for summary in summaries {
      if summary.gatheredPuts.isEmpty {
        listeners.tell(summary.entities, isSilent: summary.skipped.isAll)
      } else {
        for entity in summary.gatheredPuts { listeners.tell([entity]) }
      }
    }
    warnOfLongLives(at: version)
  }

  /// Closes the store, if `close` was called in the thread's write transaction, which has ended.
  func closeIfAsked(
    _ state: StoreThreadState,
    isHome: (ObjectIdentifier) -> Bool = { _ in false }
  ) {
    guard state.closesStoreAtEnd, state.current == nil else { return }
    state.closesStoreAtEnd = false
    close(isHome: isHome)
  }
}
