/// A signal that wakes one task; signals without a waiting task are kept as one signal.
package final class TaskSignal: Sendable {
  private enum State {
    case idle
    case sent
    case waiting(CheckedContinuation<Void, Never>)
  }

  private let state = Guarded(State.idle)

  /// Wakes the waiting task, or the next task that waits.
  func send() {
    let waiting: CheckedContinuation<Void, Never>? = state.withLock { state in
      guard case .waiting(let continuation) = state else {
        state = .sent
        return nil
      }
      state = .idle
      return continuation
    }
    waiting?.resume()
  }

  /// Waits for the signal; only one task may wait at a time.
  func wait(isolation: isolated (any Actor)? = #isolation) async {
    await withCheckedContinuation { continuation in
      let isSent = state.withLock { state in
        if case .sent = state {
          state = .idle
          return true
        }
        state = .waiting(continuation)
        return false
      }
      if isSent { continuation.resume() }
    }
  }
}
