/// The store seen at one version: a ``Snapshot``, which never changes, or a ``LiveStore``, which goes along.
public protocol StoreView: AnyObject {
  /// True when what is seen never changes; may be read anywhere.
  nonisolated var isFrozen: Bool { get }

  /// The store, for what concerns no version, such as writes.
  var store: Store { get }

  /// The number of the commit that is seen.
  ///
  /// Throws ``ObjectBoxError/invalidated(message:)`` when the view has been invalidated.
  func version() throws -> Int

  /// Moves to the newest version.
  ///
  /// - Returns: True when there was something new; a snapshot stays where it is.
  /// - Throws: ``ObjectBoxError``: `wrongIsolation`, `closed`, `maxReadersExceeded`.
  @discardableResult
  func refresh() throws -> Bool

  /// Returns what never changes of what is seen now.
  ///
  /// - Parameters:
  ///   - file: The caller's file, for ``Store/activeVersions`` and warnings.
  ///   - line: The caller's line.
  /// - Returns: The snapshot of this version; a snapshot returns itself.
  /// - Throws: ``ObjectBoxError``: `invalidated`, `closed`, `maxReadersExceeded`.
  func freeze(file: StaticString, line: UInt) throws -> Snapshot

  /// Returns the view that goes along with changes.
  ///
  /// - Parameters:
  ///   - isolation: Where it is to be used; the caller's.
  ///   - file: The caller's file, for ``Store/activeVersions`` and warnings.
  ///   - line: The caller's line.
  /// - Returns: The live view of the isolation; a live view returns itself.
  /// - Throws: ``ObjectBoxError``: `closed`, `maxReadersExceeded`.
  func thaw(
    isolation: isolated (any Actor)?,
    file: StaticString,
    line: UInt
  ) throws -> LiveStore

  /// Runs a block in a write transaction of the store.
  ///
  /// - Parameter body: Reads and writes.
  /// - Returns: What the block returns.
  /// - Throws: What the block throws, and ``ObjectBoxError``: `frozen` on a snapshot, others as
  ///   ``Store/write(withoutNotifying:_:)``.
  func write<R>(_ body: (WriteTransaction) throws -> R) throws -> R

  /// Tells of changes of the store.
  ///
  /// - Parameter handler: Called after commits.
  /// - Returns: What ends it.
  /// - Throws: ``ObjectBoxError``: `frozen` on a snapshot.
  func observe(_ handler: @escaping (StoreNotification) -> Void) throws -> NotificationToken
}

extension StoreView {
  /// Returns what never changes of what is seen now.
  ///
  /// - Parameters:
  ///   - file: The caller's file, for ``Store/activeVersions`` and warnings.
  ///   - line: The caller's line.
  /// - Returns: The snapshot of this version; a snapshot returns itself.
  /// - Throws: ``ObjectBoxError``: `invalidated`, `closed`, `maxReadersExceeded`.
  public func freeze(file: StaticString = #fileID, line: UInt = #line) throws -> Snapshot {
    // The requirement, which this adds the defaults to; so below.
    try freeze(file: file, line: line)
  }

  /// Returns the view that goes along with changes.
  ///
  /// - Parameters:
  ///   - isolation: Where it is to be used; the caller's.
  ///   - file: The caller's file, for ``Store/activeVersions`` and warnings.
  ///   - line: The caller's line.
  /// - Returns: The live view of the isolation; a live view returns itself.
  /// - Throws: ``ObjectBoxError``: `closed`, `maxReadersExceeded`.
  public func thaw(
    isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID,
    line: UInt = #line
  ) throws -> LiveStore {
    try thaw(isolation: isolation, file: file, line: line)
  }

  /// Does nothing, as for all that never changes.
  ///
  /// - Returns: False.
  @discardableResult
  public func refresh() throws -> Bool { false }
}
