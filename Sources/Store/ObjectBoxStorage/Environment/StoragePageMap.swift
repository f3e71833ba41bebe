internal import CObjectBoxLMDB
package import CObjectBoxPages
internal import Foundation
internal import Synchronization

/// A memory map of an environment's data file, whose pages are read without LMDB.
///
/// Separate from LMDB's own map, which a compaction ends with the environment: transactions that
/// read the former file continue, and the map exists as long as they do. They share what is known
/// of the file.
package final class StoragePageMap: Sendable {
  private let map: FileMap
  private let pageSize: UInt32
  /// A lower bound of the file's page count; the file never shrinks.
  private let knownPageCount = Atomic<UInt64>(0)

  /// Maps the file of an environment, at twice its size.
  ///
  /// - Parameters:
  ///   - descriptor: The open file; the map duplicates the descriptor.
  ///   - pageSize: The size of a page.
  /// - Throws: ``StorageError`` with the system's error number, and for an empty file.
  convenience init(descriptor: Int32, pageSize: UInt32) throws(StorageError) {
    let copy = try FileMap.duplicate(descriptor)
    guard let map = try FileMap(taking: copy, hasRoom: true) else { throw .unknownForm }
    self.init(map, pageSize: pageSize)
  }

  /// Reads from a map that was made with room.
  init(_ map: FileMap, pageSize: UInt32) {
    self.map = map
    self.pageSize = pageSize
  }

  /// Maps the same file again after it has outgrown this map.
  func larger() throws(StorageError) -> StoragePageMap {
    try StoragePageMap(descriptor: map.descriptor, pageSize: pageSize)
  }

  /// True when the file has no name any more.
  ///
  /// - Throws: ``StorageError`` with the system's error number.
  var hasNoName: Bool {
    get throws(StorageError) { try FileIdentity(map.descriptor).nameCount == 0 }
  }

  /// The result of looking for a version in the head pages.
  enum Search {
    /// The version; certainly whole, unless a later commit `mayBeWriting` its head page.
    case found(PageVersion, mayBeWriting: Bool)
    /// A later commit has its head page.
    case overwritten
    /// The file has outgrown the map.
    case outgrown
    /// The file has no version as new as this one: another file has replaced it.
    case outdated
  }

  /// Looks for the version that a reader slot pins.
  ///
  /// A commit writes the head page of the version before the last one. If the other head page is
  /// not newer than the version, the next commit has not ended, so the second commit after the
  /// version, which overwrites this head page, has not begun.
  ///
  /// - Throws: ``StorageError`` with `isCorrupt` for a damaged head page or main table.
  func find(_ version: Int) throws(StorageError) -> Search {
    let number = version & 1
    var image = obx_image(
      base: map.base.assumingMemoryBound(to: UInt8.self),
      size: UInt64(2 * pageSize)
    )
    var head = obx_head()
    let status = obx_head_read(&image, UInt64(number), pageSize, &head)
    atomicMemoryFence(ordering: .acquiring)
    let (own, other) = (newest(number), newest(1 - number))
    if status == OBX_HEAD_OK, head.transaction == UInt64(version), own == head.transaction {
      if try pageCount(of: head.last_page) > UInt64(map.size) / UInt64(pageSize) {
        return .outgrown
      }
      return .found(try open(head), mayBeWriting: other > own)
    }
    return max(own, other) < UInt64(version) ? .outdated : .overwritten
  }

  /// The version that a head page states.
  private func newest(_ number: Int) -> UInt64 {
    map.base.loadUnaligned(
      fromByteOffset: number * Int(pageSize) + StorageImage.Head.versionOffset,
      as: UInt64.self
    )
  }

  private func open(_ head: obx_head) throws(StorageError) -> PageVersion {
    var pageMap = obx_pages_map(
      base: map.base.assumingMemoryBound(to: UInt8.self),
      page_count: UInt64(map.size) / UInt64(pageSize),
      page_size: pageSize
    )
    var pages = obx_pages()
    let fileSize = try pageCount(of: head.last_page) * UInt64(pageSize)
    let status = obx_pages_open(&pages, &pageMap, head.transaction, head.last_page, fileSize)
    try checkPages(status, page: 0)
    return try PageVersion(head, pages, in: self)
  }

  /// Returns the number of whole pages of the file; asks the system only when the file may have
  /// grown.
  private func pageCount(of lastPage: UInt64) throws(StorageError) -> UInt64 {
    let known = knownPageCount.load(ordering: .relaxed)
    if lastPage < known { return known }
    let size = obx_pages_file_size(map.descriptor)
    guard size >= 0 else { throw StorageError(code: errno, call: "fstat") }
    let count = UInt64(size) / UInt64(pageSize)
    knownPageCount.store(count, ordering: .relaxed)
    return count
  }
}

