internal import ObjectBox
internal import ObjectBoxSyncProtocol

extension ClientSession {
  /// How far a session has come.
  struct State {
    /// True to take updates as they come.
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
    /// True once a transaction waits that the server does not take.
    var isBlocked = false
    /// The number of waiting transactions that are under way.
    var sent = 0
    /// The sequence numbers that the answers to the uploads under way should tell, in order.
    var expected: [UInt64] = []
    /// True if the server lacked a transaction: all are sent again after the answers under way.
    var hasGap = false
    /// True while a request for a delta is under way, or is being made.
    var isWanting = false
    /// True from the decision to ask for a delta until the store was read for it.
    var isReading = false
    /// The last request for a delta.
    var wanted: DeltaRequest?
    /// True if the program has requested updates while a request for a delta was under way.
    var repeats = false
    /// Entities for which IDs are asked.
    var lends: Set<EntityUID> = []
    /// True once the program was told that the store has everything it requested.
    var isComplete = false

    /// True if the store takes deltas.
    var takesUpdates: Bool { isSubscribed || isFetching }

    /// Returns what follows on a delta.
    ///
    /// - Parameters:
    ///   - delta: The delta.
    ///   - result: What became of it.
    ///   - isAhead: True if the next request is under way already.
    /// - Returns: Whether to ask for another delta, whether its answer is urgent, and whether the program is
    ///   told that its updates have arrived.
    mutating func next(
      after delta: Delta,
      _ result: DeltaResult,
      isAhead: Bool
    ) -> (asks: Bool, isUrgent: Bool, isComplete: Bool) {
      if result == .taken { resets = 0 }
      if isAhead, result == .taken { return (false, false, false) }
      // An answer to a request before the present one, which is answered too.
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

    /// Lets all waiting transactions be sent, as if none were under way.
    mutating func restart() {
      sent = 0
      expected = []
      hasGap = false
    }
  }

  /// A request for updates.
  struct Request: Equatable {
    /// True to get an answer also if there is nothing new.
    var isUrgent = false
    /// True to compare the whole store with the server.
    var comparesAnew = false
  }
}
