/// The words of a text, in order.
package struct FullTextTokens {
  /// The bytes of all words, with room for more.
  package private(set) var bytes: [UInt8] = []
  private var byteCount = 0
  /// The end of each word in ``bytes``.
  package private(set) var ends: [UInt32] = []
  /// The position of each word.
  package private(set) var positions: [UInt32] = []

  package init() {}

  /// Makes room for the words of a text of the given size in bytes.
  package mutating func reserve(textSize size: Int) {
    makeRoom(size)
    // Assumes words of five letters.
    ends.reserveCapacity(ends.count + size / 6 + 8)
    positions.reserveCapacity(positions.count + size / 6 + 8)
  }

  /// Number of terms: words, and beginnings of words.
  package var count: Int { ends.count }
  /// Number of words: the length of the text.
  package private(set) var wordCount = 0

  /// Adds a word.
  ///
  /// The index holds up to ``TermLimit/size`` bytes of it, and only bytes before a zero byte. A word without bytes is
  /// not added.
  ///
  /// - Parameters:
  ///   - word: The bytes of the word.
  ///   - position: Its position, not below the previous word's. Positions of column *c* begin at *c* · 2²⁴.
  package mutating func append(_ word: UnsafeRawBufferPointer, position: UInt32) {
    if add(word, position) { wordCount += 1 }
  }

  /// Adds the term for the beginning of a word; it does not count for the length of the text.
  ///
  /// - Parameters:
  ///   - term: The byte ``beginningMark``, and the first bytes of the word.
  ///   - position: The position of the word.
  package mutating func append(beginning term: UnsafeRawBufferPointer, position: UInt32) {
    _ = add(term, position)
  }

  /// The first byte of the terms for beginnings of words; these terms have no positions in the index.
  package static let beginningMark: UInt8 = 1

  private mutating func add(_ term: UnsafeRawBufferPointer, _ position: UInt32) -> Bool {
    let term = TermLimit.cut(term)
    if term.isEmpty { return false }
    let end = byteCount + term.count
    if end > bytes.count { makeRoom(max(term.count, byteCount)) }
    let start = byteCount
    bytes.withUnsafeMutableBytes { bytes in
      UnsafeMutableRawBufferPointer(rebasing: bytes[start..<end]).copyMemory(from: term)
    }
    byteCount = end
    ends.append(UInt32(end))
    positions.append(position)
    return true
  }

  private mutating func makeRoom(_ size: Int) {
    bytes.append(contentsOf: repeatElement(0, count: max(0, byteCount + size - bytes.count)))
  }

  package mutating func removeAll() {
    byteCount = 0
    ends.removeAll(keepingCapacity: true)
    positions.removeAll(keepingCapacity: true)
    wordCount = 0
  }
}
