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

  private let map: StoragePageMap
  private let capacity: Int
  private let tables: UnsafeMutablePointer<obx_pages_table>
  private let states: UnsafeMutablePointer<Atomic<UInt8>>
  private var pages: obx_pages?
  /// The ID of the version.
  private var version: Int

  init(_ map: StoragePageMap, capacity: Int, version: Int) {
    self.map = map
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
}
