extension Box {
  /// Calls a handler whenever a commit has changed properties of an object, or removed it, in the caller's
  /// isolation.
  ///
  /// The handler is never called during the commit. Entries of standalone to-many relations do not count.
  ///
  /// - Parameters:
  ///   - id: The ID of an object that is stored.
  ///   - properties: The properties that count; nil for all.
  ///   - isolation: The isolation of the handler; the caller's. The actor is not kept alive.
  ///   - handler: May read and write. It is passed the old and new values of changed properties, and last
  ///     `deleted`.
  /// - Returns: The observation, which ends with its life; keep it.
  /// - Throws: ``ObjectBoxError``: `unmanagedObject` when there is no such object, `wrongIsolation` outside of
  ///   every actor, `observerAfterChanges` in a write transaction that has changed something,
  ///   `illegalArgument` for a property that the model lacks, `closed`.
  public func observe(
    _ id: EntityId<E>,
    properties: [any ObservedProperty<E>]? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ handler: @escaping (ObjectChange) -> Void
  ) throws -> NotificationToken {
    try observe(id, properties, DeliveryTarget(isolation), handler)
  }

  /// Calls a handler on a queue whenever a commit has changed properties of an object, or removed it; see
  /// ``observe(_:properties:isolation:_:)``.
  public func observe(
    _ id: EntityId<E>,
    on queue: SerialQueue,
    properties: [any ObservedProperty<E>]? = nil,
    _ handler: @escaping @Sendable (ObjectChange) -> Void
  ) throws -> NotificationToken {
    try observe(id, properties, DeliveryTarget(queue), handler)
  }

  /// Returns the changes of an object, for a loop.
  ///
  ///     for await change in try people.changes(of: id) { show(change) }
  ///
  /// - Parameters:
  ///   - id: The ID of an object that is stored.
  ///   - properties: The properties that count; nil for all.
  /// - Returns: The changes of ``observe(_:properties:isolation:_:)`` from now on, as a sequence, which ends
  ///   with the object.
  /// - Throws: ``ObjectBoxError``: `unmanagedObject` when there is no such object, `observerAfterChanges` in a
  ///   write transaction that has changed something, `illegalArgument` for a property that the model lacks,
  ///   `closed`.
  public func changes(
    of id: EntityId<E>,
    properties: [any ObservedProperty<E>]? = nil
  ) throws -> ObjectChangeSequence {
    try ObjectChangeSequence(store, ObjectTracker(id, in: self, properties: properties))
  }

  private func observe(
    _ id: EntityId<E>,
    _ properties: [any ObservedProperty<E>]?,
    _ target: DeliveryTarget,
    _ handler: @escaping (ObjectChange) -> Void
  ) throws -> NotificationToken {
    let tracker = try ObjectTracker(id, in: self, properties: properties)
    return try store.observation(tracker, target) { change, _ in handler(change) }
  }
}

extension Store {
  /// Calls a handler whenever a commit has changed an object; see ``Box/observe(_:properties:isolation:_:)``.
  public func observe<E>(
    _ type: E.Type,
    id: Id,
    properties: [any ObservedProperty<E>]? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ handler: @escaping (ObjectChange) -> Void
  ) throws -> NotificationToken
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try checkCanObserve()
    return try box(for: type)
      .observe(EntityId(id), properties: properties, isolation: isolation, handler)
  }

  /// Calls a handler on a queue whenever a commit has changed an object; see
  /// ``Box/observe(_:properties:isolation:_:)``.
  public func observe<E>(
    _ type: E.Type,
    id: Id,
    on queue: SerialQueue,
    properties: [any ObservedProperty<E>]? = nil,
    _ handler: @escaping @Sendable (ObjectChange) -> Void
  ) throws -> NotificationToken
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try checkCanObserve()
    return try box(for: type).observe(EntityId(id), on: queue, properties: properties, handler)
  }
}
