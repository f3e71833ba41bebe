/// The elements that a message may have: members of all its lists together.
package struct WireLimit: Hashable, Sendable {
  /// The greatest number.
  package let elements: Int
  /// The thing to do about a message with more, for people.
  package let remedy: String

  /// Creates a limit.
  ///
  /// - Parameters:
  ///   - elements: The greatest number.
  ///   - remedy: The thing to do about a message with more, for people.
  package init(elements: Int, remedy: String) {
    self.elements = elements
    self.remedy = remedy
  }
}
