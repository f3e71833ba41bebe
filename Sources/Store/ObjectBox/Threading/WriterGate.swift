internal import Dispatch
internal import Synchronization

/// A fair lock; its holder is the only writer of the process.
///
/// Blocked callers get the lock in the order of arrival. They go before a background request, which
/// blocks no thread; for fairness, at most `patience` callers overtake it. Between processes LMDB's
/// lock decides; the holder of the gate takes it next. Without contention, entering and leaving
/// each cost one atomic operation.
///
/// The lock does not belong to a thread: any thread may release it.
final class WriterGate: Sendable {
  /// Maximum number of blocked callers that overtake the background request.
  static let patience = 16

  private enum Mark {
    static let isFree: UInt8 = 0
    static let isHeld: UInt8 = 1
    /// Held, and there may be waiters: the holder must leave under the lock of `waiters`.
    static let isWanted: UInt8 = 2
  }

  private struct Waiters {
    /// Functions that wake the blocked callers, in the order of arrival.
    var blocked: [@Sendable () -> Void] = []
    var background: (granted: @Sendable () -> Void, onContention: @Sendable () -> Void)?
    /// Number of blocked callers that have overtaken the background request.
    var overtakings = 0
    /// Called when a caller begins to block while the lock is held in the background.
    var onContention: (@Sendable () -> Void)?
  }

  private let mark = Atomic<UInt8>(Mark.isFree)
  private let waiters = Guarded(Waiters())

  /// Takes the lock if it is free.
  private func takeAtOnce() -> Bool {
    mark.compareExchange(
      expected: Mark.isFree,
      desired: Mark.isHeld,
      successOrdering: .acquiring,
      failureOrdering: .relaxed
    ).exchanged
  }

  /// Takes the lock if it is free, else marks for its holder that there are waiters.
  ///
  /// Called under the lock of `waiters`.
  private func takeOrMark() -> Bool {
    mark.exchange(Mark.isWanted, ordering: .acquiringAndReleasing) == Mark.isFree
  }

  /// Takes the lock; blocks the calling thread until it is granted.
  func enter() {
    if !takeAtOnce() { enterInOrder() }
  }

  @inline(never)
  private func enterInOrder() {
    var onContention: (@Sendable () -> Void)?
    let granted: DispatchSemaphore? = waiters.withLock { waiters in
      if takeOrMark() { return nil }
      let granted = DispatchSemaphore(value: 0)
      waiters.blocked.append { granted.signal() }
      onContention = waiters.onContention
      return granted
    }
    guard let granted else { return }
    onContention?()
    granted.wait()
  }

  /// Requests the lock in the order of blocked callers, without blocking a thread.
  ///
  /// - Parameter granted: Called when the lock is granted later, on the thread that released it.
  /// - Returns: True if the lock is granted at once.
  func request(granted: @escaping @Sendable () -> Void) -> Bool {
    waiters.withLock { waiters in
      if takeOrMark() { return true }
      waiters.blocked.append(granted)
      return false
    }
  }

  /// Requests the lock in the background; only one such request may exist at a time.
  ///
  /// - Parameters:
  ///   - onContention: Called on the thread of each caller that begins to block while the request holds it.
  ///   - granted: Called when the lock is granted later, on the thread that released it.
  /// - Returns: True if the lock is granted at once.
  func requestInBackground(
    onContention: @escaping @Sendable () -> Void,
    granted: @escaping @Sendable () -> Void
  ) -> Bool {
    waiters.withLock { waiters in
      if takeOrMark() {
        waiters.onContention = onContention
        return true
      }
      waiters.background = (granted, onContention)
      waiters.overtakings = 0
      return false
    }
  }

  /// Releases the lock, or hands it to the next waiter.
  func leave() {
    let isFree = mark.compareExchange(
      expected: Mark.isHeld,
      desired: Mark.isFree,
      successOrdering: .releasing,
      failureOrdering: .relaxed
    ).exchanged
    if !isFree { handOn() }
  }

  @inline(never)
  private func handOn() {
    let granted: (@Sendable () -> Void)? = waiters.withLock { waiters in
      waiters.onContention = nil
      if let background = waiters.background,
        waiters.blocked.isEmpty || waiters.overtakings >= Self.patience
      {
        waiters.background = nil
        waiters.onContention = background.onContention
        return background.granted
      }
      if waiters.blocked.isEmpty {
        mark.store(Mark.isFree, ordering: .releasing)
        return nil
      }
      if waiters.background != nil { waiters.overtakings += 1 }
      return waiters.blocked.removeFirst()
    }
    granted?()
  }

  /// True while the lock is held.
  var isTaken: Bool { mark.load(ordering: .acquiring) != Mark.isFree }

  /// True while callers block for the lock.
  var hasBlockedCallers: Bool { waiters.withLock { !$0.blocked.isEmpty } }
}
