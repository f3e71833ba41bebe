internal import Foundation
internal import Synchronization

/// Counts the tasks that wait for an answer on their own threads, which saves two thread switches.
///
/// Swift has one such thread for each processor. So a task waits in place only if the answer is expected soon, and only
/// while no resumed task is ready to run. At intervals a call suspends in any case, since other tasks may wait for a
/// thread.
enum InPlaceWaits {
  /// Every call with a multiple of this number suspends.
  private static let interval = 16
  private static let limit = ProcessInfo.processInfo.activeProcessorCount
  /// Tasks that wait on their threads.
  private static let waiting = Atomic<Int>(0)
  /// Calls that asked to wait in place.
  private static let count = Atomic<Int>(0)
  /// Tasks resumed by ``resume(_:)`` that do not run yet.
  private static let ready = Atomic<Int>(0)

  /// Returns true if a call may wait on its task's thread.
  static func mayBegin() -> Bool {
    ready.load(ordering: .relaxed) == 0 && waiting.load(ordering: .relaxed) < limit
      && count.add(1, ordering: .relaxed).newValue % interval != 0
  }

  /// Runs a body that waits on the task's thread.
  static func during<T>(_ body: () -> T) -> T {
    waiting.add(1, ordering: .relaxed)
    defer { waiting.subtract(1, ordering: .relaxed) }
    return body()
  }

  /// Suspends the task until ``resume(_:)`` is called with the continuation passed to the body.
  static func suspended(_ body: (UnsafeContinuation<Void, Never>) -> Void) async {
    await withUnsafeContinuation(body)
    ready.subtract(1, ordering: .relaxed)
  }

  /// Resumes a task suspended by ``suspended(_:)``.
  static func resume(_ continuation: UnsafeContinuation<Void, Never>) {
    ready.add(1, ordering: .relaxed)
    continuation.resume()
  }
}
