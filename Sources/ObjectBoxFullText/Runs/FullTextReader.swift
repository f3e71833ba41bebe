package import ObjectBoxStorage

/// An index as one transaction sees it.
///
/// Made for each query; costs some microseconds. Valid until the next write of the transaction.
package final class FullTextReader {
  /// The settings that the index was made with.
  package let settings: FullTextSettings
  /// Number of live objects, with empty texts too.
  package let objectCount: Int
  /// Mean number of words of a live object; 0 without objects.
  package let averageLength: Double
  /// The runs, the largest first.
  ///
  /// An object is a live document of one of them at most.
  package let runs: [RunReader]

  /// Begins to read an index; tables without one have no objects.
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
