public import ObjectBox

/// The objects of a to-many relation as a live view shows them, by ascending ID.
///
/// Reading a to-many property of a ``LiveObject`` by name returns a live relation: `person.dogs`.
/// It is read, narrowed, ordered and observed like all ``LiveResults``. Inside a write transaction
/// it changes the stored relation:
///
///     try live.write { _ in try person.dogs.append(rex) }
///
/// Each call stores its change. ``LiveResults/isInvalidated`` is also true when the host is gone. The relation
/// contains each object once.
public final class LiveRelation<E>: LiveResults<E>
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  /// Returns the relation in a live view.
  ///
  /// - Parameter live: A view of the same store.
  /// - Returns: The relation, itself in its own view; nil when the host is gone there.
  /// - Throws: `ObjectBoxError`: `differentStore`, `invalidated`, `wrongIsolation`.
  public override func thaw(in live: LiveStore) throws -> LiveRelation<E>? {
    if live === self.live { return try super.thaw(in: live).map { _ in self } }
    let isThere = try super.thaw(in: live) != nil
    return isThere ? LiveRelation(selection, in: live) : nil
  }

  /// Returns itself, whatever the caller's isolation, `file` and `line`.
  ///
  /// Throws `ObjectBoxError`: `invalidated`, `wrongIsolation`.
  public override func thaw(
    isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID,
    line: UInt = #line
  ) throws -> LiveRelation<E>? { try thaw(in: live) }

  // MARK: Adding

  /// Adds an object; does nothing when the relation contains it.
  ///
  /// - Parameter object: An object of a live view of this store.
  /// - Throws: `ObjectBoxError`: `notInWriteTransaction`, `invalidated` when either object is gone,
  ///   `differentStore`, `wrongIsolation`, others as for a put.
  public func append(_ object: LiveObject<E>) throws { try insert(object) }

  /// Adds an object; puts it if it is new.
  ///
  /// - Parameter object: An instance. Only the ID of a stored instance counts; put it to store
  ///   other changes. A new instance of a class gets its ID.
  /// - Returns: A handle of the object.
  /// - Throws: `ObjectBoxError`: `notInWriteTransaction`, `invalidated` when the host is gone,
  ///   `wrongIsolation`, others as for a put.
  @discardableResult
  public func append(_ object: E) throws -> LiveObject<E> {
    let id = EntityId<E>(try changing { try $0.add(object) })
    return try live.object(id) ?? LiveObject(gone: id, in: live)
  }

  /// Adds objects as ``append(_:)-(LiveObject<E>)`` does; checks all before it adds the first.
  public func append(contentsOf objects: some Sequence<LiveObject<E>>) throws {
    let ids = try stored(objects)
    try changing { change in for id in ids { _ = try change.set(true, id) } }
  }

  /// Adds objects as ``append(_:)-(E)`` does; puts new objects.
  public func append(contentsOf objects: some Sequence<E>) throws {
    try changing { change in for object in objects { _ = try change.add(object) } }
  }

  /// Adds an object.
  ///
  /// There is no insertion position: the objects of a to-many relation are ordered by ID.
  ///
  /// - Parameter object: An object of a live view of this store.
  /// - Returns: False when the relation already contains the object.
  /// - Throws: `ObjectBoxError` as ``append(_:)-(LiveObject<E>)``.
  @discardableResult
  public func insert(_ object: LiveObject<E>) throws -> Bool {
    let ids = try stored(CollectionOfOne(object))
    return try changing { change in try ids.contains { try change.set(true, $0) } }
  }

  // MARK: Replacing

  /// Sets the objects of the relation; removed objects stay in their box.
  ///
  /// - Parameter objects: Objects of a live view of this store; all are checked before the first
  ///   change.
  /// - Throws: `ObjectBoxError` as ``append(_:)-(LiveObject<E>)``.
  public func replace(_ objects: some Sequence<LiveObject<E>>) throws {
    let ids = try stored(objects)
    try changing { change in
      for id in ids { _ = try change.set(true, id) }
      try change.removeAll(except: Set(ids))
    }
  }

  /// Sets the objects of the relation; puts new objects, as ``append(_:)-(E)`` does.
  public func replace(_ objects: some Sequence<E>) throws {
    try changing { change in
      let ids = try objects.map { try change.add($0) }
      try change.removeAll(except: Set(ids))
    }
  }

  // MARK: Removing

  /// Removes an object from the relation; it stays in its box.
  ///
  /// - Parameter object: An object of a live view of this store.
  /// - Returns: False when the relation does not contain the object.
  /// - Throws: `ObjectBoxError`: `notInWriteTransaction`, `invalidated` when the host is gone,
  ///   `differentStore`, `wrongIsolation`, others as for a put.
  @discardableResult
  public func remove(_ object: LiveObject<E>) throws -> Bool {
    try object.live.checkUsable()
    try live.store.checkSame(as: object.live.store)
    return try changing { try $0.set(false, object.id.value) }
  }

  /// Removes the object with the ID of an instance, as ``remove(_:)-(LiveObject<E>)`` does.
  @discardableResult
  public func remove(_ object: E) throws -> Bool {
    try changing { try $0.remove(object) }
  }

  /// Removes the object at an index, as ``remove(_:)-(LiveObject<E>)`` does.
  public func remove(at position: Int) throws { try remove(self[position]) }

  /// Removes all objects from the relation, as ``remove(_:)-(LiveObject<E>)`` does; they stay in
  /// their box.
  public func removeAll() throws { try changing { try $0.removeAll() } }

  /// Removes the objects that match a predicate from the relation; they stay in their box.
  ///
  /// - Parameter shouldBeRemoved: The predicate; called for each object before the first is
  ///   removed.
  /// - Throws: The block's error, and `ObjectBoxError` as ``remove(_:)-(LiveObject<E>)``.
  public func removeAll(where shouldBeRemoved: (LiveObject<E>) throws -> Bool) throws {
    let ids = try filter(shouldBeRemoved).map(\.id.value)
    try changing { change in for id in ids { _ = try change.set(false, id) } }
  }

  // MARK: Checking

  /// Returns the IDs of handles; throws unless each shows an object of this store.
  private func stored(_ objects: some Sequence<LiveObject<E>>) throws -> [UInt64] {
    try live.checkUsable()
    return try objects.map { object in
      try live.store.checkSame(as: object.live.store)
      try object.checkThere()
      return object.id.value
    }
  }

  /// Runs a body that changes the relation in the open write transaction.
  private func changing<R>(_ body: (RelationWriting<E>) throws -> R) throws -> R {
    try live.checkWriting("a to-many relation to '\(E.entityInfo.entityName)' was to be changed")
    try checkValid()
    guard let related = selection.related else {
      throw ObjectBoxError.cannotRelateToUnsavedEntities(
        message:
          "cannot change a to-many relation to '\(E.entityInfo.entityName)' that belongs to no stored "
          + "object; use a property that the entity stores"
      )
    }
    guard try selection.isHostThere(live.store) else {
      throw ObjectBoxError.invalidated(
        message:
          "cannot change a to-many relation to '\(E.entityInfo.entityName)': the object with ID "
          + "\(related.link.host) that has it has been removed"
      )
    }
    let box = Box<E>(store: live.store)
    live.didWrite()
    return try box.writingUndoably { writer, _ in
      try body(try RelationWriting(related.link, box, writer.transaction))
    }
  }
}
