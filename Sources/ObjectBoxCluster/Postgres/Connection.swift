internal import Dispatch
internal import Foundation
internal import Synchronization

/// A connection to a server, with the thread that waits for it.
///
/// One caller at a time uses it. A class, since it owns the session and the thread, which end with the last
/// reference.
final class Connection: Sendable {
  /// The longest time that a caller's own thread waits for an answer, in milliseconds, and the time in nanoseconds
  /// that the last one may have taken for that.
  private static let inPlace: (wait: Int32, limit: UInt64) = (wait: 1, limit: 1_000_000)
  /// The calls that wait for a server.
  private static let callCount = Atomic<Int>(0)
  /// With more calls at once than this, none waits on its own thread, of which Swift has one for each processor: another
  /// call's answer may be there before.
  private static let inPlaceLimit = max(1, ProcessInfo.processInfo.activeProcessorCount / 2)
  /// How often a call is resumed for a part of an answer; larger ones are left to the connection's thread.
  private static let partLimit = 8

  private let thread: ConnectionThread
  private let session: PostgresSession
  private let cancellation: PostgresSession.Cancellation?
  private let spent = Atomic<Bool>(false)
  /// The time that the last answer took, in nanoseconds.
  private let lastDuration = Atomic<UInt64>(.max)
  /// The server's version, such as 150018.
  let serverVersion: Int
  /// The process that serves the connection.
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
    serverVersion = session.serverVersion
    backendID = session.backendID
    cancellation = session.cancellation()
  }

  deinit {
    thread.end()
  }

  /// Runs statements in order, in one round trip; after a failed one no further runs.
  ///
  /// A COPY takes up to three round trips more.
  ///
  /// When the task is cancelled the server is asked to cancel the running statement; the connection is spent then,
  /// since the request may be late and would meet a later statement.
  ///
  /// - Parameter batch: Any number of statements.
  /// - Returns: The rows of each statement.
  /// - Throws: ``ServerFailure``, with `isCancellation` when the task was cancelled.
  func run(_ batch: [Statement]) async throws -> [ResultRows] {
    guard !batch.isEmpty else { return [] }
    if batch.contains(where: { $0.content != nil }) {
      return try await cancelling {
        try await thread.run { [session] in try session.runCopying(batch) }
      }
    }
    return try await cancelling {
      let start = DispatchTime.now().uptimeNanoseconds
      let callCount = Self.callCount.add(1, ordering: .relaxed).newValue
      defer {
        Self.callCount.subtract(1, ordering: .relaxed)
        lastDuration.store(
          DispatchTime.now().uptimeNanoseconds - start,
          ordering: .relaxed
        )
      }
      // Sent from here, the statements are on their way before another thread wakes.
      var sent = try session.send(batch)
      if sent.isOnItsWay {
        if callCount <= Self.inPlaceLimit,
          lastDuration.load(ordering: .relaxed) < Self.inPlace.limit,
          let rows = try receiveInPlace(&sent)
        {
          return rows
        }
        if let rows = try await receiveWhenReady(&sent) { return rows }
      }
      return try await thread.run { [session, sent] in
        var sent = sent
        return try session.receive(&sent, mayBlock: true) ?? []
      }
    }
  }

  /// Waits for the results on the caller's thread where they come at once, which saves changes of threads.
  private func receiveInPlace(_ sent: inout SentBatch) throws -> [ResultRows]? {
    for _ in 0..<Self.partLimit {
      guard session.hasAnswer(within: Self.inPlace.wait) else { return nil }
      if let rows = try session.receive(&sent, mayBlock: false) { return rows }
    }
    return nil
  }

  /// Waits for the results without a thread, as long as they come in few parts.
  private func receiveWhenReady(_ sent: inout SentBatch) async throws -> [ResultRows]? {
    #if os(Linux) && OBJECTBOX_LIBPQ
      guard let waits = SocketWaits.shared else { return nil }
      for _ in 0..<Self.partLimit where session.isConnected {
        await waits.wait(for: session.socket)
        guard session.hasAnswer(within: 0) else { continue }
        if let rows = try session.receive(&sent, mayBlock: false) { return rows }
      }
    #endif
    return nil
  }

  /// How often the connection waited for the server.
  func roundTrips() async throws -> Int { roundTripCount }

  /// How often the connection waited for the server.
  var roundTripCount: Int { session.roundTrips }

  /// True when the connection can take a new transaction.
  func isIdle() async throws -> Bool { isUsable }

  /// True when the connection can take a new transaction.
  var isUsable: Bool { !spent.load(ordering: .acquiring) && session.isIdle }

  /// True unless it is broken or spent.
  var isAlive: Bool { !spent.load(ordering: .acquiring) && session.isConnected }

  /// True when the server has an open or failed transaction for the connection.
  var isInTransaction: Bool { session.isInTransaction }

  /// True when the server has closed the connection, or sent anything unexpected, while nobody used it.
  var hasEnded: Bool { session.hasEnded }

  /// Makes the pool close the connection.
  func spend() { spent.store(true, ordering: .releasing) }

  /// Returns whether a commit since the last call did not wait for its replicas, so that it may be lost.
  func takeReplicationWaitWasCut() -> Bool { session.takeReplicationWaitWasCut() }

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

  private func cancelling<T>(_ work: () async throws -> T) async throws -> T {
    do {
      return try await withTaskCancellationHandler {
        try await work()
      } onCancel: {
        spend()
        guard let cancellation else { return }
        // It connects to the server, which may block.
        DispatchQueue.global().async { cancellation.send() }
      }
    } catch var failure as ServerFailure {
      // A time-out of a statement has the same code.
      if failure.state == ServerFailure.State.queryCanceled, spent.load(ordering: .acquiring) {
        failure.isCancellation = true
      }
      throw failure
    }
  }
}
