public import ObjectBox

extension Store {
  // MARK: Observing everything

  /// Calls a handler after commits that changed any object, in the caller's isolation.
  ///
  /// The handler is never called during a commit. One call covers all commits before it begins.
  ///
  ///     token = try store.observe { _ in print("something has changed") }
  ///
  /// - Parameters:
  ///   - isolation: The isolation of the handler; the caller's. The actor is not retained.
  ///   - handler: May read and write.
  /// - Returns: The observation; releasing it ends it.
  /// - Throws: `ObjectBoxError`: `wrongIsolation` outside of actors, `observerAfterChanges` in a
  ///   write transaction that has changed something, `closed`.
  public func observe(
    isolation: isolated (any Actor)? = #isolation,
    _ handler: @escaping (StoreNotification) -> Void
  ) throws -> NotificationToken {
    try observation(StoreTracker(), DeliveryTarget(isolation)) { step, _ in handler(step) }
  }

  /// Calls a handler on a queue after commits that changed any object; see
  /// ``observe(isolation:_:)``.
  public func observe(
    on queue: SerialQueue,
    _ handler: @escaping @Sendable (StoreNotification) -> Void
  ) throws -> NotificationToken {
    try observation(StoreTracker(), DeliveryTarget(queue)) { step, _ in handler(step) }
  }

  /// Begins an observation that calls a handler.
  ///
  /// - Parameters:
  ///   - tracker: Computes the steps.
  ///   - target: The executor of the handler: an actor or a queue.
  ///   - beginsAtOnce: True when there is no initial step, so that changes count from now on.
  ///   - handler: The handler, isolated to the target.
  /// - Returns: The observation; releasing it ends it.
  /// - Throws: ``ObjectBoxError``: `closed`, `observerAfterChanges`, and errors of the tracker.
  func observation<Tracker: ObserverTracker>(
    _ tracker: Tracker,
    _ target: DeliveryTarget,
    beginsAtOnce: Bool = true,
    _ handler: @escaping (Tracker.Step, PinnedRead?) -> Void
  ) throws -> NotificationToken {
    try checkCanObserve()
    let queue = ChangeQueue(openStore, tracker)
    let delivery = Delivery(to: target, isCoalescing: true) {
      // Unreadable changes stay for the next commit.
      guard let (step, pin) = queue.reading({ try queue.next() }), !queue.isEnded else { return }
      handler(step, pin)
      queue.signal()
    }
    queue.setNews(.delivery(delivery))
    let token = subscribe(queue, to: queue.interest.commits) {
      delivery.end()
      queue.end()
    }
    if beginsAtOnce { try queue.begin() }
    // For the initial step, and for commits since the subscription.
    delivery.request()
    return token
  }

  // MARK: Beginning

  /// Throws when an observation cannot begin on this thread now.
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
}
