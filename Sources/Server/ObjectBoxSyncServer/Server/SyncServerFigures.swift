public import Foundation

/// The work of a server since its start, and the devices that are connected now.
///
/// The values are of one moment, from ``RunningSyncServer/figures()``. They contain names of users and network
/// addresses, but no objects. ``prometheusText`` contains the same without single devices.
public struct SyncServerFigures: Sendable {
  /// The numbers of decided transactions, by their outcome.
  ///
  /// A transaction counts when its decision is sent to the device, and again when the decision is sent again after a
  /// lost connection.
  public struct Decisions: Hashable, Sendable {
    /// Transactions that have all their effects.
    public internal(set) var accepted = 0
    /// Transactions with dropped parts, or with objects that got other IDs.
    public internal(set) var merged = 0
    /// Transactions without effect.
    public internal(set) var rejected = 0
  }

  /// A connected device.
  public struct Device: Sendable {
    /// The progress of a device.
    public enum State: String, CaseIterable, Sendable {
      /// It has logged in, and has been sent nothing yet.
      case starting
      /// It is being sent all objects that its user may see.
      case filling
      /// It gets changes.
      case following
    }

    /// The first eight hexadecimal digits of the device's identity.
    public let identity: String
    /// The user's identity; empty for the anonymous user.
    public let user: String
    /// The network address.
    public let address: String
    /// The time of the login.
    public let since: Date
    /// The progress of the device.
    public let state: State
    /// The time at which the device was last sent a state; nil before the first.
    public let lastDelta: Date?
    /// The time for which a change that may concern the device has not been sent, since the device has not asked for it
    /// or the database has not answered; nil if there is none.
    public let behind: Duration?
    /// The decisions that were sent to the device.
    public let decisions: Decisions
    /// The bytes of messages from the device.
    public let receivedBytes: Int
    /// The bytes of messages to the device.
    public let sentBytes: Int
  }

  /// A rule of the server.
  public struct Rule: Hashable, Sendable {
    /// The right that a rule gives.
    public enum Access: String, CaseIterable, Sendable {
      /// To see objects.
      case see
      /// To write objects.
      case write
    }

    /// The name of the entity.
    public let entity: String
    /// The right that the rule gives.
    public let access: Access
    /// The names of the properties that the rule compares; a property behind a link has the relation's name before its
    /// own, as in `list.members`.
    ///
    /// Empty for a rule of all objects, and for a rule that tests the object by the program's own code.
    public let properties: [String]
    /// The number of connected devices for whose users the rule permits some objects.
    public let devices: Int
    /// The number of changes of the entity's objects that the server has read from the log.
    public let changes: Int
  }

  /// An error that the server reported.
  public struct Failure: Sendable {
    /// The time of the report.
    public let time: Date
    /// The fault and its remedy.
    public let text: String
  }

  /// The number of errors that ``errors`` keeps.
  public static let keptErrors = 20

  /// The time of the server's start.
  public let since: Date
  /// The connected devices, the longest connected first.
  public let devices: [Device]
  /// The rules, in their order.
  public let rules: [Rule]
  /// The number of logins.
  public let logins: Int
  /// The number of states that were sent.
  public let deltas: Int
  /// The decisions that were sent.
  public let decisions: Decisions
  /// The rejected transactions by reason, with the names of `SyncRejection.Reason`.
  public let rejections: [String: Int]
  /// The connections that the server refused or ended, by reason: `credentials`, `version`, `model`, `message`, `rate`,
  /// `unavailable`.
  public let refusals: [String: Int]
  /// The bytes of messages from devices after their logins.
  public let receivedBytes: Int
  /// The bytes of messages to devices after their logins.
  public let sentBytes: Int
  /// The number of reported errors.
  public let errorCount: Int
  /// The last errors, the newest first; at most ``keptErrors``.
  public let errors: [Failure]

  /// The number of devices in a state.
  public func deviceCount(in state: Device.State) -> Int { devices.count { $0.state == state } }
}
