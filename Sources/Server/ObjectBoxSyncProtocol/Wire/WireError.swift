/// The error of bytes that are no message or no value of the expected kind.
package struct WireError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The fault that was found, for people.
  package let found: String
  /// The position of the first malformed byte.
  package let offset: Int
  /// True for a well-formed message with more elements than its receiver accepts.
  package private(set) var isExcess = false

  /// Creates an error.
  package init(_ found: String, at offset: Int) {
    self.found = found
    self.offset = offset
  }

  /// Creates the error of a message with too many elements.
  init(exceeding limit: WireLimit?, at offset: Int) {
    let count = limit.map { "\($0.elements)" } ?? "all possible"
    self.init("it has more than \(count) elements; \(limit?.remedy ?? "send less")", at: offset)
    isExcess = true
  }

  package var description: String {
    "byte \(offset) of a message of synchronization: \(found)"
  }
}
