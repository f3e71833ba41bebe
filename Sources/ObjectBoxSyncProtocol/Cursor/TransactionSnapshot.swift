/// The transactions that were complete at one moment, as PostgreSQL's `pg_snapshot` tells them.
package struct TransactionSnapshot: Hashable, Sendable {
  /// The first transaction number that was not assigned.
  package let xmax: UInt64
  /// The transactions below ``xmax`` that were in progress, in ascending order.
  package let inProgress: [UInt64]

  /// Creates a snapshot.
  ///
  /// - Parameters:
  ///   - xmax: The first number that was not assigned.
  ///   - inProgress: Numbers below `xmax`, in ascending order.
  package init(xmax: UInt64, inProgress: [UInt64]) {
    self.xmax = xmax
    self.inProgress = inProgress
  }

  /// Returns true if the transaction was complete.
  package func sees(_ transaction: UInt64) -> Bool {
    transaction < xmax
      && (!ProtocolRule.transactionsInProgress.holds || !inProgress.contains(transaction))
  }

  /// Returns true if every transaction below the number was complete.
  package func seesAll(below transaction: UInt64) -> Bool {
    transaction <= xmax && (inProgress.first ?? .max) >= transaction
  }
}
