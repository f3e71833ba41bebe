internal import Dispatch

/// Long computations, off the shared threads of Swift's tasks.
///
/// There are only as many such threads as processors, so long computations would delay logins and answers of other
/// devices. Here they run one at a time, in the order of their requests.
enum LongWork {
  /// The number of operations from which on a decision counts as long.
  static let operationCount = 64
  /// The size in bytes from which on reading a message counts as long.
  static let byteCount = 64 << 10

  private static let queue = DispatchQueue(label: "ObjectBox sync server")

  /// Runs a body, on a separate thread if it takes long.
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
