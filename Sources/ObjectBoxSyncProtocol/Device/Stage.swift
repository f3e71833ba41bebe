/// The head of the parts of a reset that a device keeps until the reset's cut.
///
/// It is durable with the parts, so that a lost connection or a crash does not begin the comparison
/// anew. Parts are used only by a cut with their ``key``, in the state that they were made for.
package struct Stage: Hashable, Sendable {
  /// The device state of the comparison.
  package let state: StateKey
  /// The base of the comparison at the last part.
  package let base: ComparisonBase
  /// The key of all parts.
  package let key: UInt64
  /// The ranges that were left to compare after the last part, in ascending order.
  package let rest: [KeyRange]

  /// Creates the head of parts.
  package init(state: StateKey, base: ComparisonBase, key: UInt64, rest: [KeyRange]) {
    self.state = state
    self.base = base
    self.key = key
    self.rest = rest
  }
}
