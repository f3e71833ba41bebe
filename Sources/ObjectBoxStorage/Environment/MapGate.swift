internal import Foundation

/// Counts the transactions of an environment whose map is smaller than a file may become, so that the map can be
/// replaced while there is none.
///
/// Invariant of `@unchecked Sendable`: the variables are touched while the condition is locked only.
final class MapGate: @unchecked Sendable {
  /// How long a replacement waits for transactions of other threads.
  private static let patienceInSeconds = 0.5

  private let condition = NSCondition()
  private var openCount = 0
  private var isReplacing = false
  /// The environment, which sets it before another thread uses this gate.
  weak var environment: StorageEnvironment?

  /// Notes that a transaction is about to begin, and waits while the map is replaced.
  func enter() {
    condition.lock()
    while isReplacing { condition.wait() }
    openCount += 1
    condition.unlock()
  }

  /// Notes that a transaction has ended, or did not begin.
  func leave() {
    condition.lock()
    openCount -= 1
    if openCount == 0 { condition.broadcast() }
    condition.unlock()
  }

  /// Runs a body that begins a transaction, again after the map was replaced when the file has outgrown it.
  ///
  /// - Parameter body: Enters the gate, and leaves it when it throws.
  /// - Returns: The result of the body.
  /// - Throws: The error of the body.
  func curing<T>(_ body: () throws(StorageError) -> T) throws(StorageError) -> T {
    while true {
      do { return try body() } catch {
        guard error.isMapOutgrown, try replaceMap() else { throw error }
      }
    }
  }

  /// Replaces the map by a larger one; false when a transaction stays open.
  private func replaceMap() throws(StorageError) -> Bool {
    condition.lock()
    while isReplacing { condition.wait() }
    isReplacing = true
    let end = Date(timeIntervalSinceNow: Self.patienceInSeconds)
    while openCount > 0, condition.wait(until: end) {}
    let isAlone = openCount == 0
    condition.unlock()
    defer {
      condition.lock()
      isReplacing = false
      condition.broadcast()
      condition.unlock()
    }
    guard isAlone, let environment else { return false }
    return try environment.growMap()
  }
}
