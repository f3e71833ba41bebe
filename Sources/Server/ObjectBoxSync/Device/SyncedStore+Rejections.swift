internal import ObjectBoxStorage
package import ObjectBoxSyncProtocol

extension SyncedStore {
  /// A transaction that the server rejected completely or in part.
  package struct Rejected: Hashable, Sendable {
    /// The number under which the store keeps it.
    package let number: UInt64
    /// The transaction and the server's decision.
    package let told: ToldDecision
  }

  /// The transactions that the server rejected completely or in part, oldest first.
  ///
  /// The store keeps them until ``discard(_:)``. Reading them costs time in proportion to their
  /// number.
  package var rejections: [Rejected] {
    get throws { try reading { try $0.rejections } }
  }

  /// Removes a decision that the program has read; does nothing if it is not stored.
  ///
  /// - Throws: ``ObjectBoxError`` when the store cannot be written.
  package func discard(_ rejected: Rejected) throws {
    try applying { try $0.store.discard(rejected.number) }
  }

  /// Applies a rejected transaction to the present objects, queues it again and discards the
  /// decision.
  ///
  /// - Throws: ``Rejection`` if the server would reject it again, ``ObjectBoxError`` when the store
  ///   cannot be written; nothing changes then.
  package func resubmit(_ rejected: Rejected) throws {
    try applying { device in
      let old = rejected.told.transaction
      let token = TransactionToken(.random())
      let operations = old.operations.map { operation in
        // The new transaction makes the objects that the rejected one would have made.
        operation.mapReferences { reference in
          reference.maker == old.token
            ? ObjectReference(reference.key, madeBy: token) : reference
        }
      }
      try device.write(operations, token: token, wall: WallClock.now)
      try device.store.discard(rejected.number)
    }
  }
}

extension SyncTable {
  /// The stored decisions, oldest first.
  func rejections(in storage: StorageTransaction) throws -> [SyncedStore.Rejected] {
    var rejections: [SyncedStore.Rejected] = []
    try forEach(SyncKey(.decision), in: storage) { key, value in
      rejections.append(
        SyncedStore.Rejected(
          number: key.number(0),
          told: try Self.decode(Array(value), key)
        )
      )
    }
    return rejections
  }
}

extension StoredDevice {
  var rejections: [SyncedStore.Rejected] {
    get throws { try table.rejections(in: storage) }
  }

  func discard(_ number: UInt64) throws {
    try table.remove(SyncKey(.decision, number), in: storage)
  }
}
