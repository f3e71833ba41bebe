internal import Dispatch

/// A fair lock that makes its holder the only writer of the process.
///
/// Blocked callers get it in the order in which they came, and before a background request, which blocks no
/// thread. For fairness a background request is granted after `patience` blocked callers. Between processes
/// LMDB's lock decides, which the holder takes next.
///
/// It is not bound to a thread. A class, since it guards shared state.
final class WriterGate: Sendable {
  /// Number of blocked callers that may overtake the background request.
  static let patience = 16

  private struct State {
    var isTaken = false
    /// Wake the blocked callers, in the order in which they came.
    var blocked: [@Sendable () -> Void] = []
    var background: (granted: @Sendable () -> Void, onContention: @Sendable () -> Void)?
    /// Number of blocked callers that have overtaken the background request.
    var overtakings = 0
    /// Called when a caller begins to block while the lock is held in the background.
    var onContention: (@Sendable () -> Void)?

    mutating func take() -> Bool {
      defer { isTaken = true }
      return !isTaken
    }
  }

  private let state = Guarded(State())

  /// Takes the lock, blocking the calling thread.
  func enter() {
    var onContention: (@Sendable () -> Void)?
    let granted: DispatchSemaphore? = state.withLock { state in
      if state.take() { return nil }
      let granted = DispatchSemaphore(value: 0)
      state.blocked.append { granted.signal() }
      onContention = state.onContention
      return granted
    }
    guard let granted else { return }
    onContention?()
    granted.wait()
  }

  /// Asks for the lock in the order of the blocked callers, without blocking a thread.
  ///
  /// - Parameter granted: Called when the lock is granted later, on the thread that gave it up.
  /// - Returns: True when the lock is granted at once.
  func request(granted: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      if state.take() { return true }
      state.blocked.append(granted)
      return false
    }
  }

  /// Asks for the lock in the background; there is one such request at a time.
  ///
  /// - Parameters:
  ///   - onContention: Called on the thread of each caller that begins to block while the request holds it.
  ///   - granted: Called when the lock is granted later, on the thread that gave it up.
  /// - Returns: True when the lock is granted at once.
  func requestInBackground(
    onContention: @escaping @Sendable () -> Void,
    granted: @escaping @Sendable () -> Void
  ) -> Bool {
    state.withLock { state in
      if state.take() {
        state.onContention = onContention
        return true
      }
      state.background = (granted, onContention)
      state.overtakings = 0
      return false
    }
  }

  /// Releases the lock, or hands it to the next waiter.
  func leave() {
    let granted: (@Sendable () -> Void)? = state.withLock { state in
      state.onContention = nil
      if let background = state.background,
        state.blocked.isEmpty || state.overtakings >= Self.patience
      {
        state.background = nil
        state.onContention = background.onContention
        return background.granted
      }
      if state.blocked.isEmpty {
        state.isTaken = false
        return nil
      }
      if state.background != nil { state.overtakings += 1 }
      return state.blocked.removeFirst()
    }
    granted?()
  }

  /// True while the lock is held.
  var isTaken: Bool { state.withLock(\.isTaken) }

  /// True while callers block for the lock.
  var hasBlockedCallers: Bool { state.withLock { !$0.blocked.isEmpty } }
}
