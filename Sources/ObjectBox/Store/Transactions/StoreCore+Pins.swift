internal import ObjectBoxStorage

/// What an open file is kept open by.
struct EnvironmentLife {
  /// A read transaction that somebody holds.
  struct Pin {
    var version: Int
    var begin: ContinuousClock.Instant
    var holder: VersionHolder
    /// Who reads from it as well, and keeps it when the holder moves on.
    var sharer: VersionHolder?

    /// What it tells of itself.
    var information: VersionInfo {
      VersionInfo(
        version: version,
        kind: holder.kind,
        age: begin.duration(to: .now),
        site: holder.site
      )
    }
  }

  var pins: [ObjectIdentifier: Pin] = [:]
  /// The calls whose holders have been warned of.
  var warnedSites: Set<String> = []
  /// True when the store is closed and no thread has a transaction.
  var isDrained = false
  var isClosed = false

  /// The versions that are kept alive, oldest first.
  var activeVersions: [VersionInfo] {
    pins.values.map(\.information).sorted { ($0.version, $1.age) < ($1.version, $0.age) }
  }
}

/// Who keeps a version alive.
struct VersionHolder: Sendable {
  var kind: VersionInfo.Kind
  /// The call that made it; nil for what the library itself holds, for a moment.
  var site: CallSite?
  /// Whether it goes to newer versions soon after they are there.
  var movesByItself = false
}

extension StoreCore {
  /// Begins a read transaction that is bound to no thread and outlives `close`.
  ///
  /// - Parameter holder: Who holds it.
  /// - Returns: The transaction, in which several threads may read at a time; for `unpin`.
  /// - Throws: ``ObjectBoxError``: `closed`, or `maxReadersExceeded`.
  func pin(_ holder: VersionHolder) throws -> StorageTransaction {
    try translating {
      try life.withLock { life in
        guard !isClosed, !life.isDrained else { throw Self.isClosedError(location) }
        guard life.pins.count < maximumPinCount else {
          throw StoreError.tooManyPins(life.pins.count, location: location)
        }
        let storage = try environment.beginRead(isShared: true)
        let pin = EnvironmentLife.Pin(
          version: storage.snapshotID,
          begin: .now,
          holder: holder
        )
        life.pins[ObjectIdentifier(storage)] = pin
        warnings.expect(pin)
        return storage
      }
    }
  }

  /// Ends a read transaction that `pin` began.
  func unpin(_ storage: StorageTransaction) {
    storage.abort()
    life.withLock { _ = $0.pins.removeValue(forKey: ObjectIdentifier(storage)) }
    closeUnlessPinned()
  }

  /// Moves a read transaction that `pin` began to the newest commit.
  func renew(_ storage: StorageTransaction) throws {
    try translating {
      try life.withLock { life in
        storage.reset()
        try storage.renew()
        let key = ObjectIdentifier(storage)
        life.pins[key]?.version = storage.snapshotID
        life.pins[key]?.begin = .now
        life.pins[key].map(warnings.expect)
      }
    }
  }

  /// Changes what is known of who holds a read transaction that `pin` began.
  func changePin(_ storage: StorageTransaction, _ change: (inout EnvironmentLife.Pin) -> Void) {
    life.withLock { life in
      let key = ObjectIdentifier(storage)
      guard var pin = life.pins[key] else { return }
      change(&pin)
      life.pins[key] = pin
      warnings.expect(pin)
    }
  }

  /// The versions that snapshots and live views keep alive, oldest first.
  var activeVersions: [VersionInfo] { life.withLock(\.activeVersions) }

  /// Throws when as many versions are kept alive as may be.
  func checkVersionLimit() throws {
    guard let limit = maximumVersionCount else { return }
    let count = life.withLock { Set($0.pins.values.map(\.version)).count }
    if count >= limit { throw ObjectBoxError.tooManyActiveVersions(count, limit: limit) }
  }

  /// The error of what came with transactions of blocks; older functions throw `illegalState`.
  static func isClosedError(_ location: String) -> ObjectBoxError {
    .closed(message: "the store at '\(location)' is closed; open it again")
  }
}
