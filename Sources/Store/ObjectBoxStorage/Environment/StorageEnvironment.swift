internal import CObjectBoxLMDB
internal import Synchronization

/// An open LMDB environment: one memory-mapped file with its lock file.
///
/// The caller makes sure that the process does not open a file twice.
package final class StorageEnvironment: Sendable {
  /// The options of an environment.
  package struct Options: Sendable {
    /// The size of the map, and so the greatest possible size of the file.
    package var mapSizeInBytes: Int
    /// The size in bytes to which puts may grow the file; nil for the map's.
    package var limitInBytes: Int?
    /// False to apply the limit as for an unknown release of LMDB: by the file's size when a
    /// transaction begins.
    package var looksIntoTransactions = true
    /// The greatest number of named tables.
    package var maximumTableCount: Int
    /// The greatest number of concurrent read transactions.
    package var maximumReaderCount: Int = 126
    /// The permission bits of new files.
    package var fileMode: UInt32 = 0o644
    package var isReadOnly = false
    /// False to skip the syncs of commits; for data that need not outlive the process.
    package var isDurable = true
    /// True when other processes may use the file; each write then frees slots of dead readers.
    package var isShared = false

    package init(mapSizeInBytes: Int, maximumTableCount: Int) {
      self.mapSizeInBytes = mapSizeInBytes
      self.maximumTableCount = maximumTableCount
    }
  }

  /// The number of LMDB's own tables, before the named ones.
  private static let ownTableCount = 2

  /// The names of the two files of an environment.
  package static let fileNames = ["data.mdb", "lock.mdb"]

  /// The name and version of the storage library, such as `LMDB 0.9.24`.
  package static var libraryVersion: String {
    var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
    _ = mdb_version(&major, &minor, &patch)
    return "LMDB \(major).\(minor).\(patch)"
  }

  /// LMDB's environment and its read transactions.
  let opened: OpenEnvironment
  /// The pages that write transactions may use.
  let room: WriteRoom
  /// The gate of all transactions; nil if the map is never replaced.
  private let gate: MapGate?
  /// The options; a compaction reopens the file with them.
  let options: Options
  /// True when the file was checked, and everything that it contained at opening is on disk.
  ///
  /// A previous process may have ended after the disk refused its last head page, which the system
  /// still kept in memory. A commit on top of that page would overwrite pages of the version that
  /// is on disk.
  private let isSynced: Atomic<Bool>
  /// LMDB's lock file after its first use; stays open until the environment is closed.
  private let lockFile = Mutex<LockFile?>(nil)
  /// The file whose pages read transactions read; nil after closing.
  ///
  /// Only `close` sets it, when no other thread uses the environment.
  private(set) nonisolated(unsafe) var dataFile: DataFile?

  /// Opens the environment in an existing folder; creates missing files.
  ///
  /// Leaves nothing open when it throws.
  ///
  /// - Parameters:
  ///   - directory: The path of the folder.
  ///   - options: The options.
  ///   - image: An image with room that may show the same file. Read transactions use its map: a
  ///     further map would cost the system time for each page again.
  ///   - mirror: Makes the commits of a file in memory durable; nil for other files.
  /// - Throws: ``StorageError`` with LMDB's or the system's number.
  package init(
    directory: String,
    options: Options,
    image: StorageImage? = nil,
    mirror: (any StorageMirror)? = nil
  ) throws(StorageError) {
    var options = options
    options.mapSizeInBytes = Self.modestMapSize(options)
    let handle: OpaquePointer
    (handle, dataFile) = try Self.withFittingMap(&options) { (options) throws(StorageError) in
      let handle = try Self.openLMDB(directory, options)
      do throws(StorageError) {
        let path = directory + "/" + Self.fileNames[0]
        return (handle, try DataFile(handle, path: path, image: image, mirror: mirror))
      } catch {
        mdb_env_close(handle)
        throw error
      }
    }
    opened = OpenEnvironment(
      handle,
      tableCapacity: options.maximumTableCount + Self.ownTableCount,
      mirror: mirror
    )
    Self.mappedBytes.add(options.mapSizeInBytes, ordering: .relaxed)
    room = WriteRoom(
      limit: Self.pageCount(options.limitInBytes, in: handle),
      looksIntoTransactions: options.looksIntoTransactions
    )
    // Other processes may grow the file beyond a small map.
    let isSmall = options.mapSizeInBytes < Self.usualMapSizeInBytes
    gate = isSmall && (options.isShared || options.isReadOnly) ? MapGate() : nil
    self.options = options
    isSynced = Atomic(!options.isDurable)
    // Readers that died with their process would keep their pages from the free list forever.
    if !options.isReadOnly { _ = try? freeDeadReaders() }
    gate?.environment = self
  }

  /// Opens LMDB's environment of a directory, with flags beside those of the options.
  static func openLMDB(
    _ directory: String,
    _ options: Options,
    flags: UInt32 = 0
  ) throws(StorageError) -> OpaquePointer {
    let environment = try made(by: "mdb_env_create") { mdb_env_create(&$0) }
    // Reader slots belong to transactions, not threads, so threads can pass on transactions.
    var flags = flags | UInt32(MDB_NOTLS)
    if options.isReadOnly { flags |= UInt32(MDB_RDONLY) }
    if !options.isDurable { flags |= UInt32(MDB_NOSYNC) }
    do throws(StorageError) {
      try check(
        mdb_env_set_mapsize(environment, options.mapSizeInBytes),
        calling: "mdb_env_set_mapsize"
      )
      try check(
        mdb_env_set_maxdbs(environment, UInt32(options.maximumTableCount)),
        calling: "mdb_env_set_maxdbs"
      )
      try check(
        mdb_env_set_maxreaders(environment, UInt32(options.maximumReaderCount)),
        calling: "mdb_env_set_maxreaders"
      )
      try check(
        mdb_env_open(environment, directory, flags, Self.fileMode(in: directory, options)),
        calling: "mdb_env_open"
      )
    } catch {
      mdb_env_close(environment)
      throw error
    }
    return environment
  }

  /// Closes the file.
  ///
  /// The caller makes sure that no transaction is open and no other call follows.
  package func close() {
    opened.close()
    lockFile.withLock { $0 = nil }
    Self.mappedBytes.subtract(options.mapSizeInBytes, ordering: .relaxed)
    dataFile = nil
  }

  /// Another process that has the environment open, with any library; nil when there is none.
  ///
  /// The next process may open it at any time, unless the caller holds a lock that it needs.
  package var otherHolder: LockFile.Holder? {
    lockFile.withLock { file in
      if file == nil, let dataFile {
        file = LockFile(directory: Self.folder(of: dataFile.path))
      }
      return file?.otherHolder
    }
  }

  /// Begins a read transaction at the newest commit.
  ///
  /// If every reader slot is taken, it frees the slots of dead processes and tries again.
  ///
  /// - Parameter isShared: Whether several threads may read in it at once, at the cost of a lock
  ///   per call.
  /// - Returns: The transaction.
  /// - Throws: ``StorageError`` when no reader slot is free.
  package func beginRead(isShared: Bool = false) throws(StorageError) -> StorageTransaction {
    guard let gate else { return try beginConsistentRead(isShared) }
    return try gate.curing { () throws(StorageError) in try beginConsistentRead(isShared) }
  }

  private func beginConsistentRead(_ isShared: Bool) throws(StorageError) -> StorageTransaction {
    let transaction: StorageTransaction
    do {
      transaction = try beginOneRead(isShared)
    } catch {
      guard error.isReadersFull, try freeDeadReaders() > 0 else { throw error }
      transaction = try beginOneRead(isShared)
    }
    try transaction.becomeConsistent()
    transaction.calls.give()
    return transaction
  }

  /// Begins the write transaction; waits while another thread or process holds it.
  ///
  /// It must end on the thread that began it.
  package func beginWrite() throws(StorageError) -> StorageTransaction {
    let (transaction, check) = try beginWriteHandle()
    return StorageTransaction(
      writing: transaction,
      opened.tables,
      room: (room, check),
      isChild: false,
      gate: gate,
      mirrored: mirrored
    )
  }

  /// Begins the write transaction like ``beginWrite()``, in the object of an ended transaction.
  ///
  /// - Parameter ended: A write transaction without a parent; no other reference to it is in use.
  /// - Throws: ``StorageError``; the transaction has not begun then.
  package func beginWrite(again ended: StorageTransaction) throws(StorageError) {
    let (transaction, check) = try beginWriteHandle()
    ended.restart(transaction, check)
  }

  /// Begins a write transaction without a parent.
  private func beginWriteHandle() throws(StorageError) -> (OpaquePointer, RoomCheck) {
    try opened.mirrored?.checkUsable()
    let transaction = try beginWriteLMDB()
    do throws(StorageError) {
      // No process replaces the file while it holds a store's locks; writes to the former file
      // would be lost.
      if options.isShared, let dataFile, try dataFile.isReplaced { throw .lostFile }
      try prepareFirstWrite()
      let check = try room.begin(transaction)
      // Dead readers of other processes would keep pages from the free list.
      if options.isShared { _ = try? freeDeadReaders() }
      return (transaction, check)
    } catch {
      abortWriteLMDB(transaction)
      throw error
    }
  }

  /// Checks the structure of the file, and waits until everything that it contained at opening is
  /// on disk.
  ///
  /// The caller holds the write lock.
  func prepareFirstWrite() throws(StorageError) {
    if isSynced.load(ordering: .relaxed) { return }
    try checkBeforeFirstWrite()
    try dataFile?.synchronizeName()
    try check(mdb_env_sync(try opened.writable, 1), calling: "mdb_env_sync")
    isSynced.store(true, ordering: .relaxed)
  }

  /// Makes the next write transaction wait for the disk again before it begins.
  func synchronizeAgain() { isSynced.store(false, ordering: .relaxed) }

  /// Begins a write transaction inside another one, which must not be used before the inner one
  /// ends.
  ///
  /// Its commit merges its changes into the outer one; its abort discards them.
  package func beginWrite(
    inside parent: StorageTransaction
  ) throws(StorageError) -> StorageTransaction {
    let transaction = try OpenEnvironment.begin(
      try opened.writable,
      flags: 0,
      parent: parent.handle
    )
    let check = room.roomCheck(of: transaction)
    return StorageTransaction(
      writing: transaction,
      opened.tables,
      room: (room, check),
      isChild: true,
      gate: nil
    )
  }

  /// The durable commits and the file that they are in; nil without a mirror.
  private var mirrored: (MirroredCommits, DataFile)? {
    guard let commits = opened.mirrored, let dataFile else { return nil }
    return (commits, dataFile)
  }

  /// Makes the commits of a file in memory durable; nil for other files.
  package var mirror: (any StorageMirror)? { opened.mirrored?.mirror }

  private func beginOneRead(_ isShared: Bool) throws(StorageError) -> StorageTransaction {
    guard let dataFile else { throw .lostFile }
    gate?.enter()
    do {
      return try opened.beginRead { handle in
        StorageTransaction(
          reading: handle,
          in: opened,
          isShared: isShared,
          pages: (dataFile, options.maximumTableCount + Self.ownTableCount),
          gate: gate
        )
      }
    } catch {
      gate?.leave()
      throw error
    }
  }

  /// Begins LMDB's write transaction; its end must leave the gate.
  func beginWriteLMDB() throws(StorageError) -> OpaquePointer {
    guard let gate else { return try OpenEnvironment.begin(try opened.writable, flags: 0) }
    return try gate.curing { () throws(StorageError) in
      gate.enter()
      do throws(StorageError) {
        return try OpenEnvironment.begin(try opened.writable, flags: 0)
      } catch {
        gate.leave()
        throw error
      }
    }
  }

  /// Ends a transaction of `beginWriteLMDB`.
  func abortWriteLMDB(_ transaction: OpaquePointer) {
    mdb_txn_abort(transaction)
    gate?.leave()
  }
}

