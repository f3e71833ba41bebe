public import ObjectBox
internal import Synchronization

/// The store as it was at one commit; it never changes.
///
/// Several threads may use it at once. Its handles, and handles of related objects, show the same
/// commit, whose pages stay off the free list: the file grows while objects are written. Release
/// the snapshot or `invalidate` it when it is no longer needed. It can be read after `Store.close`,
/// until it is released.
///
/// Invariant of `@unchecked Sendable`: a body uses `reference` only after it has entered the
/// version and then found it not invalidated. `invalidate` marks the snapshot first, and releases
/// the content when no body runs.
public final class Snapshot: StoreView, ReadableView, @unchecked Sendable {
  /// A pinned version, with the store instance whose boxes and queries read it; both are released
  /// together.
  private final class Content: Sendable {
    let pin: PinnedRead
    let reader: Store

    init(_ pin: PinnedRead, _ store: Store) {
      self.pin = pin
      reader = store.forReading(.version(pin))
    }
  }

  /// Nil after the invalidation.
  private let content: Guarded<Content?>
  /// The content, unretained: avoids contended reference counts.
  private let reference: Unmanaged<Content>
  private let uses: PinUses
  private let hasEnded = Atomic<Bool>(false)
  private let number: Int
  /// The store; the snapshot does not keep it open.
  public let store: Store

  private init(_ pin: PinnedRead, number: Int, _ store: Store) {
    let content = Content(pin, store)
    self.content = Guarded(content)
    reference = .passUnretained(content)
    uses = pin.uses
    self.number = number
    self.store = store.forReading()
  }

  /// Returns the snapshot of the commit that a read transaction sees.
  ///
  /// - Parameters:
  ///   - pin: The read transaction, which may have other holders; it stays at its commit from now
  ///     on.
  ///   - store: Any instance of the store.
  ///   - site: The call that makes it.
  /// - Returns: The commit's existing snapshot while it is in use, else a new one.
  static func of(_ pin: PinnedRead, _ store: Store, _ site: CallSite?) -> Snapshot {
    let number = pin.version
    return store.openStore.snapshots.object(number, where: { !$0.isInvalidated }) {
      pin.share(with: site)
      return Snapshot(pin, number: number, store)
    }
  }

  // MARK: State

  /// True: it never changes.
  public var isFrozen: Bool { true }

  /// True once `invalidate` was called.
  public var isInvalidated: Bool { hasEnded.load(ordering: .sequentiallyConsistent) }

  /// The number of the commit that the snapshot shows.
  ///
  /// Throws `ObjectBoxError.invalidated(message:)` after `invalidate`.
  public func version() throws -> Int {
    if isInvalidated { throw invalidated }
    return number
  }

  /// Releases the commit before the snapshot itself is released.
  ///
  /// Running reads continue; later reads throw `ObjectBoxError.invalidated(message:)`. Instances
  /// that were made from the snapshot's objects keep the commit for their relations until they are
  /// released.
  public func invalidate() {
    hasEnded.store(true, ordering: .sequentiallyConsistent)
    let released = content.withLock { content in
      defer { content = nil }
      return content
    }
    if let released { uses.releaseWhenIdle(released) }
  }

  /// Returns itself, whatever the caller's `file` and `line`.
  public func freeze(file: StaticString = #fileID, line: UInt = #line) -> Snapshot { self }

  /// Returns the live view of the caller's isolation, which may show a later commit.
  ///
  /// - Parameters:
  ///   - isolation: The isolation that may use the view; the caller's.
  ///   - file: The caller's file, for `Store.activeVersions` and warnings.
  ///   - line: The caller's line.
  /// - Returns: The view.
  /// - Throws: `ObjectBoxError`: `closed`, `maxReadersExceeded`.
  public func thaw(
    isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID,
    line: UInt = #line
  ) throws -> LiveStore {
    try store.live(isolation: isolation, file: file, line: line)
  }

  // MARK: Reading

  /// Runs a body that reads the snapshot's version.
  ///
  /// - Parameter body: Gets the store for its boxes and queries. Objects that it reads keep the
  ///   version for their relations.
  /// - Returns: The result of the body.
  /// - Throws: Errors of the body, and ``ObjectBoxError/invalidated(message:)``.
  @inline(__always)
  package func reading<T>(_ body: (Store) throws -> T) throws -> T {
    try ThreadContext.withState(for: store.transactions) { state in
      if let use = uses.enterAgain(state) {
        defer { use.leave() }
        if isInvalidated { throw invalidated }
        return try reference._withUnsafeGuaranteedRef { content in
          try content.pin.reading(in: use, state) { try body(content.reader) }
        }
      }
      guard let content = content.withLock({ $0 }) else { throw invalidated }
      return try content.pin.reading { try body(content.reader) }
    }
  }

  private var invalidated: ObjectBoxError {
    .invalidated(
      message:
        "the snapshot of version \(number) has been invalidated; make another one with freeze"
    )
  }
}

extension Store {
  /// Returns a snapshot of the newest commit, for reads that later commits do not affect.
  ///
  /// The snapshot contains no changes of an open transaction.
  ///
  ///     let snapshot = try store.freeze()
  ///     let before = try snapshot.count(Note.self)
  ///     try store.box(for: Note.self).removeAll()
  ///     print(try snapshot.count(Note.self) == before)  // true
  ///
  /// - Parameters:
  ///   - file: The caller's file, for `activeVersions` and warnings.
  ///   - line: The caller's line.
  /// - Returns: The commit's existing snapshot while it is in use, else a new one.
  /// - Throws: `ObjectBoxError`: `closed`, `maxReadersExceeded`.
  /// - Complexity: O(1); nothing is copied.
  public func freeze(file: StaticString = #fileID, line: UInt = #line) throws -> Snapshot {
    try freeze(at: CallSite(file, line))
  }

  /// Returns a snapshot of the newest commit.
  ///
  /// - Parameter site: The call that makes it; nil for the library itself.
  /// - Returns: The snapshot.
  /// - Throws: ``ObjectBoxError``: `closed`, `maxReadersExceeded`.
  func freeze(at site: CallSite?) throws -> Snapshot {
    if isClosed { throw closedError() }
    return Snapshot.of(try PinnedRead(transactions, .snapshot, site), self, site)
  }
}
