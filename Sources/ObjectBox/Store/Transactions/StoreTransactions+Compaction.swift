internal import Synchronization

extension StoreTransactions {
  /// Replaces the file by a compact one, while it has the write lock; see ``StoreFile/compact(admit:progress:)``.
  ///
  /// - Throws: ``ObjectBoxError``: `closed`, and the reasons why the file stays as it is.
  package func compact(
    admit: (_ needed: Int, _ available: Int) throws -> Void,
    progress: (Double) -> Bool
  ) throws -> CompactionReport? {
    gate.enter()
    defer { gate.leave() }
    // Closing needs the write lock too, so the file stays open from here on.
    guard !isClosed else { throw StoreError.closed(file.location) }
    let report = try file.compact(admit: admit, progress: progress)
    if report != nil { releaseIdleReaders() }
    return report
  }

  /// Ends the read transactions that threads keep and do not use, which keep the former file on the disk.
  private func releaseIdleReaders() {
    states.withLock { states in
      marks.bitwiseOr(Mark.releasing, ordering: .sequentiallyConsistent)
      defer { marks.bitwiseAnd(~Mark.releasing, ordering: .sequentiallyConsistent) }
      for state in states.values
      where state.activity.load(ordering: .sequentiallyConsistent) == 0 && state.dropReader() {
        readerCount.wrappingSubtract(1, ordering: .relaxed)
      }
    }
  }

  /// Waits, inside of a transaction that begins, until the thread's own read transaction may be used.
  ///
  /// - Throws: The error of a closed store.
  @inline(never)
  func waitForMarks(_ state: StoreThreadState) throws {
    while true {
      let now = marks.load(ordering: .sequentiallyConsistent)
      if now & Mark.closing != 0 { throw closedError }
      if now == 0 { return }
      // The mark is set under the lock, and only threads that are not active are looked at.
      state.activity.store(0, ordering: .sequentiallyConsistent)
      states.withLock { _ in }
      state.activity.store(1, ordering: .sequentiallyConsistent)
    }
  }
}
