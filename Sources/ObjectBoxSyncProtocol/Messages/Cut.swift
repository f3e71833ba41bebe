/// One committed state of the hub, as the difference to the state that a device has.
package struct Cut: Hashable, Sendable {
  /// The device state that the cut is made for.
  package let state: StateKey
  /// The key of the staged parts that the device takes before the rest of the cut; 0 for none.
  package let stage: UInt64
  /// The hub's state after the cut.
  package let cursor: Cursor
  /// The device's scopes after the cut.
  package let scopes: ScopeMarks
  /// The differing ranges of a reset, in ascending order; the device forgets their objects before it
  /// takes the rows.
  package let ranges: [KeyRange]
  /// Objects that left the device's scopes or were removed.
  package let leaves: [ObjectKey]
  /// Objects that are new or changed.
  package let rows: RowBatch
  /// Verdicts of the transactions whose effects the cut contains, in order.
  package let verdicts: [SequencedVerdict]
  /// The time of the device's last decided transaction, as it was clamped; the distant past for none.
  package let decidedTime: HybridTime

  /// Creates a cut.
  package init(
    state: StateKey,
    stage: UInt64 = 0,
    cursor: Cursor,
    scopes: ScopeMarks,
    ranges: [KeyRange] = [],
    leaves: [ObjectKey],
    rows: RowBatch,
    verdicts: [SequencedVerdict],
    decidedTime: HybridTime = .distantPast
  ) {
    self.state = state
    self.stage = stage
    self.cursor = cursor
    self.scopes = scopes
    self.ranges = ranges
    self.leaves = leaves
    self.rows = rows
    self.verdicts = verdicts
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

/// The verdict of one transaction of a device.
package struct SequencedVerdict: Hashable, Sendable {
  /// The transaction's position under the device's identity.
  package let sequence: UInt64
  /// The transaction's token.
  package let token: TransactionToken
  /// The decision.
  package let verdict: Verdict

  /// Creates the verdict of a transaction.
  package init(sequence: UInt64, token: TransactionToken, verdict: Verdict) {
    self.sequence = sequence
    self.token = token
    self.verdict = verdict
  }
}
