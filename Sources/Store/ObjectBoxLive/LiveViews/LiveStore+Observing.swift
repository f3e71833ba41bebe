public import ObjectBox

extension LiveStore {
  /// Calls a handler when the view has moved, or must be moved because `autorefresh` is off.
  ///
  /// One call covers several commits. A view of a thread calls the handler inside `refresh`.
  ///
  /// - Parameter handler: Called in the view's isolation, after commits, never inside a commit. At
  ///   the beginning of the view's own write it is called for earlier commits of others.
  /// - Returns: The token that ends the observation and retains the view meanwhile.
  /// - Throws: `ObjectBoxError`: `wrongIsolation`, `closed`.
  public func observe(
    _ handler: @escaping (StoreNotification) -> Void
  ) throws -> NotificationToken {
    try checkUsable()
    let news = ViewNews()
    let observer = ViewObserver(news, handler)
    return subscribe(news, to: CommitInterest(includesObjects: true), for: observer) {
      news.state.withLock { $0.isEnded = true }
    }
  }

  /// Calls a handler with the steps of a tracker, beginning at the view's version.
  ///
  /// - Parameters:
  ///   - tracker: Computes the steps.
  ///   - beginsAtOnce: True when the tracker has no initial step.
  ///   - handler: Called with each step after the view has moved.
  /// - Returns: The token that ends the observation and retains the view meanwhile.
  /// - Throws: ``ObjectBoxError``: `wrongIsolation`, `closed`, `observerAfterChanges`.
  func observe<Tracker: ObserverTracker>(
    _ tracker: Tracker,
    beginsAtOnce: Bool,
    _ handler: @escaping (Tracker.Step) -> Void
  ) throws -> NotificationToken {
    try checkUsable()
    try store.checkCanObserve()
    let queue = ChangeQueue(store.openStore, tracker)
    let observer = StepObserver(queue, handler)
    let token = subscribe(queue, to: tracker.interest.commits, for: observer) { queue.end() }
    // The queue does not know the commits after the view's version.
    let pin = try currentPin()
    let newest = try newestVersion()
    if pin.version < newest { queue.addUnknown(upTo: newest) }
    if beginsAtOnce { _ = try queue.next(at: pin) }
    signal.call()
    return token
  }

  private func subscribe(
    _ listener: any CommitListener,
    to interest: CommitInterest,
    for observer: any LiveObserver,
    onEnd: @escaping @Sendable () -> Void
  ) -> NotificationToken {
    observers.append(WeakLiveObserver(observer: observer))
    let kept = Guarded<(LiveStore, any LiveObserver)?>((self, observer))
    return store.openStore.commits.subscribe(listener, to: interest, owner: nil) {
      onEnd()
      _ = kept.take()
    }
  }
}

extension LiveResults {
  /// Calls a handler with the results, and again when they have changed with the view.
  ///
  ///     token = try people.observe { change in
  ///       if case .update(_, let deletions, let insertions, let modifications) = change {
  ///         list.apply(deletions, insertions, modifications)
  ///       }
  ///     }
  ///
  /// The handler is never called during a commit. One call covers all commits that the view has
  /// passed. At the beginning of the view's own write it is called for earlier commits of others.
  ///
  /// - Parameters:
  ///   - properties: The properties whose changes count as modifications; nil for all. Insertions
  ///     and deletions always count.
  ///   - handler: Called in the view's isolation with these results; may write.
  /// - Returns: The token that ends the observation and retains the view meanwhile; keep it.
  /// - Throws: `ObjectBoxError`: `invalidated`, `wrongIsolation`, `closed`, `observerAfterChanges`
  ///   in a write transaction that has changed something, `illegalArgument` for a property that the
  ///   model lacks.
  /// - Complexity: Each call runs the query. After a write that leaves this observer out, the query
  ///   runs on the writing thread.
  public func observe(
    properties: [any ObservedProperty<E>]? = nil,
    _ handler: @escaping (CollectionChange<LiveResults<E>>) -> Void
  ) throws -> NotificationToken {
    try checkValid()
    let tracker = try SelectionTracker(selection, Box<E>(store: live.store), properties: properties)
    return try live.observe(tracker, beginsAtOnce: false) { step in
      handler(step.change(of: self))
    }
  }
}

extension LiveObject {
  /// Calls a handler when properties of the object have changed with the view, or the object was
  /// removed.
  ///
  /// Entries of standalone to-many relations do not count; observe the results of `targets` for
  /// these.
  ///
  /// - Parameters:
  ///   - properties: The properties that count; nil for all.
  ///   - handler: Called in the view's isolation with the old and new values of changed properties,
  ///     and last with `deleted`; may write.
  /// - Returns: The token that ends the observation and retains the view meanwhile; keep it.
  /// - Throws: `ObjectBoxError`: `invalidated`, `wrongIsolation`, `closed`, `observerAfterChanges`
  ///   in a write transaction that has changed something, `illegalArgument` for a property that the
  ///   model lacks.
  public func observe(
    properties: [any ObservedProperty<E>]? = nil,
    _ handler: @escaping (ObjectChange) -> Void
  ) throws -> NotificationToken {
    try checkThere()
    let tracker = try ObjectTracker(id, in: Box<E>(store: live.store), properties: properties)
    return try live.observe(tracker, beginsAtOnce: true, handler)
  }
}
