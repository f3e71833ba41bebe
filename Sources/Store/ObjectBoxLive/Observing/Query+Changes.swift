public import ObjectBox

/// An observation copies the query when it begins: later parameters do not affect it.
///
/// Changes of related objects in links count only if they change the results.
extension Query {
  /// Calls a handler with the results, and again when a commit has changed them, in the caller's
  /// isolation.
  ///
  ///     token = try people.query().ordered(by: Person.age).build().observe { change in
  ///       if case .update(_, let deletions, let insertions, let modifications) = change {
  ///         list.apply(deletions, insertions, modifications)
  ///       }
  ///     }
  ///
  /// The handler is never called during a commit. The first call passes the initial results,
  /// including all earlier commits. One call covers all commits before it begins.
  ///
  /// - Parameters:
  ///   - isolation: The isolation of the handler; the caller's. The actor is not retained.
  ///   - properties: The properties whose changes count as modifications; nil for all. Insertions
  ///     and deletions always count.
  ///   - handler: May read and write. After it has returned, the results read the current objects.
  /// - Returns: The observation; releasing it ends it. Keep it.
  /// - Throws: `ObjectBoxError`: `wrongIsolation` outside of actors, `observerAfterChanges` in a
  ///   write transaction that has changed something, `illegalArgument` for a property that the
  ///   model lacks, `closed`.
  /// - Complexity: Each call runs the query, and keeps no version alive between calls. After a
  ///   write that leaves this observer out, the query runs on the writing thread.
  public func observe(
    isolation: isolated (any Actor)? = #isolation,
    properties: [any ObservedProperty<E>]? = nil,
    _ handler: @escaping (CollectionChange<ObservedResults<E>>) -> Void
  ) throws -> NotificationToken {
    try observe(DeliveryTarget(isolation), properties, handler)
  }

  /// Calls a handler on a queue with the results, and again when a commit has changed them; see
  /// ``observe(isolation:properties:_:)``.
  public func observe(
    on queue: SerialQueue,
    properties: [any ObservedProperty<E>]? = nil,
    _ handler: @escaping @Sendable (CollectionChange<ObservedResults<E>>) -> Void
  ) throws -> NotificationToken {
    try observe(DeliveryTarget(queue), properties, handler)
  }

  private func observe(
    _ target: DeliveryTarget,
    _ properties: [any ObservedProperty<E>]?,
    _ handler: @escaping (CollectionChange<ObservedResults<E>>) -> Void
  ) throws -> NotificationToken {
    let store = box.store
    let tracker = try SelectionTracker(selection.copy, box, properties: properties)
    return try store.observation(tracker, target, beginsAtOnce: false) {
      [weak store] step, pin in
      let results = ObservedResults<E>(step, pin, store)
      handler(step.change(of: results))
      results.release()
    }
  }

  /// Returns the changes of the results, for a loop.
  ///
  /// - Parameter properties: The properties whose changes count as modifications; nil for all.
  /// - Returns: The changes of ``observe(isolation:properties:_:)``, as a sequence.
  /// - Throws: `ObjectBoxError`: `observerAfterChanges` in a write transaction that has changed
  ///   something, `illegalArgument` for a property that the model lacks, `closed`.
  public func changeSets(
    properties: [any ObservedProperty<E>]? = nil
  ) throws -> ChangeSequence<E> {
    try ChangeSequence(self, properties)
  }
}

extension Store {
  /// Returns the changes of the results of a query, for a loop.
  ///
  ///     for await change in try store.changes(query) { show(change) }
  ///
  /// - Parameters:
  ///   - query: A query of this store; its current parameters are used.
  ///   - properties: The properties whose changes count as modifications; nil for all.
  /// - Returns: The changes of `query.observe`, as a sequence.
  /// - Throws: `ObjectBoxError`: `differentStore`, and as ``Query/changeSets(properties:)``.
  public func changes<E>(
    _ query: Query<E>,
    properties: [any ObservedProperty<E>]? = nil
  ) throws -> ChangeSequence<E> {
    guard query.box.store.openStore === openStore else {
      throw ObjectBoxError.differentStore(
        message:
          "the query belongs to another store than the one at '\(directoryPath)'; observe it there"
      )
    }
    return try query.changeSets(properties: properties)
  }
}
