/// The random identity of a transaction.
///
/// It stays the same when the transaction is uploaded again, also under another device identity.
package struct TransactionToken: Hashable, Comparable, Sendable {
  /// The random bits.
  package let bits: Identifier128

  /// Creates the token of the given bits.
  package init(_ bits: Identifier128) {
    self.bits = bits
  }

  /// The origin ID of objects that the transaction makes.
  package var originID: OriginID {
    OriginID(bits.high)
  }

  /// Orders tokens by their bits.
  package static func < (left: Self, right: Self) -> Bool {
    left.bits < right.bits
  }
}
