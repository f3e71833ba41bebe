/// The UID of an entity in the model.
package struct EntityUID: Hashable, Comparable, Sendable {
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
