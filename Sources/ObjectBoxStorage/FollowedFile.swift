internal import CObjectBoxLMDB
internal import CObjectBoxPages
internal import Foundation

/// The data file of an environment as LMDB has it open, which is exchanged when another file takes its name.
///
/// LMDB has a map of the file and two descriptors: one for pages, one for head pages, which waits for the disk
/// with each write. All three are exchanged in place, so that transactions, reader slots, tables and the locks of
/// `lock.mdb` stay as they are. Readers find their pages in maps of their own (``StoragePageMap``), and writers
/// have the write lock.
struct FollowedFile {
  /// The absolute path, without links.
  let path: String
  private let isReadOnly: Bool
  private let data: Int32
  private let heads: Int32?
  private let base: UnsafeMutableRawPointer
  private let size: Int
  let pageSize: UInt32
  /// The name of the table whose record has shown where LMDB's map is.
  private let knownTable: String

  /// Finds the file of an environment; nil where there is no such table, or LMDB has the file open in a way that is
  /// not known.
  ///
  /// - Parameters:
  ///   - transaction: A read transaction of the environment.
  ///   - name: The name of a table that the transaction sees.
  ///   - path: The data file.
  ///   - isReadOnly: Whether LMDB has it open for reading only.
  /// - Throws: ``StorageError`` with `isCorrupt` when the page of the table's record is damaged.
  init?(
    of transaction: StorageTransaction,
    knownTable name: String,
    path: String,
    isReadOnly: Bool
  ) throws(StorageError) {
    let environment = mdb_txn_env(transaction.handle)
    var information = MDB_envinfo()
    try check(mdb_env_info(environment, &information), calling: "mdb_env_info")
    var statistics = MDB_stat()
    try check(mdb_env_stat(environment, &statistics), calling: "mdb_env_stat")
    var descriptor: mdb_filehandle_t = -1
    try check(mdb_env_get_fd(environment, &descriptor), calling: "mdb_env_get_fd")
    guard let record = try transaction.tableRecord(name) else { return nil }
    var (map, badPage) = (obx_pages_map(), UInt64(0))
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
    guard try isReadable(status, page: badPage), let base = map.base, let environment else {
      return nil
    }
    self.path = Self.resolved(path)
    knownTable = name
    data = descriptor
    self.isReadOnly = isReadOnly
    self.base = UnsafeMutableRawPointer(mutating: base)
    size = information.me_mapsize
    pageSize = statistics.ms_psize
    heads = try Self.heads(environment, data: descriptor, isReadOnly: isReadOnly)
  }

  /// Finds the file anew, once LMDB's map has another place or size.
  func found(by transaction: StorageTransaction) throws(StorageError) -> Self? {
    try Self(of: transaction, knownTable: knownTable, path: path, isReadOnly: isReadOnly)
  }

  /// The path without links, which stays the same when the process changes its folder.
  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// LMDB's descriptor for writing head pages; nil when it is not found, and for reading only.
  ///
  /// All releases of LMDB begin an environment with the descriptors of pages, locks and head pages. The first is
  /// known, so that another form is noticed; the last must lead to the same file.
  private static func heads(
    _ environment: OpaquePointer,
    data: Int32,
    isReadOnly: Bool
  ) throws(StorageError) -> Int32? {
    let words = UnsafeRawPointer(environment).loadUnaligned(as: (Int32, Int32, Int32).self)
    guard !isReadOnly, words.0 == data, words.2 != data, words.2 > 2 else { return nil }
    let own = try FileIdentity(data)
    return (try? FileIdentity(words.2)) == own ? words.2 : nil
  }

  /// True when LMDB has the file open in a known way, so that another one can take its place.
  var canBeExchanged: Bool { isReadOnly || heads != nil }

  /// Maps the file that LMDB has open, unless an image with room has it mapped already.
  func pageMap(_ image: StorageImage?) throws(StorageError) -> StoragePageMap {
    if let map = image?.map, try FileIdentity(map.descriptor) == FileIdentity(data) {
      return try StoragePageMap(map, pageSize: pageSize)
    }
    return try StoragePageMap(descriptor: data, pageSize: pageSize)
  }

  /// The file that LMDB has open.
  var identity: FileIdentity {
    get throws(StorageError) { try FileIdentity(data) }
  }

  /// A file that is about to be exchanged for the one that LMDB has open.
  ///
  /// A class, since it owns descriptors.
  final class Successor {
    let pages: Int32
    fileprivate let heads: Int32
    let map: StoragePageMap

    fileprivate init(pages: Int32, heads: Int32, map: StoragePageMap) {
      self.pages = pages
      self.heads = heads
      self.map = map
    }

    deinit {
      _ = Foundation.close(pages)
      if heads >= 0 { _ = Foundation.close(heads) }
    }
  }

  /// Opens a file in all the ways that LMDB needs, so that the exchange itself has nothing left to refuse.
  ///
  /// - Parameter path: The file.
  /// - Returns: The open file.
  /// - Throws: ``StorageError`` with the system's number.
  func open(_ path: String) throws(StorageError) -> Successor {
    let access = isReadOnly ? O_RDONLY : O_RDWR
    while true {
      let pages = Foundation.open(path, access | O_CLOEXEC)
      guard pages >= 0 else { throw StorageError(code: errno, call: "open") }
      let heads = isReadOnly ? -1 : Foundation.open(path, access | O_CLOEXEC | O_DSYNC)
      let code = errno
      let map: StoragePageMap
      do throws(StorageError) {
        map = try StoragePageMap(descriptor: pages, pageSize: pageSize)
      } catch {
        _ = Foundation.close(pages)
        if heads >= 0 { _ = Foundation.close(heads) }
        throw error
      }
      let successor = Successor(pages: pages, heads: heads, map: map)
      if isReadOnly { return successor }
      guard heads >= 0 else { throw StorageError(code: code, call: "open") }
      // Yet another file may have taken the name in between.
      if try FileIdentity(heads) == map.identity { return successor }
    }
  }

  /// Exchanges the file that LMDB has open.
  ///
  /// The caller has made sure that no write transaction uses the former file, and none begins meanwhile.
  func exchange(for successor: Successor) throws(StorageError) {
    let flags = MAP_SHARED | MAP_FIXED
    guard mmap(base, size, PROT_READ, flags, successor.pages, 0) == base else {
      throw StorageError(code: errno, call: "mmap")
    }
    try replace(data, by: successor.pages)
    if let heads { try replace(heads, by: successor.heads) }
  }

  private func replace(_ descriptor: Int32, by other: Int32) throws(StorageError) {
    guard dup2(other, descriptor) == descriptor else {
      throw StorageError(code: errno, call: "dup2")
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }
}

extension StorageTransaction {
  /// LMDB's number of the table that has the records of all named tables.
  private static let mainTable: MDB_dbi = 1

  /// Returns LMDB's record of a table, in LMDB's map; nil when there is no such table.
  fileprivate func tableRecord(_ name: String) throws(StorageError) -> MDB_val? {
    let bytes = Array(name.utf8)
    var value = MDB_val()
    let code = bytes.withUnsafeBytes { bytes in
      var key = MDB_val(bytes)
      return mdb_get(handle, Self.mainTable, &key, &value)
    }
    if code == MDB_NOTFOUND { return nil }
    try check(code, calling: "mdb_get")
    return value
  }
}
