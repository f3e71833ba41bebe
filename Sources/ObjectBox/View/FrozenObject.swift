/// A stored object as a snapshot shows it; it never changes.
///
/// It may be used from all threads. What it leads to is frozen as well. Reading a member by name makes an
/// instance of the entity each time; `object[Person.age]` reads the one property only.
@dynamicMemberLookup
public struct FrozenObject<E>: FrozenHandle
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  /// The object in a snapshot.
  public typealias Frozen = FrozenObject<E>
  /// The object in a live view.
  public typealias Live = LiveObject<E>

  /// The snapshot that shows it, and lives as long.
  public let snapshot: Snapshot
  /// The object's ID.
  public let id: EntityId<E>

  /// The object must be there.
  init(_ id: EntityId<E>, in snapshot: Snapshot) {
    self.snapshot = snapshot
    self.id = id
  }

  /// True: it never changes.
  public var isFrozen: Bool { true }

  /// True once the snapshot has been invalidated.
  public var isInvalidated: Bool { snapshot.isInvalidated }

  /// Returns itself, whatever the caller's `file` and `line`.
  public func freeze(file: StaticString = #fileID, line: UInt = #line) -> FrozenObject<E> { self }

  /// Returns the object in a live view.
  ///
  /// - Parameter live: A view of the same store.
  /// - Returns: Nil when the object is not there.
  /// - Throws: ``ObjectBoxError``: `differentStore`, `invalidated`.
  public func thaw(in live: LiveStore) throws -> LiveObject<E>? {
    try snapshot.checkSameStore(as: live.store)
    return try live.object(id)
  }

  /// The object's ID; for the library itself.
  public func __identity() -> ManagedIdentity {
    ManagedIdentity(snapshot.store, .object(id: id.value))
  }

  /// Returns the object in a snapshot; for the library itself.
  public static func __frozen(
    _ identity: ManagedIdentity,
    in snapshot: Snapshot
  ) throws -> FrozenObject<E>? {
    try snapshot.object(EntityId(identity.id))
  }

  // MARK: Reading

  /// Returns the object as an instance of its own, which belongs to nobody.
  ///
  /// Relations of the instance load what is stored now; those of the snapshot come from `target` and
  /// `targets`.
  ///
  /// Throws ``ObjectBoxError/invalidated(message:)`` when the snapshot has been invalidated.
  public func value() throws -> E {
    try snapshot.reading {
      guard let value = try Box<E>(store: snapshot.reader).get(id) else {
        throw ObjectBoxError.notFound(
          message: "'\(E.entityInfo.entityName)' has no object with ID \(id.value) in the snapshot"
        )
      }
      return value
    }
  }

  /// A member of the object.
  ///
  /// Never stops the process: when the snapshot has been invalidated, properties read as if they had no
  /// value.
  public subscript<V>(dynamicMember member: KeyPath<E, V>) -> V {
    if let value = try? value() { return value[keyPath: member] }
    return EmptyRecord.instance(id, snapshot.reader)[keyPath: member]
  }
}
