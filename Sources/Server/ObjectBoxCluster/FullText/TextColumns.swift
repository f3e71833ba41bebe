package import ObjectBox
internal import ObjectBoxFullText
internal import ObjectBoxSearch

/// The columns of a full-text index in the table of its entity.
///
/// An array has the words of the texts, in order; in an index over several properties, a mark of the property precedes
/// each word. The names of the columns contain a hash of the rules that split texts, so a program with other rules
/// cannot use them by mistake.
package struct TextColumns: Sendable {
  package let index: FullTextIndexSchema
  /// The entity of the index.
  let entity: EntitySchema
  /// The columns of the texts, in the order of the index.
  package let texts: [Column]
  let tokenizer: Tokenizer
  let names: TextColumnNames
  /// The bytes before the words of each property; empty for an index of one property.
  let marks: [[UInt8]]

  /// Creates the columns of an index; nil if the entity lacks a property of it, or if this program cannot split its
  /// texts.
  init?(_ index: FullTextIndexSchema, of entity: EntitySchema) {
    let properties = index.properties(of: entity)
    guard properties.count == index.parts.count,
      let tokenizer = try? Tokenizer(index.tokenizerSettings)
    else { return nil }
    self.index = index
    self.entity = entity
    self.tokenizer = tokenizer
    texts = properties.map(Column.init)
    let uids = properties.map { String($0.identity.uid) }.joined(separator: ",")
    let rules = tokenizer.identity + Array(" \(index.isOfOne) \(uids)".utf8)
    names = TextColumnNames(
      "\(index.identity.uid)_\(String(rules.textHash, radix: 16))",
      hasBeginnings: !index.prefixes.isEmpty
    )
    marks =
      index.isOfOne
      ? [[]] : properties.indices.map { Array(String(Self.mark(of: $0)).utf8) }
  }

  /// The names of the columns, quoted, in the order of their values.
  package var columnNames: [String] { names.columns }

  /// The character before the words of a property.
  private static func mark(of column: Int) -> UnicodeScalar {
    // An index has at most 255 properties, so this is no surrogate.
    UnicodeScalar(UInt16(48 + column)) ?? "0"
  }

  /// The SQL condition that an object has texts without words, which other programs have stored.
  ///
  /// - Parameter alias: The alias of the table with its point, or an empty string.
  /// - Returns: SQL.
  func isMissing(_ alias: String = "") -> String {
    let texts = texts.map { "\(alias)\($0.name) IS NOT NULL" }.joined(separator: " OR ")
    return "\(alias)\(names.words) IS NULL AND (\(texts))"
  }

  /// The SQL for the number of words of an object.
  func length(_ alias: String) -> String { "(\(alias)\(names.state) & 4294967295)" }
}

/// The quoted names of a full-text index's columns, indexes, triggers and functions.
struct TextColumnNames: Hashable, Sendable {
  /// The UID of the index, and the hash of its rules.
  let suffix: String
  let hasBeginnings: Bool

  static let prefix = "objectbox_words_"

  init(_ suffix: String, hasBeginnings: Bool) {
    self.suffix = suffix
    self.hasBeginnings = hasBeginnings
  }

  /// Takes the name of a column of words.
  init(wordsColumn name: String) {
    self.init(String(name.dropFirst(Self.prefix.count)), hasBeginnings: true)
  }

  /// The column of words; also the index on it, and the trigger that empties it.
  var words: String { (Self.prefix + suffix).quotedName }
  /// The column of prefixes of words.
  var beginnings: String { "objectbox_beginnings_\(suffix)".quotedName }
  /// The column with the number of words and a hash of the texts.
  var state: String { "objectbox_texts_\(suffix)".quotedName }
  /// The index on objects without words.
  var missing: String { "objectbox_missing_\(suffix)".quotedName }
  /// The trigger of an operation that counts objects and words.
  func counting(_ operation: String) -> String {
    "objectbox_count_\(suffix)_\(operation)".quotedName
  }
  /// The function of these triggers, and of the trigger that empties words.
  var countingFunction: String { "objectbox_count_\(suffix)".quotedName }

  /// The columns that puts write.
  var columns: [String] { hasBeginnings ? [words, state, beginnings] : [words, state] }
}

extension [UInt8] {
  /// An FNV-1a hash of the bytes in 32 bits.
  fileprivate var textHash: UInt32 { reduce(TextHash.start) { TextHash.next($0, $1) } }
}

/// FNV-1a in 32 bits.
enum TextHash {
  static let start: UInt32 = 0x811c_9dc5

  @inline(__always)
  static func next(_ hash: UInt32, _ byte: UInt8) -> UInt32 { (hash ^ UInt32(byte)) &* 0x0100_0193 }
}
