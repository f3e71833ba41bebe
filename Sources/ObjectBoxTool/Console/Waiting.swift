internal import Dispatch
internal import ObjectBox

/// Runs asynchronous work while this thread waits: the tool has nothing else to do meanwhile, and transactions of a
/// store belong to their thread.
///
/// The thread must be none of those that run Swift's tasks: there are as many as processors, and the work needs one.
package enum Waiting {
  package static func run<T: Sendable>(
    _ work: @escaping @Sendable () async throws -> T
  ) throws -> T {
    let done = DispatchSemaphore(value: 0)
    let result = Outcome<T>()
    Task.detached {
      do {
        let value = try await work()
        result.value.withLock { $0 = .success(value) }
      } catch {
        result.value.withLock { $0 = .failure(error) }
      }
      done.signal()
    }
    done.wait()
    guard let value = result.value.withLock({ $0 }) else { throw CancellationError() }
    return try value.get()
  }

  /// A class, since both sides have it.
  private final class Outcome<T: Sendable>: Sendable {
    let value = Guarded<Result<T, any Error>?>(nil)
  }
}
