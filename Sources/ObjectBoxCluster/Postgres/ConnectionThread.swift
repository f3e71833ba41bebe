internal import Dispatch
internal import Foundation
internal import ObjectBox

/// A thread that works on one job at a time, in their order.
///
/// It waits for the server, since libpq blocks, and the threads of Swift's tasks must not.
struct ConnectionThread: Sendable {
  typealias Job = @Sendable () -> Void

  /// The jobs that wait; the thread keeps it, and nothing that keeps the thread's owner.
  private final class Jobs: Sendable {
    private let waiting = Guarded<[Job]?>([])
    private let bell = DispatchSemaphore(value: 0)

    /// Adds a job; nil ends the thread after those that wait.
    func add(_ job: Job?) {
      waiting.withLock { jobs in
        if let job { jobs?.append(job) } else if jobs?.isEmpty ?? true { jobs = nil }
      }
      bell.signal()
    }

    /// Waits for a job; nil at the end.
    func next() -> Job? {
      bell.wait()
      return waiting.withLock { jobs in
        guard let job = jobs?.first else { return nil }
        jobs?.removeFirst()
        return job
      }
    }
  }

  private let jobs = Jobs()

  init() {
    let thread = Thread { [jobs] in
      while let job = jobs.next() { job() }
    }
    thread.name = "ObjectBox connection"
    thread.start()
  }

  /// Ends the thread after the jobs that wait.
  func end() { jobs.add(nil) }

  /// Does a job on the thread, after those that wait.
  func add(_ job: @escaping Job) { jobs.add(job) }

  /// Runs work on the thread.
  ///
  /// - Parameter work: Blocks the thread as long as it takes.
  /// - Returns: Its result.
  /// - Throws: Its error.
  func run<T: Sendable>(_ work: @escaping @Sendable () throws -> T) async throws -> T {
    // Through a lock, which the thread sanitizer sees, and not through the continuation, which it does not see.
    let result = Guarded<Result<T, any Error>?>(nil)
    await withUnsafeContinuation { continuation in
      jobs.add {
        let found = Result { try work() }
        result.withLock { $0 = found }
        continuation.resume()
      }
    }
    guard let found = result.withLock({ $0 }) else { preconditionFailure("a job has no result") }
    return try found.get()
  }
}
