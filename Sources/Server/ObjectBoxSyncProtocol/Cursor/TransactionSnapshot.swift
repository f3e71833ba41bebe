/// The transactions that were complete at one moment, as in PostgreSQL's `pg_snapshot`.
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

  /// Returns the snapshot without the transactions that a crash of the database may undo.
  ///
  /// PostgreSQL does not wait for the disk when a transaction aborts. After a crash it assigns the numbers after the
  /// last one on the disk again. A cursor beyond them would miss the changes of the transactions that get these
  /// numbers.
  ///
  /// - Parameter number: A number that a crash cannot assign again, above all transactions whose changes the snapshot
  ///   sees.
  /// - Returns: The snapshot that sees no transaction from `number` on.
  package func limited(below number: UInt64) -> Self {
    guard number < xmax, ProtocolRule.durableNumbers.holds else { return self }
    return Self(xmax: number, inProgress: inProgress.filter { $0 < number })
  }

  /// Returns true if every transaction that another snapshot sees was complete.
  package func seesAll(of other: Self) -> Bool {
    other.xmax <= xmax && inProgress.allSatisfy { !other.sees($0) }
  }

  /// Returns true if every transaction below the number was complete.
  package func seesAll(below transaction: UInt64) -> Bool {
    transaction <= xmax && (inProgress.first ?? .max) >= transaction
  }
}
