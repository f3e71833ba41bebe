internal import ObjectBoxStorage

/// What an open store counts and holds.
public struct StoreStatistics: Hashable, Sendable {
  /// Transactions of this process that changed something and were committed since the file was opened.
  public let commits: Int
  /// Waits for the disk that these took; fewer when commits were grouped.
  public let syncs: Int
  /// The size of the file in pages.
  public let pages: Int
  /// The size of a page in bytes.
  public let pageSizeInBytes: Int
  /// The reader slots that are or were in use, by all processes.
  public let readers: Int
  /// How many reader slots there are.
  public let maximumReaders: Int
}

extension Store {
  /// What the store counts and holds now.
  ///
  /// Throws ``ObjectBoxError/closed(message:)`` when the store is closed.
  public func statistics() throws -> StoreStatistics {
    if isClosed { throw StoreCore.isClosedError(directoryPath) }
    return try core.inTransaction(isWritable: false) { _ in
      let information = try core.environment.information()
      return StoreStatistics(
        commits: core.counters.commits,
        syncs: core.counters.syncs,
        pages: information.pageCount,
        pageSizeInBytes: information.pageSizeInBytes,
        readers: information.readerCount,
        maximumReaders: information.maximumReaderCount
      )
    }
  }
}
