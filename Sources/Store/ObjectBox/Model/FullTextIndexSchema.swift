/// The schema of a full-text index over the texts of one or several properties.
package struct FullTextIndexSchema: Hashable, Sendable {
  /// A property of the index.
  package struct Part: Hashable, Sendable {
    package var propertyID: UInt32
    /// How much an occurrence of a word counts, from 1 to 255.
    package var weight: UInt8

    package init(propertyID: UInt32, weight: UInt8 = 1) {
      self.propertyID = propertyID
      self.weight = weight
    }
  }

  package var identity: SchemaIdentity
  /// The name of an index over several properties; nil for an index of one.
  package var name: String?
  /// The properties in the order of their columns.
  package var parts: [Part]
  /// The code of the language for stemming; nil for no stemming.
  package var language: String?
  /// The lengths of the beginnings of words that are indexed too, ascending.
  package var prefixes: [UInt8] = []
  /// True if accents distinguish words.
  package var keepsDiacritics = false
  /// The parameters of BM25; nil for the usual ones.
  package var k1: Double?
  package var b: Double?
  /// The version and settings of the tokenizer that splits the texts.
  ///
  /// A part of the schema in the file, so that an index of another version is rebuilt.
  package var tokenizer: [UInt8] = []

  package init(identity: SchemaIdentity, name: String? = nil, parts: [Part]) {
    self.identity = identity
    self.name = name
    self.parts = parts
  }

  /// The parameter of BM25 for repeated words, unless an index has its own.
  package static let usualK1 = 1.2
  /// The parameter of BM25 for the length of texts, unless an index has its own.
  package static let usualB = 0.75

  /// True if the index is over one property.
  package var isOfOne: Bool { name == nil && parts.count == 1 }

  /// Returns the name; for the index of one property, the property's.
  package func title(in entity: EntitySchema) -> String {
    name ?? parts.first.flatMap { entity.property(id: $0.propertyID)?.name }
      ?? "index \(identity.id)"
  }

  /// Returns the properties in the order of their columns.
  package func properties(of entity: EntitySchema) -> [PropertySchema] {
    entity.properties(ids: parts.map(\.propertyID))
  }

  /// True for settings that an index can have; a damaged file may hold others.
  var isPossible: Bool {
    let k1 = k1 ?? Self.usualK1
    return !parts.isEmpty && parts.count <= Self.maximumPartCount
      && parts.allSatisfy { $0.weight > 0 } && k1.isFinite && k1 >= 0
      && (0...1).contains(b ?? Self.usualB)
  }

  /// The number of properties of an index: positions of words have 8 bits for the column.
  private static let maximumPartCount = 255
}
