/// The elements of a list of texts in its form in messages: each after its length in four big-endian bytes.
package struct ListElements: Sequence, IteratorProtocol, Sendable {
  private var rest: ArraySlice<UInt8>

  /// Creates an iterator before the first element.
  ///
  /// - Parameter list: The list; other values and malformed lists have no elements.
  package init(_ list: PropertyValue) {
    if case .bytes(let bytes) = list { rest = bytes[...] } else { rest = [] }
  }

  /// Returns the next element, or nil at the end and at bytes that are no element.
  package mutating func next() -> PropertyValue? {
    guard rest.count >= 4 else { return nil }
    let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    guard length <= rest.count - 4 else { return nil }
    rest = rest.dropFirst(4)
    defer { rest = rest.dropFirst(length) }
    return .bytes(Array(rest.prefix(length)))
  }
}
