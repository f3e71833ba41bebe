public import ObjectBox

/// A stored object as a snapshot shows it; it never changes.
///
/// Any thread may use it. Its relations lead to frozen handles: by name, a to-many property is a
/// ``FrozenResults``, a to-one property an optional ``FrozenObject``. Each read of a member by name
/// makes an instance of the entity; `object[Person.age]` reads that property only.
///
///     if let note = try snapshot.object(Note.self, id) {
///       Task { print(note.title, note.author?.name ?? "nobody") }
///     }
@dynamicMemberLookup
public struct FrozenObject<E>: FrozenHandle
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  /// The object in a snapshot.
  public typealias Frozen = FrozenObject<E>
  /// The object in a live view.
  public typealias Live = LiveObject<E>
  /// An instance of the object.
  public typealias Resolved = E

  /// The snapshot that shows the object; retained by the handle.
  public let snapshot: Snapshot
  /// The object's ID.
  public let id: EntityId<E>

  /// Makes the handle of an existing object.
  init(_ id: EntityId<E>, in snapshot: Snapshot) {
    self.snapshot = snapshot
    self.id = id
  }

  /// Returns the object in a live view.
  ///
  /// - Parameter live: A view of the same store.
  /// - Returns: The handle; nil when the view has no such object.
  /// - Throws: `ObjectBoxError`: `differentStore`, `invalidated`.
  public func thaw(in live: LiveStore) throws -> LiveObject<E>? {
    try snapshot.store.checkSame(as: live.store)
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

  /// Returns the object in a transaction; for the library itself.
  public static func __resolved(
    _ identity: ManagedIdentity,
    in transaction: ReadTransaction
  ) throws -> E? {
    try transaction.get(EntityId<E>(identity.id))
  }

  // MARK: Reading

  /// Returns the object as an independent instance.
  ///
  /// The instance's relations read the snapshot's version and keep it alive, also after
  /// `Store.close`. They cannot be applied (`ObjectBoxError.frozen(message:)`).
  ///
  /// Throws `ObjectBoxError.invalidated(message:)` when the snapshot has been invalidated.
  public func value() throws -> E {
    guard let value = try snapshot.instance(id) else {
      throw ObjectBoxError.notFound(
        message: """
          '\(E.entityInfo.entityName)' has no object with ID \(id.value) in the snapshot
          """
      )
    }
    return value
  }

  /// The value of a property, read from the record without making an object.
  ///
  /// Throws `ObjectBoxError.invalidated(message:)` when the snapshot has been invalidated.
  public subscript<V: RecordValue, R>(_ property: Property<E, V, R>) -> V.Projection {
    get throws { try snapshot.value(of: property, id) }
  }

  /// Passes the stored bytes of a string, byte vector or vector to a block, without copying them.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - body: Gets the bytes, which are valid until it returns.
  /// - Returns: The block's result; nil when the property has no value or is of another type.
  /// - Throws: The block's error, and `ObjectBoxError.invalidated(message:)`.
  public func withBytes<V: RecordValue, T>(
    of property: Property<E, V, Void>,
    _ body: (RawSpan) throws -> T
  ) throws -> T? {
    try snapshot.withBytes(of: property, id, body)
  }

  // MARK: Relations

  /// Returns the target of a to-one relation.
  ///
  /// - Parameter relation: A to-one relation of the entity.
  /// - Returns: The object in the same snapshot; nil without a target.
  /// - Throws: `ObjectBoxError.invalidated(message:)`.
  public func target<V: RecordValue & IdBase, R>(
    _ relation: Property<E, V, R>
  ) throws -> FrozenObject<R>?
  where V.Projection == V {
    try snapshot.object(EntityId<R>(try self[relation].value))
  }

  /// Returns the related objects of a to-many relation, by ascending ID.
  ///
  /// - Parameter relation: A to-many relation of the entity, standalone or backlink.
  /// - Returns: Results of the same snapshot.
  /// - Throws: `ObjectBoxError`: `invalidated`, or `illegalArgument` when the entity has no such
  ///   relation.
  public func targets<R>(_ relation: ToManyProperty<R>) throws -> FrozenResults<R> {
    try snapshot.reading { FrozenResults(try Selection(relation, of: id, $0), in: snapshot) }
  }

  // MARK: Members

  /// A member of the object; setting it does not compile.
  ///
  /// Never stops the process: when the snapshot has been invalidated, properties read as null.
  @_disfavoredOverload
  public subscript<V>(dynamicMember member: KeyPath<E, V>) -> V {
    get { readable[keyPath: member] }
    @available(
      *,
      unavailable,
      message: """
        a frozen object does not change: thaw it, and write 'try transaction.modify(object) { \
        $0.name = … }' in a write
        """
    )
    nonmutating set {}
  }

  /// A member of the object with an `Equatable` type.
  ///
  /// Same as for other members. The compiler prefers it, so that expressions with handles are not
  /// ambiguous with expressions over instances.
  public subscript<V: Equatable>(dynamicMember member: KeyPath<E, V>) -> V {
    get { readable[keyPath: member] }
    @available(
      *,
      unavailable,
      message: """
        a frozen object does not change: thaw it, and write 'try transaction.modify(object) { \
        $0.name = … }' in a write
        """
    )
    nonmutating set {}
  }

  /// The objects of a to-many relation in the snapshot; empty after its invalidation.
  public subscript<T>(dynamicMember member: KeyPath<E, ToMany<T>>) -> FrozenResults<T> {
    FrozenResults(Selection(readable[keyPath: member], snapshot.store.file), in: snapshot)
  }

  /// The target of a to-one relation in the snapshot; nil for none, and after its invalidation.
  public subscript<T>(dynamicMember member: KeyPath<E, ToOne<T>>) -> FrozenObject<T>? {
    guard let id = readable[keyPath: member].targetId else { return nil }
    return try? snapshot.object(id)
  }

  /// An instance for reading members; an empty one when the object cannot be read.
  var readable: E { (try? value()) ?? EmptyRecord.instance(id, snapshot.store) }
}
