public import ObjectBox

extension LiveStore {
  // MARK: Suspending

  /// Runs a block in a write transaction of its own, in the view's isolation; suspends while it
  /// waits for other writers or the disk.
  ///
  /// The view moves to the newest version before the block, and shows the block's version
  /// afterwards.
  ///
  /// - Parameters:
  ///   - tokens: Tokens of observers of the store to leave out.
  ///   - isolation: The isolation of the view; the caller's.
  ///   - body: Reads and writes, without suspension. When it throws, everything is rolled back.
  /// - Returns: The result of the block, once its changes are on disk.
  /// - Throws: The block's error, unchanged; `ObjectBoxError.wrongIsolation(message:)`; and as
  ///   `write` of `Store`.
  @discardableResult
  public func write<R>(
    withoutNotifying tokens: [NotificationToken] = [],
    isolation: isolated (any Actor)? = #isolation,
    _ body: (WriteTransaction) throws -> R
  ) async throws -> R {
    try checkUsable()
    let skipping = try store.openStore.commits.skipping(tokens)
    return try await write(skipping: skipping, isolation: isolation, body)
  }

  /// Runs a block in a write transaction that notifies no observer; see
  /// ``write(withoutNotifying:isolation:_:)``.
  @discardableResult
  public func write<R>(
    withoutNotifying silence: SilentWrite,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (WriteTransaction) throws -> R
  ) async throws -> R {
    try checkUsable()
    return try await write(skipping: .all, isolation: isolation, body)
  }

  private func write<R>(
    skipping: SkippedListeners,
    isolation: isolated (any Actor)?,
    _ body: (WriteTransaction) throws -> R
  ) async throws -> R {
    let entry = pendingWrites.add(canBeRun: false)
    defer { entry.complete() }
    let result = try await store.writeSuspending(skipping: skipping, isolation: isolation) {
      write in
      try follow(write)
      return try body(write)
    }
    didCommit()
    return result
  }

  // MARK: Called back

  /// Schedules a block in a write transaction, in the view's isolation, and returns at once.
  ///
  /// The view moves to the newest version before the block, and shows the block's version before
  /// `onComplete`.
  ///
  /// - Parameters:
  ///   - isGroupingAllowed: True to share one wait for the disk with asynchronous writes that are
  ///     queued behind. After a crash, all or none of the group are stored.
  ///   - block: Reads and writes. An open transaction is committed at its end, and rolled back when
  ///     it throws.
  ///   - onComplete: Called once, when the changes are on disk, or with an error; with
  ///     `WriteCancellation` when the write was cancelled. Called at once on the calling thread
  ///     when the block cannot be scheduled: `closed`, `readOnly`, `wrongIsolation` outside of the
  ///     view's isolation, and `asyncWriteNotSchedulable` for views of threads, which cannot be
  ///     called back. Without it, errors go to `Store.Configuration.onUnheardFailure`.
  /// - Returns: The ID of the write, for ``cancelAsyncWrite(_:)``.
  @discardableResult
  public func writeAsync(
    isGroupingAllowed: Bool = false,
    _ block: @escaping (WriteTransaction) throws -> Void,
    onComplete: (((any Error)?) -> Void)? = nil
  ) -> AsyncTransactionID {
    let own = AsyncBlock(
      isGroupingAllowed: isGroupingAllowed,
      body: block,
      onComplete: onComplete
    )
    do {
      return try schedule(own)
    } catch {
      own.refuse(error, store)
      // The ID of a write that is already complete.
      return store.openStore.writer.operations.nextID()
    }
  }

  /// Schedules a block that must commit its write transaction itself, in the view's isolation, and
  /// returns at once.
  ///
  /// Throws when the block cannot be scheduled, since there is no completion.
  ///
  /// - Parameter block: Reads and writes, and commits; a transaction that it leaves open is rolled
  ///   back.
  /// - Returns: The ID of the write, for ``cancelAsyncWrite(_:)``.
  /// - Throws: `ObjectBoxError`: `wrongIsolation`, `closed`, `asyncWriteNotSchedulable` for views
  ///   of threads.
  @discardableResult
  public func beginAsyncWrite(
    _ block: @escaping (WriteTransaction) throws -> Void
  ) throws -> AsyncTransactionID {
    try checkUsable()
    guard signal.isolation.canCallBack else {
      throw ObjectBoxError.asyncWriteNotSchedulable(
        message:
          "the block cannot be called back: the live view belongs to a thread; use one of an actor "
          + "or of a SerialQueue"
      )
    }
    return try schedule(AsyncBlock(commitsAtEnd: false, body: block))
  }

  /// Cancels an asynchronous write.
  ///
  /// - Parameter id: An ID from `writeAsync` or `beginAsyncWrite`: a block that has not begun is
  ///   not called, and its `onComplete` gets `WriteCancellation.beforeBegin`. Or an ID from
  ///   `commitAsyncWrite`: its `onComplete` is not called, but the commit stays.
  /// - Returns: True when there was something to cancel.
  @discardableResult
  public func cancelAsyncWrite(_ id: AsyncTransactionID) -> Bool { store.cancelAsyncWrite(id) }

  /// True while an asynchronous write of this view is pending, until the end of its `onComplete`.
  ///
  /// Stops the process outside of the isolation of the view.
  public var isPerformingAsynchronousWriteOperations: Bool {
    requireIsolation()
    return pendingWrites.isPerforming
  }

  private func schedule(_ block: AsyncBlock) throws -> AsyncTransactionID {
    try checkUsable()
    let entry = pendingWrites.add(canBeRun: true)
    var own = block
    own.body = { write in
      try self.follow(write)
      try block.body(write)
    }
    own.onEnded = { [openStore = store.openStore] in
      entry.transactionEnded()
      openStore.writer.recheck()
    }
    own.onComplete = { error in
      // A write that never began does not move its view.
      if error as? WriteCancellation != .beforeBegin { self.didCommit() }
      block.onComplete?(error)
      entry.complete()
    }
    return store.schedule(own, in: signal.isolation.callbackTarget)
  }

  /// Runs the view's pending asynchronous writes, except suspended ones.
  func finishPendingWrites() {
    guard pendingWrites.hasUnended, let home = signal.isolation.key else { return }
    store.openStore.writer.run(isHome: { $0 == home }, until: { !pendingWrites.hasUnended })
  }
}
