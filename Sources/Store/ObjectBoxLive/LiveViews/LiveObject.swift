public import ObjectBox

/// A stored object as a live view shows it: it changes with the view.
///
/// Reading a member by name never fails: when the object is gone or the view was invalidated, it
/// returns the value that was read last. `value` throws then. Relations lead to handles of the same
/// view: a to-many property is a ``LiveRelation``, a to-one property an optional ``LiveObject``.
/// Inside a write, `WriteTransaction.modify` changes properties; ``LiveRelation`` and `set` change
/// relations.
///
/// It may be used in the isolation of its view only.
///
///     if let note = try live.object(Note.self, id) {
///       try live.write { transaction in try transaction.modify(note) { $0.stars = 5 } }
///       print(note.stars)  // 5
///     }
@dynamicMemberLookup
public final class LiveObject<E>: Managed
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  /// The object in a snapshot.
  public typealias Frozen = FrozenObject<E>
  /// The object in a live view.
  public typealias Live = LiveObject<E>
  /// An instance of the object.
  public typealias Resolved = E

  /// The view that shows the object.
  public let live: LiveStore
  /// The object's ID.
  public let id: EntityId<E>
  let generation: Int
  /// The instance that was read last; it never leaves this handle, and only members are read from
  /// it.
  private var held: E
  /// The view's epoch at that read; -1 for a read inside a write, which may have been rolled back.
  private var heldEpoch: Int
  /// The to-many relations read so far, with their cached IDs.
  private var relations: [PartialKeyPath<E>: AnyObject] = [:]

  init(_ id: EntityId<E>, _ value: E, in live: LiveStore) {
    self.live = live
    self.id = id
    generation = live.generation
    held = value
    heldEpoch = live.store.isInWriteTransaction ? -1 : live.epoch
  }

  /// Makes a handle of an object that is gone; its properties read as null.
  init(gone id: EntityId<E>, in live: LiveStore, _ generation: Int? = nil) {
    self.live = live
    self.id = id
    self.generation = generation ?? live.generation
    held = EmptyRecord.instance(id, live.store)
    heldEpoch = -1
  }

  /// False: the object changes with the view.
  public var isFrozen: Bool { false }

  /// True when the object is gone, its put was rolled back, or the view was invalidated.
  ///
  /// Stops the process outside of the isolation of the view.
  public var isInvalidated: Bool {
    live.requireIsolation()
    let isInvalidated = isGone
    if live.isTrackingRead { track(.presence, isInvalidated) { $0.isGone } }
    return isInvalidated
  }

  /// ``isInvalidated``, as code reads it that Observation does not track.
  var isGone: Bool { (try? isThere()) != true }

  /// Returns the object in the snapshot of the view's version.
  ///
  /// - Parameters:
  ///   - file: The caller's file, for `Store.activeVersions` and warnings.
  ///   - line: The caller's line.
  /// - Returns: The frozen handle.
  /// - Throws: `ObjectBoxError`: `invalidated` when the object is gone, `notInSnapshot` when it was
  ///   put in a write that is still open, `wrongIsolation`.
  public func freeze(
    file: StaticString = #fileID,
    line: UInt = #line
  ) throws -> FrozenObject<E> {
    try checkThere()
    guard let frozen = try live.freeze(file: file, line: line).object(id) else {
      throw ObjectBoxError.notInSnapshot(
        message: """
          cannot freeze an object in the write that puts it: it has no version yet; freeze it
          """
            + "after the commit"
      )
    }
    return frozen
  }

  /// Returns the object in a live view.
  ///
  /// - Parameter live: A view of the same store.
  /// - Returns: The handle, itself in its own view; nil when the view does not show the object.
  /// - Throws: `ObjectBoxError`: `differentStore`, `wrongIsolation`.
  public func thaw(in live: LiveStore) throws -> LiveObject<E>? {
    if live === self.live { return try isThere() ? self : nil }
    try self.live.store.checkSame(as: live.store)
    return try live.object(id)
  }

  /// Returns itself, whatever the caller's isolation, `file` and `line`; nil when the object is
  /// gone.
  ///
  /// Throws `ObjectBoxError`: `wrongIsolation`, `closed`.
  public func thaw(
    isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID,
    line: UInt = #line
  ) throws -> LiveObject<E>? { try thaw(in: live) }

  /// The object's ID; for the library itself.
  ///
  /// Throws ``ObjectBoxError``: `invalidated` when the object is gone, `wrongIsolation`.
  public func __identity() throws -> ManagedIdentity {
    try checkThere()
    return ManagedIdentity(live.store.forReading(), .object(id: id.value))
  }

  // MARK: Reading

  /// Returns the object as an independent instance.
  ///
  /// Its relations load the stored objects on first use, and can be changed and applied. The
  /// relations that the view shows are members of the handle.
  ///
  /// Throws `ObjectBoxError`: `invalidated` when the object is gone or the view was invalidated,
  /// `wrongIsolation`, `closed`.
  public func value() throws -> E {
    let value = try seen()
    if live.isTrackingRead { track(.content, value) { try? $0.seen() } }
    guard let value else { throw gone }
    return value
  }

  /// A member of the object, as the view shows it or as it was read last; setting it does not
  /// compile.
  ///
  /// Stops the process outside of the isolation of the view.
  @_disfavoredOverload
  public subscript<V>(dynamicMember member: KeyPath<E, V>) -> V {
    get { trackedMember(member) }
    @available(
      *,
      unavailable,
      message: """
        a live object is changed in a write: 'try transaction.modify(object) { $0.name = … }'
        """
    )
    set {}
  }

  /// A member of the object with an `Equatable` type.
  ///
  /// Same as for other members. The compiler prefers it, so that expressions with handles are not
  /// ambiguous with expressions over instances.
  public subscript<V: Equatable>(dynamicMember member: KeyPath<E, V>) -> V {
    get { trackedMember(member) }
    @available(
      *,
      unavailable,
      message: """
        a live object is changed in a write: 'try transaction.modify(object) { $0.name = … }'
        """
    )
    set {}
  }

  /// The objects of a to-many relation, as the view shows them or as they were read last.
  ///
  /// Stops the process outside of the isolation of the view.
  public subscript<T>(dynamicMember member: KeyPath<E, ToMany<T>>) -> LiveRelation<T> {
    let selection = Selection(self.member(member), live.store.file)
    if let known = relations[member] as? LiveRelation<T>,
      known.selection.related == selection.related
    {
      return known
    }
    let relation = LiveRelation<T>(selection, in: live, generation)
    relations[member] = relation
    return relation
  }

  /// The target of a to-one relation, as the view shows it; nil for none.
  ///
  /// When the view can no longer be read, the properties of the handle read as null. Stops the
  /// process outside of the isolation of the view.
  public subscript<T>(dynamicMember member: KeyPath<E, ToOne<T>>) -> LiveObject<T>? {
    let relation = self.member(member)
    if live.isTrackingRead {
      track(.member(member), target(of: relation)) { $0.target(of: $0.member(member)) }
    }
    guard let id = relation.targetId else { return nil }
    guard live.generation == generation, !live.store.transactions.isClosed else {
      return LiveObject<T>(gone: id, in: live, generation)
    }
    return try? live.object(id)
  }

  /// The target of a to-one relation, if the view shows it.
  private func target<T>(of relation: ToOne<T>) -> EntityId<T>? {
    guard let id = relation.targetId else { return nil }
    return (try? live.contains(id)) == true ? id : nil
  }

  /// The value of a member, as ``member(_:)`` returns it; noted when Observation tracks the read.
  private func trackedMember<V>(_ member: KeyPath<E, V>) -> V {
    let value = self.member(member)
    if live.isTrackingRead { track(.member(member), value) { $0.member(member) } }
    return value
  }

  /// The value of a member, as the view shows it or as it was read last.
  func member<V>(_ member: KeyPath<E, V>) -> V {
    live.requireIsolation()
    let value = newest()
    guard live.generation == generation else { return value[keyPath: member] }
    do {
      // A computed member may follow relations of the instance, which must read the view's version.
      return try live.reading { _ in value[keyPath: member] }
    } catch {
      return value[keyPath: member]
    }
  }

  /// Returns an instance of the object at the view's version, or the last instance.
  private func newest() -> E {
    if live.store.isInWriteTransaction { return (try? seen()) ?? held }
    if heldEpoch != live.epoch, let value = try? seen() {
      held = value
      heldEpoch = live.epoch
    }
    return held
  }

  /// Returns a new instance of the object at the view's version; nil when it is gone.
  private func seen() throws -> E? {
    guard live.generation == generation else {
      try live.checkUsable()
      return nil
    }
    return try live.instance(id)
  }

  /// Returns whether the view shows the object, without making an instance.
  private func isThere() throws -> Bool {
    guard live.generation == generation else {
      try live.checkUsable()
      return false
    }
    return try live.contains(id)
  }

  /// Throws `invalidated` when the view does not show the object.
  func checkThere() throws {
    if try !isThere() { throw gone }
  }

  private var gone: ObjectBoxError {
    .invalidated(
      message: """
        '\(E.entityInfo.entityName)' with ID \(id.value) has been deleted, or its live view \
        was
        """
          + "invalidated; look isInvalidated up first, or read members by name for the last values"
    )
  }
}
