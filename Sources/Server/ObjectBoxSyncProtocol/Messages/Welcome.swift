/// The server's answer to a device whose user it accepts.
package struct Welcome: Hashable, Sendable {
  /// The version of the messages, at most the device's.
  package let version: UInt32
  /// The server's wall clock, in milliseconds since 1970.
  package let clock: Int64
  /// The greatest size of a message from the device in bytes, over all its frames.
  package let messageSize: UInt64
  /// The greatest number of operations of an upload.
  package let uploadOperations: UInt64
  /// The greatest size of an upload with one transaction in bytes.
  package let transactionSize: UInt64
  /// The greatest number of operations of an upload with one transaction.
  package let transactionOperations: UInt64
  /// The greatest number of objects in a range of a device's first digests, at least 1.
  package let digestSize: UInt64
  /// The entities and properties that device and server both know; only their values travel.
  package let model: [EntityDescription]
  /// The identity of the user who has logged in; empty for the anonymous user.
  package let user: String

  /// Creates an answer; without limits of single transactions, the limits of uploads apply to them.
  package init(
    version: UInt32 = Hello.currentVersion,
    clock: Int64,
    messageSize: UInt64,
    uploadOperations: UInt64,
    transactionSize: UInt64? = nil,
    transactionOperations: UInt64? = nil,
    digestSize: UInt64,
    model: [EntityDescription],
    user: String = ""
  ) {
    self.version = version
    self.clock = clock
    self.messageSize = messageSize
    self.uploadOperations = uploadOperations
    self.transactionSize = transactionSize ?? messageSize
    self.transactionOperations = transactionOperations ?? uploadOperations
    self.digestSize = digestSize
    self.model = model
    self.user = user
  }
}

/// A limit, or the reason for which a server ends a connection.
package struct Refused: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of cause.
  package enum Code: UInt32, CaseIterable, Hashable, Sendable {
    /// The credentials are wrong or have expired.
    case credentials = 1
    /// The server does not support the device's version of the messages.
    case version = 2
    /// The models of device and server have properties of different types under one UID.
    case model = 3
    /// A message is malformed, too large, or unexpected.
    case message = 4
    /// The user has too many connections or sends too much.
    case rate = 5
    /// The server is stopping, or has no database at the moment.
    case unavailable = 6
  }

  /// The cause.
  package let code: Code
  /// The fault and its remedy, for people.
  package let text: String

  /// Creates a refusal.
  package init(_ code: Code, _ text: String) {
    self.code = code
    self.text = text
  }

  /// The text, which programs print as the last error of a client.
  package var description: String { text }
}
