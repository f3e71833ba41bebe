internal import Foundation
internal import Synchronization

/// Counts the tasks that wait for an answer on their own threads, which saves two changes of threads.
///
/// Swift has one such thread for each processor. So a task waits there only for an answer that comes soon, and only
/// while no task whose answer has come is ready to run; now and then it suspends all the same, since other tasks may wait
/// for a thread.
enum InPlaceWaits {
  /// One of so many calls is no wait in place.
  private static let interval = 16
  private static let limit = ProcessInfo.processInfo.activeProcessorCount
  /// Tasks that wait on their threads.
  private static let waiting = Atomic<Int>(0)
  /// Calls that might wait in place.
  private static let count = Atomic<Int>(0)
  /// Tasks that ``resume(_:)`` made ready, and that have not run yet.
  private static let ready = Atomic<Int>(0)

  /// Returns whether a call may wait on the thread of its task.
  static func mayBegin() -> Bool {
    ready.load(ordering: .relaxed) == 0 && waiting.load(ordering: .relaxed) < limit
      && count.add(1, ordering: .relaxed).newValue % interval != 0
  }

  /// Runs a body that waits on the thread of the task.
  static func during<T>(_ body: () -> T) -> T {
    waiting.add(1, ordering: .relaxed)
    defer { waiting.subtract(1, ordering: .relaxed) }
    return body()
  }

  /// Suspends the task until ``resume(_:)`` is called with the continuation that a body is passed.
  static func suspended(_ body: (UnsafeContinuation<Void, Never>) -> Void) async {
    await withUnsafeContinuation(body)
    ready.subtract(1, ordering: .relaxed)
  }

  /// Makes a task ready to run that ``suspended(_:)`` keeps.
  static func resume(_ continuation: UnsafeContinuation<Void, Never>) {
    ready.add(1, ordering: .relaxed)
    continuation.resume()
  }
}
