internal import ObjectBoxStorage

/// Keys of an index that lie side by side.
struct IndexRange: Sendable, Hashable {
  enum Upper: Sendable, Hashable {
    /// Up to this key, itself included.
    case inclusive([UInt8])
    /// All keys that begin with these bytes.
    case prefix([UInt8])
  }

  /// The first key, itself included.
  var lower: [UInt8]
  var upper: Upper

  /// The key of null.
  static let null = IndexRange(lower: [0], upper: .inclusive([0]))
  /// All keys but that of null.
  static let values = IndexRange(lower: [1], upper: .prefix([1]))

  /// Exactly one key.
  static func key(_ key: [UInt8]) -> IndexRange { IndexRange(lower: key, upper: .inclusive(key)) }

  /// Returns whether a key that is not below the first one is in the range.
  @inline(__always)
  func contains(_ key: UnsafeRawBufferPointer) -> Bool {
    switch upper {
    case .inclusive(let last):
      let count = min(key.count, last.count)
      for index in 0..<count where key[index] != last[index] { return key[index] < last[index] }
      return key.count <= last.count
    case .prefix(let prefix):
      return key.count >= prefix.count && (0..<prefix.count).allSatisfy { key[$0] == prefix[$0] }
    }
  }
}
