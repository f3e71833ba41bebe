/// The UID of a property or of a standalone relation in the model.
package struct PropertyUID: Hashable, Comparable, Sendable {
  /// The UID.
  package let value: UInt64

  /// Creates the UID of the given value.
  package init(_ value: UInt64) {
    self.value = value
  }

  /// Orders UIDs by value.
  package static func < (left: Self, right: Self) -> Bool {
    left.value < right.value
  }
}
