/// A transaction of a device that waits for the server's decision.
package struct SyncTransaction: Hashable, Sendable {
  /// The position in the device's queue, from 1, without gaps.
  package var sequence: UInt64
  /// The random identity of the transaction.
  package let token: TransactionToken
  /// The token of the preceding transaction under the same device identity, or nil.
  package var previous: TransactionToken?
  /// The time of the write on the device's clock.
  package let time: HybridTime
  /// The changes, in order.
  package var operations: [Operation]

  /// Creates a transaction.
  package init(
    sequence: UInt64,
    token: TransactionToken,
    previous: TransactionToken?,
    time: HybridTime,
    operations: [Operation]
  ) {
    self.sequence = sequence
    self.token = token
    self.previous = previous
    self.time = time
    self.operations = operations
  }
}
