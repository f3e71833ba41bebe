extension LiveStore {
  // MARK: Suspending

  /// Runs a block in a write transaction of its own, in the isolation of the view, without blocking a thread
  /// while it waits for its turn or for the disk.
  ///
  /// The view is moved to the newest version before the block, and shows the new one afterwards.
  ///
  /// - Parameters:
  ///   - tokens: Observers of the store that are not told.
  ///   - isolation: That of the view; the caller's.
  ///   - body: Reads and writes, without interruption. When it throws, everything is rolled back.
  /// - Returns: What the block returns, once its changes are on disk.
  /// - Throws: What the block throws, unchanged; ``ObjectBoxError/wrongIsolation(message:)``; and as
  ///   ``Store/write(withoutNotifying:isolation:_:)``.
  @discardableResult
  public func write<R>(
    withoutNotifying tokens: [NotificationToken] = [],
    isolation: isolated (any Actor)? = #isolation,
    _ body: (WriteTransaction) throws -> R
  ) async throws -> R {
    try checkUsable()
    let skipping = try store.core.commits.skipping(tokens)
    return try await write(skipping: skipping, isolation: isolation, body)
  }

  /// Runs a block in a write transaction whose changes no observer is told; see
  /// ``write(withoutNotifying:isolation:_:)``.
  ///
  /// - Parameters:
  ///   - silence: Which observers are left out.
  ///   - isolation: That of the view; the caller's.
  ///   - body: Reads and writes.
  /// - Returns: What the block returns, once its changes are on disk.
  /// - Throws: As ``write(withoutNotifying:isolation:_:)``.
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
    let entry = ownWrites.add(canBeRun: false)
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
  /// The view is moved to the newest version before the block, and shows the new one before `onComplete`.
  ///
  /// - Parameters:
  ///   - isGroupingAllowed: True to share one wait for the disk with the asynchronous writes that follow,
  ///     where those wait already. After a crash either all of the group are there or none.
  ///   - block: Reads and writes; what it leaves open is committed, and rolled back when it throws.
  ///   - onComplete: Called once, when the changes are on disk, or with why they are not. What keeps the
  ///     block from being scheduled is told at once, where the caller is: `closed`, `readOnly`,
  ///     `asyncWriteNotSchedulable` by views of threads, where nothing can be called back, and
  ///     `wrongIsolation` outside of the isolation of the view. Without it
  ///     ``Store/Configuration/onUnheardFailure`` is told of a failure.
  /// - Returns: Names the write, for ``cancelAsyncWrite(_:)``.
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
      // Of a write that is complete.
      return store.core.writer.operations.nextID()
    }
  }

  /// Runs a block later that begins a write transaction, in the isolation of the view, and returns at once.
  ///
  /// It throws what keeps the block from being scheduled, since there is no completion to tell it to.
  ///
  /// - Parameter block: Reads and writes, and commits; what it leaves open is rolled back.
  /// - Returns: Names the write, for ``cancelAsyncWrite(_:)``.
  /// - Throws: ``ObjectBoxError``: `wrongIsolation`, `closed`, `asyncWriteNotSchedulable` for views of
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
  /// - Parameter id: What `writeAsync` or `beginAsyncWrite` returned: its block is not called, unless it has
  ///   been. What `commitAsyncWrite` returned: its `onComplete` is not called; the commit stays.
  /// - Returns: True when there was something to cancel.
  @discardableResult
  public func cancelAsyncWrite(_ id: AsyncTransactionID) -> Bool { store.cancelAsyncWrite(id) }

  /// True from the call of an asynchronous write of this view until all of those are complete, their
  /// `onComplete` included.
  ///
  /// Stops the process outside of the isolation of the view.
  public var isPerformingAsynchronousWriteOperations: Bool {
    requireIsolation()
    return ownWrites.isPerforming
  }

  private func schedule(_ block: AsyncBlock) throws -> AsyncTransactionID {
    try checkUsable()
    let entry = ownWrites.add(canBeRun: true)
    var own = block
    own.body = { write in
      try self.follow(write)
      try block.body(write)
    }
    own.onEnded = { [core = store.core] in
      entry.transactionEnded()
      core.writer.recheck()
    }
    own.onComplete = { error in
      self.didCommit()
      block.onComplete?(error)
      entry.complete()
    }
    return store.schedule(own, in: signal.isolation.callbackTarget)
  }

  /// Runs the own asynchronous writes that have been asked for, except for suspended ones.
  func finishOwnWrites() {
    guard ownWrites.hasUnended, let home = signal.isolation.key else { return }
    store.core.writer.run(isHome: { $0 == home }, until: { !ownWrites.hasUnended })
  }
}
