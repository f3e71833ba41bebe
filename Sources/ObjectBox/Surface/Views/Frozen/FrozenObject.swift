/// A stored object as a snapshot shows it; it never changes.
///
/// It may be used from all threads. What it leads to is frozen as well: a to-many property that is read by
/// name is a ``FrozenResults``, a to-one property an optional ``FrozenObject``. Reading a member by name makes
/// an instance of the entity each time; `object[Person.age]` reads the one property only.
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
  /// Relations of the instance read the version of the snapshot, which they keep alive, also after
  /// `Store.close`; they cannot be applied (``ObjectBoxError/frozen(message:)``).
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
  @_disfavoredOverload
  public subscript<V>(dynamicMember member: KeyPath<E, V>) -> V { readable[keyPath: member] }

  /// A member of the object that can be compared, as nearly all can.
  ///
  /// The same as for other members; the compiler prefers it, so that expressions over handles do not become
  /// ambiguous with those over instances.
  public subscript<V: Equatable>(dynamicMember member: KeyPath<E, V>) -> V {
    readable[keyPath: member]
  }

  /// The objects of a to-many relation in the snapshot.
  ///
  /// Never stops the process: when the snapshot has been invalidated there are none.
  public subscript<T>(dynamicMember member: KeyPath<E, ToMany<T>>) -> FrozenResults<T> {
    FrozenResults(Selection(readable[keyPath: member], snapshot.store.file), in: snapshot)
  }

  /// The object that a to-one relation leads to in the snapshot; nil for none, and when the snapshot has been
  /// invalidated.
  public subscript<T>(dynamicMember member: KeyPath<E, ToOne<T>>) -> FrozenObject<T>? {
    guard let id = readable[keyPath: member].targetId else { return nil }
    return try? snapshot.object(id)
  }

  /// An instance for reading members; without values when there is nothing to read.
  var readable: E { (try? value()) ?? EmptyRecord.instance(id, snapshot.store) }
}
