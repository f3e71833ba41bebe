/// A handle of something stored, as a ``StoreView`` shows it: an object, or results.
public protocol Managed {
  /// The handle of the same in a snapshot.
  associatedtype Frozen: FrozenHandle where Frozen.Frozen == Frozen, Frozen.Live == Live
  /// The handle of the same in a live view.
  associatedtype Live: Managed where Live.Frozen == Frozen, Live.Live == Live

  /// True when what it shows never changes; may be read anywhere.
  var isFrozen: Bool { get }

  /// True when it shows nothing any more: the object is gone, or the view was invalidated.
  var isInvalidated: Bool { get }

  /// Returns a handle of the same that never changes.
  ///
  /// - Parameters:
  ///   - file: The caller's file, for ``Store/activeVersions`` and warnings.
  ///   - line: The caller's line.
  /// - Returns: The handle in the snapshot of this version; a frozen one returns itself.
  /// - Throws: ``ObjectBoxError``: `invalidated`, `notInSnapshot` for an object that was put in a
  ///   transaction that is still open.
  func freeze(file: StaticString, line: UInt) throws -> Frozen

  /// Returns a handle of the same that goes along with changes.
  ///
  /// - Parameter live: The view that shows it.
  /// - Returns: Nil when it is gone there; a handle of that view returns itself.
  /// - Throws: ``ObjectBoxError``: `differentStore`, `invalidated`.
  func thaw(in live: LiveStore) throws -> Live?

  /// What it stands for, whatever view shows it; for the library itself.
  ///
  /// Throws ``ObjectBoxError/invalidated(message:)`` when there is nothing left to name.
  func __identity() throws -> ManagedIdentity

  /// Returns the handle of something in a snapshot, nil when it is not there; for the library itself.
  static func __frozen(_ identity: ManagedIdentity, in snapshot: Snapshot) throws -> Frozen?
}

extension Managed {
  /// Returns a handle of the same that never changes.
  ///
  /// - Parameters:
  ///   - file: The caller's file, for ``Store/activeVersions`` and warnings.
  ///   - line: The caller's line.
  /// - Returns: The handle in the snapshot of this version; a frozen one returns itself.
  /// - Throws: ``ObjectBoxError``: `invalidated`, `notInSnapshot` for an object that was put in a
  ///   transaction that is still open.
  public func freeze(file: StaticString = #fileID, line: UInt = #line) throws -> Frozen {
    // The requirement, which this adds the defaults to.
    try freeze(file: file, line: line)
  }

  /// Asks the frozen handle, which every snapshot can make.
  public static func __frozen(
    _ identity: ManagedIdentity,
    in snapshot: Snapshot
  ) throws -> Frozen? {
    try Frozen.__frozen(identity, in: snapshot)
  }
}

/// A handle of something stored, as a snapshot shows it.
public protocol FrozenHandle: Managed, Sendable where Frozen == Self {
  /// The snapshot that shows it, and lives as long.
  var snapshot: Snapshot { get }
}

/// What a handle stands for, whatever view shows it.
///
/// It keeps no version alive.
public struct ManagedIdentity: Sendable {
  enum Content: Sendable {
    case object(id: UInt64)
    case results(Selection)
  }

  /// A store that does not keep its file open.
  let store: Store
  let content: Content

  /// Takes an instance that ``Store/forReading()`` made.
  init(_ store: Store, _ content: Content) {
    self.store = store
    self.content = content
  }

  /// The ID of the object that is meant; 0 for results.
  var id: UInt64 {
    if case .object(let id) = content { return id }
    return 0
  }

  /// The results that are meant; nil for an object.
  var selection: Selection? {
    if case .results(let selection) = content { return selection }
    return nil
  }
}
