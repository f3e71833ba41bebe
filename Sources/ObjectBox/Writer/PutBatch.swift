internal import Foundation

/// Puts that one commit stores together, and the threads that wait for it.
///
/// One signal wakes all of them, which costs less than one for each.
///
/// Invariant of `@unchecked Sendable`: `puts` and `hasWriter` are touched under the lock of ``GatheredPuts``
/// until the batch is taken, then `puts` and `failures` by its writer, and `failures` by the others once it is
/// finished; `isFinished` is touched under the condition's lock.
final class PutBatch: @unchecked Sendable {
  /// Writes in a transaction, or returns why it refuses to, before it changes anything.
  typealias Put = (Transaction) throws -> ObjectBoxError?

  var puts: [Put] = []
  /// True when one of the threads is to write the batch.
  var hasWriter = false
  /// The reasons why puts are not stored, by their indexes.
  var failures: [Int: any Error] = [:]
  private let condition = NSCondition()
  private var isFinished = false

  /// Wakes all waiting threads.
  func finish() {
    condition.lock()
    isFinished = true
    condition.unlock()
    // Threads that are woken under the lock would only wait for that.
    condition.broadcast()
  }

  /// Waits until the puts are done, or for a while; returns whether they are done.
  @discardableResult
  func wait(atMost duration: Duration? = nil) -> Bool {
    let end = duration.map { Date(timeIntervalSinceNow: $0 / .seconds(1)) }
    condition.lock()
    defer { condition.unlock() }
    while !isFinished {
      if let end { if !condition.wait(until: end) { break } } else { condition.wait() }
    }
    return isFinished
  }
}
