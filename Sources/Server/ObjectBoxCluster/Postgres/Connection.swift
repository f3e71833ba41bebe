internal import Dispatch
internal import Foundation
internal import Synchronization

/// A connection to a server, and the thread that waits for it.
///
/// One caller at a time uses it. Session and thread end with the last reference.
package final class Connection: Sendable {
  /// The duration of an answer, in nanoseconds, above which callers do not wait on their own threads.
  private static let inPlaceTime: UInt64 = 400_000
  /// The time since a connection's first statement began, in nanoseconds, above which tasks do not share it.
  private static let stallTime: UInt64 = 2_000_000

  private let thread: ConnectionThread
  private let session: PostgresSession
  private let spent = Atomic<Bool>(false)
  /// The duration of the last answer, in nanoseconds.
  private let lastDuration = Atomic<UInt64>(.max)
  /// The server's milliseconds since 1970, minus this machine's uptime in milliseconds; `Int64.min`
  /// while unknown.
  private let serverClock = Atomic<Int64>(.min)
  let pipeline: Pipeline
  /// The server's version, such as 150018.
  let serverVersion: Int
  /// The server process of the connection.
  let backendID: Int32

  /// Connects.
  ///
  /// - Parameter parameters: Pairs of libpq's keywords and values.
  /// - Throws: ``ServerFailure``; ``ClusterError/libpqMissing`` in a build without libpq.
  init(_ parameters: [(keyword: String, value: String)]) async throws {
    let thread = ConnectionThread()
    do {
      session = try await thread.run { try PostgresSession(parameters) }
    } catch {
      thread.end()
      throw error
    }
    self.thread = thread
    pipeline = Pipeline(session, thread)
    serverVersion = session.serverVersion
    backendID = session.backendID
  }

  deinit {
    thread.end()
  }

  /// Runs statements in order, in one round trip; none runs after a failed one.
  ///
  /// A COPY takes up to three more round trips.
  ///
  /// A cancelled task makes the server cancel the running statement. The connection is not used again: a late request
  /// could cancel a later statement.
  ///
  /// - Parameters:
  ///   - batch: Any number of statements.
  ///   - isShared: True if other tasks may use the connection. While they wait, a cancelled task only gives up its
  ///     answer.
  /// - Returns: The rows of each statement.
  /// - Throws: ``ServerFailure``, with `isCancellation` when the task was cancelled; `CancellationError`.
  package func run(_ batch: [Statement], isShared: Bool = false) async throws -> [ResultRows] {
    guard !batch.isEmpty else { return [] }
    let call = pipeline.newCall()
    defer { if isShared, Task.isCancelled { pipeline.forget(call) } }
    return try await cancelling(call, isShared: isShared) {
      if batch.contains(where: { $0.content != nil }) {
        return try await thread.run { [session] in try session.runCopying(batch) }
      }
      let start = DispatchTime.now().uptimeNanoseconds
      defer {
        lastDuration.store(DispatchTime.now().uptimeNanoseconds - start, ordering: .relaxed)
      }
      let mayBlock =
        lastDuration.load(ordering: .relaxed) < Self.inPlaceTime && InPlaceWaits.mayBegin()
      return try await pipeline.run(batch, as: call, isShared: isShared, mayBlock: mayBlock)
    }
  }

  /// Number of waits for the server.
  func roundTrips() async throws -> Int { roundTripCount }

  /// Number of waits for the server.
  var roundTripCount: Int { pipeline.roundTrips }

  /// True if the connection can begin a transaction.
  func isIdle() async throws -> Bool { isUsable }

  /// True if the connection can begin a transaction.
  var isUsable: Bool { !spent.load(ordering: .acquiring) && pipeline.isIdle }

  /// True if more tasks may share the connection: it answers, and its last answer is recent.
  var isShareable: Bool {
    !spent.load(ordering: .acquiring) && !pipeline.isBroken
      && !pipeline.hasStalled(for: Self.stallTime)
  }

  /// True if the connection is neither broken nor spent.
  var isAlive: Bool { !spent.load(ordering: .acquiring) && session.isConnected }

  /// True if the server has an open or failed transaction for the connection.
  var isInTransaction: Bool { session.isInTransaction }

  /// True if the idle connection was closed by the server, or received something unexpected.
  var hasEnded: Bool { session.hasEnded }

  /// Makes the pool close the connection.
  func spend() { spent.store(true, ordering: .releasing) }

  /// Returns true if a commit since the last call did not wait for its replicas, so that it may be lost.
  func takeReplicationWaitWasCut() -> Bool { session.takeReplicationWaitWasCut() }

  /// The time by the server's clock, or slightly before it, in milliseconds since 1970; nil while
  /// unknown.
  ///
  /// Used since this machine's clock may be wrong.
  var serverTime: Int64? {
    let difference = serverClock.load(ordering: .relaxed)
    return difference == .min ? nil : difference + Self.uptime
  }

  /// Stores the time that the server has just reported, in milliseconds since 1970.
  func noteServerTime(_ time: Int64) { serverClock.store(time - Self.uptime, ordering: .relaxed) }

  private static var uptime: Int64 { Int64(DispatchTime.now().uptimeNanoseconds / 1_000_000) }

  /// Waits for notifications.
  ///
  /// - Parameter timeout: The longest wait, in milliseconds.
  /// - Returns: The notifications; none after the wait.
  /// - Throws: ``ServerFailure`` when the connection is gone.
  func notifications(
    waitingAtMost timeout: Int32
  ) async throws -> [(channel: String, payload: String)] {
    try await thread.run { [session] in
      let pending = try session.notifications()
      if !pending.isEmpty { return pending }
      var poll = pollfd(fd: session.socket, events: Int16(POLLIN), revents: 0)
      _ = Foundation.poll(&poll, 1, timeout)
      return try session.notifications()
    }
  }

  private func cancelling<T>(
    _ call: UInt64,
    isShared: Bool,
    _ work: () async throws -> T
  ) async throws -> T {
    do {
      return try await withTaskCancellationHandler {
        try await work()
      } onCancel: {
        guard pipeline.cancel(call, isShared: isShared) else { return }
        spend()
        pipeline.askToCancel()
      }
    } catch var failure as ServerFailure {
      // A statement's time-out has the same code.
      if failure.state == ServerFailure.State.queryCanceled, spent.load(ordering: .acquiring) {
        failure.isCancellation = true
      }
      throw failure
    }
  }
}
