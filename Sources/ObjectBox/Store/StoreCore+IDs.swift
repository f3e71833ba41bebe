internal import Foundation
internal import ObjectBoxStorage

/// IDs that are given out while other processes give out some as well.
extension StoreCore {
  /// How many IDs are reserved at a time: a commit each, and as many may be lost when the process ends.
  private static let reservationCount: UInt64 = 128

  /// True when other processes may have committed since this one looked.
  @inline(__always)
  var isShared: Bool { configuration.isSharedWithOtherProcesses }

  /// Lifts the ID sequence of an entity above the IDs that a transaction can see.
  ///
  /// - Parameters:
  ///   - table: The entity.
  ///   - cursor: A cursor of the transaction on the entity's records, which it moves.
  ///   - storage: The transaction.
  /// - Throws: What reading the tables throws.
  func catchUp(
    _ table: EntityTable,
    _ cursor: StorageCursor,
    in storage: StorageTransaction
  ) throws {
    table.raise(to: try cursor.lastObject()?.id ?? 0)
    if let system {
      table.raise(to: try system.sequence(entity: table.schema.identity.id, in: storage))
    }
  }

  /// Gives out an ID outside of the transaction that stores the object.
  ///
  /// Where other processes write, it comes from a range that was reserved with a commit.
  ///
  /// - Throws: ``ObjectBoxError``: `illegalState` when all are used up, or in a write transaction,
  ///   which could be rolled back with a reservation.
  func takeIDAhead(of table: EntityTable) throws -> UInt64 {
    guard isShared else { return try table.takeID() }
    let own = ThreadContext.current.state(for: self).current
    if let own, own.isWritable, !own.isAbandoned {
      throw ObjectBoxError.illegalState(
        message:
          "cannot put a new '\(table.name)' asynchronously in a write transaction while other "
          + "processes may write to the store at '\(location)'; put it synchronously"
      )
    }
    while true {
      if let id = table.takeReservedID() { return id }
      if own == nil {
        try reserveIDs(of: table)
      } else {
        // The read transaction of this thread keeps it from writing.
        try onAnotherThread { try self.reserveIDs(of: table) }
      }
    }
  }

  /// Admits an ID outside of the transaction that stores the object; see `EntityTable.admit`.
  func admitAhead(id: UInt64, of table: EntityTable) throws {
    if isShared, id > table.highestID {
      try inTransaction(isWritable: false) { state in
        guard let storage = state.current?.storage else { return }
        try catchUp(table, try storage.cursor(table.records.objects), in: storage)
      }
    }
    try table.admit(id: id)
  }

  private func reserveIDs(of table: EntityTable) throws {
    let range = try inTransaction(isWritable: true) { state -> Range<UInt64> in
      guard let transaction = state.current else { throw Self.closed(location) }
      // Catches up.
      _ = try transaction.writeCursor(table)
      let first = try table.takeID()
      let room = EntityTable.maximumID - first
      let last = first + min(room, Self.reservationCount - 1)
      table.raise(to: last)
      try keepSequence(of: table, in: transaction.storage)
      return first..<(last + 1)
    }
    table.addReserved(range)
  }

  private func onAnotherThread(_ body: @escaping @Sendable () throws -> Void) throws {
    let result = Guarded<Result<Void, any Error>>(.success(()))
    let isDone = DispatchSemaphore(value: 0)
    Thread {
      let outcome = Result { try body() }
      result.withLock { $0 = outcome }
      isDone.signal()
    }.start()
    isDone.wait()
    try result.withLock { $0 }.get()
  }
}
