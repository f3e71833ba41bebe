package import ObjectBoxStorage

/// Settings of an index; its header holds them from its creation.
package struct FullTextSettings: Hashable, Sendable {
  /// The version of the layout; programs reject other versions.
  package static let format: UInt32 = 3

  /// Parameter of BM25: how slowly further occurrences of a word lose their value.
  package var k1: Double
  /// Parameter of BM25, from 0 to 1: the influence of a text's length; none at 0.
  package var b: Double
  /// Weights of the columns, each from 1 to 255; one column for an index of one property.
  package var weights: [UInt8]
  /// The tokenizer with its version and settings, as encoded by its owner.
  ///
  /// The index only stores the bytes, so that its owner can compare them.
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

  /// Whether frequencies differ from the numbers of positions.
  var isWeighted: Bool { weights.contains { $0 != 1 } }

  /// Reads the settings of an index; nil for tables without an index.
  ///
  /// - Throws: ``FullTextError/unknownFormat(_:)`` for an index that another version has written.
  package static func read(
    _ tables: FullTextTables,
    _ transaction: StorageTransaction
  ) throws(FullTextError) -> FullTextSettings? {
    try read(IndexTable(tables, transaction, isWriting: false))
  }

  static func read(_ table: IndexTable) throws(FullTextError) -> FullTextSettings? {
    guard let value = try table.value(0, .header) else { return nil }
    var bytes = VarintReader(value)
    let format = bytes.number32()
    guard !bytes.hasFailed, format == Self.format else { throw .unknownFormat(format) }
    let settings = FullTextSettings(
      k1: bytes.real(),
      b: bytes.real(),
      weights: bytes.data(),
      tokenizer: bytes.data()
    )
    guard bytes.isComplete, settings.isValid else { throw .damaged(run: 0, "the header") }
    return settings
  }

  var isValid: Bool {
    k1.isFinite && k1 >= 0 && (0...1).contains(b) && !weights.isEmpty && !weights.contains(0)
  }

  func write(to table: IndexTable) throws(FullTextError) {
    var bytes = VarintWriter()
    bytes.add(Self.format)
    bytes.add(k1)
    bytes.add(b)
    bytes.add(weights)
    bytes.add(tokenizer)
    try bytes.withBytes { value throws(FullTextError) in
      try table.put(0, .header, 0, value)
    }
  }
}
