internal import Foundation

/// A small write that may be done by another thread than the one that waits for it.
///
/// Invariant of `@unchecked Sendable`: the waiting thread touches it before it is handed over and after
/// its batch has finished, the thread that writes in between.
final class GatheredWrite: @unchecked Sendable {
  let body: (Transaction) throws -> Void
  var failure: (any Error)?

  /// Makes a write; when `body` throws what ``ObjectWriter`` refuses, it must have written nothing.
  init(_ body: @escaping (Transaction) throws -> Void) {
    self.body = body
  }
}

/// Small writes that one commit stores together, and the threads that wait for it.
///
/// One signal wakes all of them, which costs less than one for each.
///
/// Invariant of `@unchecked Sendable`: `isFinished` is touched under the condition's lock.
final class GatheredBatch: @unchecked Sendable {
  private let condition = NSCondition()
  private var isFinished = false

  /// Wakes everyone who waits.
  func finish() {
    condition.lock()
    isFinished = true
    condition.unlock()
    // Whoever were woken under the lock would only wait for that.
    condition.broadcast()
  }

  /// Waits until the writes are done.
  func wait() {
    condition.lock()
    defer { condition.unlock() }
    while !isFinished { condition.wait() }
  }

  /// Waits until the writes are done, or for a while; false when they are not done then.
  func wait(for duration: Duration) -> Bool {
    let end = Date(timeIntervalSinceNow: duration / .seconds(1))
    condition.lock()
    defer { condition.unlock() }
    while !isFinished { if !condition.wait(until: end) { break } }
    return isFinished
  }
}
