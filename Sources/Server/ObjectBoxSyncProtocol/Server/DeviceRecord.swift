/// The server's record of a device; one row of its database.
package struct DeviceRecord: Hashable, Sendable {
  /// The sequence number of the last transaction with a decision.
  package var last: UInt64
  /// The token of that transaction.
  package var token: TransactionToken?
  /// The clamped time of the last decided transaction.
  package var time: HybridTime

  /// Creates the record of a device without transactions.
  package init() {
    last = 0
    token = nil
    time = .distantPast
  }
}
