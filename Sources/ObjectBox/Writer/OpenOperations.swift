/// The asynchronous writes and commits of an open store that are not complete.
///
/// A class, since it guards shared state.
package final class OpenOperations: Sendable {
  private struct State {
    var lastNumber: UInt64 = 0
    var count = 0
    /// Commits whose completion has not been called.
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

  /// Notes that a write was asked for.
  func begin() { state.withLock { $0.count += 1 } }

  /// Notes that a commit was asked for.
  func beginCommit() -> AsyncTransactionID {
    begin()
    let id = nextID()
    state.withLock { _ = $0.commits.insert(id.number) }
    return id
  }

  /// Returns whether the completion of a commit is to be called, which happens once.
  func takeCompletion(of commit: AsyncTransactionID) -> Bool {
    state.withLock { $0.commits.remove(commit.number) != nil }
  }

  /// Notes that a write or a commit is complete.
  package func complete() { state.withLock { $0.count -= 1 } }
}
