internal import Foundation

/// A thread that does one thing and is waited for.
enum OwnThread {
  /// Runs a body on a thread of its own, and suspends until it returns.
  ///
  /// - Parameters:
  ///   - name: The name of the thread.
  ///   - isolation: Where this is called; the caller's.
  ///   - body: Does the work, however long it blocks.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws.
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

  /// Runs a body on a thread of its own, and waits for its answer.
  ///
  /// - Parameters:
  ///   - name: The name of the thread.
  ///   - body: Calls the function that it gets once, with its answer, and may go on.
  /// - Returns: The answer.
  /// - Throws: The error that is the answer.
  static func ask<Answer: Sendable>(
    _ name: String,
    _ body: @escaping @Sendable ((Result<Answer, any Error>) -> Void) -> Void
  ) throws -> Answer {
    let given = Guarded<Result<Answer, any Error>?>(nil)
    let isGiven = DispatchSemaphore(value: 0)
    let thread = Thread {
      body { answer in
        given.withLock { $0 = answer }
        isGiven.signal()
      }
    }
    thread.name = name
    thread.start()
    while true {
      isGiven.wait()
      if let answer = given.withLock({ $0 }) { return try answer.get() }
    }
  }
}
