internal import ObjectBoxStorage

extension StoreFile {
  /// The part of a store's configuration that concerns its file.
  package struct Options: Sendable {
    /// Minimum number of reader slots for threads, snapshots and live views.
    private static let slotCount = 1024
    /// Minimum number of threads that can read at a time, as in ObjectBox; pinned versions leave
    /// these slots free.
    private static let minimumReaderCount = 126
    /// The minimum size of a store file: LMDB's two head pages, and one page each for two trees.
    private static let minimumSizeInKilobytes: UInt64 = 16

    static var minimumSizeInBytes: Int { Int(minimumSizeInKilobytes) * 1024 }

    /// The directory as given by the user, for messages.
    var location: String
    var maximumSizeInKilobytes: UInt64
    package var fileMode: UInt32
    /// Number of threads that can read at a time; 0 for the number of slots.
    var requestedReaderCount: UInt32
    var isReadOnly: Bool
    /// True when other processes may write to the file.
    package var isShared: Bool
    /// True if commits refuse new relations to missing objects.
    var refusesDanglingRelations: Bool
    /// Receives the progress of migrations of values; nil for no reports.
    var onMigration: (@Sendable (MigrationProgress) -> Void)?

    /// The maximum size of the file in bytes, limited to the address space.
    var maximumSizeInBytes: Int {
      Int(clamping: maximumSizeInKilobytes.multipliedReportingOverflow(by: 1024).partialValue)
    }

    /// Number of threads that can read at a time.
    var maximumReaderCount: Int { requestedReaderCount == 0 ? Self.slotCount : keptReaderCount }

    /// Number of reader slots that pinned versions leave to threads.
    var keptReaderCount: Int { max(Self.minimumReaderCount, Int(requestedReaderCount)) }

    /// Returns the options of the environment.
    ///
    /// - Throws: ``ObjectBoxError``: `dbFull` or `illegalArgument` for an impossible size.
    func storage(tableCount: Int, isDurable: Bool) throws -> StorageEnvironment.Options {
      let kilobytes = maximumSizeInKilobytes
      guard kilobytes >= Self.minimumSizeInKilobytes else {
        throw ObjectBoxError.dbFull(message: ObjectBoxError.tooSmallMessage)
      }
      let size = kilobytes.multipliedReportingOverflow(by: 1024)
      guard !size.overflow, let bytes = Int(exactly: size.partialValue) else {
        throw ObjectBoxError.illegalArgument(
          message: "maxDbSizeInKByte: \(kilobytes) is more than this machine can address; "
            + "use at most \(Int.max / 1024)"
        )
      }
      // LMDB uses the system's page size: 16 KiB on Apple's processors, 4 KiB on most others.
      let limit = bytes / 16384 * 16384
      var options = StorageEnvironment.Options(
        mapSizeInBytes: StorageEnvironment.mapSize(limitInBytes: limit, probes: false),
        maximumTableCount: tableCount + 32
      )
      options.limitInBytes = limit
      options.fileMode = fileMode
      options.isReadOnly = isReadOnly
      options.isDurable = isDurable
      options.isShared = isShared
      options.maximumReaderCount = Self.slotCount - Self.minimumReaderCount + keptReaderCount
      return options
    }
  }
}
