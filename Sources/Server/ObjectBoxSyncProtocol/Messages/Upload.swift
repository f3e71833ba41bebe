/// Waiting transactions, from a device to the server.
///
/// The user is known from the connection.
package struct Upload: Hashable, Sendable {
  /// The greatest number of unanswered uploads of a device.
  package static let window = 4

  /// The device.
  package let device: DeviceIdentity
  /// The greatest time among the server's rows and the device's decided transactions that it has received.
  package let seen: HybridTime
  /// The oldest waiting transactions, in order.
  package let transactions: [SyncTransaction]

  /// The number of operations of all transactions; an operation with many values counts several times, see
  /// ``Operation/weight``.
  package var operationCount: Int {
    transactions.reduce(0) { sum, transaction in
      transaction.operations.reduce(sum) { $0 + $1.weight }
    }
  }

  /// Creates an upload.
  package init(device: DeviceIdentity, seen: HybridTime, transactions: [SyncTransaction]) {
    self.device = device
    self.seen = seen
    self.transactions = transactions
  }
}

/// The server's answer to an upload or to a request.
///
/// It removes no waiting transaction: a transaction leaves the queue with the delta that has its effects.
package enum ServerReply: Hashable, Sendable {
  /// The server has the device's transactions up to this sequence number.
  case acknowledged(DeviceIdentity, last: UInt64)
  /// Another store uses or has used this device identity: the device must take a new one.
  case forked(DeviceIdentity)
}
