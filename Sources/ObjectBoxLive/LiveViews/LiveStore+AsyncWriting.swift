public import ObjectBox

extension LiveStore {
  // MARK: Suspending

  /// Runs a block in a write transaction of its own, in the isolation of the view; suspends while it waits for
  /// other writers or the disk.
  ///
  /// The view moves to the newest version before the block, and shows the new one afterwards.
  ///
  /// - Parameters:
  ///   - tokens: The tokens of observers of the store that are not told.
  ///   - isolation: The isolation of the view; the caller's.
  ///   - body: Reads and writes, without interruption. When it throws, everything is rolled back.
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

  /// Runs a block in a write transaction of which no observer is told, as
  /// ``write(withoutNotifying:isolation:_:)`` does.
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

  /// Runs a block in a write transaction later, in the isolation of the view, and returns at once.
  ///
  /// The view moves to the newest version before the block, and shows the new one before `onComplete`.
  ///
  /// - Parameters:
  ///   - isGroupingAllowed: True to share one wait for the disk with the asynchronous writes that follow,
  ///     where those wait already. After a crash either all of the group are there or none.
  ///   - block: Reads and writes; an open transaction is committed at its end, and rolled back when it throws.
  ///   - onComplete: Called once, when the changes are on disk, or with an error; with
  ///     `WriteCancellation` when the write was cancelled. It is called at once, on the calling thread, when
  ///     the block cannot be scheduled: `closed`, `readOnly`, `asyncWriteNotSchedulable` for views of threads,
  ///     where nothing can be called back, and `wrongIsolation` outside of the isolation of the view. Without
  ///     it `Store.Configuration.onUnheardFailure` is called with an error.
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
      // The ID of a complete write.
      return store.openStore.writer.operations.nextID()
    }
  }

  /// Runs a block later that begins a write transaction, in the isolation of the view, and returns at once.
  ///
  /// It throws when the block cannot be scheduled, since there is no completion.
  ///
  /// - Parameter block: Reads and writes, and commits; an open transaction is rolled back at its end.
  /// - Returns: The ID of the write, for ``cancelAsyncWrite(_:)``.
  /// - Throws: `ObjectBoxError`: `wrongIsolation`, `closed`, `asyncWriteNotSchedulable` for views of
  ///   threads.
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
  /// - Parameter id: The ID from `writeAsync` or `beginAsyncWrite`, whose block is not called unless it has
  ///   been, and whose `onComplete` gets `WriteCancellation.beforeBegin`; or from `commitAsyncWrite`, whose
  ///   `onComplete` is not called; the commit stays.
  /// - Returns: True when there was something to cancel.
  @discardableResult
  public func cancelAsyncWrite(_ id: AsyncTransactionID) -> Bool { store.cancelAsyncWrite(id) }

  /// True while an asynchronous write of this view is not complete, its `onComplete` included.
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

  /// Runs the asynchronous writes of the view that are pending, except for suspended ones.
  func finishPendingWrites() {
    guard pendingWrites.hasUnended, let home = signal.isolation.key else { return }
    store.openStore.writer.run(isHome: { $0 == home }, until: { !pendingWrites.hasUnended })
  }
}
