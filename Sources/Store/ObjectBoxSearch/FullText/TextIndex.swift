package import ObjectBox
package import ObjectBoxFullText
package import ObjectBoxStorage

/// A full-text index in one transaction.
package final class TextIndex: DerivedIndex {
  /// Maximum size in bytes of a reader that is kept for the next search.
  private static let keptByteCount = 4 << 20

  private let definition: FullTextIndexDefinition
  package var storage: StorageTransaction
  private let isWritable: Bool
  /// Gathers words until a run of them is written; nil before the first change.
  private var writer: FullTextWriter?
  /// The reader of the last search of a read transaction.
  private var reader: FullTextReader?

  init(_ definition: FullTextIndexDefinition, in storage: StorageTransaction, isWritable: Bool) {
    self.definition = definition
    self.storage = storage
    self.isWritable = isWritable
  }

  /// Indexes the texts of a record.
  package func willPut(_ record: RecordReader, replacing old: RecordReader?) throws {
    if let old {
      if definition.haveSameTexts(old, record) { return }
      try willRemove(old)
    }
    guard let tokens = try definition.tokens(of: record) else { return }
    try usingFullText { try beginWriting().add(record.id, tokens) }
  }

  package func willRemove(_ record: RecordReader) throws {
    guard let tokens = try definition.tokens(of: record) else { return }
    try usingFullText { _ = try beginWriting().remove(record.id, tokens) }
  }

  package func flush() throws {
    guard let writer else { return }
    // A child transaction may change the state that the writer holds.
    self.writer = nil
    try usingFullText { try writer.flush() }
  }

  /// Returns the writer; creates the index in tables without one.
  fileprivate func beginWriting() throws(FullTextError) -> FullTextWriter {
    if let writer { return writer }
    let writer = try FullTextWriter(
      definition.fullTextTables,
      storage,
      definition.schema.settings,
      memory: definition.memory
    )
    self.writer = writer
    return writer
  }

  /// Searches the index, with the changes of this transaction.
  func searching<T>(
    _ expression: TextExpression,
    _ body: (FullTextSearch) throws -> T
  ) throws -> T {
    try flush()
    return try usingFullText {
      do {
        return try body(FullTextSearch(expression, in: beginReading()))
      } catch {
        // The reader may have read a part of a damaged index.
        reader = nil
        throw error
      }
    }
  }

  /// Returns a reader of the index.
  ///
  /// A reader has decoded the state of the index, and holds pointers to lengths and IDs on the pages of the version. A
  /// write transaction changes its pages, so it keeps no reader.
  private func beginReading() throws(FullTextError) -> FullTextReader {
    if let reader { return reader }
    let reader = try FullTextReader(definition.fullTextTables, storage)
    if !isWritable, reader.maximumByteCount <= Self.keptByteCount { self.reader = reader }
    return reader
  }
}

extension FullTextIndexDefinition: DerivedIndexDefinition {
  package var indexID: UInt32 { schema.identity.id }

  package func open(
    _ records: RecordTable,
    in storage: StorageTransaction,
    isWritable: Bool
  ) -> TextIndex {
    TextIndex(self, in: storage, isWritable: isWritable)
  }

  package func build(from records: RecordTable, in storage: StorageTransaction) throws {
    let index = open(records, in: storage, isWritable: true)
    _ = try usingFullText { try index.beginWriting() }
    try records.forEach(in: storage) { try index.willPut($0, replacing: nil) }
    try index.flush()
  }
}

extension FullTextIndexDefinition {
  /// Returns the words of a record; nil if all texts are null.
  func tokens(of record: RecordReader) throws -> FullTextTokens? {
    let tokenizer = try tokenizer()
    var tokens = FullTextTokens()
    var hasText = false
    for (column, property) in properties.enumerated() {
      guard let text = record.bytes(record.field(propertyID: property.identity.id)) else {
        continue
      }
      hasText = true
      let first = UInt32(column) << 24
      tokens.reserve(textSize: text.count)
      text.withMemoryRebound(to: UInt8.self) { bytes in
        tokenizer.forEachToken(in: bytes) { word, position, _ in
          tokens.append(word, position: first + position)
          tokenizer.forEachPrefix(of: word) {
            tokens.append(beginning: $0, position: first + position)
          }
        }
      }
    }
    return hasText ? tokens : nil
  }

  /// Adds the words of a record to a sum over the texts of the index.
  ///
  /// - Throws: ``ObjectBoxError/schema(message:)`` when this program splits texts by other rules.
  package func add(_ record: RecordReader, to sum: inout FullTextSum) throws {
    guard let tokens = try tokens(of: record) else { return }
    sum.add(record.id, tokens, weights: schema.parts.map(\.weight))
  }

  /// Returns the faults of the index.
  ///
  /// - Parameters:
  ///   - storage: The transaction.
  ///   - sum: The sum over the texts of all objects; nil if they could not be read.
  ///   - quoting: The rule of the store, for terms.
  /// - Returns: The faults, in words.
  package func faults(
    in storage: StorageTransaction,
    expecting sum: FullTextSum?,
    _ quoting: ValueQuoting
  ) -> [String] {
    var errors = FullTextCheck.run(fullTextTables, storage, expecting: sum) {
      quoting.words("the term '\($0)'", else: "a term")
    }
    if errors.isEmpty, let settings = try? FullTextSettings.read(fullTextTables, storage),
      settings != schema.settings
    {
      errors = [.damaged(run: 0, "its settings are not those of the model")]
    }
    return errors.map { error in
      switch error {
      case .storage(let error): "\(error.call): \(error.explanation)"
      case .damaged(let run, let what): run == 0 ? what : "run \(run): \(what)"
      case .withoutMemory: "it needs more memory than there is"
      case .unknownFormat(let format):
        "it has format \(format), and this version reads \(FullTextSettings.format)"
      }
    }
  }

  /// Returns whether two records have the same indexed texts.
  fileprivate func haveSameTexts(_ one: RecordReader, _ other: RecordReader) -> Bool {
    properties.allSatisfy { property in
      RecordDifference.isEqual(one, other, propertyID: property.identity.id)
    }
  }
}

/// Runs an operation on an index, and turns its errors into errors of the library.
func usingFullText<T>(_ body: () throws -> T) throws -> T {
  do { return try body() } catch let error as FullTextError {
    switch error {
    case .storage(let error): throw error
    case .damaged(_, let what):
      throw ObjectBoxError.fileCorrupt(
        message: "a full-text index is damaged: \(what); \(ObjectBoxError.damageAdvice)"
      )
    case .withoutMemory:
      throw ObjectBoxError.illegalState(
        message:
          "the words of a full-text index need more memory than there is; put fewer objects in a "
          + "transaction"
      )
    case .unknownFormat(let format):
      throw ObjectBoxError.schema(
        message:
          "a full-text index has format \(format), and this version of the library reads "
          + "\(FullTextSettings.format); use the version that wrote it, or a later one"
      )
    }
  }
}
