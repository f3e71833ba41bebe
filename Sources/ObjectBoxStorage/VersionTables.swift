internal import CObjectBoxLMDB
internal import CObjectBoxPages
internal import Foundation
internal import Synchronization

/// The tables of the version that a read transaction sees, by their handles: each is looked up once a version.
///
/// A class, since it owns memory. Invariant of `@unchecked Sendable`: a table is written before its state is
/// released as `isPages`, and under the lock of the transaction when several threads read; `move` is called
/// when no other thread uses the transaction.
final class VersionTables: @unchecked Sendable {
  private enum State {
    static let isUnknown: UInt8 = 0
    static let isPages: UInt8 = 1
    /// LMDB reads it: it has a form that pages are not read in, or is not in the version.
    static let isLMDB: UInt8 = 2
  }

  /// The way to the pages of the version and to the records of its tables.
  enum Source {
    /// LMDB finds the records.
    case environment(StoragePageMap)
    /// Everything is read from pages; the tables have the numbers of `names`.
    case image(StorageImage, obx_pages, mainTable: obx_pages_table)
  }

  private let source: Source
  private let capacity: Int
  private let tables: UnsafeMutablePointer<obx_pages_table>
  private let states: UnsafeMutablePointer<Atomic<UInt8>>
  private var pages: obx_pages?
  /// The ID of the version.
  private var version: Int

  init(_ source: Source, capacity: Int, version: Int) {
    self.source = source
    self.capacity = capacity
    self.version = version
    tables = .allocate(capacity: capacity)
    tables.initialize(repeating: obx_pages_table(), count: capacity)
    states = .allocate(capacity: capacity)
    for index in 0..<capacity { (states + index).initialize(to: Atomic(State.isUnknown)) }
  }

  deinit {
    tables.deallocate()
    states.deinitialize(count: capacity)
    states.deallocate()
  }

  /// Forgets all tables, unless the version is still the same.
  func move(to version: Int) {
    guard version != self.version else { return }
    self.version = version
    pages = nil
    for index in 0..<capacity { states[index].store(State.isUnknown, ordering: .relaxed) }
  }

  /// Returns a table, or nil inside when LMDB reads it; nil before `find` was called for it.
  @inline(__always)
  func known(_ table: StorageTable) -> UnsafeMutablePointer<obx_pages_table>?? {
    let index = Int(table.handle)
    guard index < capacity else { return .some(nil) }
    return switch states[index].load(ordering: .acquiring) {
    case State.isPages: tables + index
    case State.isLMDB: .some(nil)
    default: nil
    }
  }

  /// Looks up a table, valid until the transaction is renewed, reset or ended; nil when LMDB reads it.
  @inline(never)
  func find(
    _ table: StorageTable,
    in transaction: StorageTransaction
  ) throws(StorageError) -> UnsafeMutablePointer<obx_pages_table>? {
    guard case .environment(let map) = source else { throw .unknownForm }
    transaction.lock?.lock()
    defer { transaction.lock?.unlock() }
    let index = Int(table.handle)
    // Another thread may have found it while this one waited.
    if states[index].load(ordering: .relaxed) == State.isPages { return tables + index }
    guard let record = try table.name?.withBytes(transaction.mainRecord).get() else {
      states[index].store(State.isLMDB, ordering: .relaxed)
      return nil
    }
    let pages: obx_pages
    if let known = self.pages {
      pages = known
    } else {
      pages = try map.pages(of: transaction)
      self.pages = pages
    }
    guard let found = try transaction.pageTable(of: record, in: pages) else {
      states[index].store(State.isLMDB, ordering: .relaxed)
      return nil
    }
    tables[index] = found
    states[index].store(State.isPages, ordering: .releasing)
    return tables + index
  }

  /// Opens a table of an image by its name and gives it the next number; nil when there is none.
  ///
  /// - Throws: ``StorageError`` with `isCorrupt` for a damaged page, and when the tables take all numbers.
  func open(_ name: String) throws(StorageError) -> UInt32? {
    guard case .image(_, var pages, var mainTable) = source else { return nil }
    let key = Array(name.utf8)
    let found = try pageValue { obx_pages_get(&mainTable, key, key.count, &$0, &$1, &$2) }
    guard let found else { throw .unknownForm }
    guard let record = found else { return nil }
    guard
      let number = (0..<capacity).first(where: { index in
        states[index].load(ordering: .relaxed) == State.isUnknown
      })
    else { throw .unknownForm }
    var badPage: UInt64 = 0
    let status = obx_pages_table_open(
      &tables[number],
      &pages,
      record.baseAddress.unsafelyUnwrapped,
      record.count,
      &badPage
    )
    guard try isReadable(status, page: badPage) else { throw .unknownForm }
    states[number].store(State.isPages, ordering: .releasing)
    return UInt32(number)
  }
}
