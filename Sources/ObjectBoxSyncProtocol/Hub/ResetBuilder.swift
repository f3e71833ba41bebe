/// Builds the cut that answers digests, from one read-only snapshot of the primary.
package struct ResetBuilder: Sendable {
  private let digests: Digests
  private let cursor: Cursor
  private let verdicts: [SequencedVerdict]
  /// The device's scopes; a reset does not move their marks.
  package let marks: ScopeMarks
  private var own: RangeDigests

  /// Looks at digests; nil if the device needs a new identity.
  ///
  /// - Parameters:
  ///   - digests: What the device has.
  ///   - cursor: The present state of the hub.
  ///   - granted: The scopes that the user may see.
  ///   - record: The device's record, or nil for an unknown device.
  ///   - verdicts: The device's verdicts after the confirmed one, in order.
  package init?(
    _ digests: Digests,
    cursor: Cursor,
    granted: [Scope],
    record: DeviceRecord?,
    verdicts: [SequencedVerdict]
  ) {
    guard CutBuilder.knows(digests.want, record: record, verdicts: verdicts) else { return nil }
    self.digests = digests
    self.cursor = cursor
    self.verdicts = verdicts
    marks = digests.want.scopes.restricted(to: granted)
    own = RangeDigests(width: digests.ranges.width)
  }

  /// Adds an object of the hub that ``marks`` contain to the hub's own digests.
  package mutating func add(_ row: Row, at key: ObjectKey) {
    own.add(row, at: key)
  }

  /// The ranges that differ, after all objects were added.
  package var differing: Set<DigestRange> {
    own.differing(from: digests.ranges)
  }

  /// Returns the cut.
  ///
  /// - Parameter rows: The objects of the ``differing`` ranges that ``marks`` contain.
  /// - Returns: The cut.
  package func finish(_ rows: [KeyedRow]) -> Cut {
    Cut(
      state: digests.want.state,
      cursor: cursor,
      scopes: marks,
      ranges: differing,
      rangeWidth: digests.ranges.width,
      leaves: [],
      rows: rows,
      verdicts: verdicts
    )
  }
}
