/// Wakes one task; rings that nobody waits for are kept, as one.
///
/// A class, since the ringer and the task share it.
final class Bell: Sendable {
  private enum State {
    case silent
    case rung
    case waiting(CheckedContinuation<Void, Never>)
  }

  private let state = Guarded(State.silent)

  /// Wakes the task that waits, or the next one that comes.
  func ring() {
    let waiting: CheckedContinuation<Void, Never>? = state.withLock { state in
      guard case .waiting(let continuation) = state else {
        state = .rung
        return nil
      }
      state = .silent
      return continuation
    }
    waiting?.resume()
  }

  /// Waits for a ring; one task at a time may.
  func wait(isolation: isolated (any Actor)? = #isolation) async {
    await withCheckedContinuation { continuation in
      let hasRung = state.withLock { state in
        if case .rung = state {
          state = .silent
          return true
        }
        state = .waiting(continuation)
        return false
      }
      if hasRung { continuation.resume() }
    }
  }
}
