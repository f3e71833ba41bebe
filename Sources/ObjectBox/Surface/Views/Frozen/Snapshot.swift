/// The store as it was at one commit; it never changes.
///
/// It may be used from all threads at a time. Its handles, and everything
/// that they lead to, show the same commit. It keeps that commit's pages in the file, so the file grows while
/// objects are written; let it go, or `invalidate` it, when it is not needed any more. It goes on after
/// `Store.close`, until it is released.
///
/// A class, since it owns a read transaction.
public final class Snapshot: StoreView, Sendable {
  /// A pinned version, and the store instance for boxes and queries that read it.
  private struct Content {
    var pin: PinnedRead
    var reader: Store
  }

  /// Nil once it has been invalidated.
  private let content: Guarded<Content?>
  private let number: Int
  /// The store, which this does not keep open.
  public let store: Store

  private init(_ pin: PinnedRead, number: Int, _ store: Store) {
    content = Guarded(Content(pin: pin, reader: store.forReading(.version(pin))))
    self.number = number
    self.store = store.forReading()
  }

  /// Returns the snapshot of the commit that a read transaction sees.
  ///
  /// - Parameters:
  ///   - pin: Stays at its commit from now on, whoever else has it.
  ///   - store: Any instance of the store.
  ///   - site: The call that makes it.
  /// - Returns: The same one as before, as long as somebody holds that.
  static func of(_ pin: PinnedRead, _ store: Store, _ site: CallSite?) -> Snapshot {
    let number = pin.version
    return store.core.snapshots.object(number, where: { !$0.isInvalidated }) {
      pin.share(with: site)
      return Snapshot(pin, number: number, store)
    }
  }

  // MARK: State

  /// True: it never changes.
  public var isFrozen: Bool { true }

  /// True once `invalidate` was called.
  public var isInvalidated: Bool { content.withLock { $0 == nil } }

  /// The store instance for boxes and queries of the snapshot; it reads nothing once that is invalidated.
  ///
  /// Objects that are read with it keep the version: their relations read it.
  var reader: Store { content.withLock { $0?.reader } ?? store.forReading(.nothing) }

  /// The number of the commit that is seen.
  ///
  /// Throws ``ObjectBoxError/invalidated(message:)`` after `invalidate`.
  public func version() throws -> Int {
    if isInvalidated { throw Self.invalidated(number) }
    return number
  }

  /// Gives the commit up before the last holder lets the snapshot go.
  ///
  /// Reads that go on are not disturbed; later ones throw ``ObjectBoxError/invalidated(message:)``. Instances
  /// with relations that were made of the snapshot's objects keep the commit until they are released.
  public func invalidate() {
    // Its end closes the file, perhaps, and waits for no lock of this.
    let given = content.withLock { content in
      defer { content = nil }
      return content
    }
    withExtendedLifetime(given) {}
  }

  /// Returns itself, whatever the caller's `file` and `line`.
  public func freeze(file: StaticString = #fileID, line: UInt = #line) -> Snapshot { self }

  /// Returns the view that goes along with changes.
  ///
  /// - Parameters:
  ///   - isolation: Where it is to be used; the caller's.
  ///   - file: The caller's file, for ``Store/activeVersions`` and warnings.
  ///   - line: The caller's line.
  /// - Returns: The live view of the isolation, which may show a later commit.
  /// - Throws: ``ObjectBoxError``: `closed`, `maxReadersExceeded`.
  public func thaw(
    isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID,
    line: UInt = #line
  ) throws -> LiveStore {
    try store.live(isolation: isolation, file: file, line: line)
  }

  // MARK: Reading

  /// Runs a body whose boxes and queries of the store read from the snapshot.
  ///
  /// - Throws: What the body throws, and ``ObjectBoxError/invalidated(message:)``.
  func reading<T>(_ body: () throws -> T) throws -> T {
    guard let pin = content.withLock({ $0?.pin }) else { throw Self.invalidated(number) }
    return try pin.reading(body)
  }

  private static func invalidated(_ number: Int) -> ObjectBoxError {
    .invalidated(
      message:
        "the snapshot of version \(number) has been invalidated; make another one with freeze"
    )
  }
}

extension Store {
  /// Returns the store as it is now, for reads that later commits must not disturb.
  ///
  /// Changes of a transaction that is open are not in it.
  ///
  /// - Parameters:
  ///   - file: The caller's file, for ``activeVersions`` and warnings.
  ///   - line: The caller's line.
  /// - Returns: The snapshot of the newest commit: the same one as before when nothing was committed since,
  ///   and somebody still holds that.
  /// - Throws: ``ObjectBoxError``: `closed`, `maxReadersExceeded`.
  /// - Complexity: O(1); nothing is copied.
  public func freeze(file: StaticString = #fileID, line: UInt = #line) throws -> Snapshot {
    try freeze(at: CallSite(file, line))
  }

  /// Returns the store as it is now.
  ///
  /// - Parameter site: The call that asks for it; nil when the library itself does.
  /// - Returns: The snapshot of the newest commit.
  /// - Throws: ``ObjectBoxError``: `closed`, `maxReadersExceeded`.
  func freeze(at site: CallSite?) throws -> Snapshot {
    if isClosed { throw closedError() }
    return Snapshot.of(try PinnedRead(transactions, .snapshot, site), self, site)
  }
}
