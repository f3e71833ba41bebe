internal import CObjectBoxLMDB
package import CObjectBoxPages
internal import Foundation
internal import Synchronization

/// The memory map of an open environment, whose pages are read without LMDB's cursors.
///
/// Valid until the environment closes. A class, since all transactions share the known size of the file.
package final class StoragePageMap: Sendable {
  // A plain value, whose pointer leads into the map; written by `init`, and by `move` while no transaction is open.
  private nonisolated(unsafe) var map: obx_pages_map
  // The file descriptor of the environment; LMDB closes it with that.
  private let descriptor: mdb_filehandle_t
  /// The name of the table whose record has shown where the map is.
  let knownTable: String
  /// Number of pages that the file has at least; it never shrinks.
  private let knownPageCount = Atomic<UInt64>(0)

  /// Finds the map of an environment; once for each that is opened.
  ///
  /// Nil when there is no such table, or the file has a form that only LMDB reads.
  ///
  /// - Parameters:
  ///   - transaction: A read transaction. The pages of a write transaction may lie outside of the map.
  ///   - name: The name of a table that the transaction sees.
  /// - Throws: ``StorageError`` with `isCorrupt` when the page of the table's record is damaged.
  package init?(
    of transaction: StorageTransaction,
    knownTable name: String
  ) throws(StorageError) {
    let environment = mdb_txn_env(transaction.handle)
    var statistics = MDB_stat()
    try check(mdb_env_stat(environment, &statistics), calling: "mdb_env_stat")
    var information = MDB_envinfo()
    try check(mdb_env_info(environment, &information), calling: "mdb_env_info")
    var descriptor: mdb_filehandle_t = -1
    try check(mdb_env_get_fd(environment, &descriptor), calling: "mdb_env_get_fd")
    guard let record = try transaction.tableRecord(name) else { return nil }
    var map = obx_pages_map()
    var badPage: UInt64 = 0
    let status = obx_pages_map_open(
      &map,
      record.mv_data,
      name,
      name.utf8.count,
      descriptor,
      statistics.ms_psize,
      UInt64(information.me_mapsize),
      &badPage
    )
    guard try isReadable(status, page: badPage) else { return nil }
    self.map = map
    self.descriptor = descriptor
    knownTable = name
  }

  /// Reads from the new map of the environment, which has replaced the former one while no transaction was open.
  func move(to other: StoragePageMap) { map = other.map }

  /// Opens the pages of the version that a read transaction of the environment sees.
  ///
  /// They are valid until the transaction is renewed, reset or ended, for several threads at a time.
  ///
  /// - Throws: ``StorageError`` with `isCorrupt` when the file is too short.
  package func pages(of transaction: StorageTransaction) throws(StorageError) -> obx_pages {
    var information = MDB_envinfo()
    try check(
      mdb_env_info(mdb_txn_env(transaction.handle), &information),
      calling: "mdb_env_info"
    )
    let lastPage = UInt64(information.me_last_pgno)
    var map = map
    var pages = obx_pages()
    let status = obx_pages_open(
      &pages,
      &map,
      UInt64(transaction.snapshotID),
      lastPage,
      try pageCount(of: lastPage) * UInt64(map.page_size)
    )
    _ = try isReadable(status, page: 0)
    return pages
  }

  /// Returns the number of whole pages of the file; the file is asked only when it may have grown.
  private func pageCount(of lastPage: UInt64) throws(StorageError) -> UInt64 {
    let known = knownPageCount.load(ordering: .relaxed)
    if lastPage < known { return known }
    let size = obx_pages_file_size(descriptor)
    guard size >= 0 else { throw StorageError(code: errno, call: "fstat") }
    let count = UInt64(size) / UInt64(map.page_size)
    knownPageCount.store(count, ordering: .relaxed)
    return count
  }
}

extension StorageTransaction {
  /// LMDB's number of the table that has the records of all named tables.
  private static let mainTable: MDB_dbi = 1

  /// Opens a table by its name, for reading its pages.
  ///
  /// - Parameters:
  ///   - name: The name of the table.
  ///   - pages: The pages of the version that this read transaction sees.
  /// - Returns: Nil when there is no such table, or only LMDB reads it.
  /// - Throws: ``StorageError`` with `isCorrupt` when its record is damaged.
  package func pageTable(
    _ name: String,
    in pages: obx_pages
  ) throws(StorageError) -> obx_pages_table? {
    guard let record = try tableRecord(name) else { return nil }
    return try pageTable(of: record, in: pages)
  }

  /// Opens a table by LMDB's record of it; nil when only LMDB reads it.
  func pageTable(
    of record: MDB_val,
    in pages: obx_pages
  ) throws(StorageError) -> obx_pages_table? {
    var pages = pages
    var table = obx_pages_table()
    var badPage: UInt64 = 0
    let status = obx_pages_table_open(&table, &pages, record.mv_data, record.mv_size, &badPage)
    return try isReadable(status, page: badPage) ? table : nil
  }

  /// Returns LMDB's record of a table, in the map; nil when there is no such table.
  fileprivate func tableRecord(_ name: String) throws(StorageError) -> MDB_val? {
    let bytes = Array(name.utf8)
    return try lock.calling { bytes.withUnsafeBytes(mainRecord) }.get()
  }

  /// Returns LMDB's record of a table, in the map; nil when there is no such table.
  ///
  /// The caller holds the lock.
  func mainRecord(_ name: UnsafeRawBufferPointer) -> Result<MDB_val?, StorageError> {
    var value = MDB_val()
    var key = MDB_val(name)
    let code = mdb_get(handle, Self.mainTable, &key, &value)
    if code == MDB_NOTFOUND { return .success(nil) }
    return code == MDB_SUCCESS
      ? .success(value) : .failure(StorageError(code: code, call: "mdb_get"))
  }
}

/// Returns false where LMDB has to read instead.
@inline(__always)
func isReadable(
  _ status: obx_pages_status,
  page: UInt64
) throws(StorageError) -> Bool {
  if status == OBX_PAGES_CORRUPT { throw damaged(page) }
  return status != OBX_PAGES_FALLBACK
}

/// Looks up a value in pages.
///
/// - Parameter find: One of the reader's functions; sets the value and its size, or the damaged page.
/// - Returns: The value, or nil inside when there is none; nil when only LMDB can look it up.
/// - Throws: ``StorageError`` with `isCorrupt` for a damaged page.
@inline(__always)
func pageValue(
  _ find: (inout UnsafePointer<UInt8>?, inout UInt32, inout UInt64) -> obx_pages_status
) throws(StorageError) -> UnsafeRawBufferPointer?? {
  var value: UnsafePointer<UInt8>?
  var size: UInt32 = 0
  var badPage: UInt64 = 0
  let status = find(&value, &size, &badPage)
  if status == OBX_PAGES_OK { return UnsafeRawBufferPointer(start: value, count: Int(size)) }
  return try isReadable(status, page: badPage) ? .some(nil) : nil
}

@inline(never)
private func damaged(_ page: UInt64) -> StorageError {
  StorageError(code: MDB_CORRUPTED, call: "reading page \(page)")
}
