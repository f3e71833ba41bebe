public import ObjectBox

// Observers whose handlers get the view's actor, so that they can use its state.

extension LiveStore {
  /// As ``observe(_:)``; passes the view's actor, which is not retained.
  public func observe<A: Actor>(
    on actor: isolated A,
    _ handler: @escaping (isolated A, StoreNotification) -> Void
  ) throws -> NotificationToken {
    try observe(calling(handler, on: actor))
  }
}

extension LiveResults {
  /// As ``observe(properties:_:)``; passes the view's actor, which is not retained.
  ///
  ///     actor LiveNoteList {
  ///       var token: NotificationToken?
  ///       func show(_ change: CollectionChange<LiveResults<Note>>) { print(change) }
  ///
  ///       func follow(_ notes: LiveResults<Note>) throws {
  ///         token = try notes.observe(on: self) { list, change in list.show(change) }
  ///       }
  ///     }
  ///
  /// - Parameters:
  ///   - actor: The actor that the view belongs to.
  ///   - properties: The properties whose changes count as modifications; nil for all.
  ///   - handler: Gets the actor, whose state it may use, and these results; may write.
  /// - Returns: The token that ends the observation and retains the view meanwhile; keep it.
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
  /// As ``observe(properties:_:)``; passes the view's actor, which is not retained.
  public func observe<A: Actor>(
    on actor: isolated A,
    properties: [any ObservedProperty<E>]? = nil,
    _ handler: @escaping (isolated A, ObjectChange) -> Void
  ) throws -> NotificationToken {
    try observe(properties: properties, calling(handler, on: actor))
  }
}
