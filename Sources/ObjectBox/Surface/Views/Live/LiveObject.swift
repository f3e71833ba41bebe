/// A stored object as a live view shows it: it changes with the view.
///
/// Reading a member by name never fails: when the object is gone or the view was invalidated, it is the
/// last value that was seen. `value` is strict. Relations lead to handles of the same view: a to-many property
/// is a ``LiveRelation``, a to-one property an optional ``LiveObject``. Changes go through
/// `WriteTransaction.modify`; relations are changed by ``LiveRelation`` and `set` inside a write.
///
/// It may be used in the isolation of its view only. A class, since it changes.
@dynamicMemberLookup
public final class LiveObject<E>: Managed
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  /// The object in a snapshot.
  public typealias Frozen = FrozenObject<E>
  /// The object in a live view.
  public typealias Live = LiveObject<E>

  /// The view that shows it.
  public let live: LiveStore
  /// The object's ID.
  public let id: EntityId<E>
  private let generation: Int
  /// What was seen last; used for reading members only, nobody else has it.
  private var held: E
  /// Of the view when that was seen; -1 when it was inside a write, which may have been rolled back.
  private var heldEpoch: Int
  /// The to-many relations that were asked for, which keep the IDs that they have found.
  private var relations: [PartialKeyPath<E>: AnyObject] = [:]

  init(_ id: EntityId<E>, _ value: E, in live: LiveStore) {
    self.live = live
    self.id = id
    generation = live.generation
    held = value
    heldEpoch = live.store.isInWriteTransaction ? -1 : live.epoch
  }

  /// Makes a handle of an object that is gone, whose properties read as if they had no value.
  init(gone id: EntityId<E>, in live: LiveStore, _ generation: Int? = nil) {
    self.live = live
    self.id = id
    self.generation = generation ?? live.generation
    held = EmptyRecord.instance(id, live.store)
    heldEpoch = -1
  }

  /// False: it changes.
  public var isFrozen: Bool { false }

  /// True when the object is gone, or was put in a write that was rolled back, or the view was invalidated.
  ///
  /// Stops the process outside of the isolation of the view.
  public var isInvalidated: Bool {
    live.requireIsolation()
    return (try? isThere()) != true
  }

  /// Returns the object in the snapshot of the version that the view shows.
  ///
  /// - Parameters:
  ///   - file: The caller's file, for ``Store/activeVersions`` and warnings.
  ///   - line: The caller's line.
  /// - Returns: The frozen handle.
  /// - Throws: ``ObjectBoxError``: `invalidated` when the object is gone, `notInSnapshot` when it was put in
  ///   a write that is still open, `wrongIsolation`.
  public func freeze(
    file: StaticString = #fileID,
    line: UInt = #line
  ) throws -> FrozenObject<E> {
    try checkThere()
    guard let frozen = try live.freeze(file: file, line: line).object(id) else {
      throw ObjectBoxError.notInSnapshot(
        message:
          "cannot freeze an object in the write that puts it: it has no version yet; freeze it "
          + "after the commit"
      )
    }
    return frozen
  }

  /// Returns the object in a live view.
  ///
  /// - Parameter live: A view of the same store.
  /// - Returns: Nil when it is gone there; a handle of that view returns itself.
  /// - Throws: ``ObjectBoxError``: `differentStore`, `wrongIsolation`.
  public func thaw(in live: LiveStore) throws -> LiveObject<E>? {
    if live === self.live { return try isThere() ? self : nil }
    try self.live.store.checkSame(as: live.store)
    return try live.object(id)
  }

  /// Returns itself, whatever the caller's isolation, `file` and `line`; nil when the object is gone.
  ///
  /// Throws ``ObjectBoxError``: `wrongIsolation`, `closed`.
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

  /// Returns the object as an instance of its own, which belongs to nobody.
  ///
  /// Its relations load what is stored when they are first read, and can be changed and applied; those of the
  /// view are members of the handle.
  ///
  /// Throws ``ObjectBoxError``: `invalidated` when the object is gone or the view was invalidated,
  /// `wrongIsolation`, `closed`.
  public func value() throws -> E {
    try checkSeen()
  }

  /// A member of the object, as the view shows it, or as it was seen last.
  ///
  /// Stops the process outside of the isolation of the view.
  @_disfavoredOverload
  public subscript<V>(dynamicMember member: KeyPath<E, V>) -> V { self.member(member) }

  /// A member of the object that can be compared, as nearly all can.
  ///
  /// The same as for other members; the compiler prefers it, so that expressions over handles do not become
  /// ambiguous with those over instances.
  public subscript<V: Equatable>(dynamicMember member: KeyPath<E, V>) -> V { self.member(member) }

  /// The objects of a to-many relation, as the view shows them, or as they were seen last.
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

  /// The object that a to-one relation leads to, as the view shows it; nil for none.
  ///
  /// When the view cannot be read any more, the properties of the handle read as if they had no value. Stops
  /// the process outside of the isolation of the view.
  public subscript<T>(dynamicMember member: KeyPath<E, ToOne<T>>) -> LiveObject<T>? {
    guard let id = self.member(member).targetId else { return nil }
    guard live.generation == generation, !live.store.transactions.isClosed else {
      return LiveObject<T>(gone: id, in: live, generation)
    }
    return try? live.object(id)
  }

  /// The value of a member, as the view shows it, or as it was seen last.
  func member<V>(_ member: KeyPath<E, V>) -> V {
    live.requireIsolation()
    let value = newest()
    guard live.generation == generation else { return value[keyPath: member] }
    do {
      // A computed member may follow relations of the instance, which then read what the view shows.
      return try live.reading { _ in value[keyPath: member] }
    } catch {
      return value[keyPath: member]
    }
  }

  /// Returns an instance of what the view shows, or of what was seen last.
  private func newest() -> E {
    if live.store.isInWriteTransaction { return (try? seen()) ?? held }
    if heldEpoch != live.epoch, let value = try? seen() {
      held = value
      heldEpoch = live.epoch
    }
    return held
  }

  /// Returns a new instance of what the view shows; nil when there is nothing.
  private func seen() throws -> E? {
    guard live.generation == generation else {
      try live.checkUsable()
      return nil
    }
    return try live.reading { try Box<E>(store: $0).get(id) }
  }

  /// Returns a new instance of what the view shows, and throws `invalidated` when there is nothing.
  private func checkSeen() throws -> E {
    guard let value = try seen() else { throw gone }
    return value
  }

  /// Returns whether the view shows the object, without making an instance.
  private func isThere() throws -> Bool {
    guard live.generation == generation else {
      try live.checkUsable()
      return false
    }
    return try live.reading { store in
      try Box<E>(store: store).reading { table, transaction in
        try table.contains(id.value, in: transaction.storage)
      }
    }
  }

  /// Throws `invalidated` when the view does not show the object.
  func checkThere() throws {
    if try !isThere() { throw gone }
  }

  private var gone: ObjectBoxError {
    .invalidated(
      message:
        "'\(E.entityInfo.entityName)' with ID \(id.value) has been deleted, or its live view was "
        + "invalidated; look isInvalidated up first, or read members by name for the last values"
    )
  }
}
