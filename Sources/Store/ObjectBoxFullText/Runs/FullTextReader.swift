package import ObjectBoxStorage

/// An index as one transaction sees it.
///
/// Valid until the next write of the transaction. Queries of one thread may use it one after the other, and nested. In
/// a renewed read transaction, it is valid as long as the pages are the same (`StorageTransaction.pagesGeneration`).
package final class FullTextReader {
  /// The settings that the index was made with.
  package let settings: FullTextSettings
  /// Number of live objects, including empty texts.
  package let objectCount: Int
  /// Mean number of words of a live object; 0 without objects.
  package let averageLength: Double
  /// The runs, the largest first.
  ///
  /// An object is a live document of at most one run.
  package let runs: [RunReader]
  /// Upper bound of the bytes that the reader allocates over time.
  package var maximumByteCount: Int { runs.reduce(0) { $0 + $1.maximumByteCount } }

  /// Begins to read an index; tables without an index have no objects.
  package init(
    _ tables: FullTextTables,
    _ transaction: StorageTransaction
  ) throws(FullTextError) {
    let table = IndexTable(tables, transaction, isWriting: false)
    let settings = try FullTextSettings.read(table) ?? FullTextSettings()
    let state = try IndexState.read(table) ?? IndexState()
    self.settings = settings
    objectCount = state.objectCount
    averageLength =
      state.objectCount > 0 ? Double(state.wordCount) / Double(state.objectCount) : 0
    runs = state.runs.sorted { $0.documentCount > $1.documentCount }.map {
      RunReader(table, $0, isWeighted: settings.isWeighted, meanLength: state.meanLength)
    }
  }
}
