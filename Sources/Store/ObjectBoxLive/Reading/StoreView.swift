public import ObjectBox

/// The store at one version: an immutable ``Snapshot``, or a ``LiveStore``, which follows commits.
public protocol StoreView: AnyObject {
  /// True for a snapshot, which any thread may read.
  nonisolated var isFrozen: Bool { get }

  /// The store, for writes and other work without a version.
  var store: Store { get }

  /// The number of the commit that the view shows.
  ///
  /// Throws `ObjectBoxError.invalidated(message:)` when the view has been invalidated.
  func version() throws -> Int

  /// Moves to the newest version.
  ///
  /// - Returns: True when there was a newer version; false for a snapshot, which does not move.
  /// - Throws: `ObjectBoxError`: `wrongIsolation`, `closed`, `maxReadersExceeded`.
  @discardableResult
  func refresh() throws -> Bool

  /// Returns the snapshot of the version that the view shows; a snapshot returns itself.
  ///
  /// - Parameters:
  ///   - file: The caller's file, for `Store.activeVersions` and warnings.
  ///   - line: The caller's line.
  /// - Returns: The snapshot.
  /// - Throws: `ObjectBoxError`: `invalidated`, `closed`, `maxReadersExceeded`.
  func freeze(file: StaticString, line: UInt) throws -> Snapshot

  /// Returns the live view of an isolation; a live view returns itself.
  ///
  /// - Parameters:
  ///   - isolation: The isolation that may use the view; the caller's.
  ///   - file: The caller's file, for `Store.activeVersions` and warnings.
  ///   - line: The caller's line.
  /// - Returns: The view, which may show a later commit than a snapshot.
  /// - Throws: `ObjectBoxError`: `closed`, `maxReadersExceeded`.
  func thaw(
    isolation: isolated (any Actor)?,
    file: StaticString,
    line: UInt
  ) throws -> LiveStore

  /// Runs a block in a write transaction of the store.
  ///
  /// - Parameter body: Reads and writes.
  /// - Returns: The result of the block.
  /// - Throws: The block's error, and `ObjectBoxError`: `frozen` on a snapshot, others as
  ///   `write` of `Store`.
  func write<R>(_ body: (WriteTransaction) throws -> R) throws -> R

  /// Calls a handler after changes of the store.
  ///
  /// - Parameter handler: Called after commits.
  /// - Returns: The token that ends it.
  /// - Throws: `ObjectBoxError`: `frozen` on a snapshot.
  func observe(_ handler: @escaping (StoreNotification) -> Void) throws -> NotificationToken
}

// Default arguments of the requirements. Each function has an additional parameter: with equal
// parameters it would implement its requirement, and call itself.
extension StoreView {
  /// Returns the snapshot of the version that the view shows; a snapshot returns itself.
  ///
  /// - Parameters:
  ///   - file: The caller's file, for `Store.activeVersions` and warnings.
  ///   - line: The caller's line.
  ///   - column: The caller's column; not used.
  /// - Returns: The snapshot.
  /// - Throws: `ObjectBoxError`: `invalidated`, `closed`, `maxReadersExceeded`.
  public func freeze(
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) throws -> Snapshot {
    try freeze(file: file, line: line)
  }

  /// Returns the live view of the caller's isolation; a live view returns itself.
  ///
  /// - Parameters:
  ///   - isolation: The isolation that may use the view; the caller's.
  ///   - file: The caller's file, for `Store.activeVersions` and warnings.
  ///   - line: The caller's line.
  ///   - column: The caller's column; not used.
  /// - Returns: The view, which may show a later commit than a snapshot.
  /// - Throws: `ObjectBoxError`: `closed`, `maxReadersExceeded`.
  public func thaw(
    isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) throws -> LiveStore {
    try thaw(isolation: isolation, file: file, line: line)
  }

  /// Does nothing and returns false: the view never moves.
  @discardableResult
  public func refresh() throws -> Bool { false }
}
