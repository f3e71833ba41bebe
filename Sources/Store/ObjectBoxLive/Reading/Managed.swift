public import ObjectBox

/// A handle of stored data, as a ``StoreView`` shows it: an object, or results.
public protocol Managed {
  /// The handle of the same data in a snapshot.
  associatedtype Frozen: FrozenHandle
  where Frozen.Frozen == Frozen, Frozen.Live == Live, Frozen.Resolved == Resolved
  /// The handle of the same data in a live view.
  associatedtype Live: Managed where Live.Frozen == Frozen, Live.Live == Live
  /// The data in a transaction: an instance, or an array of instances.
  associatedtype Resolved

  /// True when the handle shows one version only; then any thread may read it.
  var isFrozen: Bool { get }

  /// True when the object is gone, or the view was invalidated.
  var isInvalidated: Bool { get }

  /// Returns the handle in the snapshot of the current version; a frozen handle returns itself.
  ///
  /// - Parameters:
  ///   - file: The caller's file, for `Store.activeVersions` and warnings.
  ///   - line: The caller's line.
  /// - Returns: The frozen handle.
  /// - Throws: `ObjectBoxError`: `invalidated`, `notInSnapshot` for an object that was put in a
  ///   transaction that is still open.
  func freeze(file: StaticString, line: UInt) throws -> Frozen

  /// Returns the handle in a live view.
  ///
  /// - Parameter live: A view of the same store.
  /// - Returns: The handle, itself in its own view; nil when the view does not show the data.
  /// - Throws: `ObjectBoxError`: `differentStore`, `invalidated`.
  func thaw(in live: LiveStore) throws -> Live?

  /// The identity of the data, in any view; for the library itself.
  ///
  /// Throws ``ObjectBoxError/invalidated(message:)`` when the handle is invalid.
  func __identity() throws -> ManagedIdentity
}

extension Managed {
  /// Returns the handle in the snapshot of the current version; a frozen handle returns itself.
  ///
  /// - Parameters:
  ///   - file: The caller's file, for `Store.activeVersions` and warnings.
  ///   - line: The caller's line.
  ///   - column: The caller's column; not used.
  /// - Returns: The frozen handle.
  /// - Throws: `ObjectBoxError`: `invalidated`, `notInSnapshot` for an object that was put in a
  ///   transaction that is still open.
  public func freeze(
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) throws -> Frozen {
    // Calls the requirement, which has no `column`: with equal parameters this would implement it.
    try freeze(file: file, line: line)
  }
}

/// A handle of stored data in a snapshot; immutable and usable on all threads.
public protocol FrozenHandle: Managed, Sendable where Frozen == Self {
  /// The snapshot that shows the data; retained by the handle.
  var snapshot: Snapshot { get }

  /// Returns the handle in a snapshot; nil when the data does not exist there.
  ///
  /// For the library itself.
  static func __frozen(_ identity: ManagedIdentity, in snapshot: Snapshot) throws -> Self?

  /// Returns the data in a transaction; nil when it does not exist.
  ///
  /// For the library itself.
  static func __resolved(
    _ identity: ManagedIdentity,
    in transaction: ReadTransaction
  ) throws -> Resolved?
}

extension FrozenHandle {
  /// True: it never changes.
  public var isFrozen: Bool { true }

  /// True once the snapshot has been invalidated.
  public var isInvalidated: Bool { snapshot.isInvalidated }

  /// Returns itself, whatever the caller's `file` and `line`.
  public func freeze(file: StaticString = #fileID, line: UInt = #line) -> Self { self }

  /// Returns the handle in the live view of the caller's isolation.
  ///
  /// - Parameters:
  ///   - isolation: The isolation that may use it; the caller's.
  ///   - file: The caller's file, for `Store.activeVersions` and warnings.
  ///   - line: The caller's line.
  /// - Returns: The handle; nil when the view, which may show another version, does not contain the
  ///   object or the relation's host.
  /// - Throws: `ObjectBoxError`: `invalidated`, `closed`.
  public func thaw(
    isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID,
    line: UInt = #line
  ) throws -> Live? {
    try thaw(in: try snapshot.thaw(isolation: isolation, file: file, line: line))
  }
}

/// The identity of a handle's data in any view; keeps no version alive.
public struct ManagedIdentity: Sendable {
  enum Content: Sendable {
    case object(id: UInt64)
    case results(Selection)
  }

  /// A store that does not keep its file open.
  let store: Store
  let content: Content

  /// Takes an instance made by ``Store/forReading()``.
  init(_ store: Store, _ content: Content) {
    self.store = store
    self.content = content
  }

  /// The ID of the object; 0 for results.
  var id: UInt64 {
    if case .object(let id) = content { return id }
    return 0
  }

  /// The selection of the results; nil for an object.
  var selection: Selection? {
    if case .results(let selection) = content { return selection }
    return nil
  }
}
