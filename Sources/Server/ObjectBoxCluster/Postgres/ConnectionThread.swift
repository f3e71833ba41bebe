internal import Dispatch
internal import Foundation
internal import ObjectBox

/// A thread that runs jobs one at a time, in order.
///
/// It waits for the server: libpq blocks, and the threads of Swift's tasks must not block.
struct ConnectionThread: Sendable {
  typealias Job = @Sendable () -> Void

  /// The waiting jobs; the thread refers to them, but not to the thread's owner.
  private final class Jobs: Sendable {
    private let waiting = Guarded<[Job]?>([])
    private let bell = DispatchSemaphore(value: 0)

    /// Adds a job; nil ends the thread after the waiting jobs.
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

  /// Ends the thread after the waiting jobs.
  func end() { jobs.add(nil) }

  /// Runs a job on the thread, after the waiting jobs.
  func add(_ job: @escaping Job) { jobs.add(job) }

  /// Runs work on the thread.
  ///
  /// - Parameter work: Work that may block the thread.
  /// - Returns: The work's result.
  /// - Throws: The work's error.
  func run<T: Sendable>(_ work: @escaping @Sendable () throws -> T) async throws -> T {
    // The result passes through a lock: the thread sanitizer does not see the continuation's
    // ordering.
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
