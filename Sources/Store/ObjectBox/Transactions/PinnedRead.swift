internal import ObjectBoxStorage

/// A read transaction that stays at one version, for a snapshot or a live view.
///
/// Several threads may use it at a time. While a body runs in it, a ``Transaction`` over it
/// replaces the thread's own transaction, so boxes and queries read this version. Pages are read
/// without a lock. LMDB allows only one thread at a time in a transaction, so the storage
/// transaction locks each call of LMDB.
///
/// Invariant of `@unchecked Sendable`: several threads may read from `storage`, which is a shared
/// transaction. It is renewed only while no body runs and none can begin, and `deinit` ends it.
package final class PinnedRead: @unchecked Sendable {
  package let transactions: TransactionScheduler
  private let storage: StorageTransaction
  package let uses = PinUses()

  /// Pins the newest commit.
  ///
  /// - Parameters:
  ///   - transactions: The transactions of the store.
  ///   - kind: The kind of the holder.
  ///   - site: The call that made the holder; nil for a short-lived holder of the library itself.
  ///   - movesByItself: Whether the holder follows new commits by itself.
  /// - Throws: ``ObjectBoxError``: `closed`, or `maxReadersExceeded`.
  package init(
    _ transactions: TransactionScheduler,
    _ kind: VersionInfo.Kind,
    _ site: CallSite? = nil,
    movesByItself: Bool = false
  ) throws {
    self.transactions = transactions
    storage = try transactions.pin(
      PinnedVersion.Holder(kind: kind, site: site, movesByItself: movesByItself)
    )
  }

  /// The number of the commit that it reads.
  package var version: Int { uses.whileStill { storage.snapshotID } }

  /// Moves to the newest commit, unless a body runs: it still needs the pages of the present
  /// commit.
  ///
  /// - Returns: False if a body was running, and the version stays.
  /// - Throws: ``ObjectBoxError`` when the newest commit cannot be read.
  package func renew() throws -> Bool {
    try uses.ifIdle {
      try transactions.renewPin(storage)
      return true
    } ?? false
  }

  deinit {
    uses.end()
    transactions.unpin(storage)
  }

  // MARK: Holders

  /// Sets whether the holder follows new commits by itself.
  package func setMovesByItself(_ movesByItself: Bool) {
    transactions.changePin(storage) { $0.holder.movesByItself = movesByItself }
  }

  /// Notes that a snapshot shares this read.
  package func share(with site: CallSite?) {
    transactions.changePin(storage) {
      $0.sharer = PinnedVersion.Holder(kind: .snapshot, site: site)
    }
  }

  /// Makes the sharing snapshot the holder, if there is one.
  package func handOver() {
    transactions.changePin(storage) { pin in
      if let sharer = pin.sharer { pin.holder = sharer }
    }
  }

  // MARK: Reading

  /// Runs a body; the store's boxes and queries read from this commit in it.
  ///
  /// A write inside the body throws `cannotWriteWhileReading`. The version stays until the body has ended,
  /// even if the last holder is released meanwhile.
  package func reading<T>(_ body: () throws -> T) throws -> T {
    try ThreadContext.withState(for: transactions) { state in
      if state.reads(storage) { return try body() }
      let use = uses.enter(state) { Transaction(transactions.file, storage) }
      defer { use.leave() }
      return try state.lending(use.transaction, body)
    }
  }

  /// Runs a body like ``reading(_:)``, in a use that the thread has already entered.
  package func reading<T>(
    in use: PinUse,
    _ state: StoreThreadState,
    _ body: () throws -> T
  ) throws -> T {
    state.reads(storage) ? try body() : try state.lending(use.transaction, body)
  }
}
