package import ObjectBoxStorage
internal import Synchronization

/// Figures of an open store and its file.
public struct StoreStatistics: Hashable, Sendable {
  /// Number of committed write transactions with changes since the store was opened.
  public let commits: Int
  /// Number of commits that were written to disk; several write transactions can share one commit.
  public let syncs: Int
  /// The size of the file in pages.
  public let pages: Int
  /// The size of a page in bytes.
  public let pageSizeInBytes: Int
  /// Number of reader slots that are or were in use, in all processes.
  public let readers: Int
  /// The maximum number of simultaneous read transactions.
  public let maximumReaders: Int
  /// Number of failures that reached no caller; see ``Store/Configuration/onUnheardFailure``.
  public let unheardFailures: Int
  /// Number of asynchronous puts and removals that failed and were dropped.
  public let droppedAsyncWrites: Int
  /// Entities and relations that are in the file and no longer in the model; see
  /// ``Store/discardRetiredData()``.
  public let retiredData: RetiredData
}

/// The pages of a store's file in one version.
package struct StorePages: Sendable {
  /// The number of the commit.
  package let version: Int
  /// The version of the file format.
  package let format: UInt32
  /// The tables: first `main` and `free`, then the other tables by name.
  package let tables: [TablePages]
  /// Number of free pages, including pages that a reader still needs.
  package let freePages: Int
  /// The reader slots that are or were in use, in all processes.
  package let readers: [ReaderSlot]
}

extension Store {
  /// Returns the pages of all tables, and the reader slots.
  ///
  /// Reads the free list and the table of tables. Meanwhile no other thread may use the store for
  /// the first time.
  ///
  /// - Returns: The pages in one version.
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

  /// The versions that snapshots and live views of this process keep alive, oldest first.
  ///
  /// Each names the call that made the snapshot or live view. The pages of a version stay in the
  /// file as long as it is alive. If a live view and a snapshot share a version, the live view is
  /// listed.
  public var activeVersions: [VersionInfo] { transactions.activeVersions }

  /// Figures of the store since it was opened, and of its file; reading them is cheap.
  ///
  /// Throws ``ObjectBoxError/closed(message:)`` when the store is closed.
  public var statistics: StoreStatistics {
    get throws {
      if isClosed { throw closedError() }
      let information = try transactions.withOpenFile { try file.environment.information() }
      return StoreStatistics(
        commits: transactions.commitCount.load(ordering: .relaxed),
        syncs: transactions.syncCount.load(ordering: .relaxed),
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
