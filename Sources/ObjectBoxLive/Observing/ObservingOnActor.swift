public import ObjectBox

// Observers whose handlers are passed the actor: a handler with a weak capture of `self` is not isolated to
// the actor, and cannot call its functions.

/// Returns a plain handler for one that is isolated to an actor; it must be called in the actor.
///
/// The actor is not kept alive; once it is gone, the handler is not called.
func calling<A: Actor, Change>(
  _ handler: @escaping (isolated A, Change) -> Void,
  on actor: A
) -> (Change) -> Void {
  { [weak actor] change in
    let bound = IsolationBound((handler: handler, change: change))
    actor?.assumeIsolated { bound.value.handler($0, bound.value.change) }
  }
}

extension Query {
  /// Calls a handler with the results, and again whenever a commit has changed them, in an actor that is
  /// passed to it; see ``observe(isolation:properties:_:)``.
  ///
  ///     token = try people.query().build().observe(on: self) { list, change in list.show(change) }
  ///
  /// - Parameters:
  ///   - actor: The isolation of the handler; not kept alive.
  ///   - properties: The properties whose changes count as modifications; nil for all.
  ///   - handler: Is passed the actor, whose state it may use; may read and write.
  /// - Returns: The observation, which ends with its life; keep it.
  /// - Throws: As ``observe(isolation:properties:_:)``.
  public func observe<A: Actor>(
    on actor: isolated A,
    properties: [any ObservedProperty<E>]? = nil,
    _ handler: @escaping (isolated A, CollectionChange<ObservedResults<E>>) -> Void
  ) throws -> NotificationToken {
    try observe(isolation: actor, properties: properties, calling(handler, on: actor))
  }
}

extension Store {
  /// Calls a handler after commits, in an actor that is passed to it; see ``observe(isolation:_:)``.
  public func observe<A: Actor>(
    on actor: isolated A,
    _ handler: @escaping (isolated A, StoreNotification) -> Void
  ) throws -> NotificationToken {
    try observe(isolation: actor, calling(handler, on: actor))
  }

  /// Calls a handler whenever an object has changed, in an actor that is passed to it; see
  /// ``observe(_:id:properties:isolation:_:)-(_,Id,_,_,_)``.
  public func observe<A: Actor, E>(
    _ type: E.Type,
    id: Id,
    on actor: isolated A,
    properties: [any ObservedProperty<E>]? = nil,
    _ handler: @escaping (isolated A, ObjectChange) -> Void
  ) throws -> NotificationToken
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try observe(
      type,
      id: id,
      properties: properties,
      isolation: actor,
      calling(handler, on: actor)
    )
  }

  // Disfavoured: with the form for `Id`, an integer literal would be ambiguous.
  /// Calls a handler whenever an object has changed, in an actor that is passed to it.
  ///
  /// As for an `Id`.
  @_disfavoredOverload
  public func observe<A: Actor, E>(
    _ type: E.Type,
    id: EntityId<E>,
    on actor: isolated A,
    properties: [any ObservedProperty<E>]? = nil,
    _ handler: @escaping (isolated A, ObjectChange) -> Void
  ) throws -> NotificationToken
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try observe(type, id: id.value, on: actor, properties: properties, handler)
  }
}

extension Box {
  /// Calls a handler whenever an object has changed, in an actor that is passed to it; see
  /// ``Box/observe(_:properties:isolation:_:)-(EntityId<E>,_,_,_)``.
  public func observe<A: Actor>(
    _ id: EntityId<E>,
    on actor: isolated A,
    properties: [any ObservedProperty<E>]? = nil,
    _ handler: @escaping (isolated A, ObjectChange) -> Void
  ) throws -> NotificationToken {
    try observe(id, properties: properties, isolation: actor, calling(handler, on: actor))
  }

  /// Calls a handler whenever an object has changed, in an actor that is passed to it.
  ///
  /// As for an `EntityId`.
  public func observe<A: Actor, I: UntypedIdBase>(
    _ id: I,
    on actor: isolated A,
    properties: [any ObservedProperty<E>]? = nil,
    _ handler: @escaping (isolated A, ObjectChange) -> Void
  ) throws -> NotificationToken {
    try observe(EntityId(id.value), on: actor, properties: properties, handler)
  }
}
