extension LiveStore {
  /// Tells when the view has moved to a newer version, or must be moved, with the actor that the view
  /// belongs to; see ``observe(_:)``.
  ///
  /// - Parameters:
  ///   - actor: That of the view. It is not kept alive.
  ///   - handler: Is passed the actor, whose state it may use.
  /// - Returns: What ends it, and keeps the view meanwhile.
  /// - Throws: As ``observe(_:)``.
  public func observe<A: Actor>(
    on actor: isolated A,
    _ handler: @escaping (isolated A, StoreNotification) -> Void
  ) throws -> NotificationToken {
    try observe(calling(handler, on: actor))
  }
}

extension LiveResults {
  /// Calls a handler with the results, and again whenever they have changed with the view, with the actor
  /// that the view belongs to; see ``observe(properties:_:)``.
  ///
  ///     token = try people.observe(on: self) { list, change in list.show(change) }
  ///
  /// - Parameters:
  ///   - actor: That of the view. It is not kept alive.
  ///   - properties: Those whose change counts as a modification; nil for all.
  ///   - handler: Is passed the actor, whose state it may use, and these results; may write.
  /// - Returns: What ends it, and keeps the view meanwhile; keep it.
  /// - Throws: As ``observe(properties:_:)``.
  public func observe<A: Actor>(
    on actor: isolated A,
    properties: [any ObservedProperty<E>]? = nil,
    _ handler: @escaping (isolated A, CollectionChange<LiveResults<E>>) -> Void
  ) throws -> NotificationToken {
    try observe(properties: properties, calling(handler, on: actor))
  }
}

extension LiveObject {
  /// Calls a handler whenever properties of the object have changed with the view, or it has been removed,
  /// with the actor that the view belongs to; see ``observe(properties:_:)``.
  ///
  /// - Parameters:
  ///   - actor: That of the view. It is not kept alive.
  ///   - properties: Those that count; nil for all.
  ///   - handler: Is passed the actor, whose state it may use; may write.
  /// - Returns: What ends it, and keeps the view meanwhile; keep it.
  /// - Throws: As ``observe(properties:_:)``.
  public func observe<A: Actor>(
    on actor: isolated A,
    properties: [any ObservedProperty<E>]? = nil,
    _ handler: @escaping (isolated A, ObjectChange) -> Void
  ) throws -> NotificationToken {
    try observe(properties: properties, calling(handler, on: actor))
  }
}
