internal import ObjectBoxStorage

/// A sum of hashes of all occurrences of terms in live objects.
///
/// Two indexes of the same texts have equal sums, regardless of their runs.
package struct FullTextSum: Hashable, Sendable {
  private var value: UInt64 = 0

  package init() {}

  /// Adds the words of an object.
  ///
  /// - Parameters:
  ///   - id: The ID.
  ///   - tokens: The words.
  ///   - weights: The weights of the columns.
  package mutating func add(_ id: UInt64, _ tokens: FullTextTokens, weights: [UInt8]) {
    tokens.bytes.withUnsafeBytes { bytes in
      var start = 0
      for (end, position) in zip(tokens.ends, tokens.positions) {
        let term = UnsafeRawBufferPointer(rebasing: bytes[start..<Int(end)])
        start = Int(end)
        let hash = Self.hash(of: term)
        if term.first == FullTextTokens.beginningMark {
          let column = Int(position >> 24)
          add(hash, id, count: column < weights.count ? UInt32(weights[column]) : 1)
        } else {
          add(hash, id, position: position)
        }
      }
    }
  }

  /// Adds an occurrence of a term.
  mutating func add(_ term: UInt64, _ id: UInt64, position: UInt32) {
    value &+= ((term &+ id).mixed ^ UInt64(position)).mixed
  }

  /// Adds occurrences of a term without positions.
  mutating func add(_ term: UInt64, _ id: UInt64, count: UInt32) {
    value &+= (term &+ id).mixed &* UInt64(count)
  }

  /// Returns the hash of a term (FNV-1a).
  static func hash(of term: UnsafeRawBufferPointer) -> UInt64 {
    term.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }.mixed
  }
}
