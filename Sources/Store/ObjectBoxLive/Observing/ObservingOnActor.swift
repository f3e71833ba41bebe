public import ObjectBox

// Observers whose handlers get the actor. A handler with a weak capture of `self` is not isolated
// to the actor, and could not call its functions.

/// Returns a plain handler for a handler that is isolated to an actor; it must be called on the
/// actor.
///
/// The actor is not retained; after its release the handler is not called.
func calling<A: Actor, Change>(
  _ handler: @escaping (isolated A, Change) -> Void,
  on actor: A
) -> (Change) -> Void {
  { [weak actor] change in
    nonisolated(unsafe) let (handler, change) = (handler, change)
    actor?.assumeIsolated { handler($0, change) }
  }
}

extension Query {
  /// Calls a handler with the results, and again when a commit has changed them, on an actor that
  /// it gets as argument; see ``observe(isolation:properties:_:)``.
  ///
  ///     actor NoteList {
  ///       var token: NotificationToken?
  ///       func show(_ change: CollectionChange<ObservedResults<Note>>) { print(change) }
  ///
  ///       func follow(_ notes: Box<Note>) throws {
  ///         token = try notes.query().build().observe(on: self) { list, change in list.show(change) }
  ///       }
  ///     }
  ///
  /// - Parameters:
  ///   - actor: The isolation of the handler; not retained.
  ///   - properties: The properties whose changes count as modifications; nil for all.
  ///   - handler: Gets the actor, whose state it may use; may read and write.
  /// - Returns: The observation; releasing it ends it. Keep it.
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
  /// Calls a handler after commits, on an actor that it gets as argument; see
  /// ``observe(isolation:_:)``.
  public func observe<A: Actor>(
    on actor: isolated A,
    _ handler: @escaping (isolated A, StoreNotification) -> Void
  ) throws -> NotificationToken {
    try observe(isolation: actor, calling(handler, on: actor))
  }

  /// Calls a handler when an object has changed, on an actor that it gets as argument; see
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

  // Disfavoured: an integer literal would be ambiguous with the overload for `Id`.
  /// Calls a handler when an object has changed, on an actor that it gets as argument.
  ///
  /// See the form for `Id`.
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
  /// Calls a handler when an object has changed, on an actor that it gets as argument; see
  /// ``Box/observe(_:properties:isolation:_:)-(EntityId<E>,_,_,_)``.
  public func observe<A: Actor>(
    _ id: EntityId<E>,
    on actor: isolated A,
    properties: [any ObservedProperty<E>]? = nil,
    _ handler: @escaping (isolated A, ObjectChange) -> Void
  ) throws -> NotificationToken {
    try observe(id, properties: properties, isolation: actor, calling(handler, on: actor))
  }

  /// Calls a handler when an object has changed, on an actor that it gets as argument.
  ///
  /// See the form for `EntityId`.
  public func observe<A: Actor, I: UntypedIdBase>(
    _ id: I,
    on actor: isolated A,
    properties: [any ObservedProperty<E>]? = nil,
    _ handler: @escaping (isolated A, ObjectChange) -> Void
  ) throws -> NotificationToken {
    try observe(EntityId(id.value), on: actor, properties: properties, handler)
  }
}
