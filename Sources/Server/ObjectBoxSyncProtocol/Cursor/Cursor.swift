/// The state of the server that a device has received.
package struct Cursor: Hashable, Sendable {
  /// The transactions that the state contains.
  package let snapshot: TransactionSnapshot
  /// The epoch of the snapshot's numbers.
  package let epoch: Epoch
  /// The end of the write-ahead log (LSN), read after the snapshot was taken.
  package let position: UInt64

  /// Creates a cursor.
  package init(snapshot: TransactionSnapshot, epoch: Epoch, position: UInt64) {
    self.snapshot = snapshot
    self.epoch = epoch
    self.position = position
  }

  /// The cursor of a device that does not have this cursor's state.
  ///
  /// No log continues it, since no transaction has a number below 1.
  var lost: Self {
    Self(snapshot: TransactionSnapshot(xmax: 0, inProgress: []), epoch: epoch, position: position)
  }
}
