/// What the hub keeps of a removed object.
///
/// Its ID stays taken. The row lets a later update revive the object, since an update has only the
/// changed properties.
package struct Tombstone: Hashable, Sendable {
  /// The stamp of the removal.
  package let stamp: Stamp
  /// The row before the removal, without pairs.
  package let row: Row

  /// Creates the tombstone of a removed row.
  package init(stamp: Stamp, row: Row) {
    self.stamp = stamp
    self.row = row
  }
}
