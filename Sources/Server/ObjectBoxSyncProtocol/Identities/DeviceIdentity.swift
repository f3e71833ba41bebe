/// The random identity of a device's store.
///
/// A store that was copied or restored takes a new identity when the server recognizes it, because its
/// sequence numbers repeat.
package struct DeviceIdentity: Hashable, Comparable, Sendable {
  /// The random bits.
  package let bits: Identifier128

  /// Creates the identity of the given bits.
  package init(_ bits: Identifier128) {
    self.bits = bits
  }

  /// Orders identities by their bits.
  package static func < (left: Self, right: Self) -> Bool {
    left.bits < right.bits
  }
}
