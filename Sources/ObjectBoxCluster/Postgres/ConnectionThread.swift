internal import Dispatch
internal import Foundation
internal import Synchronization

/// A thread that has a session and works on one job at a time, in their order.
///
/// A thread waits for the server, since libpq blocks, and the threads of Swift's tasks must not.
struct ConnectionThread: Sendable {
  typealias Job = @Sendable (inout PostgresSession?) -> Void

  /// The jobs that wait; the thread keeps it, and nothing that keeps the thread's owner.
  private final class Jobs: Sendable {
    private let waiting = Mutex<[Job]?>([])
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
      // Made, used and released by this thread only.
      var session: PostgresSession?
      while let job = jobs.next() { job(&session) }
    }
    thread.name = "ObjectBox connection"
    thread.start()
  }

  /// Ends the thread after the jobs that wait, and releases its session.
  func end() { jobs.add(nil) }

  /// Runs work on the thread.
  ///
  /// - Parameter work: Is passed the place of the session.
  /// - Returns: Its result.
  /// - Throws: Its error.
  func run<T: Sendable>(
    _ work: @escaping @Sendable (inout PostgresSession?) throws -> T
  ) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
      jobs.add { session in
        continuation.resume(with: Result { try work(&session) })
      }
    }
  }
}
