/// Settings of a client.
///
/// Settings without a meaning here are accepted and have no effect.
public struct SyncFlags: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt32

  /// Makes a set of settings of its bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// No effect: IDs are the same on all devices.
  public static let debugLogIdMapping = SyncFlags(rawValue: 1)
  /// No effect: a client never removes its data after an error.
  public static let keepDataOnSyncError = SyncFlags(rawValue: 2)
  /// Filter variables are written to standard error when they are sent.
  public static let debugLogFilterVariables = SyncFlags(rawValue: 4)
  /// No effect: the server has the values of removed objects.
  public static let removeWithObjectData = SyncFlags(rawValue: 8)
  /// The numbers of sent and received objects are written to standard error.
  public static let debugLogTxLogs = SyncFlags(rawValue: 16)
  /// No effect: updates and removals of missing objects never reject a transaction.
  public static let skipInvalidTxOps = SyncFlags(rawValue: 32)
}
