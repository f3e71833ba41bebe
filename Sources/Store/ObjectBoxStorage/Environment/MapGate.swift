internal import Foundation

/// Counts the transactions of an environment, so that its map can be replaced while there is none.
///
/// For environments whose map is smaller than their file may become. Invariant of `@unchecked
/// Sendable`: the variables are accessed under the condition's lock only.
final class MapGate: @unchecked Sendable {
  /// The longest wait of a replacement for transactions of other threads.
  private static let patienceInSeconds = 0.5

  private let condition = NSCondition()
  private var openCount = 0
  private var isReplacing = false
  /// The environment; set before another thread uses this gate.
  weak var environment: StorageEnvironment?

  /// Counts a transaction that is about to begin; waits while the map is replaced.
  func enter() {
    condition.withLock {
      while isReplacing { condition.wait() }
      openCount += 1
    }
  }

  /// Counts a transaction that has ended, or did not begin.
  func leave() {
    condition.withLock {
      openCount -= 1
      if openCount == 0 { condition.broadcast() }
    }
  }

  /// Runs a body that begins a transaction; replaces the map and tries again if the file has
  /// outgrown it.
  ///
  /// - Parameter body: Enters the gate; leaves it when it throws.
  /// - Returns: The result of the body.
  /// - Throws: The error of the body.
  func curing<T>(_ body: () throws(StorageError) -> T) throws(StorageError) -> T {
    while true {
      do { return try body() } catch {
        guard error.isMapOutgrown, try replaceMap() else { throw error }
      }
    }
  }

  /// Replaces the map by a larger one; false while a transaction stays open.
  private func replaceMap() throws(StorageError) -> Bool {
    let isAlone = condition.withLock {
      while isReplacing { condition.wait() }
      isReplacing = true
      let end = Date(timeIntervalSinceNow: Self.patienceInSeconds)
      while openCount > 0, condition.wait(until: end) {}
      return openCount == 0
    }
    defer {
      condition.withLock {
        isReplacing = false
        condition.broadcast()
      }
    }
    guard isAlone, let environment else { return false }
    return try environment.growMap()
  }
}
