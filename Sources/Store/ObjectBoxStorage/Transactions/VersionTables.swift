internal import CObjectBoxPages
internal import Foundation
internal import Synchronization

/// The tables of a read transaction's version, by handle; each is looked up once per version.
///
/// Invariant of `@unchecked Sendable`: a table is written before it is released as known, under the
/// transaction's lock when several threads read. `move` is called while no other thread uses the
/// transaction.
final class VersionTables: @unchecked Sendable {
  private let capacity: Int
  private let tables: UnsafeMutablePointer<obx_pages_table>
  private let areKnown: UnsafeMutablePointer<Atomic<Bool>>
  /// The version; nil before the first `move`.
  private(set) var pages: PageVersion?
  /// The ID of the version; -1 before the first `move`.
  private(set) var version = -1
  /// Number of times that the version was left.
  private(set) var generation = 0

  init(_ pages: PageVersion? = nil, capacity: Int) {
    self.capacity = capacity
    self.pages = pages
    if let pages { version = Int(truncatingIfNeeded: pages.head.transaction) }
    tables = .allocate(capacity: capacity)
    tables.initialize(repeating: obx_pages_table(), count: capacity)
    areKnown = .allocate(capacity: capacity)
    for index in 0..<capacity { (areKnown + index).initialize(to: Atomic(false)) }
  }

  deinit {
    tables.deallocate()
    areKnown.deinitialize(count: capacity)
    areKnown.deallocate()
  }

  /// Forgets all tables, and moves to another version.
  func move(to pages: PageVersion) {
    leave()
    self.pages = pages
    version = Int(truncatingIfNeeded: pages.head.transaction)
  }

  /// Forgets the version, so that nothing retains its file.
  func leave() {
    pages = nil
    version = -1
    generation += 1
    for index in 0..<capacity { areKnown[index].store(false, ordering: .relaxed) }
  }

  /// Returns a table; nil before `find` was called for it.
  func known(_ table: StorageTable) -> UnsafeMutablePointer<obx_pages_table>? {
    let index = Int(table.handle)
    guard index < capacity else { return nil }
    return areKnown[index].load(ordering: .acquiring) ? tables + index : nil
  }

  /// Looks up a table; valid until the transaction is renewed, reset or ended.
  ///
  /// A table that the version lacks is empty.
  ///
  /// - Throws: ``StorageError`` with `isCorrupt` for damaged pages, and for forms that no store
  ///   has.
  @inline(never)
  func find(
    _ table: StorageTable,
    _ lock: NSLock?
  ) throws(StorageError) -> UnsafeMutablePointer<obx_pages_table> {
    let index = Int(table.handle)
    guard index < capacity, let name = table.name, let pages else { throw .unknownForm }
    lock?.lock()
    defer { lock?.unlock() }
    // Another thread may have found it while this one waited for the lock.
    if areKnown[index].load(ordering: .relaxed) { return tables + index }
    let found = try name.withBytes { bytes in
      Result { () throws(StorageError) in try pages.table(bytes) }
    }.get()
    tables[index] = found ?? obx_pages_table(empty: pages.pages)
    areKnown[index].store(true, ordering: .releasing)
    return tables + index
  }

  /// Opens a table of an image by name and assigns the next number; nil when it does not exist.
  ///
  /// - Throws: ``StorageError`` with `isCorrupt` for a damaged page, and when the tables take all
  ///   numbers.
  func open(_ name: String) throws(StorageError) -> UInt32? {
    guard let pages else { return nil }
    let key = Array(name.utf8)
    let found = try key.withUnsafeBytes { bytes in
      Result { () throws(StorageError) in try pages.table(bytes) }
    }.get()
    guard let found else { return nil }
    guard
      let number = (0..<capacity).first(where: { index in
        !areKnown[index].load(ordering: .relaxed)
      })
    else { throw .unknownForm }
    tables[number] = found
    areKnown[number].store(true, ordering: .releasing)
    return UInt32(number)
  }
}

extension obx_pages_table {
  /// Makes a table without entries.
  fileprivate init(empty pages: obx_pages) {
    self.init()
    self.pages = pages
    root = .max
  }
}
