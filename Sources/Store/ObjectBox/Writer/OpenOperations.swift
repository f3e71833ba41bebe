/// The incomplete asynchronous writes and commits of an open store.
package final class OpenOperations: Sendable {
  private struct State {
    var lastNumber: UInt64 = 0
    var count = 0
    /// Commits with a completion that has not been called.
    var commits: Set<UInt64> = []
  }

  private let state = Guarded(State())

  package var isEmpty: Bool { state.withLock { $0.count == 0 } }

  package func nextID() -> AsyncTransactionID {
    state.withLock { state in
      state.lastNumber += 1
      return AsyncTransactionID(number: state.lastNumber)
    }
  }

  /// Counts a new write.
  func begin() { state.withLock { $0.count += 1 } }

  /// Counts a new commit, and returns its ID.
  func beginCommit() -> AsyncTransactionID {
    begin()
    let id = nextID()
    state.withLock { _ = $0.commits.insert(id.number) }
    return id
  }

  /// Returns true once for each commit: the caller must call its completion.
  ///
  /// False after that.
  func takeCompletion(of commit: AsyncTransactionID) -> Bool {
    state.withLock { $0.commits.remove(commit.number) != nil }
  }

  /// Counts a write or commit as complete.
  package func complete() { state.withLock { $0.count -= 1 } }
}
