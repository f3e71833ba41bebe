package import ObjectBoxStorage

/// Figures of an open store and its file.
public struct StoreStatistics: Hashable, Sendable {
  /// The write transactions that changed something and were committed since the store was opened.
  public let commits: Int
  /// The number of commits that were written to disk; asynchronous writes can share one.
  public let syncs: Int
  /// The size of the file in pages.
  public let pages: Int
  /// The size of a page in bytes.
  public let pageSizeInBytes: Int
  /// The slots for read transactions that are or were in use, in all processes.
  public let readers: Int
  /// The greatest number of read transactions at one time.
  public let maximumReaders: Int
  /// The failures that no caller was told of; see ``Store/Configuration/onUnheardFailure``.
  public let unheardFailures: Int
  /// The asynchronous puts and removals among them, which were dropped.
  public let droppedAsyncWrites: Int
  /// Entities and relations that the model has lost and the file keeps, as of when it was opened here;
  /// see ``Store/discardRetiredData()``.
  public let retiredData: RetiredData
}

/// The pages of a store's file, as of one version.
package struct StorePages: Sendable {
  /// The number of the commit.
  package let version: Int
  /// The version of the file format.
  package let format: UInt32
  /// The tables: `main`, `free`, then the others by name.
  package let tables: [TablePages]
  /// The pages that are free, or wait until no reader needs them.
  package let freePages: Int
  /// The reader slots that are or were in use, in all processes.
  package let readers: [ReaderSlot]
}

extension Store {
  /// Returns the pages of all tables, and the reader slots.
  ///
  /// Reads the list of free pages and the table of tables. No other thread may use the store for the first time
  /// meanwhile.
  ///
  /// - Returns: The pages, as of one version.
  /// - Throws: ``ObjectBoxError`` when the store is closed or the file cannot be read.
  package func pages() throws -> StorePages {
    try checkOpen()
    return try inTransaction(isWritable: false) { transaction, _ in
      try file.translating {
        StorePages(
          version: transaction.version,
          format: try file.system?.format(in: transaction.storage) ?? 0,
          tables: try transaction.storage.tablePages(),
          freePages: try transaction.storage.freePageCount(),
          readers: try file.environment.readerSlots()
        )
      }
    }
  }

  /// The versions that snapshots and live views of this process keep alive, oldest first, with the calls
  /// that made these.
  ///
  /// The pages of a version stay in the file as long as it is alive. A version that a live view and a
  /// snapshot share is listed once, as that of the view.
  public var activeVersions: [VersionInfo] { transactions.activeVersions }

  /// Figures of the store since it was opened, and of its file; cheap.
  ///
  /// Throws ``ObjectBoxError/closed(message:)`` when the store is closed.
  public var statistics: StoreStatistics {
    get throws {
      if isClosed { throw closedError() }
      let information = try transactions.withOpenFile { try file.environment.information() }
      return StoreStatistics(
        commits: transactions.counters.commits,
        syncs: transactions.counters.syncs,
        pages: information.pageCount,
        pageSizeInBytes: information.pageSizeInBytes,
        readers: information.readerCount,
        maximumReaders: information.maximumReaderCount,
        unheardFailures: openStore.failures.count,
        droppedAsyncWrites: openStore.failures.droppedWrites,
        retiredData: RetiredData(file.retired.copy)
      )
    }
  }
}
