internal import ObjectBoxSyncProtocol

/// The connections of a server by users and network addresses, and the IDs that users reserve.
struct ConnectionCounts: Sendable {
  /// A resource of which each user has a share.
  enum Share: Hashable {
    /// IDs that devices reserve in an hour.
    case leasedIDs
    /// Transactions without effects in a day.
    case idleTransactions
  }

  /// The holder of a share: a user, or a network address for the anonymous user.
  private struct Holder: Hashable {
    let share: Share
    let user: String
    let address: String
  }

  private let limits: SyncServer.Limits
  private var users: [String: Int] = [:]
  private var logins: [String: Int] = [:]
  private var paces: [Holder: Pace] = [:]

  init(_ limits: SyncServer.Limits) {
    self.limits = limits
  }

  // MARK: Logins

  /// Counts a connection before its login.
  ///
  /// - Throws: ``Refused`` when the address has too many such connections.
  mutating func beginLogin(from address: String) throws {
    let count = logins[address, default: 0]
    guard count < limits.silentByAddress else {
      throw Refused(
        .rate,
        "\(count) connections of your network address have not logged in yet, which is the limit; connect again later"
      )
    }
    logins[address] = count + 1
  }

  /// Ends a login, successful or not.
  mutating func endLogin(from address: String) {
    let count = logins[address, default: 1] - 1
    logins[address] = count > 0 ? count : nil
  }

  // MARK: Users

  /// Counts a connection of a user; the claims do not distinguish users, only the identity does.
  ///
  /// - Throws: ``Refused`` when the user has too many connections.
  mutating func begin(_ user: SyncUser) throws {
    let count = users[user.id, default: 0]
    let isAnonymous = user.id.isEmpty
    let limit = isAnonymous ? limits.connectionsWithoutUser : limits.connectionsByUser
    guard count < limit else {
      throw Refused(
        .rate,
        isAnonymous
          ? "the server has \(count) connections without a user, which is the limit; connect again later"
          : "the user '\(user.id)' has \(count) connections, which is the limit; close one first"
      )
    }
    users[user.id] = count + 1
  }

  /// Ends a connection of a user.
  mutating func end(_ user: SyncUser) {
    let count = users[user.id, default: 1] - 1
    users[user.id] = count > 0 ? count : nil
  }

  // MARK: Shares

  /// Takes an amount of a user's share.
  ///
  /// - Returns: The time until the share covers the amount; nil if it does now.
  mutating func take(
    _ count: Int,
    of share: Share,
    by user: SyncUser,
    _ address: String,
    at now: ContinuousClock.Instant
  ) -> Duration? {
    let (size, seconds) =
      switch share {
      case .leasedIDs: (Double(limits.leasedIDsPerHour), 3_600.0)
      case .idleTransactions: (Double(limits.idleTransactionsPerDay), 24 * 3_600.0)
      }
    let holder = Holder(share: share, user: user.id, address: user.id.isEmpty ? address : "")
    return paces[holder, default: Pace(rate: size / seconds, capacity: size, at: now)]
      .take(count, at: now)
  }

  /// Removes the users whose share is full again.
  mutating func forgetIdle(at now: ContinuousClock.Instant) {
    paces = paces.filter { _, pace in
      var pace = pace
      return !pace.isFull(at: now)
    }
  }
}
