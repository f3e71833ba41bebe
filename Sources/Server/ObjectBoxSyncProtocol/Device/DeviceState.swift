/// The part of a device's state besides rows and transactions; one record of its store.
package struct DeviceState: Hashable, Sendable {
  /// The device's identity.
  package var device: DeviceIdentity
  /// The server's state that the store has received, or nil before the first delta.
  package var cursor: Cursor?
  /// The scopes that the store has received.
  package var scopes = ScopeProgress()
  /// A hash over all deltas so far.
  package var edition: UInt64 = 0
  /// The sequence number of the last transaction that was written under this identity.
  package var sequence: UInt64 = 0
  /// The sequence number of the last transaction whose decision has arrived.
  package var confirmed: UInt64 = 0
  /// The token of the last transaction that was written under this identity.
  package var lastToken: TransactionToken?
  /// The hybrid logical clock.
  package var time = HybridTime.distantPast
  /// The greatest time among the server's rows and the device's decided transactions that the store has
  /// received.
  package var seen = HybridTime.distantPast
  /// Leased IDs that no object has yet.
  package var leases: [IDBlock] = []
  /// The end of the last leased block by entity; a lease below it arrived twice.
  package var leaseEnds: [EntityUID: UInt64] = [:]

  /// Creates the state of an empty store.
  package init(device: DeviceIdentity) {
    self.device = device
  }

  /// Advances the clock and the sequence number, and returns a transaction with them.
  ///
  /// - Parameters:
  ///   - operations: The changes of the transaction.
  ///   - token: The random identity of the transaction.
  ///   - wall: The wall clock, in milliseconds since 1970.
  /// - Returns: The transaction; it follows the last one of this state.
  package mutating func nextTransaction(
    _ operations: [Operation],
    token: TransactionToken,
    wall: Int64
  ) -> SyncTransaction {
    time = time.advanced(to: wall)
    sequence += 1
    defer { lastToken = token }
    return SyncTransaction(
      sequence: sequence,
      token: token,
      previous: lastToken,
      time: time,
      operations: operations
    )
  }
}

extension DeviceState {
  /// The edition of the device's state after it has replaced the present state.
  var nextEdition: UInt64 {
    var hash = StableHash()
    hash.add(edition)
    hash.add(device.bits)
    hash.add(confirmed)
    hash.add(UInt64(scopes.elements.count))
    for element in scopes.elements {
      hash.add(element.scope.entity.value)
      hash.add(UInt64(element.scope.comparisons.count))
      for comparison in element.scope.comparisons {
        hash.add(comparison.property.value)
        hash.add(UInt64(comparison.test.rawValue))
        hash.add(comparison.value)
      }
      switch element.progress {
      case .complete: hash.add(.max)
      case .filled(let id): hash.add(id)
      }
    }
    if let cursor {
      hash.add(cursor.epoch.system)
      hash.add(UInt64(cursor.epoch.database) << 32 | UInt64(cursor.epoch.timeline))
      hash.add(cursor.position)
      hash.add(cursor.snapshot.xmax)
      for transaction in cursor.snapshot.inProgress { hash.add(transaction) }
    }
    return hash.value
  }
}
