/// Eight bytes that distinguish two objects that had the same ID one after the other.
///
/// Each synchronized row keeps the origin ID of the transaction that made the object. An operation names
/// the origin ID that its device saw; a row with another origin ID is another object. An ID alone is not
/// enough: a copied device and a server that lost commits can give one ID to two objects.
package struct OriginID: Hashable, Comparable, Sendable {
  /// The first eight bytes of the making transaction's token, or random bits of a plain SQL insert.
  package let bits: UInt64

  /// Creates the origin ID of the given bits.
  package init(_ bits: UInt64) {
    self.bits = bits
  }

  /// Orders origin IDs by their bits.
  package static func < (left: Self, right: Self) -> Bool {
    left.bits < right.bits
  }
}
