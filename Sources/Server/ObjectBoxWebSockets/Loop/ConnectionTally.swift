internal import class ObjectBox.Guarded

/// Counts the connections of a server by network addresses.
final class ConnectionTally: Sendable {
  /// The number of connections beyond the limits that may be open, so that they can be sent a refusal.
  private static let reserve = 32

  private struct State {
    var count = 0
    var byAddress: [String: Int] = [:]
    /// The number of connections by address whose request was not admitted yet.
    var pending: [String: Int] = [:]
  }

  private let limit: Int
  private let limitByAddress: Int
  private let pendingLimit: Int
  private let state = Guarded(State())

  init(limit: Int, byAddress: Int, pending: Int) {
    self.limit = limit
    limitByAddress = byAddress
    pendingLimit = pending
  }

  /// Counts a connection that TCP has accepted; returns false if there are too many even for a refusal.
  func begin(_ address: String) -> Bool {
    state.withLock { state in
      guard state.count < limit + Self.reserve,
        state.byAddress[address, default: 0] < limitByAddress + Self.reserve,
        state.pending[address, default: 0] < pendingLimit
      else { return false }
      state.count += 1
      state.pending[address, default: 0] += 1
      state.byAddress[address, default: 0] += 1
      return true
    }
  }

  /// Records that a connection's request was admitted.
  func admit(_ address: String) { state.withLock { $0.pending.takeOne(address) } }

  /// Ends a connection.
  ///
  /// - Parameters:
  ///   - address: Its address.
  ///   - wasAdmitted: True after `admit`.
  func end(_ address: String, wasAdmitted: Bool) {
    state.withLock { state in
      guard state.byAddress[address] != nil else { return }
      if !wasAdmitted { state.pending.takeOne(address) }
      state.byAddress.takeOne(address)
      state.count -= 1
    }
  }

  /// Returns the refusal of a counted connection; nil if it is within the limits.
  func refusal(of address: String) -> WebSocketRefusal? {
    state.withLock { state in
      if state.count > limit {
        return WebSocketRefusal(status: 503, reason: "the server has too many connections")
      }
      if state.byAddress[address, default: 0] > limitByAddress {
        return WebSocketRefusal(status: 429, reason: "too many connections from this address")
      }
      return nil
    }
  }
}

extension [String: Int] {
  /// Decrements the count of a key; removes the key at zero.
  fileprivate mutating func takeOne(_ key: String) {
    let count = self[key, default: 0]
    self[key] = count > 1 ? count - 1 : nil
  }
}
