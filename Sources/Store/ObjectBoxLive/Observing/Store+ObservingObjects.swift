public import ObjectBox

extension Box {
  /// Calls a handler when a commit has changed properties of an object, or removed it, in the
  /// caller's isolation.
  ///
  /// The handler is never called during a commit. Entries of standalone to-many relations do not
  /// count.
  ///
  ///     token = try notes.observe(note.id) { change in
  ///       if case .change(let properties) = change { print(properties.map(\.name)) }
  ///     }
  ///
  /// - Parameters:
  ///   - id: The ID of a stored object.
  ///   - properties: The properties that count; nil for all.
  ///   - isolation: The isolation of the handler; the caller's. The actor is not retained.
  ///   - handler: Gets the old and new values of changed properties, and last `deleted`; may read
  ///     and write.
  /// - Returns: The observation; releasing it ends it. Keep it.
  /// - Throws: `ObjectBoxError`: `unmanagedObject` when the object does not exist, `wrongIsolation`
  ///   outside of actors, `observerAfterChanges` in a write transaction that has changed something,
  ///   `illegalArgument` for a property that the model lacks, `closed`.
  public func observe(
    _ id: EntityId<E>,
    properties: [any ObservedProperty<E>]? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ handler: @escaping (ObjectChange) -> Void
  ) throws -> NotificationToken {
    try observe(id, properties, DeliveryTarget(isolation), handler)
  }

  /// Calls a handler on a queue when a commit has changed properties of an object, or removed it;
  /// see ``Box/observe(_:properties:isolation:_:)-(EntityId<E>,_,_,_)``.
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
  ///   - id: The ID of a stored object.
  ///   - properties: The properties that count; nil for all.
  /// - Returns: The changes of ``Box/observe(_:properties:isolation:_:)-(EntityId<E>,_,_,_)`` from
  ///   now on, as a sequence that ends with the object.
  /// - Throws: `ObjectBoxError`: `unmanagedObject` when the object does not exist,
  ///   `observerAfterChanges` in a write transaction that has changed something, `illegalArgument`
  ///   for a property that the model lacks, `closed`.
  public func changes(
    of id: EntityId<E>,
    properties: [any ObservedProperty<E>]? = nil
  ) throws -> ObjectChangeSequence {
    try ObjectChangeSequence(store, ObjectTracker(id, in: self, properties: properties))
  }

  // MARK: IDs of any entity

  /// Calls a handler when a commit has changed properties of an object, or removed it, in the
  /// caller's isolation.
  ///
  /// See the form for `EntityId`.
  public func observe<I: UntypedIdBase>(
    _ id: I,
    properties: [any ObservedProperty<E>]? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ handler: @escaping (ObjectChange) -> Void
  ) throws -> NotificationToken {
    try observe(EntityId(id.value), properties, DeliveryTarget(isolation), handler)
  }

  /// Calls a handler on a queue when a commit has changed properties of an object, or removed it.
  ///
  /// See the form for `EntityId`.
  public func observe<I: UntypedIdBase>(
    _ id: I,
    on queue: SerialQueue,
    properties: [any ObservedProperty<E>]? = nil,
    _ handler: @escaping @Sendable (ObjectChange) -> Void
  ) throws -> NotificationToken {
    try observe(EntityId(id.value), properties, DeliveryTarget(queue), handler)
  }

  /// Returns the changes of an object, for a loop.
  ///
  /// See the form for `EntityId`.
  public func changes<I: UntypedIdBase>(
    of id: I,
    properties: [any ObservedProperty<E>]? = nil
  ) throws -> ObjectChangeSequence {
    try changes(of: EntityId(id.value), properties: properties)
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
  /// Calls a handler when a commit has changed an object; see
  /// ``Box/observe(_:properties:isolation:_:)-(EntityId<E>,_,_,_)``.
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

  /// Calls a handler on a queue when a commit has changed an object; see
  /// ``Box/observe(_:properties:isolation:_:)-(EntityId<E>,_,_,_)``.
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

  // Disfavoured: an integer literal would be ambiguous with the overloads for `Id`.

  /// Calls a handler when a commit has changed an object.
  ///
  /// See the form for `Id`.
  @_disfavoredOverload
  public func observe<E>(
    _ type: E.Type,
    id: EntityId<E>,
    properties: [any ObservedProperty<E>]? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ handler: @escaping (ObjectChange) -> Void
  ) throws -> NotificationToken
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try observe(type, id: id.value, properties: properties, isolation: isolation, handler)
  }

  /// Calls a handler on a queue when a commit has changed an object.
  ///
  /// See the form for `Id`.
  @_disfavoredOverload
  public func observe<E>(
    _ type: E.Type,
    id: EntityId<E>,
    on queue: SerialQueue,
    properties: [any ObservedProperty<E>]? = nil,
    _ handler: @escaping @Sendable (ObjectChange) -> Void
  ) throws -> NotificationToken
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try observe(type, id: id.value, on: queue, properties: properties, handler)
  }
}
