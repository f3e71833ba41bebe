package import ObjectBoxStorage

/// The readers of full-text indexes that a read transaction keeps from search to search.
///
/// A reader has decoded the state of its index, and knows where on the pages of the version the
/// lengths and IDs of documents are. So the readers belong to one generation of the transaction's
/// pages, and none is used in another generation. They retain no pages.
package struct FullTextReaders {
  /// Maximum size in bytes of a kept reader.
  private static let maximumByteCount = 4 << 20

  private var generation = 0
  // Searched one by one: an entity has few indexes.
  private var readers: [(tables: FullTextTables, reader: FullTextReader)] = []

  package init() {}

  /// Returns the reader of an index; makes and keeps it if there is none for the current pages.
  ///
  /// - Parameters:
  ///   - tables: The tables of the index.
  ///   - storage: The transaction. A write transaction changes its pages, so none of its readers is
  ///     kept.
  /// - Returns: The reader.
  /// - Throws: ``FullTextError`` for an index that cannot be read.
  package mutating func reader(
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

  package mutating func removeAll() {
    if !readers.isEmpty { readers = [] }
  }
}
