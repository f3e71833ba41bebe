internal import ObjectBoxSyncProtocol

extension SyncServer {
  /// The limits of a server, which keep one device or user from harming the others.
  ///
  /// Numbers below 1 count as 1. A device that sends too fast is served more slowly, and its client's
  /// `lastError` tells the limit. A device beyond another limit is refused with the limit, and
  /// connects again later. Neither loses what waits on the device.
  public struct Limits: Sendable {
    /// The greatest number of connections.
    public var connections = 10_000
    /// The greatest number of connections of a user.
    public var connectionsByUser = 32
    /// The greatest number of connections of the anonymous user.
    public var connectionsWithoutUser = 5_000
    /// The greatest number of connections of one network address that have not logged in yet; at most a quarter of
    /// ``connections``, and at least 8.
    ///
    /// Behind a proxy, all devices have the address of the proxy.
    public var loginsByAddress = 256
    /// The greatest size of a message from a device in bytes.
    public var messageSize = 16 << 20
    /// The number of messages a second of a device; later ones wait.
    ///
    /// Each begun MB of a message counts as one.
    public var messagesPerSecond = 2_000
    /// The number of operations a second that a device may upload; later ones wait.
    ///
    /// An operation is an insert, an update, a removal, or a change of a pair. One with more than 16 values counts once
    /// for each begun 16. The largest upload is decided at once, and the device waits after it.
    public var operationsPerSecond = 10_000
    /// The greatest number of operations of an upload with several transactions.
    ///
    /// It limits the memory of a device's upload, which is decided before the next one is received: 1 to 2 KB for each
    /// operation.
    public var uploadOperations = 100_000
    /// The number of transactions of a user's devices in a day that the server may reject, or that change nothing;
    /// later uploads wait.
    ///
    /// The server keeps such a decision until ``uploadMemory`` has passed, in some 300 bytes. Devices of the anonymous
    /// user count by their network address.
    public var idleTransactionsPerDay = 10_000
    /// The greatest size of a transaction of a device in bytes, of its upload.
    ///
    /// A transaction beyond ``messageSize`` or ``uploadOperations`` is uploaded alone. A server receives and decides
    /// one such upload at a time, since it may take twenty times its size in memory; others wait.
    public var transactionSize = 128 << 20
    /// The greatest number of operations of a transaction of a device.
    public var transactionOperations = 1_000_000
    /// The time in which a transaction beyond ``messageSize`` or ``uploadOperations`` must be received and decided,
    /// once its turn has come; 10 minutes by default.
    public var transactionTime = Duration.seconds(600)
    /// The number of IDs that a device reserves at a time.
    public var leasedIDs = 1_000
    /// The number of IDs that the devices of a user may reserve in an hour; later requests wait.
    ///
    /// Devices without leased IDs go on with random ones. Devices of the anonymous user count by
    /// their network address.
    public var leasedIDsPerHour = 1_000_000
    /// The greatest number of scopes of a device: the values that the rules of its user compare, and the objects that
    /// links of rules lead to, such as lists of which the user is a member; at most 20,000.
    ///
    /// All of them are in each request of a device and each answer, some 16 bytes each, and in the server's memory
    /// while the device is connected, some 500 bytes each. A user with more is refused, and `report` names the limit.
    public var scopes = 10_000
    /// How long the log keeps changes: devices that were away longer compare digests.
    public var logMemory = Duration.seconds(7 * 24 * 3_600)
    /// How long the server keeps the numbers of a device's uploads, its rejections, and devices that upload nothing
    /// more; 90 days by default.
    ///
    /// A device that was away longer while its last upload was unanswered takes a new identity and
    /// uploads again. The server knows each transaction by its token, so that none is applied twice.
    public var uploadMemory = Duration.seconds(90 * 24 * 3_600)
    /// How long the server keeps its decisions about transactions, and removed objects; at least the
    /// two times above, and two years by default.
    ///
    /// Once decisions are forgotten, an unknown transaction that is not younger than these is rejected
    /// with the reason `expired`: a copy of the device may have uploaded it, and it must not be applied
    /// twice. The device keeps it, and the program may submit it again. The clock of the device
    /// counts, so that one that is wrong by years is rejected so, too.
    public var decisionMemory = Duration.seconds(730 * 24 * 3_600)
    /// The time after which a device without changes gets a new cursor.
    public var cursorAge = Duration.seconds(600)
    /// The time from the connection until the device's credentials have arrived.
    public var loginTime = Duration.seconds(20)
    /// The time after which a device with a name and a password has to connect again, so that the server asks whether
    /// they still hold; an hour by default.
    ///
    /// Tokens have an end of their own.
    public var loginAge = Duration.seconds(3_600)
    /// The time that the check of credentials may take; later the device is told to come again.
    public var authenticationTime = Duration.seconds(10)

    /// Creates the default limits.
    public init() {}

    /// The greatest number of connections of one address before their login: some are left for others.
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
