internal import Foundation

/// Puts that share one commit, and the threads that wait for it.
///
/// One signal wakes all threads: this is cheaper than one signal for each.
///
/// Invariant of `@unchecked Sendable`: until the batch is taken, `puts` and `hasWriter` are accessed under the lock of
/// ``GroupCommitQueue``. Then only its writer accesses `puts` and `failures`. Other threads read `failures` after the batch
/// has finished. `isFinished` is accessed under the condition's lock.
final class PutBatch: @unchecked Sendable {
  /// Writes in a transaction; returns an error if it rejects the write before it has changed anything.
  typealias Put = (Transaction) throws -> ObjectBoxError?

  var puts: [Put] = []
  /// True once a thread has taken over writing the batch.
  var hasWriter = false
  /// The errors of puts that are not stored, by index in `puts`.
  var failures: [Int: any Error] = [:]
  private let condition = NSCondition()
  private var isFinished = false

  /// Wakes all waiting threads.
  func finish() {
    condition.withLock { isFinished = true }
    // After the unlock: threads woken under the lock would wait for it at once.
    condition.broadcast()
  }

  /// Waits until the batch has finished, or the duration is over; true if the batch has finished.
  @discardableResult
  func wait(atMost duration: Duration? = nil) -> Bool {
    let end = duration.map { Date(timeIntervalSinceNow: $0 / .seconds(1)) }
    return condition.withLock {
      while !isFinished {
        if let end { if !condition.wait(until: end) { break } } else { condition.wait() }
      }
      return isFinished
    }
  }
}
