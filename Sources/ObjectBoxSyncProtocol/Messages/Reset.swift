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
}

/// The device's answer to a reset: hashes of what it has, by ranges of IDs.
package struct Digests: Hashable, Sendable {
  /// The request that the reset answered, as the device would repeat it.
  package let want: Want
  /// The hashes of the device's objects, without what waits.
  package let ranges: RangeDigests

  /// Creates digests.
  package init(want: Want, ranges: RangeDigests) {
    self.want = want
    self.ranges = ranges
  }
}
