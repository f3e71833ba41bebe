/// The error of bytes that are no message, or no value of the expected kind.
package struct WireError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was found, for people.
  package let found: String
  /// The position of the first byte that is not understood.
  package let offset: Int

  /// Creates an error.
  package init(_ found: String, at offset: Int) {
    self.found = found
    self.offset = offset
  }

  package var description: String {
    "byte \(offset) of a message of synchronization: \(found)"
  }
}
