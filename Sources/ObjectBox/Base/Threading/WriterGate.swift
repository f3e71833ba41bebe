internal import Dispatch

/// The turns of writing within the process: one writer at a time.
///
/// Callers that block get their turns in the order in which they came, and go before the writer thread,
/// which waits for nobody's thread. So that they cannot hold it off for ever, it gets a turn after
/// `patience` of theirs. Between processes LMDB's lock decides, which the holder of the turn takes next.
///
/// A turn is not bound to a thread. A class, since it guards shared state.
final class WriterGate: Sendable {
  /// How many blocked callers may go before the writer thread.
  static let patience = 16

  private struct State {
    var isTaken = false
    var blocked: [DispatchSemaphore] = []
    var background: DispatchSemaphore?
    /// Turns of blocked callers since the writer thread has come.
    var overtakings = 0
    /// Told of a caller that comes to block while the writer thread has the turn.
    var onContention: (@Sendable () -> Void)?
  }

  private let state = Guarded(State())

  /// Waits for a turn on the calling thread.
  func enter() {
    var onContention: (@Sendable () -> Void)?
    let turn: DispatchSemaphore? = state.withLock { state in
      guard state.isTaken else {
        state.isTaken = true
        return nil
      }
      let turn = DispatchSemaphore(value: 0)
      state.blocked.append(turn)
      onContention = state.onContention
      return turn
    }
    guard let turn else { return }
    onContention?()
    turn.wait()
  }

  /// Waits for a turn of the writer thread, of which there is one.
  ///
  /// - Parameter onContention: Called on the thread of whoever comes to wait during the turn.
  func enterInBackground(onContention: @escaping @Sendable () -> Void) {
    let turn: DispatchSemaphore? = state.withLock { state in
      guard state.isTaken else {
        state.isTaken = true
        state.onContention = onContention
        return nil
      }
      let turn = DispatchSemaphore(value: 0)
      state.background = turn
      state.overtakings = 0
      return turn
    }
    guard let turn else { return }
    turn.wait()
    state.withLock { $0.onContention = onContention }
  }

  /// Gives the turn to the next, if there is one.
  func leave() {
    let next: DispatchSemaphore? = state.withLock { state in
      state.onContention = nil
      if let background = state.background,
        state.blocked.isEmpty || state.overtakings >= Self.patience
      {
        state.background = nil
        return background
      }
      if state.blocked.isEmpty {
        state.isTaken = false
        return nil
      }
      if state.background != nil { state.overtakings += 1 }
      return state.blocked.removeFirst()
    }
    next?.signal()
  }

  /// True while somebody has the turn.
  var isTaken: Bool { state.withLock(\.isTaken) }

  /// True while callers block for a turn.
  var hasBlockedCallers: Bool { state.withLock { !$0.blocked.isEmpty } }
}
