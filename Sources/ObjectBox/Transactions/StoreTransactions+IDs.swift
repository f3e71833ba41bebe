internal import Foundation

/// IDs given out ahead of their write, also while other processes give out IDs.
extension StoreTransactions {
  /// Number of IDs reserved with one commit; as many may be lost when the process ends.
  private static let reservationCount: UInt64 = 128

  /// Gives out an ID outside of the transaction that stores the object.
  ///
  /// While other processes may write, the ID comes from a range that was reserved with a commit.
  ///
  /// - Throws: ``ObjectBoxError``: `illegalState` when all are used up, or in a write transaction,
  ///   which could be rolled back with a reservation.
  func takeIDAhead(of table: EntityTable) throws -> UInt64 {
    guard file.isShared else { return try table.takeID() }
    let own = openTransaction
    if let own, own.isWritable {
      throw ObjectBoxError.illegalState(
        message:
          "cannot put a new '\(table.name)' asynchronously in a write transaction while other "
          + "processes may write to the store at '\(file.location)'; put it synchronously"
      )
    }
    while true {
      if let id = table.takeReservedID() { return id }
      if own == nil {
        try reserveIDs(of: table)
      } else {
        // This thread cannot write inside its read transaction.
        try OwnThread.runAndWait("ObjectBox IDs") { try self.reserveIDs(of: table) }
      }
    }
  }

  /// Admits an ID outside of the transaction that stores the object; see `EntityTable.admit`.
  func admitAhead(id: UInt64, of table: EntityTable) throws {
    if file.isShared, id > table.highestID {
      try inTransaction(isWritable: false) { transaction, _ in
        try file.catchUp(table, in: transaction.storage)
      }
    }
    try table.admit(id: id)
  }

  private func reserveIDs(of table: EntityTable) throws {
    let range = try inTransaction(isWritable: true) { transaction, _ -> Range<UInt64> in
      // Opening the cursor lifts the ID sequence to that of the file.
      _ = try transaction.writeCursor(table)
      let first = try table.takeID()
      let room = EntityTable.maximumID - first
      let last = first + min(room, Self.reservationCount - 1)
      table.raise(to: last)
      try file.keepSequence(of: table, in: transaction.storage)
      return first..<(last + 1)
    }
    table.addReserved(range)
  }
}
