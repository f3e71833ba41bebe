/// Settings of an index, which its header holds from its creation.
package struct FullTextSettings: Hashable, Sendable {
  /// Parameter of BM25: how soon further occurrences of a word stop to count.
  package var k1: Double
  /// Parameter of BM25: from 0, the length does not matter, to 1.
  package var b: Double
  /// Weights of the columns, each from 1 to 255; one for an index of one property.
  package var weights: [UInt8]
  /// The tokenizer with its version and settings, as its owner encodes them.
  ///
  /// The index only holds the bytes, so that its owner can compare them.
  package var tokenizer: [UInt8]

  package init(
    k1: Double = 1.2,
    b: Double = 0.75,
    weights: [UInt8] = [1],
    tokenizer: [UInt8] = []
  ) {
    self.k1 = k1
    self.b = b
    self.weights = weights
    self.tokenizer = tokenizer
  }
}
