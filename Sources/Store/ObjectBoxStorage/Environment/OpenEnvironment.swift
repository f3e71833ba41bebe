internal import CObjectBoxLMDB
internal import Foundation

/// LMDB's environment of a file, and its open read transactions.
///
/// A compaction closes the environment and opens it again over the new file. LMDB allows no call on
/// a closed environment, so the exchange reaches every possible caller first:
///
/// * *Read transactions* are listed here from their begin to their end, in use or reset. They call
///   LMDB only to renew, reset or end; between these calls they read pages from a separate map
///   (``StoragePageMap``). The exchange takes the calls of each (``ReadCalls``) and ends its LMDB
///   transaction, but not its pages: no process writes to the former file any more, and the map keeps it. The
///   next `renew` begins in the new environment.
/// * *The write transaction* belongs to the exchange's caller, who holds the process's write lock
///   and has ended it. LMDB's cursors end with it.
/// * *Calls on the environment itself* run in ``use(_:)``, under the lock that the exchange holds.
/// * *Table handles* are our own numbers; the new environment finds LMDB's handles for them
///   (``TableHandles``).
///
/// Invariant of `@unchecked Sendable`: `readers` is accessed and `current` is set under the lock
/// only. The holder of the write lock, who alone may exchange, reads `current` without it.
final class OpenEnvironment: @unchecked Sendable {
  private let lock = NSLock()
  /// Nil after closing, and after an exchange that could not open the new file.
  private var current: OpaquePointer?
  private var readers: [Unmanaged<StorageTransaction>] = []
  let tables: TableHandles
  /// The durable commits of a file in memory; nil for a file that LMDB itself syncs.
  let mirrored: MirroredCommits?

  init(_ environment: OpaquePointer, tableCapacity: Int, mirror: (any StorageMirror)? = nil) {
    current = environment
    mirrored = mirror.map(MirroredCommits.init)
    tables = TableHandles(capacity: tableCapacity)
  }

  /// LMDB's environment, for the holder of the write lock.
  ///
  /// - Throws: ``StorageError`` with `isLostFile` when the environment is not open.
  var writable: OpaquePointer {
    get throws(StorageError) {
      guard let current else { throw .lostFile }
      return current
    }
  }

  /// Passes the environment to a body; it is not exchanged meanwhile.
  ///
  /// - Parameter body: Makes calls that do not wait; begins and ends no read transaction.
  /// - Returns: The result of the body.
  /// - Throws: The error of the body, and ``StorageError`` with `isLostFile` when the environment
  ///   is not open.
  func use<T>(
    _ body: (OpaquePointer) throws(StorageError) -> T
  ) throws(StorageError) -> T {
    try lock.locked { () throws(StorageError) in try body(try writable) }
  }

  /// Closes the environment; no transaction is open.
  func close() {
    lock.lock()
    defer { lock.unlock() }
    if let current { mdb_env_close(current) }
    current = nil
  }

  /// Begins a transaction of LMDB without a parent.
  static func begin(
    _ environment: OpaquePointer,
    flags: UInt32,
    parent: OpaquePointer? = nil
  ) throws(StorageError) -> OpaquePointer {
    try made(by: "mdb_txn_begin") { mdb_txn_begin(environment, parent, flags, &$0) }
  }

  /// Returns the descriptor and the page size of an environment.
  static func file(
    of environment: OpaquePointer
  ) throws(StorageError) -> (Int32, UInt32) {
    var statistics = MDB_stat()
    try check(mdb_env_stat(environment, &statistics), calling: "mdb_env_stat")
    var descriptor: mdb_filehandle_t = -1
    try check(mdb_env_get_fd(environment, &descriptor), calling: "mdb_env_get_fd")
    return (descriptor, statistics.ms_psize)
  }

  // MARK: Readers

  /// Begins a read transaction and lists it.
  ///
  /// - Parameter make: Makes the transaction from LMDB's.
  /// - Returns: The transaction, whose calls are taken.
  /// - Throws: ``StorageError`` when no reader slot is free.
  func beginRead(
    _ make: (OpaquePointer) -> StorageTransaction
  ) throws(StorageError) -> StorageTransaction {
    try use { (environment) throws(StorageError) in
      let transaction = make(try Self.begin(environment, flags: UInt32(MDB_RDONLY)))
      transaction.placeInList = readers.count
      readers.append(.passUnretained(transaction))
      return transaction
    }
  }

  /// Begins an LMDB transaction for a reader that an exchange has left without one, and takes its
  /// calls.
  ///
  /// - Parameter take: Gets LMDB's transaction; no exchange can begin meanwhile.
  /// - Throws: ``StorageError`` when no reader slot is free, or the environment is not open.
  func beginAgain(_ take: (OpaquePointer) -> Void) throws(StorageError) {
    try use { (environment) throws(StorageError) in
      take(try Self.begin(environment, flags: UInt32(MDB_RDONLY)))
    }
  }

  /// Ends a listed reader.
  ///
  /// - Parameters:
  ///   - reader: The reader, whose calls are not taken.
  ///   - end: Ends LMDB's transaction.
  /// - Throws: The error of `end`.
  func end<Failure>(
    _ reader: StorageTransaction,
    _ end: () throws(Failure) -> Void
  ) throws(Failure) {
    try lock.locked { () throws(Failure) in
      readers.swapAt(reader.placeInList, readers.count - 1)
      readers[reader.placeInList]._withUnsafeGuaranteedRef {
        $0.placeInList = reader.placeInList
      }
      readers.removeLast()
      try end()
    }
  }

  /// Waits for an exchange that has taken calls of readers.
  func waitForExchange() {
    lock.lock()
    lock.unlock()
  }

  // MARK: Exchange

  /// Closes the environment and opens another one in its place, with the same tables.
  ///
  /// The caller holds the process's write lock and has no transaction open. No other process
  /// commits to the new file before this returns.
  ///
  /// - Parameter open: Opens the new environment after the current one was closed, and also updates
  ///   the caller's own knowledge of the file.
  /// - Throws: ``StorageError``; then the environment is not open, and every later call throws
  ///   `isLostFile`.
  func exchange(
    _ open: () throws(StorageError) -> OpaquePointer
  ) throws(StorageError) {
    try lock.locked { () throws(StorageError) in
      for reader in readers { reader._withUnsafeGuaranteedRef { $0.leaveLMDB() } }
      // Waiting readers continue when everything is done; after a failure they find no environment.
      defer { for reader in readers { reader._withUnsafeGuaranteedRef { $0.goOn() } } }
      if let current { mdb_env_close(current) }
      current = nil
      let opened = try open()
      do throws(StorageError) {
        try tables.reopen(in: opened)
      } catch {
        mdb_env_close(opened)
        throw error
      }
      current = opened
    }
  }
}

extension StorageError {
  /// The error of a file that is no longer open because another file has replaced it.
  package static var lostFile: StorageError {
    StorageError(code: ESTALE, call: "using a file that was replaced")
  }

  /// True when another file has taken the name; to use it, the process must reopen the store.
  package var isLostFile: Bool { code == ESTALE }
}

extension NSLock {
  /// Runs a body while the lock is held, like `withLock`, and throws errors of the body's type.
  func locked<T, Failure>(_ body: () throws(Failure) -> T) throws(Failure) -> T {
    lock()
    defer { unlock() }
    return try body()
  }
}
