extension Store {
  // MARK: Observing everything

  /// Calls a handler after commits that changed any object, in the caller's isolation.
  ///
  /// Never called during the commit. Commits that come while a call waits are told by that one call.
  ///
  /// - Parameters:
  ///   - isolation: Where the handler is called; the caller's. The actor is not kept alive.
  ///   - handler: May read and write.
  /// - Returns: The observation, which ends with its life.
  /// - Throws: ``ObjectBoxError``: `wrongIsolation` outside of every actor, `observerAfterChanges` in a write
  ///   transaction that has changed something, `closed`.
  public func observe(
    isolation: isolated (any Actor)? = #isolation,
    _ handler: @escaping (StoreNotification) -> Void
  ) throws -> NotificationToken {
    let target = try DeliveryTarget(isolation)
    return try observation(StoreTracker(), target, Homing { step, _ in handler(step) })
  }

  /// Calls a handler after commits that changed any object, on a queue.
  ///
  /// - Parameters:
  ///   - queue: Where the handler is called.
  ///   - handler: May read and write.
  /// - Returns: The observation, which ends with its life.
  /// - Throws: As ``observe(isolation:_:)``.
  public func observe(
    on queue: SerialQueue,
    _ handler: @escaping @Sendable (StoreNotification) -> Void
  ) throws -> NotificationToken {
    try observation(StoreTracker(), DeliveryTarget(queue), Homing { step, _ in handler(step) })
  }

  /// Begins an observation that calls a handler.
  ///
  /// - Parameters:
  ///   - tracker: What is observed.
  ///   - target: Where the handler is called.
  ///   - beginsAtOnce: True when nothing is told first, and changes from now on are told.
  ///   - handler: Belongs to the target.
  /// - Returns: The observation, which ends with its life.
  /// - Throws: ``ObjectBoxError``: `closed`, `observerAfterChanges`, and what the tracker throws.
  func observation<Tracker: ChangeTracking>(
    _ tracker: Tracker,
    _ target: DeliveryTarget,
    beginsAtOnce: Bool = true,
    _ handler: Homing<ChangeDelivery<Tracker>.Handler>
  ) throws -> NotificationToken {
    try checkCanObserve()
    let queue = ChangeQueue(core, tracker)
    let delivery = ChangeDelivery(core, queue, target, handler)
    queue.setOnNews { delivery.request() }
    let token = token(queue) { delivery.end() }
    if beginsAtOnce { try queue.begin() }
    // Commits may have come between the two.
    delivery.request()
    return token
  }

  // MARK: Beginning

  /// Throws when an observation cannot begin here and now.
  func checkCanObserve() throws {
    if isClosed || core.isClosed { throw StoreCore.isClosedError(directoryPath) }
    guard let open = core.openTransaction, open.isWritable else { return }
    guard open.changedEntities.isEmpty else {
      throw ObjectBoxError.observerAfterChanges(
        message:
          "cannot observe the store at '\(directoryPath)' inside a write transaction that has "
          + "changed something; begin before the first change, or after the commit"
      )
    }
  }

  /// Lets a taker hear of commits until its token, or this instance of the store, ends.
  ///
  /// - Parameters:
  ///   - taker: Is not kept by the token.
  ///   - onEnd: Called once, at the end.
  /// - Returns: The token.
  func token(_ taker: any CommitTaker, onEnd: @escaping @Sendable () -> Void) -> NotificationToken {
    let key = core.feed.add(taker)
    core.openTransaction?.beginNoting()
    let place = Guarded<CommitListeners.Key?>(nil)
    let listeners = core.listeners
    let token = NotificationToken(core, key) {
      if let place = place.withLock(\.self) { listeners.remove(place) }
      onEnd()
    }
    // Only the end of the instance is of interest.
    let listener = CommitListener(
      entities: [],
      owner: ObjectIdentifier(self),
      onCommit: {},
      onEnd: { [weak token] in token?.invalidate() }
    )
    let listenerKey = listeners.add(listener, first: {})
    place.withLock { $0 = listenerKey }
    if isClosed { token.invalidate() }
    return token
  }
}
