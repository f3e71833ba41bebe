internal import Foundation

/// Runs bodies on threads of their own.
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
      start(name) { continuation.resume(with: Result(catching: body)) }
    }
  }

  /// Runs a body on a new thread, and blocks the calling thread until it returns.
  static func runAndWait(_ name: String, _ body: @escaping @Sendable () throws -> Void) throws {
    let failure = Guarded<(any Error)?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    start(name) {
      do { try body() } catch { failure.withLock { $0 = error } }
      isDone.signal()
    }
    isDone.wait()
    if let failure = failure.copy { throw failure }
  }

  /// Runs a body on a new thread, and returns at once.
  static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
    let thread = Thread(block: body)
    thread.name = name
    thread.start()
  }
}
