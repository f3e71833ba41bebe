internal import Foundation
internal import ObjectBoxStorage

/// A thread that does one thing and is waited for.
enum OwnThread {
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
