/// A part of a reset: the server's objects in some ranges of IDs.
///
/// A device stages the parts of a large reset, and shows them with the delta that ends the comparison.
package struct ResetPart: Hashable, Sendable {
  /// The ranges, in ascending order; the device drops their objects before it applies the rows.
  package let ranges: [KeyRange]
  /// The server's objects in the ranges, by ascending keys.
  package let rows: RowBatch

  /// Creates a part.
  package init(ranges: [KeyRange], rows: RowBatch) {
    self.ranges = ranges
    self.rows = rows
  }
}
