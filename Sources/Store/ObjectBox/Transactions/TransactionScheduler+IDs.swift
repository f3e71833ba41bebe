internal import Foundation

/// IDs that are assigned before the object is written, even while other processes assign IDs.
extension TransactionScheduler {
  /// Number of IDs that one commit reserves.
  ///
  /// Up to this many are lost when the process ends.
  private static let reservationCount: UInt64 = 128

  /// Returns the ID to store an object under, outside of the transaction that stores it: its own,
  /// or the next one.
  ///
  /// - Throws: ``ObjectBoxError``: `illegalArgument` for an ID that the entity does not accept,
  ///   `illegalState` when no new ID can be given out.
  func chooseIDAhead(given: UInt64, of table: EntityTable) throws -> UInt64 {
    if given == 0 { return try takeIDAhead(of: table) }
    try admitAhead(id: given, of: table)
    return given
  }

  /// Gives out an ID outside of the transaction that stores the object.
  ///
  /// While other processes may write, the ID comes from a range that a commit has reserved.
  ///
  /// - Throws: ``ObjectBoxError``: `illegalState` when no IDs are left. While other processes may
  ///   write, also inside a write transaction: a rollback would undo the reservation.
  private func takeIDAhead(of table: EntityTable) throws -> UInt64 {
    guard file.isShared else {
      return try table.takeFreeID { id in
        try inTransaction(isWritable: false) { transaction, _ in
          try table.contains(id, in: transaction.storage)
        }
      }
    }
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
  private func admitAhead(id: UInt64, of table: EntityTable) throws {
    if file.isShared, id > table.highestID {
      try inTransaction(isWritable: false) { transaction, _ in
        try file.catchUp(table, in: transaction.storage)
      }
    }
    try table.admit(id: id)
  }

  private func reserveIDs(of table: EntityTable) throws {
    let range = try inTransaction(isWritable: true) { transaction, _ -> Range<UInt64> in
      // Opening the cursor raises the ID sequence to the file's.
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
