internal import ObjectBox
internal import ObjectBoxSyncProtocol

extension ClientSession {
  /// The progress of a session.
  struct State {
    /// True to receive all updates.
    var isSubscribed = false
    /// True until the requested updates have arrived.
    var isFetching = false
    /// The next request of the uploading task; nil for none.
    var request: Request?
    /// The number of objects in a range of the first digests.
    var digestSize = 1
    /// The number of resets since the last delta.
    var resets = 0
    /// The greatest size of a message in bytes.
    var messageSize = 1 << 20
    /// The greatest number of operations of an upload.
    var uploadOperations = Int.max
    /// The greatest size of an upload with one transaction in bytes.
    var transactionSize = 1 << 20
    /// The greatest number of operations of an upload with one transaction.
    var transactionOperations = Int.max
    /// True once the server cannot take the next waiting transaction.
    var isBlocked = false
    /// The number of waiting transactions whose uploads are under way.
    var sent = 0
    /// The sequence numbers that the next answers should acknowledge, in order.
    var expected: [UInt64] = []
    /// True if the server lacked a transaction: all are sent again after the pending answers.
    var hasGap = false
    /// True while a request for a delta is under way, or is being prepared.
    var isWanting = false
    /// True from the decision to request a delta until the store was read for it.
    var isReading = false
    /// The last request for a delta.
    var wanted: DeltaRequest?
    /// True if the program has requested updates while a request for a delta was under way.
    var repeats = false
    /// The entities with a pending request for IDs.
    var lends: Set<EntityUID> = []
    /// True once the program was notified that the requested updates have arrived.
    var isComplete = false

    /// True if the store accepts deltas.
    var takesUpdates: Bool { isSubscribed || isFetching }

    /// Returns the steps after a delta.
    ///
    /// - Parameters:
    ///   - delta: The delta.
    ///   - result: The store's result.
    ///   - isAhead: True if the next request is already under way.
    /// - Returns: Whether to request another delta, whether its answer is urgent, and whether to notify the program
    ///   that its updates have arrived.
    mutating func next(
      after delta: Delta,
      _ result: DeltaResult,
      isAhead: Bool
    ) -> (asks: Bool, isUrgent: Bool, isComplete: Bool) {
      if result == .taken { resets = 0 }
      if isAhead, result == .taken { return (false, false, false) }
      // The answer is for a request before the present one, which will be answered as well.
      if result == .ignored, !isAhead, let wanted, wanted.state != delta.state {
        return (false, false, false)
      }
      isWanting = false
      guard result == .taken, delta.scopes.isComplete else { return (takesUpdates, false, false) }
      // The server may have read the delta before the program's request.
      if request != nil || repeats {
        defer { repeats = false }
        return (takesUpdates, repeats && takesUpdates, false)
      }
      isFetching = false
      defer { isComplete = true }
      return (isSubscribed, false, !isComplete)
    }

    /// Marks all waiting transactions as unsent.
    mutating func restart() {
      sent = 0
      expected = []
      hasGap = false
    }
  }

  /// A request for updates.
  struct Request: Equatable {
    /// True to get an answer even without a difference.
    var isUrgent = false
    /// True to compare the whole store with the server.
    var comparesAnew = false
  }
}
