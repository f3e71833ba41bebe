/// The limit of the elements of a message: the members of all its lists together.
package struct WireLimit: Hashable, Sendable {
  /// The greatest number.
  package let elements: Int
  /// The advice in the error of a message with more, for people.
  package let remedy: String

  /// Creates a limit.
  ///
  /// - Parameters:
  ///   - elements: The greatest number.
  ///   - remedy: The advice in the error of a message with more, for people.
  package init(elements: Int, remedy: String) {
    self.elements = elements
    self.remedy = remedy
  }
}
