/// The words of a text, in its order.
package struct FullTextTokens {
  /// The bytes of all words.
  package private(set) var bytes: [UInt8] = []
  /// The end of each word in ``bytes``.
  package private(set) var ends: [UInt32] = []
  /// The position of each word.
  package private(set) var positions: [UInt32] = []

  package init() {}

  /// Number of words.
  package var count: Int { ends.count }

  /// Adds a word.
  ///
  /// The index holds up to ``TermLimit/size`` bytes of it, and none from a zero byte on. A word
  /// without any bytes is not added.
  ///
  /// - Parameters:
  ///   - word: The bytes of the word.
  ///   - position: Its position, not below that of the word before. Those of column *c* begin at
  ///     *c* · 2²⁴.
  package mutating func append(_ word: UnsafeRawBufferPointer, position: UInt32) {
    let word = TermLimit.cut(word)
    if word.isEmpty { return }
    bytes.append(contentsOf: word)
    ends.append(UInt32(bytes.count))
    positions.append(position)
  }

  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    positions.removeAll(keepingCapacity: true)
  }
}
