internal import CObjectBoxLMDB
internal import Synchronization

/// An open LMDB environment: one memory-mapped file with its lock file.
///
/// A class, since it owns the mapping. The caller makes sure that the process does not open a file twice.
package final class StorageEnvironment: Sendable {
  /// The options of an environment.
  package struct Options: Sendable {
    /// The size of the map, and so the greatest size that the file can have.
    package var mapSizeInBytes: Int
    /// The size in bytes up to which puts let the file grow; nil for that of the map.
    package var limitInBytes: Int?
    /// False holds to the limit as with an unknown release of LMDB: by the size of the file when a transaction begins.
    package var looksIntoTransactions = true
    /// The greatest number of named tables.
    package var maximumTableCount: Int
    /// The greatest number of read transactions at one time.
    package var maximumReaderCount: Int = 126
    /// The permission bits of new files.
    package var fileMode: UInt32 = 0o644
    package var isReadOnly = false
    /// False leaves out the syncs of a commit; for data that need not outlive the process.
    package var isDurable = true
    /// True when other processes may use the file, so that each write frees readers that have died.
    package var isShared = false

    package init(mapSizeInBytes: Int, maximumTableCount: Int) {
      self.mapSizeInBytes = mapSizeInBytes
      self.maximumTableCount = maximumTableCount
    }
  }

  /// The number of tables that LMDB has before the named ones.
  private static let ownTableCount = 2

  /// The names of the two files of an environment.
  package static let fileNames = ["data.mdb", "lock.mdb"]

  /// The name and version of the library below, such as `LMDB 0.9.24`.
  package static var libraryVersion: String {
    var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
    _ = mdb_version(&major, &minor, &patch)
    return "LMDB \(major).\(minor).\(patch)"
  }

  /// LMDB's environment and its read transactions.
  let opened: OpenEnvironment
  /// The pages that write transactions may use.
  let room: WriteRoom
  /// The gate of all transactions; nil where the map is never replaced.
  private let gate: MapGate?
  /// The size of the map when the environment was opened.
  private let mappedBytes: Int
  private let isShared: Bool
  private let maximumTableCount: Int
  private let directory: String
  /// The options, with which a compaction opens the file again.
  let options: Options
  /// True once the file was checked, and everything that it held when it was opened is on the disk.
  ///
  /// A process before this one may have ended when the disk had refused to write its last head page, which the
  /// system kept all the same: a commit on top of it would overwrite pages of the version that the disk has.
  private let isSynced: Atomic<Bool>
  /// LMDB's lock file, once it was looked at: it stays open until the environment is closed.
  private let lockFile = Mutex<LockFile?>(nil)
  /// The file whose pages are read directly; nil while only LMDB reads.
  ///
  /// Set by `readPages` only, before another thread uses the environment.
  private(set) nonisolated(unsafe) var dataFile: DataFile?

  /// Opens the environment in an existing folder, and creates its files when they are missing.
  ///
  /// Leaves nothing open when it throws.
  package init(directory: String, options: Options) throws(StorageError) {
    var options = options
    options.mapSizeInBytes = Self.modestMapSize(options)
    let handle = try Self.withFittingMap(&options) { (options) throws(StorageError) in
      try Self.openLMDB(directory, options)
    }
    opened = OpenEnvironment(handle, tableCapacity: options.maximumTableCount + Self.ownTableCount)
    mappedBytes = options.mapSizeInBytes
    Self.mappedBytes.add(mappedBytes, ordering: .relaxed)
    room = WriteRoom(
      limit: Self.pageCount(options.limitInBytes, in: handle),
      looksIntoTransactions: options.looksIntoTransactions
    )
    // Others may make the file larger than a small map.
    let isSmall = options.mapSizeInBytes < Self.usualMapSizeInBytes
    gate = isSmall && (options.isShared || options.isReadOnly) ? MapGate() : nil
    isShared = options.isShared
    self.directory = directory
    self.options = options
    isSynced = Atomic(!options.isDurable)
    maximumTableCount = options.maximumTableCount
    // Readers that died with their process would keep their pages from the free list for ever.
    if !options.isReadOnly { _ = try? freeDeadReaders() }
    gate?.environment = self
  }

  /// Opens LMDB's environment of a directory.
  static func openLMDB(
    _ directory: String,
    _ options: Options
  ) throws(StorageError) -> OpaquePointer {
    var created: OpaquePointer?
    try check(mdb_env_create(&created), calling: "mdb_env_create")
    guard let environment = created else {
      throw StorageError(code: objectbox_out_of_memory, call: "mdb_env_create")
    }
    // A reader slot belongs to its transaction, not to its thread, so that threads can hand on transactions.
    var flags = UInt32(MDB_NOTLS)
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

  /// Lets read transactions that begin from now on read pages directly, where the form of the file is known.
  ///
  /// The caller is the only one that uses the environment.
  ///
  /// - Parameters:
  ///   - name: The name of a table that is there.
  ///   - image: An image with room of what may be the same file, whose map is used; each map of its own would take the
  ///     system's time for each page once more.
  /// - Throws: ``StorageError`` with the system's number.
  package func readPages(
    knownTable name: String,
    image: StorageImage? = nil
  ) throws(StorageError) {
    let transaction = try beginRead()
    defer { transaction.abort() }
    // LMDB orders the names of tables only once a table was opened.
    guard try transaction.openTable(name, .plain, create: false) != nil else { return }
    dataFile = try opened.use { (handle) throws(StorageError) in
      try DataFile(handle, path: directory + "/" + Self.fileNames[0], image: image)
    }
  }

  /// True when read transactions read pages directly.
  package var hasPages: Bool { dataFile != nil }

  /// Closes the file.
  ///
  /// The caller makes sure that no transaction is open and that no other call follows.
  package func close() {
    opened.close()
    lockFile.withLock { $0 = nil }
    Self.mappedBytes.subtract(mappedBytes, ordering: .relaxed)
    dataFile = nil
  }

  /// Another process that has the environment open, with this library or without; nil when there is none.
  ///
  /// The next process may open it at once, unless it takes a lock that the caller has.
  package var otherHolder: LockFile.Holder? {
    lockFile.withLock { file in
      if file == nil, let dataFile {
        file = LockFile(directory: Self.folder(of: dataFile.path))
      }
      return file?.otherHolder
    }
  }

  /// Begins a read transaction that sees the newest commit.
  ///
  /// When every reader slot is taken, it frees those of processes that have died, and tries again.
  ///
  /// - Parameter isShared: Whether several threads may read in it at a time, at the cost of a lock per call.
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

  /// Begins the write transaction; waits while another thread or process has it.
  ///
  /// It must end on the thread that began it.
  package func beginWrite() throws(StorageError) -> StorageTransaction {
    let (transaction, check) = try beginWriteHandle()
    return StorageTransaction(
      writing: transaction,
      opened.tables,
      room: (room, check),
      isChild: false,
      gate: gate
    )
  }

  /// Begins the write transaction, as ``beginWrite()`` does, in the memory of one that has ended.
  ///
  /// - Parameter ended: A write transaction without a parent; no other reference to it is in use.
  /// - Throws: ``StorageError``; the transaction has not begun then.
  package func beginWrite(again ended: StorageTransaction) throws(StorageError) {
    let (transaction, check) = try beginWriteHandle()
    ended.restart(transaction, check)
  }

  /// Begins a write transaction without a parent.
  private func beginWriteHandle() throws(StorageError) -> (OpaquePointer, RoomCheck) {
    let transaction = try beginWriteLMDB()
    do throws(StorageError) {
      // No process does that while it takes the locks of a store; writes to the former file would be lost.
      if isShared, let dataFile, try dataFile.isReplaced { throw .lostFile }
      try prepareFirstWrite()
      let check = try room.begin(transaction)
      freeDeadReadersOfOthers()
      return (transaction, check)
    } catch {
      abortWriteLMDB(transaction)
      throw error
    }
  }

  /// Checks the structure of the file, and waits until all that it held when it was opened is on the disk; the
  /// caller has the write lock.
  @inline(__always)
  func prepareFirstWrite() throws(StorageError) {
    if isSynced.load(ordering: .relaxed) { return }
    try checkBeforeFirstWrite()
    try dataFile?.synchronizeName()
    try check(mdb_env_sync(try opened.writable, 1), calling: "mdb_env_sync")
    isSynced.store(true, ordering: .relaxed)
  }

  /// Makes the next write transaction wait for the disk again before it begins.
  func synchronizeAgain() { isSynced.store(false, ordering: .relaxed) }

  /// Frees the slots of readers of other processes that have died, which would keep pages from the free list.
  private func freeDeadReadersOfOthers() {
    if isShared { _ = try? freeDeadReaders() }
  }

  /// Begins a write transaction inside another one, which must not be used before this one ends.
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

  private func beginOneRead(_ isShared: Bool) throws(StorageError) -> StorageTransaction {
    gate?.enter()
    do {
      return try opened.beginRead { handle in
        StorageTransaction(
          reading: handle,
          in: opened,
          isShared: isShared,
          pages: dataFile.map { ($0, maximumTableCount + Self.ownTableCount) },
          gate: gate
        )
      }
    } catch {
      gate?.leave()
      throw error
    }
  }

  /// Begins LMDB's write transaction, which leaves the gate when it ends.
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
    /// The number of the last commit; 0 before the first one.
    package var lastCommit: Int
    /// The size of the file in pages.
    package var pageCount: Int
    /// The size of a page in bytes.
    package var pageSizeInBytes: Int
    /// The reader slots that are or were in use.
    package var readerCount: Int
    /// How many reader slots there are.
    package var maximumReaderCount: Int
  }

  /// Returns the figures of the environment; cheap.
  package func information() throws(StorageError) -> Information {
    try opened.use(Self.information)
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

  /// Maps the file once more, to be read without LMDB's tables and cursors.
  ///
  /// A transaction of the environment that outlives the image must pin what is read.
  package func image() throws(StorageError) -> StorageImage {
    try opened.use { (handle) throws(StorageError) in
      var descriptor: mdb_filehandle_t = -1
      try check(mdb_env_get_fd(handle, &descriptor), calling: "mdb_env_get_fd")
      return try StorageImage(descriptor: descriptor)
    }
  }

  /// Frees the reader slots of processes that have died, and returns how many there were.
  @discardableResult
  package func freeDeadReaders() throws(StorageError) -> Int {
    try opened.use { (handle) throws(StorageError) in
      var dead: Int32 = 0
      try check(mdb_reader_check(handle, &dead), calling: "mdb_reader_check")
      return Int(dead)
    }
  }
}
