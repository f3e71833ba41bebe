internal import Dispatch

/// Computations that take long, off the threads that all tasks share.
///
/// These are as few as processors: computations on them would keep logins and answers of other devices waiting. Here
/// computations wait for one another, in the order of their requests.
enum LongWork {
  /// The number of operations from which on a decision takes long.
  static let operationCount = 64
  /// The size in bytes from which on reading a message takes long.
  static let byteCount = 64 << 10

  private static let queue = DispatchQueue(label: "ObjectBox sync server")

  /// Runs a body, on a thread of its own if it takes long.
  ///
  /// - Parameters:
  ///   - isLong: True if it takes long.
  ///   - body: The computation.
  /// - Returns: Its result.
  /// - Throws: Its error.
  static func run<T: Sendable>(
    if isLong: Bool = true,
    _ body: @Sendable @escaping () throws -> T
  ) async throws -> T {
    guard isLong else { return try body() }
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try body() }) }
    }
  }
}
