/// The head of the parts of a reset that a device keeps until the reset's delta.
///
/// It is durable with the parts, so that a comparison continues after a lost connection or a crash. Only a delta with
/// the same ``key`` and for the same state uses the parts.
package struct StagingArea: Hashable, Sendable {
  /// The device state of the comparison.
  package let state: StateKey
  /// The base of the comparison at the last part.
  package let base: ComparisonBase
  /// The key of all parts.
  package let key: UInt64
  /// The ranges to compare after the last part, as the server sent them with it; see ``Refine``.
  ///
  /// Ranges without hashes must stay so: they may have objects of staged parts that changed again. The device's hashes
  /// are of its rows without the parts.
  package let ranges: [KeyRange]
  /// The greatest number of objects in the parts of ``ranges``; 0 without hashes.
  package let size: Int
  /// The ranges to compare later.
  package let rest: [KeyRange]

  /// Creates the head of parts.
  ///
  /// - Parameter refine: The server's answer with the last part.
  package init(_ refine: Refine) {
    self.init(
      state: refine.state,
      base: refine.base,
      key: refine.nextStagingArea,
      ranges: refine.ranges,
      size: refine.size,
      rest: refine.rest
    )
  }

  init(
    state: StateKey,
    base: ComparisonBase,
    key: UInt64,
    ranges: [KeyRange],
    size: Int,
    rest: [KeyRange]
  ) {
    self.state = state
    self.base = base
    self.key = key
    self.ranges = ranges
    self.size = size
    self.rest = rest
  }
}
