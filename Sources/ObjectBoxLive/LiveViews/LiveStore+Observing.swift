public import ObjectBox

extension LiveStore {
  /// Calls a handler when the view has moved to a newer version, or must be moved when `autorefresh` is off.
  ///
  /// One call covers several commits. A view of a thread calls the handler inside `refresh`.
  ///
  /// - Parameter handler: Called in the isolation of the view, after commits, never inside of them; at the
  ///   beginning of the view's own write, for earlier commits of others.
  /// - Returns: The token that ends it, and keeps the view meanwhile.
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

  /// Calls a handler with the steps of a tracker, beginning at the version of the view.
  ///
  /// - Parameters:
  ///   - tracker: Computes the steps.
  ///   - beginsAtOnce: True when the tracker has no initial step.
  ///   - handler: Called with each step, when the view has moved.
  /// - Returns: The token that ends it, and keeps the view meanwhile.
  /// - Throws: ``ObjectBoxError``: `wrongIsolation`, `closed`, `observerAfterChanges`.
  func observe<Tracker: ChangeTracking>(
    _ tracker: Tracker,
    beginsAtOnce: Bool,
    _ handler: @escaping (Tracker.Step) -> Void
  ) throws -> NotificationToken {
    try checkUsable()
    try store.checkCanObserve()
    let queue = ChangeQueue(store.openStore, tracker)
    let observer = StepObserver(queue, handler)
    let token = subscribe(queue, to: tracker.interest.commits, for: observer) { queue.end() }
    // The queue does not know the commits since the view's version.
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
    let kept = Guarded<IsolationBound<(LiveStore, any LiveObserver)>?>(
      IsolationBound((self, observer))
    )
    return store.openStore.commits.subscribe(listener, to: interest, owner: nil) {
      onEnd()
      kept.clear()
    }
  }
}

extension LiveResults {
  /// Calls a handler with the results, and again whenever they have changed with the view.
  ///
  ///     token = try people.observe { change in
  ///       if case .update(_, let deletions, let insertions, let modifications) = change {
  ///         list.apply(deletions, insertions, modifications)
  ///       }
  ///     }
  ///
  /// The handler is never called during a commit. One call covers all commits that the view has passed. It is
  /// called at the beginning of the view's own write for earlier commits of others.
  ///
  /// - Parameters:
  ///   - properties: The properties whose changes count as modifications; nil for all. Insertions and
  ///     deletions are told in any case.
  ///   - handler: Called in the isolation of the view; may write. It is passed these results.
  /// - Returns: The token that ends it, and keeps the view meanwhile; keep it.
  /// - Throws: `ObjectBoxError`: `invalidated`, `wrongIsolation`, `closed`, `observerAfterChanges` in a
  ///   write transaction that has changed something, `illegalArgument` for a property that the model lacks.
  /// - Complexity: Each call runs the query. After a write that leaves this observer out, the query runs on
  ///   the writing thread.
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
  /// Calls a handler whenever properties of the object have changed with the view, or it has been removed.
  ///
  /// Entries of standalone to-many relations do not count; observe the results of `targets` for those.
  ///
  /// - Parameters:
  ///   - properties: The properties that count; nil for all.
  ///   - handler: Called in the isolation of the view; may write. It is passed the old and new values of the
  ///     properties that differ, and last `deleted`.
  /// - Returns: The token that ends it, and keeps the view meanwhile; keep it.
  /// - Throws: `ObjectBoxError`: `invalidated`, `wrongIsolation`, `closed`, `observerAfterChanges` in a
  ///   write transaction that has changed something, `illegalArgument` for a property that the model lacks.
  public func observe(
    properties: [any ObservedProperty<E>]? = nil,
    _ handler: @escaping (ObjectChange) -> Void
  ) throws -> NotificationToken {
    try checkThere()
    let tracker = try ObjectTracker(id, in: Box<E>(store: live.store), properties: properties)
    return try live.observe(tracker, beginsAtOnce: true, handler)
  }
}
