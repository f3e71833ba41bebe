internal import CObjectBoxLMDB
internal import CObjectBoxPages
internal import Foundation

/// A transaction of the environment; it ends with `commit` or `abort`, or when it is released.
///
/// There are three kinds:
///
/// * A *read transaction* comes from ``StorageEnvironment/beginRead(isShared:)``, on any thread.
///   LMDB gives it a reader slot, which pins the newest version. The slot belongs to the
///   transaction, so threads may pass the transaction on. Lookups and cursors read the version's
///   pages from a map, without LMDB (``VersionTables``). `reset` releases the version and keeps the
///   slot; `renew` moves to the newest version.
/// * A *write transaction* comes from ``StorageEnvironment/beginWrite()``, which waits for LMDB's
///   write lock, and must end on the thread that began it. All its calls go to LMDB. After each put
///   of a record, `checkRoom` enforces the store's limit. A child, begun inside it, merges its
///   changes into its parent or discards them.
/// * A transaction of an *image* (``StorageImage/beginRead(_:)``) reads the pages of a file without
///   LMDB.
///
/// A compaction may exchange the environment while read transactions are open. It takes the `calls`
/// of each read transaction, so no thread is inside LMDB, and ends its LMDB transaction
/// (`leaveLMDB`). The transaction continues with the pages of the former file; its next `renew`
/// begins in the new environment.
///
/// Invariant: byte buffers that functions return point into the map. They are valid until the
/// next write in the same transaction, and at most until it ends. A read transaction calls LMDB to
/// renew, reset or end only while its `calls` are taken. After `commit` and `abort`, only `deinit`
/// and ``StorageEnvironment/beginWrite(again:)`` may follow. One thread at a time uses a
/// transaction, so it is not `Sendable`. The exception is a shared read transaction, in which
/// several threads may look up and open cursors at once, under `lock` where they call LMDB.
package final class StorageTransaction {
  /// LMDB's transaction; nil when a file is read without LMDB, and after an exchange of the
  /// environment.
  ///
  /// In a read transaction, accessed while its calls are taken.
  @exclusivity(unchecked) var lmdb: OpaquePointer?
  /// Held while a table is opened or looked up in a shared read transaction; nil in all others.
  let lock: NSLock?
  /// The tables of a read transaction; nil in write transactions, which read through LMDB.
  let tables: VersionTables?
  /// The same tables, unretained: avoids contended reference counts.
  private let tablesReference: Unmanaged<VersionTables>?
  private var isEnded = false
  /// The data file of a read transaction; nil in a write transaction, and for an image.
  let file: DataFile?
  /// The pages that a write transaction may use; nil in a read transaction.
  let room: WriteRoom?
  /// The check after each put; nil in a read transaction.
  @exclusivity(unchecked) private(set) var roomCheck: RoomCheck?
  /// The room when this child began; nil without a parent.
  private let outerRoom: WriteRoom.State?
  /// The gate that the transaction passed; nil if the environment's map is never replaced, and in a
  /// child.
  let gate: MapGate?
  /// True between entering and leaving the gate.
  private var isInGate: Bool
  /// The environment that lists a read transaction; nil in a write transaction, and for an image.
  let environment: OpenEnvironment?
  /// The right to call LMDB with a read transaction.
  let calls: ReadCalls
  /// True between `reset` and `renew`.
  ///
  /// Accessed while the calls are taken.
  @exclusivity(unchecked) var isReset = false
  /// The index of a read transaction in its environment's list; only the environment uses it.
  var placeInList = 0
  /// The durable commits and the file of a write transaction without a parent, if the file has a
  /// mirror.
  private let mirrored: (commits: MirroredCommits, file: DataFile)?
  /// LMDB's handles of the tables, in a transaction of LMDB.
  private let handles: TableHandles?
  private static let imageTableCapacity = 1 << 16

  /// Makes a read transaction, whose calls are taken.
  ///
  /// - Parameters:
  ///   - handle: LMDB's transaction.
  ///   - environment: The environment, which lists the transaction.
  ///   - isShared: Whether several threads may read in it at a time.
  ///   - pages: The file that pages are read from, and its greatest number of tables.
  ///   - gate: The gate that the transaction has passed.
  init(
    reading handle: OpaquePointer,
    in environment: OpenEnvironment,
    isShared: Bool,
    pages: (file: DataFile, tableCount: Int),
    gate: MapGate?
  ) {
    self.environment = environment
    calls = ReadCalls(isTaken: true)
    mirrored = nil
    handles = environment.tables
    lmdb = handle
    lock = isShared ? NSLock() : nil
    room = nil
    outerRoom = nil
    self.gate = gate
    isInGate = gate != nil
    file = pages.file
    tables = VersionTables(capacity: pages.tableCount)
    tablesReference = tables.map(Unmanaged.passUnretained)
  }

  /// Makes a write transaction.
  ///
  /// - Parameters:
  ///   - handle: LMDB's transaction.
  ///   - handles: LMDB's handles of the tables.
  ///   - room: The pages that the transaction may use, and the check of its puts.
  ///   - isChild: Whether it has a parent.
  ///   - gate: The gate that the transaction has passed; nil for a child.
  ///   - mirrored: The durable commits and the file; nil for a child, and without a mirror.
  init(
    writing handle: OpaquePointer,
    _ handles: TableHandles,
    room: (WriteRoom, RoomCheck),
    isChild: Bool,
    gate: MapGate?,
    mirrored: (MirroredCommits, DataFile)? = nil
  ) {
    environment = nil
    self.mirrored = mirrored
    calls = ReadCalls(isTaken: false)
    self.handles = handles
    lmdb = handle
    lock = nil
    self.room = room.0
    roomCheck = room.1
    outerRoom = isChild ? room.0.state : nil
    self.gate = gate
    isInGate = gate != nil
    file = nil
    tables = nil
    tablesReference = nil
  }

  /// Begins to read a version of a file without LMDB.
  init(image version: PageVersion) {
    lmdb = nil
    lock = nil
    file = nil
    room = nil
    outerRoom = nil
    gate = nil
    isInGate = false
    environment = nil
    calls = ReadCalls(isTaken: false)
    mirrored = nil
    handles = nil
    tables = VersionTables(
      version,
      // Each takes some bytes; a store has a table for each entity, index and relation.
      capacity: min(version.tableCount, Self.imageTableCapacity) * 2 + 2
    )
    tablesReference = tables.map(Unmanaged.passUnretained)
  }

  deinit {
    if !isEnded { abortLMDB() }
    leaveGate()
  }

  /// LMDB's transaction, for writing and for beginning again, which a file without LMDB never does.
  @inline(__always)
  var handle: OpaquePointer {
    guard let lmdb else { preconditionFailure("a file without LMDB is only read") }
    return lmdb
  }

  /// The version that is read from pages.
  var pageVersion: PageVersion {
    get throws(StorageError) {
      guard let version = tables?.pages else { throw .unknownForm }
      return version
    }
  }

  /// Begins again over another LMDB transaction, after the end.
  func restart(_ handle: OpaquePointer, _ check: RoomCheck) {
    assert(isEnded, "a transaction is restarted after its end")
    lmdb = handle
    isEnded = false
    roomCheck = check
    isInGate = gate != nil
  }

  /// Passes the gate again, before a read transaction is renewed.
  func enterGate(_ gate: MapGate) {
    gate.enter()
    isInGate = true
  }

  @inline(__always)
  func leaveGate() {
    if isInGate { leaveOpenGate() }
  }

  @inline(never)
  private func leaveOpenGate() {
    isInGate = false
    gate?.leave()
  }

  /// Makes all changes durable; when it throws, all are undone.
  package func commit() throws(StorageError) {
    assert(!isEnded, "a transaction ends once")
    if let roomCheck, roomCheck.isExceeded {
      do { try roomCheck.exceed(isEnding: true) } catch {
        abort()
        throw error
      }
    }
    isEnded = true
    defer { leaveGate() }
    if let environment {
      return try environment.end(self) { () throws(StorageError) in
        // A commit keeps the table handles that the transaction has opened.
        if let lmdb { try check(mdb_txn_commit(lmdb), calling: "mdb_txn_commit") }
      }
    }
    guard let lmdb else { return }
    guard let mirrored else { return try commitLMDB(lmdb) }
    try mirrored.commits.commit(
      lmdb,
      pageCount: Int(roomCheck?.pages.pointee ?? 0),
      in: mirrored.file
    ) { () throws(StorageError) in try commitLMDB(lmdb) }
  }

  private func commitLMDB(_ lmdb: OpaquePointer) throws(StorageError) {
    let environment = mdb_txn_env(lmdb)
    let code = mdb_txn_commit(lmdb)
    if code != MDB_SUCCESS { throw commitError(code, environment) }
  }

  /// Returns the error of a commit; LMDB uses one code whether pages or the head page could not be
  /// written.
  @inline(never)
  private func commitError(_ code: Int32, _ environment: OpaquePointer?) -> StorageError {
    var probe: OpaquePointer?
    let result = mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &probe)
    if result == MDB_SUCCESS { mdb_txn_abort(probe) }
    guard result == MDB_PANIC else { return StorageError(code: code, call: "mdb_txn_commit") }
    return StorageError(
      code: MDB_PANIC,
      call: "mdb_txn_commit (\(code): \(String(cString: mdb_strerror(code))))"
    )
  }

  /// Undoes all changes.
  package func abort() {
    assert(!isEnded, "a transaction ends once")
    isEnded = true
    abortLMDB()
    if let outerRoom { room?.state = outerRoom }
    leaveGate()
  }

  private func abortLMDB() {
    guard let environment else {
      if let lmdb { mdb_txn_abort(lmdb) }
      return
    }
    environment.end(self) {
      if let lmdb { mdb_txn_abort(lmdb) }
    }
  }

  /// Undoes all changes, unless a failed `commit` has already done so.
  package func abortUnlessEnded() {
    if !isEnded { abort() }
  }

  /// Returns the pages of a table; nil in a write transaction.
  @inline(__always)
  func pages(
    _ table: StorageTable
  ) throws(StorageError) -> UnsafeMutablePointer<obx_pages_table>? {
    guard let tablesReference else { return nil }
    let known = tablesReference._withUnsafeGuaranteedRef { $0.known(table) }
    return if let known { known } else { try find(table) }
  }

  @inline(never)
  private func find(
    _ table: StorageTable
  ) throws(StorageError) -> UnsafeMutablePointer<obx_pages_table>? {
    guard let tables else { return nil }
    return try tables.find(table, lock)
  }

  /// Renews the read transaction until its table roots belong to its transaction ID.
  ///
  /// LMDB first takes the ID of the newest published commit, and later copies the table roots from
  /// that commit's head page. The second commit after it writes its own roots to the same page. A
  /// reader that is delayed in between would show those roots under the older ID, even before they
  /// are published, and the next transaction would go back to an older version.
  @inline(__always)
  func renewUntilConsistent() throws(StorageError) {
    guard let tablesReference else { return }
    let version = tablesReference._withUnsafeGuaranteedRef { $0.version }
    // The pages of a version do not change, even in a file that was replaced.
    if version != mdb_txn_id(handle) { try moveToNewest() }
  }

  /// The version that a read transaction sees, or that a write transaction creates.
  package var snapshotID: Int { tables?.version ?? lmdb.map(mdb_txn_id) ?? 0 }

  // MARK: Tables

  /// LMDB's handle of a table, in a transaction of LMDB.
  @inline(__always)
  func handle(_ table: StorageTable) -> MDB_dbi {
    guard let handles else { preconditionFailure("a file without LMDB is only read") }
    return handles.handles[Int(table.handle)]
  }

  /// Notes that a table was removed.
  func forget(_ table: StorageTable) { handles?.forget(table) }

  /// Opens a table; nil when it is missing and `create` is false.
  ///
  /// Other transactions may use the handle after this one has committed.
  package func openTable(
    _ name: String,
    _ kind: StorageTable.Kind,
    create: Bool
  ) throws(StorageError) -> StorageTable? {
    guard let handles, let lmdb else {
      return try tables?.open(name).map { StorageTable(handle: $0, name: TableName(name)) }
    }
    lock?.lock()
    defer { lock?.unlock() }
    var handle: MDB_dbi = 0
    let flags = StorageTable.flags(of: kind) | (create ? UInt32(MDB_CREATE) : 0)
    let code = mdb_dbi_open(lmdb, name, flags, &handle)
    if code == MDB_NOTFOUND && !create { return nil }
    try check(code, calling: "mdb_dbi_open")
    let number = try handles.number(of: name, handle: handle)
    return StorageTable(handle: number, name: TableName(name))
  }

  /// Returns the number of entries; an index counts each pair of key and ID.
  package func count(_ table: StorageTable) throws(StorageError) -> Int {
    if let pages = try pages(table) { return Int(pages.pointee.entries) }
    var statistics = MDB_stat()
    try check(mdb_stat(handle, handle(table), &statistics), calling: "mdb_stat")
    return statistics.ms_entries
  }

  /// Returns the total size of a table's pages in bytes, in a write transaction.
  package func sizeInBytes(_ table: StorageTable) throws(StorageError) -> Int {
    var statistics = MDB_stat()
    try check(mdb_stat(handle, handle(table), &statistics), calling: "mdb_stat")
    let pages =
      statistics.ms_branch_pages + statistics.ms_leaf_pages + statistics.ms_overflow_pages
    return pages * Int(statistics.ms_psize)
  }

  // MARK: Objects

  /// Returns the record of an object; nil when it does not exist.
  package func get(_ table: StorageTable, id: UInt64) throws(StorageError)
    -> UnsafeRawBufferPointer?
  {
    if let pages = try pages(table) {
      return try pageValue { obx_pages_get_id(pages, id, &$0, &$1, &$2) }
    }
    var value = MDB_val()
    let code = id.withLMDBValue { mdb_get(handle, handle(table), &$0, &value) }
    return try isFound(code, calling: "mdb_get") ? value.bytes : nil
  }

  /// Writes the record of an object; replaces a stored one.
  package func put(
    _ table: StorageTable,
    id: UInt64,
    record: UnsafeRawBufferPointer
  ) throws(StorageError) {
    var value = MDB_val(record)
    let code = id.withLMDBValue { mdb_put(handle, handle(table), &$0, &value, 0) }
    try check(code, calling: "mdb_put")
    try checkRoom()
  }

  /// Removes the record of an object; false when it does not exist.
  package func delete(_ table: StorageTable, id: UInt64) throws(StorageError) -> Bool {
    let code = id.withLMDBValue { mdb_del(handle, handle(table), &$0, nil) }
    return try isFound(code, calling: "mdb_del")
  }

  // MARK: Index entries

  /// Adds an ID to a key's set; does nothing if it exists.
  ///
  /// - Parameters:
  ///   - table: The table of an index.
  ///   - key: The key.
  ///   - id: The ID.
  ///   - isLast: True for an ID that is probably above all others of the key, which saves a search.
  /// - Throws: ``StorageError`` when the table cannot be written.
  package func insert(
    _ table: StorageTable,
    key: UnsafeRawBufferPointer,
    id: UInt64,
    isLast: Bool = false
  ) throws(StorageError) {
    var keyValue = MDB_val(key)
    let flag = UInt32(isLast ? MDB_APPENDDUP : MDB_NODUPDATA)
    let code = id.withLMDBValue { mdb_put(handle, handle(table), &keyValue, &$0, flag) }
    if code == MDB_KEYEXIST {
      // It exists, or is not the last one.
      if isLast { try insert(table, key: key, id: id) }
      return
    }
    try check(code, calling: "mdb_put")
  }

  /// Adds the first ID of a key; if the key has IDs, adds nothing and returns the least.
  package func insertFirst(
    _ table: StorageTable,
    key: UnsafeRawBufferPointer,
    id: UInt64
  ) throws(StorageError) -> UInt64? {
    var key = MDB_val(key)
    var holder: UInt64?
    let code = id.withLMDBValue { value in
      let code = mdb_put(handle, handle(table), &key, &value, UInt32(MDB_NOOVERWRITE))
      if code == MDB_KEYEXIST { holder = value.mv_data.loadUnaligned(as: UInt64.self) }
      return code
    }
    if code != MDB_KEYEXIST { try check(code, calling: "mdb_put") }
    return holder
  }

  /// Returns the least ID of exactly the given key; nil when the key does not exist.
  package func firstID(
    _ table: StorageTable,
    key: UnsafeRawBufferPointer
  ) throws(StorageError) -> UInt64? {
    guard let value = try value(table, key: key) else { return nil }
    guard value.count == 8 else { throw .unknownForm }
    return value.loadUnaligned(as: UInt64.self)
  }

  /// Removes an ID from a key's set; false when it does not exist.
  package func delete(
    _ table: StorageTable,
    key: UnsafeRawBufferPointer,
    id: UInt64
  ) throws(StorageError) -> Bool {
    var key = MDB_val(key)
    let code = id.withLMDBValue { mdb_del(handle, handle(table), &key, &$0) }
    return try isFound(code, calling: "mdb_del")
  }
}