extension StorageEnvironment {
  /// Figures of an environment.
  package struct Information: Sendable {
    /// The number of the last commit that readers see; 0 before the first.
    package var lastCommit: Int
    /// The size of the file in pages.
    package var pageCount: Int
    /// The size of a page in bytes.
    package var pageSizeInBytes: Int
    /// The number of reader slots that are or were in use.
    package var readerCount: Int
    /// The number of reader slots.
    package var maximumReaderCount: Int
  }

  /// Returns the figures of the environment; takes little time.
  package func information() throws(StorageError) -> Information {
    var information = try opened.use(Self.information)
    if let mirrored = opened.mirrored {
      information.lastCommit = mirrored.visible(information.lastCommit)
    }
    return information
  }

  static func information(_ handle: OpaquePointer) throws(StorageError) -> Information {
    var environment = MDB_envinfo()
    try check(mdb_env_info(handle, &environment), calling: "mdb_env_info")
    var statistics = MDB_stat()
    try check(mdb_env_stat(handle, &statistics), calling: "mdb_env_stat")
    return Information(
      lastCommit: environment.me_last_txnid,
      pageCount: environment.me_last_pgno + 1,
      pageSizeInBytes: Int(statistics.ms_psize),
      readerCount: Int(environment.me_numreaders),
      maximumReaderCount: Int(environment.me_maxreaders)
    )
  }

  /// Maps the file once more, to read it without LMDB's tables and cursors.
  ///
  /// A transaction of the environment that outlives the image must pin what is read.
  package func image() throws(StorageError) -> StorageImage {
    try opened.use { (handle) throws(StorageError) in
      defer { opened.mirrored?.mirror.didMap() }
      return try StorageImage(descriptor: try OpenEnvironment.file(of: handle).0)
    }
  }

  /// Frees the reader slots of dead processes, and returns their number.
  @discardableResult
  package func freeDeadReaders() throws(StorageError) -> Int {
    try opened.use { (handle) throws(StorageError) in
      var dead: Int32 = 0
      try check(mdb_reader_check(handle, &dead), calling: "mdb_reader_check")
      return Int(dead)
    }
  }
}
