internal import ObjectBoxStorage

/// A read transaction that stays at one version, for a snapshot or a live view.
///
/// All threads may use it at a time. While a body runs in it, a ``Transaction`` over it replaces the
/// thread's own, so that boxes and queries read this version. LMDB allows one thread at a time in a
/// transaction, so the storage transaction locks each call; no lock is held while the body runs.
///
/// Invariant of `@unchecked Sendable`: `storage` is shared, so that several threads may read from it; it is
/// renewed only while it is not in use, under the lock that each use takes to begin, and ended by `deinit`.
final class PinnedRead: @unchecked Sendable {
  private struct Uses {
    var count = 0
    /// Transactions that no body runs in, with their caches.
    var idle: [Transaction] = []
  }

  /// Number of idle transactions kept.
  private static let maximumIdleCount = 4

  let transactions: StoreTransactions
  private let storage: StorageTransaction
  private let uses = Guarded(Uses())

  /// Pins the newest commit.
  ///
  /// - Parameters:
  ///   - transactions: The transactions of the store.
  ///   - kind: The kind of the holder.
  ///   - site: The call that made the holder; nil for a short-lived one of the library itself.
  ///   - movesByItself: Whether the holder follows new commits by itself.
  /// - Throws: ``ObjectBoxError``: `closed`, or `maxReadersExceeded`.
  init(
    _ transactions: StoreTransactions,
    _ kind: VersionInfo.Kind,
    _ site: CallSite? = nil,
    movesByItself: Bool = false
  ) throws {
    self.transactions = transactions
    storage = try transactions.pin(
      PinnedVersion.Holder(kind: kind, site: site, movesByItself: movesByItself)
    )
  }

  /// The number of the commit that it sees.
  var version: Int { uses.withLock { _ in storage.snapshotID } }

  /// Moves to the newest commit, unless a body runs in it and needs the pages of the present one.
  ///
  /// - Returns: False when it has not moved.
  /// - Throws: ``ObjectBoxError`` when the newest commit cannot be read.
  func renew() throws -> Bool {
    try uses.withLock { uses in
      guard uses.count == 0 else { return false }
      try transactions.renewPin(storage)
      return true
    }
  }

  deinit {
    transactions.unpin(storage)
  }

  // MARK: Holders

  /// Sets whether the holder follows new commits by itself.
  func setMovesByItself(_ movesByItself: Bool) {
    transactions.changePin(storage) { $0.holder.movesByItself = movesByItself }
  }

  /// Adds a snapshot to the holders.
  func share(with site: CallSite?) {
    transactions.changePin(storage) {
      $0.sharer = PinnedVersion.Holder(kind: .snapshot, site: site)
    }
  }

  /// Leaves the commit to the snapshot that shares it, if there is one.
  func handOver() {
    transactions.changePin(storage) { pin in
      if let sharer = pin.sharer { pin.holder = sharer }
    }
  }

  // MARK: Reading

  /// Runs a body whose boxes and queries of the store read from this commit.
  ///
  /// A write inside the body throws `cannotWriteWhileReading`. The version stays until the body has ended,
  /// even if the last holder is released meanwhile.
  func reading<T>(_ body: () throws -> T) throws -> T {
    let state = ThreadContext.current.state(for: transactions)
    if let current = state.current, current.storage === storage { return try body() }
    let transaction = beginUse()
    defer { endUse(transaction) }
    return try state.lending(transaction, body)
  }

  private func beginUse() -> Transaction {
    let idle = uses.withLock { uses in
      uses.count += 1
      return uses.idle.popLast()
    }
    return idle ?? Transaction(transactions.file, storage)
  }

  private func endUse(_ transaction: Transaction) {
    uses.withLock { uses in
      uses.count -= 1
      if uses.idle.count < Self.maximumIdleCount { uses.idle.append(transaction) }
    }
  }
}
