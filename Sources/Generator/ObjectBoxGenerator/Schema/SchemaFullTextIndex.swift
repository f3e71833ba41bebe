/// A full-text index over one property or several.
package struct SchemaFullTextIndex: Hashable, Sendable {
  /// A property of the index.
  package struct Column: Hashable, Sendable {
    /// Name in Swift.
    package var property: String
    /// How much a word of the property counts, from 1 to 255.
    package var weight: UInt8 = 1
    /// Set by ``ModelSynchronizer``.
    package var propertyID: ModelID?
  }

  /// Settings of the words and of their ranking.
  package struct Settings: Hashable, Sendable {
    /// ISO 639-1 code of the language by whose rules words are stemmed; nil: no stemming.
    package var language: String?
    /// Lengths in characters of the beginnings of words that the index holds; ascending.
    package var prefixLengths: [UInt8] = []
    /// True when accents distinguish words.
    package var keepsDiacritics = false
    /// Parameters of BM25; nil for the default of the runtime.
    package var k1: Double?
    package var b: Double?
  }

  /// Swift name of an index over several properties; nil for the index of one property.
  package var name: String?
  /// Properties in the order of their model IDs, once these are set.
  package var columns: [Column]
  package var settings = Settings()
  /// Position of the annotation.
  package var position: SourcePosition

  /// Set by ``ModelSynchronizer``.
  package var modelID: ModelID?

  var propertyIDs: [ModelID] { columns.compactMap(\.propertyID) }

  /// The weights of the columns; empty when all are 1.
  var weights: [UInt8] {
    let weights = columns.map(\.weight)
    return weights.allSatisfy { $0 == 1 } ? [] : weights
  }
}
