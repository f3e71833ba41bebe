public import ObjectBox

/// A reference that carries a handle to another isolation, where it is resolved once.
///
/// It keeps the handle's version alive until it is resolved or released.
public final class ThreadSafeReference<M: Managed>: Sendable {
  /// Nil after it was resolved.
  private let frozen: Guarded<M.Frozen?>

  /// Makes a reference to an object or to results.
  ///
  /// - Parameters:
  ///   - handle: A frozen or live handle.
  ///   - file: The caller's file, for `Store.activeVersions` and warnings.
  ///   - line: The caller's line.
  /// - Throws: `ObjectBoxError`: `invalidated` when the handle is invalid, `notInSnapshot` for an
  ///   object that was put in a transaction that is still open.
  public init(to handle: M, file: StaticString = #fileID, line: UInt = #line) throws {
    frozen = Guarded(try handle.freeze(file: file, line: line))
  }

  /// Makes a reference to the stored object of an instance.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - entity: An instance; only its ID counts.
  ///   - file: The caller's file, for `Store.activeVersions` and warnings.
  ///   - line: The caller's line.
  /// - Throws: `ObjectBoxError`: `unmanagedObject` for an instance that was never stored,
  ///   `notInSnapshot` when the last commit has no such object.
  public init<E>(
    _ store: Store,
    _ entity: E,
    file: StaticString = #fileID,
    line: UInt = #line
  ) throws where M == FrozenObject<E> {
    let id = E.entityBinding.entityId(of: entity)
    guard id != 0 else { throw UnmanagedObject.error(E.self) }
    guard let object = try store.freeze(file: file, line: line).object(EntityId<E>(id)) else {
      throw ObjectBoxError.notInSnapshot(
        message:
          "the last commit has no '\(E.entityInfo.entityName)' with ID \(id); commit it first"
      )
    }
    frozen = Guarded(object)
  }

  /// True after it was resolved.
  public var isInvalidated: Bool { frozen.withLock { $0 == nil } }

  /// The snapshot that the reference retains; nil after it was resolved.
  public var snapshot: Snapshot? { frozen.copy?.snapshot }

  /// Consumes the reference, and returns its handle in the snapshot that it retains.
  ///
  /// - Parameter store: Any instance of the store.
  /// - Returns: The handle.
  /// - Throws: ``ObjectBoxError``: `referenceAlreadyResolved`, or `differentStore`, which does not
  ///   consume the reference.
  func take(for store: Store) throws -> M.Frozen {
    try frozen.withLock { frozen in
      guard let held = frozen else {
        throw ObjectBoxError.referenceAlreadyResolved(
          message:
            "the reference has been resolved before; make another one for each place where it is needed"
        )
      }
      try store.checkSame(as: held.snapshot.store)
      frozen = nil
      return held
    }
  }
}

/// The error of a reference to an object that was never stored.
enum UnmanagedObject {
  static func error<E: EntityInspectable>(_ type: E.Type) -> ObjectBoxError {
    .unmanagedObject(
      message:
        "the '\(E.entityInfo.entityName)' was never stored, so nothing can refer to it; put it first, or "
        + "pass the instance itself"
    )
  }
}
