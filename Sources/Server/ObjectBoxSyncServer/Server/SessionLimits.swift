internal import ObjectBox
internal import ObjectBoxSyncProtocol

/// The limits of one device, and the notices that it got about them.
///
/// A message that comes too fast waits. The device gets a notice only once in a while, since it is served again after
/// the wait.
final class SessionLimits: Sendable {
  private enum Kind: Hashable {
    case messages
    case operations
    case leases
    case idleTransactions
  }

  /// Takes an amount of the user's share, and returns the time until the share covers it; nil if it does now.
  typealias TakeShare = @Sendable (_ count: Int, ConnectionCounts.Share) -> Duration?

  private struct State {
    var messages: Pace
    var operations: Pace
    var told: [Kind: ContinuousClock.Instant] = [:]
  }

  /// The time between two notices of one limit.
  private static let pause = Duration.seconds(60)
  /// The number of seconds whose messages may come at once.
  private static let burst = 2

  private let limits: SyncServer.Limits
  private let state: Guarded<State>
  private let takeShare: TakeShare
  private let tell: @Sendable (Refused) async throws -> Void

  /// Creates full limits.
  ///
  /// - Parameters:
  ///   - limits: The limits.
  ///   - takeShare: Takes an amount of the user's share.
  ///   - tell: Sends the device a notice about a limit.
  init(
    _ limits: SyncServer.Limits,
    takeShare: @escaping TakeShare,
    tell: @escaping @Sendable (Refused) async throws -> Void
  ) {
    self.limits = limits
    self.takeShare = takeShare
    self.tell = tell
    let now = ContinuousClock.now
    let messages = Double(limits.messagesPerSecond)
    state = Guarded(
      State(
        messages: Pace(rate: messages, capacity: messages * Double(Self.burst), at: now),
        operations: Pace(
          rate: Double(limits.operationsPerSecond),
          capacity: Double(max(limits.uploadOperations, limits.operationsPerSecond)),
          at: now
        )
      )
    )
  }

  /// The limit of a message's elements.
  ///
  /// An operation is an element, and so is each of its values. Digests have ranges instead, whose number does not
  /// depend on the limit of operations.
  var elements: WireLimit { elements(operations: limits.uploadOperations, "uploadOperations") }

  /// The limit of the elements of an upload with one transaction.
  var elementsOfOne: WireLimit {
    elements(
      operations: limits.largestTransaction,
      "transactionOperations"
    )
  }

  private func elements(operations: Int, _ name: String) -> WireLimit {
    let (byUploads, isTooGreat) = operations.multipliedReportingOverflow(
      by: Operation.valuesInWeight + 2
    )
    return WireLimit(
      elements: isTooGreat ? .max : max(byUploads, Self.digestRanges) + Self.restElements,
      remedy: "send less at a time, or raise the server's 'limits.\(name)'"
    )
  }

  /// The most ranges in a device's digests, including ranges that are compared later.
  private static let digestRanges = 1 << 19
  /// The transactions of an upload, and the scopes and transactions of cursors.
  private static let restElements = 1 << 17

  /// Waits until the device may send the next frame.
  func takeFrame() async throws {
    guard let wait = state.withLock({ $0.messages.take(1, at: .now) }) else { return }
    try await pause(
      wait,
      .messages,
      "the device sends more than \(limits.messagesPerSecond) messages a second; the server takes them later"
    )
  }

  /// Checks the size of an upload, and waits until the device may upload it.
  ///
  /// - Throws: ``Refused`` for an upload that is too large; `CancellationError`.
  func take(_ upload: Upload) async throws {
    let count = upload.operationCount
    let isOne = upload.transactions.count == 1
    let (limit, name) =
      isOne
      ? (limits.largestTransaction, "transactionOperations")
      : (limits.uploadOperations, "uploadOperations")
    guard count <= limit else {
      throw Refused(
        .rate,
        "an upload has \(count) operations, and the server takes \(limit); write smaller transactions, or raise the "
          + "server's 'limits.\(name)'"
      )
    }
    // A transaction without operations must be decided and stored too.
    let cost = max(count, upload.transactions.count)
    guard let wait = state.withLock({ $0.operations.take(cost, at: .now) }) else { return }
    try await pause(
      wait,
      .operations,
      "the device uploads more than \(limits.operationsPerSecond) operations a second; the rest waits on the device, "
        + "and goes on by itself"
    )
  }

  /// Waits until the user may reserve IDs.
  func take(leasedIDs count: Int) async throws {
    guard let wait = takeShare(count, .leasedIDs) else { return }
    try await pause(
      wait,
      .leases,
      "the user's devices reserve more than \(limits.leasedIDsPerHour) IDs an hour; new objects get random IDs meanwhile"
    )
  }

  /// Waits until the user's share covers the transactions without effects.
  func take(idleTransactions count: Int) async throws {
    guard count > 0, let wait = takeShare(count, .idleTransactions) else { return }
    try await pause(
      wait,
      .idleTransactions,
      "more than \(limits.idleTransactionsPerDay) transactions of the user's devices in a day were rejected, or changed "
        + "nothing; the rest waits on the device, and goes on by itself"
    )
  }

  private func pause(_ wait: Duration, _ kind: Kind, _ text: String) async throws {
    let isNews = state.withLock { state in
      let now = ContinuousClock.now
      if let last = state.told[kind], now - last < Self.pause { return false }
      state.told[kind] = now
      return true
    }
    if isNews { try await tell(Refused(.rate, text)) }
    try await Task.sleep(for: wait)
  }
}
