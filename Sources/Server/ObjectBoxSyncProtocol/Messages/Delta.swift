/// One committed state of the server, as the difference to a device's state.
package struct Delta: Hashable, Sendable {
  /// The device state that the delta is made for.
  package let state: StateKey
  /// The key of the staged parts that the device applies before the rest of the delta; 0 for none.
  package let stagingArea: UInt64
  /// The server's state after the delta.
  package let cursor: Cursor
  /// The device's scopes after the delta.
  package let scopes: ScopeProgress
  /// The ranges of a reset that differ, in ascending order; the device drops their objects before it applies the rows.
  package let ranges: [KeyRange]
  /// Objects that left the device's scopes or were removed.
  package let leaves: [ObjectKey]
  /// Objects that are new or changed.
  package let rows: RowBatch
  /// Decisions of the transactions whose effects the delta contains, in order.
  package let decisions: [SequencedDecision]
  /// The clamped time of the device's last decided transaction; the distant past for none.
  package let decidedTime: HybridTime

  /// Creates a delta.
  package init(
    state: StateKey,
    stagingArea: UInt64 = 0,
    cursor: Cursor,
    scopes: ScopeProgress,
    ranges: [KeyRange] = [],
    leaves: [ObjectKey],
    rows: RowBatch,
    decisions: [SequencedDecision],
    decidedTime: HybridTime = .distantPast
  ) {
    self.state = state
    self.stagingArea = stagingArea
    self.cursor = cursor
    self.scopes = scopes
    self.ranges = ranges
    self.leaves = leaves
    self.rows = rows
    self.decisions = decisions
    self.decidedTime = decidedTime
  }
}

/// An object with its key.
package struct KeyedRow: Hashable, Sendable {
  /// The key.
  package let key: ObjectKey
  /// The object.
  package let row: Row

  /// Creates an object with its key.
  package init(key: ObjectKey, row: Row) {
    self.key = key
    self.row = row
  }
}

/// The decision of one transaction of a device.
package struct SequencedDecision: Hashable, Sendable {
  /// The transaction's position under the device's identity.
  package let sequence: UInt64
  /// The transaction's token.
  package let token: TransactionToken
  /// The decision.
  package let decision: Decision

  /// Creates the decision of a transaction.
  package init(sequence: UInt64, token: TransactionToken, decision: Decision) {
    self.sequence = sequence
    self.token = token
    self.decision = decision
  }
}
