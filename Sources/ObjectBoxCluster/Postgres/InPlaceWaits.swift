internal import Foundation
internal import Synchronization

/// The waits for servers on the threads of tasks, which save two changes of threads for each answer.
///
/// Swift has one such thread for each processor. So only answers that come soon are waited for there, and none while a
/// task whose answer has come waits for one of these threads.
enum InPlaceWaits {
  private static let limit = ProcessInfo.processInfo.activeProcessorCount
  /// Threads that wait.
  private static let waiting = Atomic<Int>(0)
  /// Tasks that ``resume(_:)`` made ready, and that have not run yet.
  private static let ready = Atomic<Int>(0)

  /// True when one more thread may wait.
  static var haveRoom: Bool {
    ready.load(ordering: .relaxed) == 0 && waiting.load(ordering: .relaxed) < limit
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
