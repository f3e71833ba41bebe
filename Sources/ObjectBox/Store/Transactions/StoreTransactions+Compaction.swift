internal import ObjectBoxStorage
internal import Synchronization

extension StoreTransactions {
  /// Replaces the file by a compact one, while it has the write lock.
  ///
  /// - Parameters:
  ///   - admit: Is passed the room that is needed; throws to end the compaction.
  ///   - progress: Is passed the part that is done; false ends the compaction.
  /// - Returns: Nil when `progress` ended it.
  /// - Throws: ``ObjectBoxError``: `closed`, and the reasons why the file stays as it is.
  func compact(
    admit: (StorageEnvironment.CompactionNeed) throws -> Void,
    progress: (Double) -> Bool
  ) throws -> StorageEnvironment.Compaction? {
    gate.enter()
    defer { gate.leave() }
    // Closing needs the write lock too, so the file stays open from here on.
    guard !isClosed else { throw StoreError.closed(file.location) }
    guard let locks = file.locks else { return nil }
    let result = try file.translating {
      while true {
        // Once no process can open the store, none can replace its file either.
        let path = try file.environment.followedPath()
        let result = try locks.excludingOpeners(path) {
          var claimed: FileLock?
          return try file.environment.compact(
            progress: progress,
            admit: admit,
            claim: { claimed = try locks.claim($0) },
            settle: { if let claimed { locks.move(to: claimed) } }
          )
        }
        if let result { return result }
      }
    }
    if result != nil { releaseIdleReaders() }
    return result
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
