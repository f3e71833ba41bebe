internal import Dispatch
internal import ObjectBox

/// Runs asynchronous work while this thread waits.
///
/// The tool has nothing else to do meanwhile, and a store's transactions belong to their thread.
/// The thread must not be one that runs Swift's tasks: there is one for each processor, and the
/// work needs one.
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

  /// The result, shared by both sides.
  private final class Outcome<T: Sendable>: Sendable {
    let value = Guarded<Result<T, any Error>?>(nil)
  }
}
