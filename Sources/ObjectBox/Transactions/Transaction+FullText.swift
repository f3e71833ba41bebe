internal import ObjectBoxFullText
internal import ObjectBoxStorage

/// The readers of full-text indexes that a read transaction keeps from search to search.
///
/// A reader has decoded the state of its index, and knows where on the pages of the version the
/// lengths and IDs of documents are. So the readers belong to one generation of the transaction's
/// pages, and none is used in another generation. They retain no pages.
struct FullTextReaders {
  /// Maximum size in bytes of a kept reader.
  private static let maximumByteCount = 4 << 20

  private var generation = 0
  // Searched one by one: an entity has few indexes.
  private var readers: [(tables: FullTextTables, reader: FullTextReader)] = []

  /// Returns the reader of an index; makes and keeps it if there is none for the current pages.
  ///
  /// - Parameters:
  ///   - tables: The tables of the index.
  ///   - storage: The transaction. A write transaction changes its pages, so none of its readers is
  ///     kept.
  /// - Returns: The reader.
  /// - Throws: ``FullTextError`` for an index that cannot be read.
  mutating func reader(
    of tables: FullTextTables,
    in storage: StorageTransaction
  ) throws(FullTextError) -> FullTextReader {
    guard let current = storage.pagesGeneration else { return try FullTextReader(tables, storage) }
    if current != generation {
      removeAll()
      generation = current
    }
    if let known = readers.first(where: { $0.tables == tables }) { return known.reader }
    let reader = try FullTextReader(tables, storage)
    if reader.maximumByteCount <= Self.maximumByteCount { readers.append((tables, reader)) }
    return reader
  }

  mutating func removeAll() {
    if !readers.isEmpty { readers = [] }
  }
}

// The writers of full-text indexes: words wait in them until a run of them is written.

extension Transaction {
  /// Returns the writer of a full-text index.
  func fullTextWriter(_ definition: FullTextIndexDefinition) throws -> FullTextIndexWriter {
    if let writer = fullTextWriters[definition.runs] { return writer }
    let writer = try FullTextIndexWriter(definition, in: storage)
    fullTextWriters[definition.runs] = writer
    return writer
  }

  /// Forgets the writer of a full-text index; its tables are about to be emptied.
  func forgetFullTextWriter(_ definition: FullTextIndexDefinition) {
    fullTextWriters[definition.runs] = nil
  }

  /// Writes the words that writers of full-text indexes have gathered.
  ///
  /// Writers do not outlive it: a child transaction may change what they know of their index.
  func flushFullText() throws {
    guard !fullTextWriters.isEmpty else { return }
    let writers = fullTextWriters
    fullTextWriters = [:]
    for writer in writers.values { try writer.flush() }
  }

  /// Forgets the words that writers of full-text indexes have gathered.
  func dropFullTextWriters() {
    if !fullTextWriters.isEmpty { fullTextWriters = [:] }
  }
}
