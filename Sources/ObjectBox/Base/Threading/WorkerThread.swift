internal import Foundation

/// A thread that the first piece of work starts, and that ends when no more is taken and none is left.
///
/// A class, since it owns the thread. Invariant of `@unchecked Sendable`: the variables are touched
/// while the condition is locked only.
final class WorkerThread: @unchecked Sendable {
  private enum Phase {
    case idle
    case running
    /// Takes nothing more; the thread ends when nothing waits.
    case draining
    case ended
  }

  /// Guards the state of the owner as well; signalled whenever any of that changes.
  let condition = NSCondition()
  private let name: String
  private var phase = Phase.idle
  /// Names the thread while it runs.
  private var thread: pthread_t?

  init(name: String) {
    self.name = name
  }

  func locked<T>(_ body: () throws -> T) rethrows -> T {
    condition.lock()
    defer { condition.unlock() }
    return try body()
  }

  // The condition is locked in all that follow, unless they say otherwise.

  /// False once `refuseMore` was called.
  var takesMore: Bool { phase == .idle || phase == .running }

  /// True once the thread does nothing more.
  var isEnded: Bool { phase == .ended }

  /// True before `start`, unless it ended without any work.
  var isIdle: Bool { phase == .idle }

  /// Starts the thread of an idle one, with its first work.
  ///
  /// - Parameters:
  ///   - isThere: Says whether work waits; the condition is locked.
  ///   - work: Does some of it; the condition is not locked.
  func start(isThere: @escaping @Sendable () -> Bool, work: @escaping @Sendable () -> Void) {
    phase = .running
    let thread = Thread { [self] in
      locked { self.thread = pthread_self() }
      while waits(for: isThere) { work() }
      locked {
        self.thread = nil
        phase = .ended
        condition.broadcast()
      }
    }
    thread.name = name
    thread.start()
  }

  private func waits(for isThere: () -> Bool) -> Bool {
    locked {
      while !isThere() {
        guard phase == .running else { return false }
        condition.wait()
      }
      return true
    }
  }

  /// True on the thread itself; the condition is not locked.
  var isCurrent: Bool {
    locked { thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
  }

  /// Takes nothing more from now on; the condition is not locked.
  func refuseMore() {
    locked {
      if phase == .idle { phase = .ended }
      if phase == .running { phase = .draining }
      condition.broadcast()
    }
  }
}
