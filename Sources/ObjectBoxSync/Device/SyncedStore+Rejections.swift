internal import ObjectBoxStorage
package import ObjectBoxSyncProtocol

extension SyncedStore {
  /// A transaction of which the server left something out.
  package struct Told: Hashable, Sendable {
    /// The number under which the store keeps it.
    package let number: UInt64
    /// The transaction and the server's decision.
    package let verdict: ToldVerdict
  }

  /// The transactions of which the server rejected all or dropped a part, oldest first.
  ///
  /// The store keeps them until ``discard(_:)``. Reading them costs time in proportion to their
  /// number.
  package var told: [Told] {
    get throws { try reading { try $0.told } }
  }

  /// Removes a decision that the program has taken note of; does nothing if it is not kept.
  ///
  /// - Throws: ``ObjectBoxError`` when the store cannot be written.
  package func discard(_ told: Told) throws {
    try applying { try $0.store.discard(told.number) }
  }

  /// Applies a rejected transaction to the present objects, queues it again and discards the
  /// decision.
  ///
  /// - Throws: ``Rejection`` if the server would reject it again, ``ObjectBoxError`` when the store
  ///   cannot be written; nothing changes then.
  package func resubmit(_ told: Told) throws {
    try applying { device in
      let old = told.verdict.transaction
      let token = TransactionToken(.random())
      let operations = old.operations.map { operation in
        // Objects that the rejected transaction would have made are made by the new one.
        operation.mapReferences { reference in
          reference.maker == old.token
            ? ObjectReference(reference.key, madeBy: token) : reference
        }
      }
      try device.write(operations, token: token, wall: WallClock.now)
      try device.store.discard(told.number)
    }
  }
}

extension StoredDevice {
  var told: [SyncedStore.Told] {
    get throws {
      var told: [SyncedStore.Told] = []
      try table.forEach(SyncBytes(.verdict), in: storage) { key, value in
        told.append(
          SyncedStore.Told(
            number: try SyncTable.decode(Array(key.dropFirst()), key) {
              (reader) throws(SyncTable.Damage) in try reader.number()
            },
            verdict: try SyncTable.decode(value, key) { (reader) throws(SyncTable.Damage) in
              ToldVerdict(transaction: try reader.transaction(), verdict: try reader.verdict())
            }
          )
        )
        return true
      }
      return told
    }
  }

  func discard(_ number: UInt64) throws {
    _ = try storage.delete(table.table, key: key(.verdict, number).bytes)
  }
}
