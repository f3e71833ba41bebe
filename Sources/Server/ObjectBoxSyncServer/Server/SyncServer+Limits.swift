internal import ObjectBoxSyncProtocol

extension SyncServer {
  /// The limits of a server, which protect it and its users from single devices or users.
  ///
  /// Numbers below 1 count as 1. A device that sends too fast is served more slowly, and its client's `lastError` names
  /// the limit. A device that exceeds another limit is refused with the limit's name, and connects again later. In
  /// neither case does the device lose waiting transactions.
  public struct Limits: Sendable {
    /// The greatest number of connections.
    public var connections = 10_000
    /// The greatest number of connections of a user.
    public var connectionsByUser = 32
    /// The greatest number of connections of the anonymous user.
    public var connectionsWithoutUser = 5_000
    /// The greatest number of connections of one network address that have not logged in yet; at most a quarter of
    /// ``connections``, but at least 8.
    ///
    /// Behind a proxy, all devices have the address of the proxy.
    public var loginsByAddress = 256
    /// The greatest size of a message from a device in bytes.
    public var messageSize = 16 << 20
    /// The number of messages that a device may send in a second; later ones wait.
    ///
    /// Each begun MB of a message counts as one.
    public var messagesPerSecond = 2_000
    /// The number of operations a second that a device may upload; later ones wait.
    ///
    /// An operation is an insert, an update, a removal, or a change of a pair. An operation with more than 16 values
    /// counts once for each begun 16. The largest upload is decided at once; the device waits after it.
    public var operationsPerSecond = 10_000
    /// The greatest number of operations of an upload with several transactions.
    ///
    /// It limits the memory of a device's upload to 1 to 2 KB for each operation: an upload is decided before the next
    /// one is received.
    public var uploadOperations = 100_000
    /// The number of transactions a day, of all devices of a user, that the server may reject or that change nothing;
    /// later uploads wait.
    ///
    /// The server keeps such a decision for ``uploadMemory``, in some 300 bytes. Devices of the anonymous user are
    /// counted by network address.
    public var idleTransactionsPerDay = 10_000
    /// The greatest size of a device's transaction in bytes, in its upload.
    ///
    /// A transaction above ``messageSize`` or ``uploadOperations`` is uploaded alone. A server receives and decides one
    /// such upload at a time, since it may take twenty times its size in memory; others wait.
    public var transactionSize = 128 << 20
    /// The greatest number of operations of a transaction of a device.
    public var transactionOperations = 1_000_000
    /// The time in which a transaction above ``messageSize`` or ``uploadOperations`` must be received and decided, from
    /// its turn on; 10 minutes by default.
    public var transactionTime = Duration.seconds(600)
    /// The number of IDs that a device reserves at a time.
    public var leasedIDs = 1_000
    /// The number of IDs that the devices of a user may reserve in an hour; later requests wait.
    ///
    /// Devices without leased IDs use random ones. Devices of the anonymous user are counted by network address.
    public var leasedIDsPerHour = 1_000_000
    /// The greatest number of scopes of a device: the values that the rules of its user compare, and the objects that
    /// links of rules lead to, such as the lists of which the user is a member; at most 20,000.
    ///
    /// Each request and each answer of a device contains all of them, in some 16 bytes each. While the device is
    /// connected, the server keeps them in memory, in some 500 bytes each. A user with more is refused, and `report`
    /// names the limit.
    public var scopes = 10_000
    /// The time for which the log keeps changes; devices that were away longer compare digests.
    public var logMemory = Duration.seconds(7 * 24 * 3_600)
    /// The time for which the server keeps the numbers of a device's uploads, its rejections, and devices that upload
    /// nothing more; 90 days by default.
    ///
    /// If a device was away longer while its last upload was unanswered, it takes a new identity and uploads again. The
    /// server recognizes each transaction by its token, so none is applied twice.
    public var uploadMemory = Duration.seconds(90 * 24 * 3_600)
    /// The time for which the server keeps decisions about transactions, and removed objects; at least the two times
    /// above, and two years by default.
    ///
    /// After decisions were deleted, an unknown transaction that is as old is rejected with the reason `expired`: a
    /// copy of the device may have uploaded it, and it must not be applied twice. The device keeps it, and the program
    /// may submit it again. Age is measured by the device's clock. Transactions of a device whose clock is years behind
    /// are rejected as well.
    public var decisionMemory = Duration.seconds(730 * 24 * 3_600)
    /// The age of a cursor after which a device without changes gets a new one.
    public var cursorAge = Duration.seconds(600)
    /// The time from the connection until the device's credentials have arrived.
    public var loginTime = Duration.seconds(20)
    /// The time after which a device with a name and a password must connect again, so that the server checks its
    /// credentials again; an hour by default.
    ///
    /// Tokens have their own expiration times.
    public var loginAge = Duration.seconds(3_600)
    /// The time that the check of credentials may take; after it the device must connect again later.
    public var authenticationTime = Duration.seconds(10)

    /// Creates the default limits.
    public init() {}

    /// The greatest number of connections of one address before their login; the rest is for other addresses.
    var silentByAddress: Int { min(loginsByAddress, max(8, connections / 4)) }

    /// The greatest size of an upload in bytes.
    var largestUpload: Int { max(transactionSize, messageSize) }
    /// The greatest number of operations of a transaction.
    var largestTransaction: Int { max(transactionOperations, uploadOperations) }

    /// The limits with at least 1 of each number.
    var usable: Limits {
      var limits = self
      let numbers: [WritableKeyPath<Limits, Int>] = [
        \.connections, \.connectionsByUser, \.connectionsWithoutUser, \.loginsByAddress,
        \.messageSize, \.transactionSize, \.transactionOperations, \.messagesPerSecond,
        \.operationsPerSecond, \.uploadOperations, \.leasedIDs,
        \.leasedIDsPerHour, \.idleTransactionsPerDay, \.scopes,
      ]
      for number in numbers { limits[keyPath: number] = max(limits[keyPath: number], 1) }
      limits.scopes = min(limits.scopes, ScopeProgress.limit)
      return limits
    }
  }
}
