internal import ObjectBoxStorage

/// What an open file is kept open by.
struct EnvironmentLife {
  /// A read transaction that somebody holds.
  struct Pin {
    var version: Int
    var kind: VersionInfo.Kind
    var begin: ContinuousClock.Instant
  }

  var pins: [ObjectIdentifier: Pin] = [:]
  /// True when the store is closed and no thread has a transaction.
  var isDrained = false
  var isClosed = false
}

/// A version of the store that is kept alive.
public struct VersionInfo: Hashable, Sendable {
  /// Who keeps it alive.
  public enum Kind: Hashable, Sendable {
    /// A snapshot.
    case snapshot
    /// A live view.
    case live
  }

  /// The number of the commit.
  public let version: Int
  /// Who keeps it alive.
  public let kind: Kind
  /// For how long it has been kept alive by this holder.
  public let age: Duration
}

extension StoreCore {
  /// Begins a read transaction that is bound to no thread and outlives `close`.
  ///
  /// - Parameter kind: Who holds it.
  /// - Returns: The transaction, for `unpin`.
  /// - Throws: ``ObjectBoxError``: `closed`, or `maxReadersExceeded`.
  func pin(_ kind: VersionInfo.Kind) throws -> Transaction {
    try StoreError.translating(location) {
      try life.withLock { life in
        guard !isClosed, !life.isDrained else { throw Self.isClosedError(location) }
        let transaction = Transaction(
          core: self,
          storage: try environment.beginRead(),
          isWritable: false
        )
        life.pins[ObjectIdentifier(transaction)] = EnvironmentLife.Pin(
          version: transaction.storage.snapshotID,
          kind: kind,
          begin: .now
        )
        return transaction
      }
    }
  }

  /// Ends a read transaction that `pin` began.
  func unpin(_ transaction: Transaction) {
    transaction.abort()
    life.withLock { _ = $0.pins.removeValue(forKey: ObjectIdentifier(transaction)) }
    closeUnlessPinned()
  }

  /// Moves a read transaction that `pin` began to the newest commit.
  func renew(_ transaction: Transaction) throws {
    try StoreError.translating(location) {
      try life.withLock { life in
        transaction.storage.reset()
        try transaction.storage.renew()
        let key = ObjectIdentifier(transaction)
        life.pins[key]?.version = transaction.storage.snapshotID
        life.pins[key]?.begin = .now
      }
    }
  }

  /// The versions that snapshots and live views keep alive, oldest first.
  var activeVersions: [VersionInfo] {
    life.withLock { life in
      life.pins.values
        .map { VersionInfo(version: $0.version, kind: $0.kind, age: $0.begin.duration(to: .now)) }
        .sorted { ($0.version, $1.age) < ($1.version, $0.age) }
    }
  }

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
