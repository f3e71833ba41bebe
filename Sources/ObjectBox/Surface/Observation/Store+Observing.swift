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
    let token = subscribe(queue, to: tracker.interest.commits) { delivery.end() }
    if beginsAtOnce { try queue.begin() }
    // Commits may have come between the two.
    delivery.request()
    return token
  }

  // MARK: Beginning

  /// Throws when an observation cannot begin here and now.
  func checkCanObserve() throws {
    if isClosed || transactions.isClosed { throw closedError() }
    guard let open = transactions.openTransaction, open.isWritable else { return }
    guard open.changedEntities.isEmpty else {
      throw ObjectBoxError.observerAfterChanges(
        message:
          "cannot observe the store at '\(directoryPath)' inside a write transaction that has "
          + "changed something; begin before the first change, or after the commit"
      )
    }
  }

  /// Subscribes a listener to commits until its token, or this instance of the store, ends.
  ///
  /// - Parameters:
  ///   - listener: Not kept by the token.
  ///   - interest: Selects the commits.
  ///   - onEnd: Called once, at the end.
  /// - Returns: The token.
  func subscribe(
    _ listener: any CommitListener,
    to interest: CommitInterest,
    onEnd: @escaping @Sendable () -> Void
  ) -> NotificationToken {
    let token = core.commits.subscribe(
      listener,
      to: interest,
      owner: ObjectIdentifier(self),
      onEnd: onEnd
    )
    transactions.openTransaction?.beginNoting()
    // A store that closed meanwhile has ended its other subscriptions before this one was there.
    if isClosed { token.invalidate() }
    return token
  }
}