/// The pages of one version, with LMDB's own two tables.
package struct PageVersion {
  package let head: obx_head
  package let pages: obx_pages
  private let main: obx_pages_table
  /// Retains the map or image with the pages.
  private let owner: AnyObject

  init(_ head: obx_head, _ pages: obx_pages, in owner: AnyObject) throws(StorageError) {
    self.head = head
    self.pages = pages
    self.owner = owner
    var (head, pages, main) = (head, pages, obx_pages_table())
    let status = obx_head_main_table(&pages, &head, &main)
    try checkPages(status, page: head.number)
    self.main = main
  }

  /// The number of tables in the main table.
  var tableCount: Int { Int(truncatingIfNeeded: main.entries) }

  /// Opens a table by name; nil when it does not exist.
  ///
  /// - Throws: ``StorageError`` with `isCorrupt` for damaged pages.
  package func table(_ name: UnsafeRawBufferPointer) throws(StorageError) -> obx_pages_table? {
    var main = main
    let record = try pageValue {
      obx_pages_get(&main, name.baseAddress, name.count, &$0, &$1, &$2)
    }
    return if let record { try table(record: record) } else { nil }
  }

  private func table(
    record: UnsafeRawBufferPointer
  ) throws(StorageError) -> obx_pages_table {
    var (pages, table, badPage) = (pages, obx_pages_table(), UInt64(0))
    let place = record.baseAddress.unsafelyUnwrapped
    let status = obx_pages_table_open(&table, &pages, place, record.count, &badPage)
    try checkPages(status, page: badPage)
    return table
  }

  /// Passes the names and records of all tables to a body, in order.
  func forEachTable(
    _ body: (_ name: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) {
    try Self.forEach(in: main, body)
  }

  /// Passes the commits' numbers and the lists of pages that they freed to a body.
  func forEachFreeList(
    _ body: (_ commit: UnsafeRawBufferPointer, _ pages: UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) {
    var (head, pages, free, badPage) = (head, pages, obx_pages_table(), UInt64(0))
    let status = obx_head_free_table(&pages, &head, &free, &badPage)
    try checkPages(status, page: badPage)
    try Self.forEach(in: free, body)
  }

  private static func forEach(
    in table: obx_pages_table,
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) {
    var table = table
    let cursor = ReadCursor(&table)
    while let entry = try cursor.move(MDB_NEXT) { body(entry.keyBytes, entry.record) }
  }
}

/// Throws for a damaged page, and for a form that the page reader does not know.
///
/// - Parameters:
///   - status: The result of the page reader; the end of a table is no error.
///   - page: The number of the damaged page, if there is one.
/// - Throws: ``StorageError`` with `isCorrupt`, or `unknownForm`.
func checkPages(_ status: obx_pages_status, page: UInt64) throws(StorageError) {
  if status == OBX_PAGES_CORRUPT { throw .damaged(page) }
  if status == OBX_PAGES_UNKNOWN_FORM { throw .unknownForm }
}

/// Looks up a value in pages.
///
/// - Parameter find: A function of the page reader; sets the value and its size, or the damaged
///   page.
/// - Returns: The value; nil when it does not exist.
/// - Throws: ``StorageError`` as ``checkPages(_:page:)`` does.
func pageValue(
  _ find: (inout UnsafePointer<UInt8>?, inout UInt32, inout UInt64) -> obx_pages_status
) throws(StorageError) -> UnsafeRawBufferPointer? {
  var value: UnsafePointer<UInt8>?
  var size: UInt32 = 0
  var badPage: UInt64 = 0
  let status = find(&value, &size, &badPage)
  if status == OBX_PAGES_OK { return UnsafeRawBufferPointer(start: value, count: Int(size)) }
  try checkPages(status, page: badPage)
  return nil
}

extension StorageError {
  /// Returns the error for a page that cannot be part of its version.
  @inline(never)
  package static func damaged(_ page: UInt64) -> StorageError {
    StorageError(code: MDB_CORRUPTED, call: "reading page \(page)")
  }
}
