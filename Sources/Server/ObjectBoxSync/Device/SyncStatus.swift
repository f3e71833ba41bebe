package import Foundation
package import ObjectBox
internal import ObjectBoxStorage
internal import ObjectBoxSyncProtocol

/// The waiting and the rejected transactions of a synchronized store.
///
/// Reads only the file: it needs no client, changes nothing, and works in stores that are open read-only or shared with
/// other processes.
package struct SyncStatus: Sendable {
  /// The numbers of transactions.
  package struct Counts: Hashable, Sendable {
    /// The transactions that the server has not decided.
    package let waiting: Int
    /// The transactions that the server rejected completely or in part, until the program discards them.
    package let rejected: Int
  }

  /// A transaction that the server has not decided.
  package struct Waiting: Sendable {
    /// The time of the write on the device's clock.
    package let written: Date
    /// Its writes, in order.
    package let writes: [SyncRejection.Write]
  }

  /// The first digits of the device's identity, as in the server's figures.
  package let device: String
  /// False before the first state of a server has arrived.
  package let hasServerState: Bool
  /// The numbers of transactions.
  package let counts: Counts
  /// The transaction that the server decides next; nil if none waits.
  package let oldest: Waiting?
  /// The rejected transactions, oldest first.
  package let rejections: [SyncRejection]

  /// Reads the state of synchronization in one version of a store.
  ///
  /// Takes time in proportion to the oldest waiting transaction and to the rejected ones, but not to the number of
  /// objects.
  ///
  /// - Parameter store: An open store.
  /// - Throws: ``ObjectBoxError`` when the store is closed or damaged.
  /// - Returns: The status; nil for a store that was never synchronized.
  package static func read(_ store: Store) throws -> Self? {
    try StoredSyncState.reading(store) { try Self($0, SyncedModel(store.file)) }
  }

  /// Counts waiting and rejected transactions in one version of a store, without reading them.
  ///
  /// - Parameter store: An open store.
  /// - Throws: ``ObjectBoxError`` when the store is closed or damaged.
  /// - Returns: The numbers; nil for a store that was never synchronized.
  package static func counts(of store: Store) throws -> Counts? {
    try StoredSyncState.reading(store) { try $0.counts() }
  }

  private init(_ stored: StoredSyncState, _ model: SyncedModel) throws {
    device = stored.record.state.device.shortText
    hasServerState = stored.record.state.cursor != nil
    let rejected = try stored.rejections
    rejections = try rejected.map { try SyncRejection($0, model) }
    counts = Counts(waiting: stored.record.queue.count, rejected: rejected.count)
    oldest = try stored.oldest.map { transaction in
      Waiting(
        written: Date(timeIntervalSince1970: Double(transaction.time.milliseconds) / 1_000),
        writes: try transaction.operations.map { try SyncRejection.Write($0, model) }
      )
    }
  }
}

/// The rows of a version's table of synchronization.
private struct StoredSyncState {
  let table: SyncTable
  let storage: StorageTransaction
  let record: StateRecord

  /// Calls a body with the state; returns nil without one.
  static func reading<T>(_ store: Store, _ body: (Self) throws -> T) throws -> T? {
    try store.checkOpen()
    return try store.inTransaction(isWritable: false) { transaction, _ in
      // A thread that writes reads in its write transaction, and holds the write lock.
      let storage = try transaction.storage.beginReadOfSameVersion() ?? transaction.storage
      guard let table = try SyncTable(existingIn: storage),
        let record = try table.state(in: storage)
      else { return nil }
      return try body(Self(table: table, storage: storage, record: record))
    }
  }

  func counts() throws -> SyncStatus.Counts {
    var rejected = 0
    try table.forEach(SyncKey(.decision), in: storage) { _, _ in rejected += 1 }
    return SyncStatus.Counts(waiting: record.queue.count, rejected: rejected)
  }

  var rejections: [SyncedStore.Rejected] {
    get throws { try table.rejections(in: storage) }
  }

  /// The oldest waiting transaction.
  var oldest: SyncTransaction? {
    get throws {
      guard let place = record.queue.first else { return nil }
      let key = SyncKey(.waiting, place)
      guard let found = try table.read(key, in: storage, as: WaitingTransaction.self) else {
        throw SyncTable.missing(.waiting)
      }
      return found.transaction
    }
  }
}
