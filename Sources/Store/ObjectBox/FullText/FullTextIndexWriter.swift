package import ObjectBoxFullText
package import ObjectBoxStorage

/// Updates a full-text index when records change.
struct FullTextIndexWriter {
  let definition: FullTextIndexDefinition
  let writer: FullTextWriter

  /// Indexes the texts of a record that is about to be written.
  ///
  /// - Parameters:
  ///   - record: The new record.
  ///   - old: The record that it replaces; nil for a new object.
  /// - Throws: ``ObjectBoxError`` when the file cannot be read, or the store is full.
  func put(_ record: RecordReader, replacing old: RecordReader?) throws {
    if let old {
      if definition.haveSameTexts(old, record) { return }
      try remove(old)
    }
    guard let tokens = try definition.tokens(of: record) else { return }
    try usingFullText { try writer.add(record.id, tokens) }
  }

  /// Removes an object from the index; its record is still stored.
  func remove(_ old: RecordReader) throws {
    guard let tokens = try definition.tokens(of: old) else { return }
    try usingFullText { _ = try writer.remove(old.id, tokens) }
  }

  /// Fills an empty index from the stored records.
  static func build(
    _ definition: FullTextIndexDefinition,
    records: RecordTable,
    in storage: StorageTransaction
  ) throws {
    let writer = try FullTextIndexWriter(definition, in: storage)
    let objects = try storage.cursor(records.objects)
    var entry = try objects.firstObject()
    while let object = entry {
      try writer.put(try records.reader(object.record, id: object.id), replacing: nil)
      entry = try objects.nextObject()
    }
    try writer.flush()
  }

  init(_ definition: FullTextIndexDefinition, in storage: StorageTransaction) throws {
    self.definition = definition
    writer = try usingFullText {
      try FullTextWriter(
        definition.tables,
        storage,
        definition.schema.settings,
        memory: definition.memory
      )
    }
  }

  /// Writes what was gathered.
  func flush() throws { try usingFullText { try writer.flush() } }
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

  /// Returns what is wrong with the index.
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
    var errors = FullTextCheck.run(tables, storage, expecting: sum) {
      quoting.words("the term '\($0)'", else: "a term")
    }
    if errors.isEmpty, let settings = try? FullTextSettings.read(tables, storage),
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

  /// Returns whether the index would hold the same of two records.
  fileprivate func haveSameTexts(_ one: RecordReader, _ other: RecordReader) -> Bool {
    properties.allSatisfy { property in
      let id = property.identity.id
      switch (one.bytes(one.field(propertyID: id)), other.bytes(other.field(propertyID: id))) {
      case (let first?, let second?):
        return first.count == second.count && ByteSearch.areEqual(first, second)
      case (nil, nil): return true
      default: return false
      }
    }
  }
}

/// Runs an operation on an index, and turns its errors into those of the library.
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
