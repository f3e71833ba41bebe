/// A contiguous range of keys of an index.
struct IndexRange: Sendable, Hashable {
  enum Upper: Sendable, Hashable {
    /// Keys up to and including this key.
    case inclusive([UInt8])
    /// Keys up to the last key that begins with these bytes.
    case prefix([UInt8])
  }

  /// The first key, included.
  var lower: [UInt8]
  var upper: Upper

  /// The key of null.
  static let null = IndexRange(lower: [0], upper: .inclusive([0]))
  /// All keys except the key of null.
  static let values = IndexRange(lower: [1], upper: .prefix([1]))

  /// The key, if the range can contain only one key.
  var onlyKey: [UInt8]? {
    if case .inclusive(let last) = upper, last == lower { return last }
    return nil
  }

  /// Exactly one key.
  static func key(_ key: [UInt8]) -> IndexRange { IndexRange(lower: key, upper: .inclusive(key)) }

  /// Returns whether a key is in the range; the key must not be above it.
  func begins(atOrBelow key: UnsafeRawBufferPointer) -> Bool {
    !key.lexicographicallyPrecedes(lower)
  }

  /// The smallest bytes above all keys of the range; nil if there are none.
  var end: [UInt8]? {
    switch upper {
    case .inclusive(let last): return last + [0]
    case .prefix(let prefix):
      guard let index = prefix.lastIndex(where: { $0 < .max }) else { return nil }
      return prefix[..<index] + [prefix[index] + 1]
    }
  }
}
