/// The hub's answer to a request whose cursor is of no use: the log does not have the difference.
package struct Reset: Hashable, Sendable {
  /// The device state of the request.
  package let state: StateKey
  /// The hub's epoch.
  package let epoch: Epoch

  /// Creates a reset.
  package init(state: StateKey, epoch: Epoch) {
    self.state = state
    self.epoch = epoch
  }

  /// Returns true if the hub may have lost commits that the device has received.
  ///
  /// - Parameter want: The request that this reset answers.
  /// - Returns: True after a promotion, and after the restore of a backup.
  package func mayLackCommits(of want: Want) -> Bool {
    guard let cursor = want.cursor, ProtocolRule.doubtedCommits.holds else { return false }
    return cursor.epoch != epoch
  }
}

/// The device's answer to a reset or a refinement: hashes of what it has, by ranges of IDs.
package struct Digests: Hashable, Sendable {
  /// The request that the reset answered, as the device would repeat it.
  package let want: Want
  /// The base that came with the refinement; nil after a reset.
  package let base: ComparisonBase?
  /// The hashes of the device's objects, without what waits.
  package let ranges: RangeDigests

  /// Creates digests.
  package init(want: Want, base: ComparisonBase? = nil, ranges: RangeDigests) {
    self.want = want
    self.base = base
    self.ranges = ranges
  }
}

/// The hub's answer to digests: most of the ranges are equal, and the device divides the others.
package struct Refine: Hashable, Sendable {
  /// The device state of the digests.
  package let state: StateKey
  /// The base that the device repeats with its next digests.
  package let base: ComparisonBase
  /// The ranges that differ, in ascending order.
  package let ranges: [KeyRange]
  /// The greatest number of objects in the parts of them, at least 1.
  package let size: Int

  /// Creates a refinement.
  package init(state: StateKey, base: ComparisonBase, ranges: [KeyRange], size: Int) {
    self.state = state
    self.base = base
    self.ranges = ranges
    self.size = size
  }
}

/// The moment at which the hub first compared a device's digests.
///
/// Ranges that were equal then are made right by the log from then on. A device repeats it, so that
/// the hub keeps nothing between two messages.
package struct ComparisonBase: Hashable, Sendable {
  /// The hub's state at that moment.
  package let cursor: Cursor
  /// The scopes whose objects were compared.
  ///
  /// Objects above a lowered mark are not compared any more, but sent as in a first fill.
  package let scopes: ScopeMarks

  /// Creates a base.
  package init(cursor: Cursor, scopes: ScopeMarks) {
    self.cursor = cursor
    self.scopes = scopes
  }
}
