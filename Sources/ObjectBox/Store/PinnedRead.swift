internal import ObjectBoxStorage

/// A read transaction that stays at the commit it was begun at, for whoever holds it.
///
/// It can be used from all threads, one at a time. While a body runs in it, it stands in for the thread's
/// own transaction, so that boxes and queries read from it.
///
/// Invariant of `@unchecked Sendable`: the transaction is touched while `lock` is held only, or by `deinit`.
final class PinnedRead: @unchecked Sendable {
  let core: StoreCore
  private let transaction: Transaction
  // Not of an empty value, whose place the thread sanitizer takes for that of the lock itself.
  private let lock = Guarded(UInt8(0))

  /// Pins the newest commit.
  ///
  /// - Parameters:
  ///   - core: The store.
  ///   - kind: Who holds it.
  ///   - site: The call that made the holder; nil for what the library itself holds for a moment.
  ///   - movesByItself: Whether the holder goes to newer commits soon after they are there.
  /// - Throws: ``ObjectBoxError``: `closed`, or `maxReadersExceeded`.
  init(
    _ core: StoreCore,
    _ kind: VersionInfo.Kind,
    _ site: CallSite? = nil,
    movesByItself: Bool = false
  ) throws {
    self.core = core
    transaction = try core.pin(
      VersionHolder(kind: kind, site: site, movesByItself: movesByItself)
    )
  }

  /// The number of the commit that it sees.
  var version: Int { lock.withLock { _ in transaction.storage.snapshotID } }

  /// Moves to the newest commit; nobody may be reading in it on this thread.
  func renew() throws {
    try lock.withLock { _ in try core.renew(transaction) }
  }

  deinit {
    core.unpin(transaction)
  }

  // MARK: Holders

  /// Tells whether the holder goes to newer commits soon after they are there.
  func setMovesByItself(_ movesByItself: Bool) {
    core.changePin(transaction) { $0.holder.movesByItself = movesByItself }
  }

  /// Adds a snapshot to the holders.
  func share(with site: CallSite?) {
    core.changePin(transaction) { $0.sharer = VersionHolder(kind: .snapshot, site: site) }
  }

  /// Leaves the commit to the snapshot that shares it, if there is one.
  func handOver() {
    core.changePin(transaction) { pin in
      if let sharer = pin.sharer { pin.holder = sharer }
    }
  }

  /// Runs a body whose boxes and queries of the store read from this commit.
  ///
  /// A write inside it throws `cannotWriteWhileReading`.
  func reading<T>(_ body: () throws -> T) throws -> T {
    let state = ThreadContext.current.state(for: core)
    if state.current === transaction { return try body() }
    return try lock.withLock { _ in
      try state.lending(transaction, body)
    }
  }
}
