internal import CObjectBoxLMDB
internal import CObjectBoxPages
internal import Foundation
internal import Synchronization

/// A transaction of the environment; it ends with `commit`, `abort`, or with its life.
///
/// Byte buffers that its functions return point into the memory map. They are valid until the next
/// write in the same transaction, and at most until the transaction ends. Nothing but `deinit` and
/// ``StorageEnvironment/beginWrite(again:)`` may follow `commit` and `abort`.
///
/// A class, since it owns LMDB's transaction. It is not `Sendable`: one thread at a time uses it, except for
/// a shared read transaction, in which several threads may look up and open cursors at a time.
package final class StorageTransaction {
  /// LMDB's transaction; nil when a file is read without LMDB.
  ///
  /// In a read transaction, read and set while its calls are taken.
  @exclusivity(unchecked) var lmdb: OpaquePointer?
  /// Held during each call of LMDB, and no longer, in a shared read transaction; nil in all others.
  let lock: NSLock?
  /// The tables whose pages are read directly; nil in write transactions, whose pages are LMDB's to find.
  let tables: VersionTables?
  /// The same tables, which live as long: threads that read one version would wait for one another to count
  /// references.
  private let tablesReference: Unmanaged<VersionTables>?
  private var isEnded = false
  /// The data file that pages are read from; nil where LMDB reads them, and for an image.
  let file: DataFile?
  /// The pages that a write transaction may use; nil in one that reads.
  let room: WriteRoom?
  /// The check after each put; nil in a read transaction.
  @exclusivity(unchecked) private(set) var roomCheck: RoomCheck?
  /// The room when this child of another transaction began; nil in one without a parent.
  private let outerRoom: WriteRoom.State?
  /// The gate that the transaction passed; nil in an environment whose map needs no replacement, and in a child.
  let gate: MapGate?
  /// True between entering and leaving the gate.
  private var isInGate: Bool
  /// The environment that lists a read transaction; nil in a write transaction, and for an image.
  let environment: OpenEnvironment?
  /// The right to call LMDB with a read transaction.
  let calls: ReadCalls
  /// True from `reset` to `renew`.
  ///
  /// Read and set while the calls are taken.
  @exclusivity(unchecked) var isReset = false
  /// The place of a read transaction in the list of its environment, which alone uses it.
  var placeInList = 0
  /// LMDB's handles of the tables, in a transaction of LMDB.
  private let handles: TableHandles?
  private static let imageTableCapacity = 1 << 16

  /// Makes a read transaction, whose calls are taken.
  ///
  /// - Parameters:
  ///   - handle: LMDB's transaction.
  ///   - environment: The environment, which lists the transaction.
  ///   - isShared: Whether several threads may read in it at a time.
  ///   - pages: The file that pages are read from, and the greatest number of its tables; nil where LMDB reads them.
  ///   - gate: The gate that the transaction has passed.
  init(
    reading handle: OpaquePointer,
    in environment: OpenEnvironment,
    isShared: Bool,
    pages: (file: DataFile, tableCount: Int)?,
    gate: MapGate?
  ) {
    self.environment = environment
    calls = ReadCalls(isTaken: true)
    handles = environment.tables
    lmdb = handle
    lock = isShared ? NSLock() : nil
    room = nil
    outerRoom = nil
    self.gate = gate
    isInGate = gate != nil
    file = pages?.file
    tables = pages.map { VersionTables(capacity: $0.tableCount) }
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
  init(
    writing handle: OpaquePointer,
    _ handles: TableHandles,
    room: (WriteRoom, RoomCheck),
    isChild: Bool,
    gate: MapGate?
  ) {
    environment = nil
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

  /// LMDB's transaction, for writing and for beginning again, which no file that is read without LMDB does.
  @inline(__always)
  var handle: OpaquePointer {
    guard let lmdb else { preconditionFailure("a file without LMDB is only read") }
    return lmdb
  }

  /// LMDB's transaction, for reading where pages are not read directly.
  ///
  /// Not beside pages: an exchange of the environment may have ended LMDB's transaction.
  @inline(__always)
  private var reader: OpaquePointer {
    get throws(StorageError) {
      guard tablesReference == nil, let lmdb else { throw .unknownForm }
      return lmdb
    }
  }

  /// The version that is read from pages.
  var pageVersion: PageVersion {
    get throws(StorageError) {
      guard let version = tables?.pages else { throw .unknownForm }
      return version
    }
  }

  /// Begins anew over another transaction of LMDB, after its end.
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

  /// Makes all changes lasting; when it throws, all are undone.
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
        // Keeps the handles of tables that it has opened.
        if let lmdb { try check(mdb_txn_commit(lmdb), calling: "mdb_txn_commit") }
      }
    }
    guard let lmdb else { return }
    let environment = mdb_txn_env(lmdb)
    let code = mdb_txn_commit(lmdb)
    if code != MDB_SUCCESS { throw commitError(code, environment) }
  }

  /// Returns the error of a commit, which LMDB calls the same whether its pages or its head page were not written.
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

  /// Undoes all changes, unless a `commit` that threw has done so.
  package func abortUnlessEnded() {
    if !isEnded { abort() }
  }

  /// Returns the pages of a table; nil when LMDB reads it.
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
  /// LMDB takes the ID of the newest published commit first, and the table roots are copied from that commit's head
  /// page afterwards. The commit after the next one writes its own roots to the same page. A reader that is held
  /// up in between would show those under the older ID, even before they are published, and the transaction that
  /// follows would go back behind them.
  @inline(__always)
  func renewUntilConsistent() throws(StorageError) {
    guard let tablesReference else { return try renewUntilConsistentWithoutPages() }
    let version = tablesReference._withUnsafeGuaranteedRef { $0.version }
    // The pages of a version stay as they are, also in a file that was replaced.
    if version != mdb_txn_id(handle) { try moveToNewest() }
  }

  /// The number of the commit that the transaction sees, or for a writer will make.
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

  /// Opens a table; nil when it is missing and not to be created.
  ///
  /// The handle may be used by other transactions once this one has committed.
  package func openTable(
    _ name: String,
    _ kind: StorageTable.Kind,
    create: Bool
  ) throws(StorageError) -> StorageTable? {
    guard let handles, let lmdb else {
      return try tables?.open(name).map { StorageTable(handle: $0, name: TableName(name)) }
    }
    var handle: MDB_dbi = 0
    let flags = StorageTable.flags(of: kind) | (create ? UInt32(MDB_CREATE) : 0)
    let code = lock.calling { mdb_dbi_open(lmdb, name, flags, &handle) }
    if code == MDB_NOTFOUND && !create { return nil }
    try check(code, calling: "mdb_dbi_open")
    let number = try handles.number(of: name, handle: handle)
    return StorageTable(handle: number, name: TableName(name))
  }

  /// Returns the number of entries; an index counts each pair of key and ID.
  package func count(_ table: StorageTable) throws(StorageError) -> Int {
    if let pages = try pages(table) { return Int(pages.pointee.entries) }
    let lmdb = try reader
    var statistics = MDB_stat()
    let code = lock.calling { mdb_stat(lmdb, handle(table), &statistics) }
    try check(code, calling: "mdb_stat")
    return statistics.ms_entries
  }

  /// Returns the size of the pages of a table in bytes.
  package func sizeInBytes(_ table: StorageTable) throws(StorageError) -> Int {
    var statistics = MDB_stat()
    try check(mdb_stat(try reader, handle(table), &statistics), calling: "mdb_stat")
    let pages =
      statistics.ms_branch_pages + statistics.ms_leaf_pages + statistics.ms_overflow_pages
    return pages * Int(statistics.ms_psize)
  }

  // MARK: Objects

  /// Returns the record of an object; nil when there is none.
  package func get(_ table: StorageTable, id: UInt64) throws(StorageError)
    -> UnsafeRawBufferPointer?
  {
    if let pages = try pages(table),
      let found = try pageValue({ obx_pages_get_id(pages, id, &$0, &$1, &$2) })
    {
      return found
    }
    let lmdb = try reader
    var id = id
    var value = MDB_val()
    let code = withUnsafeMutableBytes(of: &id) { bytes in
      var key = MDB_val(mv_size: 8, mv_data: bytes.baseAddress)
      return lock.calling { mdb_get(lmdb, handle(table), &key, &value) }
    }
    if code == MDB_NOTFOUND { return nil }
    try check(code, calling: "mdb_get")
    return value.bytes
  }

  /// Writes the record of an object, over an older one.
  package func put(
    _ table: StorageTable,
    id: UInt64,
    record: UnsafeRawBufferPointer
  ) throws(StorageError) {
    var id = id
    let code = withUnsafeMutableBytes(of: &id) { bytes in
      var key = MDB_val(mv_size: 8, mv_data: bytes.baseAddress)
      var value = MDB_val(record)
      return mdb_put(handle, handle(table), &key, &value, 0)
    }
    try check(code, calling: "mdb_put")
    try checkRoom()
  }

  /// Removes the record of an object; false when there is none.
  package func delete(_ table: StorageTable, id: UInt64) throws(StorageError) -> Bool {
    var id = id
    let code = withUnsafeMutableBytes(of: &id) { bytes in
      var key = MDB_val(mv_size: 8, mv_data: bytes.baseAddress)
      return mdb_del(handle, handle(table), &key, nil)
    }
    if code == MDB_NOTFOUND { return false }
    try check(code, calling: "mdb_del")
    return true
  }

  // MARK: Index entries

  /// Adds an ID to the set of a key; nothing happens when it is there already.
  package func insert(
    _ table: StorageTable,
    key: UnsafeRawBufferPointer,
    id: UInt64
  ) throws(StorageError) {
    var id = id
    let code = withUnsafeMutableBytes(of: &id) { bytes in
      var key = MDB_val(key)
      var value = MDB_val(mv_size: 8, mv_data: bytes.baseAddress)
      return mdb_put(handle, handle(table), &key, &value, UInt32(MDB_NODUPDATA))
    }
    if code == MDB_KEYEXIST { return }
    try check(code, calling: "mdb_put")
  }

  /// Adds the first ID of a key; returns the least ID of the key when it has some, and adds nothing then.
  package func insertFirst(
    _ table: StorageTable,
    key: UnsafeRawBufferPointer,
    id: UInt64
  ) throws(StorageError) -> UInt64? {
    var id = id
    var holder: UInt64?
    let code = withUnsafeMutableBytes(of: &id) { bytes in
      var key = MDB_val(key)
      var value = MDB_val(mv_size: 8, mv_data: bytes.baseAddress)
      let code = mdb_put(handle, handle(table), &key, &value, UInt32(MDB_NOOVERWRITE))
      if code == MDB_KEYEXIST { holder = value.mv_data.loadUnaligned(as: UInt64.self) }
      return code
    }
    if code != MDB_KEYEXIST { try check(code, calling: "mdb_put") }
    return holder
  }

  /// Returns the least ID of exactly the given key; nil when there is none.
  package func firstID(
    _ table: StorageTable,
    key: UnsafeRawBufferPointer
  ) throws(StorageError) -> UInt64? {
    if let pages = try pages(table),
      let found = try pageValue({ obx_pages_get(pages, key.baseAddress, key.count, &$0, &$1, &$2) })
    {
      guard let value = found else { return nil }
      if value.count == 8 { return value.loadUnaligned(as: UInt64.self) }
    }
    let lmdb = try reader
    var key = MDB_val(key)
    var value = MDB_val()
    let code = lock.calling { mdb_get(lmdb, handle(table), &key, &value) }
    if code == MDB_NOTFOUND { return nil }
    try check(code, calling: "mdb_get")
    return value.mv_data.loadUnaligned(as: UInt64.self)
  }

  /// Takes an ID out of the set of a key; false when it is not there.
  package func delete(
    _ table: StorageTable,
    key: UnsafeRawBufferPointer,
    id: UInt64
  ) throws(StorageError) -> Bool {
    var id = id
    let code = withUnsafeMutableBytes(of: &id) { bytes in
      var key = MDB_val(key)
      var value = MDB_val(mv_size: 8, mv_data: bytes.baseAddress)
      return mdb_del(handle, handle(table), &key, &value)
    }
    if code == MDB_NOTFOUND { return false }
    try check(code, calling: "mdb_del")
    return true
  }

  // MARK: Plain entries

  /// Returns the value of a key; nil when there is none.
  package func get(_ table: StorageTable, key: [UInt8]) throws(StorageError) -> [UInt8]? {
    if let pages = try pages(table),
      let found = try pageValue({ obx_pages_get(pages, key, key.count, &$0, &$1, &$2) })
    {
      return found.map { [UInt8]($0) }
    }
    let lmdb = try reader
    var value = MDB_val()
    let code = key.withUnsafeBytes { bytes in
      var key = MDB_val(bytes)
      return lock.calling { mdb_get(lmdb, handle(table), &key, &value) }
    }
    if code == MDB_NOTFOUND { return nil }
    try check(code, calling: "mdb_get")
    return [UInt8](value.bytes)
  }

  /// Writes the value of a key, over an older one.
  package func put(
    _ table: StorageTable,
    key: [UInt8],
    value: [UInt8]
  ) throws(StorageError) {
    let code = key.withUnsafeBytes { keyBytes in
      value.withUnsafeBytes { valueBytes in
        var key = MDB_val(keyBytes)
        var value = MDB_val(valueBytes)
        return mdb_put(handle, handle(table), &key, &value, 0)
      }
    }
    try check(code, calling: "mdb_put")
  }

  /// Removes a key; false when it is not there.
  package func delete(_ table: StorageTable, key: [UInt8]) throws(StorageError) -> Bool {
    let code = key.withUnsafeBytes { bytes in
      var key = MDB_val(bytes)
      return mdb_del(handle, handle(table), &key, nil)
    }
    if code == MDB_NOTFOUND { return false }
    try check(code, calling: "mdb_del")
    return true
  }

  /// Opens a cursor on a table.
  package func cursor(_ table: StorageTable) throws(StorageError) -> StorageCursor {
    if let pages = try pages(table) { return StorageCursor(pages, table, in: self) }
    return StorageCursor(handle: try openCursor(table), in: self)
  }

  /// Returns a cursor on a table of a write transaction, which LMDB opens when it is first used.
  package func writeCursor(_ table: StorageTable) -> StorageCursor {
    StorageCursor(table, in: self)
  }

  /// Opens a cursor of LMDB.
  func openCursor(_ table: StorageTable) throws(StorageError) -> OpaquePointer {
    let lmdb = try reader
    var cursor: OpaquePointer?
    let code = lock.calling { mdb_cursor_open(lmdb, handle(table), &cursor) }
    try check(code, calling: "mdb_cursor_open")
    guard let cursor else {
      throw StorageError(code: objectbox_out_of_memory, call: "mdb_cursor_open")
    }
    return cursor
  }
}
