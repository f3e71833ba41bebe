internal import Foundation

/// Runs a body on a new thread, and waits for it.
enum OwnThread {
  /// Runs a body on a new thread, and suspends the caller until it returns.
  ///
  /// - Parameters:
  ///   - name: The name of the thread.
  ///   - isolation: The caller's isolation.
  ///   - body: Does the work; it may block.
  /// - Returns: The result of the body.
  /// - Throws: Errors of the body.
  static func run<Answer: Sendable>(
    _ name: String,
    isolation: isolated (any Actor)? = #isolation,
    _ body: @escaping @Sendable () throws -> Answer
  ) async throws -> Answer {
    try await withCheckedThrowingContinuation { continuation in
      let thread = Thread { continuation.resume(with: Result(catching: body)) }
      thread.name = name
      thread.start()
    }
  }

  /// Runs a body on a new thread, and blocks the calling thread until it returns.
  static func runAndWait(_ name: String, _ body: @escaping @Sendable () throws -> Void) throws {
    let failure = Guarded<(any Error)?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    let thread = Thread {
      do { try body() } catch { failure.withLock { $0 = error } }
      isDone.signal()
    }
    thread.name = name
    thread.start()
    isDone.wait()
    if let failure = failure.copy { throw failure }
  }
}
