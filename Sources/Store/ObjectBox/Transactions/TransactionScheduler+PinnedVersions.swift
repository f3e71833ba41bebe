internal import ObjectBoxStorage

/// The versions that are pinned by read transactions without a thread, and the progress of closing.
struct PinnedVersions {
  /// Keyed by the identity of the read transaction.
  var versions: [ObjectIdentifier: PinnedVersion] = [:]
  /// True when the store is closed and no thread has a transaction.
  var isDrained = false
  var isFileClosed = false
}

/// A version that a read transaction keeps alive for a snapshot or a live view.
struct PinnedVersion {
  /// The object that keeps a version alive.
  struct Holder: Sendable {
    var kind: VersionInfo.Kind
    /// The call that made the holder; nil for a short-lived holder of the library itself.
    var site: CallSite?
    /// True when the holder follows new versions by itself.
    var movesByItself = false
  }

  var version: Int
  var begin: ContinuousClock.Instant
  var holder: Holder
  /// The snapshot that shares the read transaction; it becomes the holder when the live view
  /// advances.
  var sharer: Holder?

  /// The public description.
  var information: VersionInfo {
    VersionInfo(
      version: version,
      kind: holder.kind,
      age: begin.duration(to: .now),
      site: holder.site
    )
  }
}

extension TransactionScheduler {
  /// Begins a read transaction that belongs to no thread and outlives `close`.
  ///
  /// - Parameter holder: The object that keeps the version alive.
  /// - Returns: The transaction, for `unpin`. Several threads may read in it at a time.
  /// - Throws: ``ObjectBoxError``: `closed`, or `maxReadersExceeded`.
  func pin(_ holder: PinnedVersion.Holder) throws -> StorageTransaction {
    try file.translating {
      try pinned.withLock { pinned in
        guard !isClosed, !pinned.isDrained else { throw StoreError.closed(file.location) }
        let count = pinned.versions.count
        guard count < file.maximumPinnedVersionCount else {
          throw StoreError.tooManyPins(count, location: file.location)
        }
        let storage = try file.environment.beginRead(isShared: true)
        let version = PinnedVersion(version: storage.snapshotID, begin: .now, holder: holder)
        pinned.versions[ObjectIdentifier(storage)] = version
        warnings.expect(version)
        return storage
      }
    }
  }

  /// Ends a read transaction that `pin` began.
  func unpin(_ storage: StorageTransaction) {
    storage.abort()
    pinned.withLock { _ = $0.versions.removeValue(forKey: ObjectIdentifier(storage)) }
    closeUnlessPinned()
  }

  /// Moves a read transaction that `pin` began to the newest commit.
  func renewPin(_ storage: StorageTransaction) throws {
    try file.translating {
      try changePin(storage) { pin in
        storage.reset()
        try storage.renew()
        pin.version = storage.snapshotID
        pin.begin = .now
      }
    }
  }

  /// Changes the description of a read transaction that `pin` began.
  func changePin(
    _ storage: StorageTransaction,
    _ change: (inout PinnedVersion) throws -> Void
  ) rethrows {
    try pinned.withLock { pinned in
      let key = ObjectIdentifier(storage)
      guard var version = pinned.versions[key] else { return }
      try change(&version)
      pinned.versions[key] = version
      warnings.expect(version)
    }
  }

  /// The versions that snapshots and live views keep alive, oldest first.
  var activeVersions: [VersionInfo] {
    pinned.withLock { $0.versions.values.map(\.information) }
      .sorted { ($0.version, $1.age) < ($1.version, $0.age) }
  }

  /// Describes the snapshot or live view that has kept a version alive for the longest; nil if
  /// there is none.
  ///
  /// For messages.
  func describeHolder(of version: Int) -> String? {
    guard let held = activeVersions.first(where: { $0.version == version }) else { return nil }
    return "\(held.holder) has held for \(held.age.components.seconds) s"
  }

  /// Throws when the limit of versions is reached.
  func checkVersionLimit() throws {
    guard let limit = maximumVersionCount else { return }
    let count = pinned.withLock { Set($0.versions.values.map(\.version)).count }
    if count >= limit { throw ObjectBoxError.tooManyActiveVersions(count, limit: limit) }
  }

  /// Runs a body, and keeps the file open until it returns.
  ///
  /// - Throws: ``ObjectBoxError/closed(message:)`` when the file is closed, and the error of the
  ///   body.
  func withOpenFile<T>(_ body: () throws -> T) throws -> T {
    // Errors are converted outside of the lock: describing a holder takes it.
    try file.translating {
      try pinned.withLock { pinned in
        guard !pinned.isFileClosed else { throw StoreError.closed(file.location) }
        return try body()
      }
    }
  }
}
