internal import Dispatch
internal import Foundation
internal import Synchronization

/// A connection to a server, with the thread that waits for it.
///
/// One caller at a time uses it. A class, since it owns the thread, which ends with the last reference.
final class Connection: Sendable {
  private let worker = ConnectionThread()
  private let cancellation: PostgresSession.Cancellation?
  /// The server's version, such as 150018.
  let serverVersion: Int
  /// The process that serves the connection.
  let backendID: Int32

  /// Connects.
  ///
  /// - Parameter parameters: Pairs of libpq's keywords and values.
  /// - Throws: ``ServerFailure``; ``ClusterError/libpqMissing`` in a build without libpq.
  init(_ parameters: [(keyword: String, value: String)]) async throws {
    (serverVersion, backendID, cancellation) = try await worker.run { slot in
      let session = try PostgresSession(parameters)
      slot = session
      return (session.serverVersion, session.backendID, session.cancellation())
    }
  }

  deinit {
    worker.end()
  }

  /// Runs statements in order, in one round trip; after a failed one no further runs.
  ///
  /// When the task is cancelled the server is asked to cancel the running statement; the connection must not be used
  /// again then, since the request may be late and meet a later statement.
  ///
  /// - Parameter batch: Any number of statements.
  /// - Returns: The rows of each statement.
  /// - Throws: ``ServerFailure``, with `isCancellation` when the task was cancelled.
  func run(_ batch: [Statement]) async throws -> [ResultRows] {
    try await cancelling { session in
      let surplus = session.surplusPrepared()
      return Array(try session.run(surplus + batch).dropFirst(surplus.count))
    }
  }

  /// Sends rows in the binary form of COPY, as `PostgresSession.copyIn` does.
  func copyIn(_ sql: String, _ data: [UInt8]) async throws -> Int {
    try await cancelling { try $0.copyIn(sql, data) }
  }

  /// How often the connection waited for the server.
  func roundTrips() async throws -> Int { try await worker.run { $0?.roundTrips ?? 0 } }

  /// True when the connection can take a new transaction.
  func isIdle() async throws -> Bool { try await worker.run { $0?.isIdle ?? false } }

  /// Waits for notifications.
  ///
  /// - Parameter timeout: The longest wait, in milliseconds.
  /// - Returns: The notifications; none after the wait.
  /// - Throws: ``ServerFailure`` when the connection is gone.
  func notifications(
    waitingAtMost timeout: Int32
  ) async throws -> [(channel: String, payload: String)] {
    try await worker.run { slot in
      guard let session = slot else { return [] }
      let pending = try session.notifications()
      if !pending.isEmpty { return pending }
      var poll = pollfd(fd: session.socket, events: Int16(POLLIN), revents: 0)
      _ = Foundation.poll(&poll, 1, timeout)
      return try session.notifications()
    }
  }

  private func cancelling<T: Sendable>(
    _ work: @escaping @Sendable (PostgresSession) throws -> T
  ) async throws -> T {
    let isCancelled = Atomic<Bool>(false)
    do {
      return try await withTaskCancellationHandler {
        try await worker.run { slot in
          guard let session = slot else {
            throw ServerFailure(
              state: "",
              message: "the connection is closed",
              isConnectionLost: true
            )
          }
          return try work(session)
        }
      } onCancel: {
        isCancelled.store(true, ordering: .releasing)
        guard let cancellation else { return }
        // It connects to the server, which may block.
        DispatchQueue.global().async { cancellation.send() }
      }
    } catch var failure as ServerFailure {
      // A time-out of a statement has the same code.
      if isCancelled.load(ordering: .acquiring) { failure.isCancellation = true }
      throw failure
    }
  }
}
