public import ObjectBox

extension Store {
  // MARK: Called back

  /// Schedules a block in a write transaction, in the caller's isolation, and returns at once.
  ///
  /// Blocks run in the order of the calls; blocking writers go first. The end of a block commits,
  /// unless the block has committed or cancelled; an error rolls back. The block may use objects of
  /// its isolation.
  ///
  ///     store.writeAsync { transaction in
  ///       try transaction.put(person)
  ///     } onComplete: { error in
  ///       if let error, !(error is WriteCancellation) { show(error) }
  ///     }
  ///
  /// - Parameters:
  ///   - isGroupingAllowed: True to share one wait for the disk with asynchronous writes that are
  ///     queued behind. After a crash, all or none of the group are stored.
  ///   - isolation: The isolation of both blocks; the caller's.
  ///   - block: Reads and writes.
  ///   - onComplete: Called once, when the changes are on disk, or with the error; with
  ///     `WriteCancellation` when the write was cancelled. Outside of actors no isolation can be
  ///     called back: then it is called at once with `asyncWriteNotSchedulable`; pass a
  ///     `SerialQueue` there. Without it, failures go to `Configuration.onUnheardFailure`.
  /// - Returns: The ID of the write, for ``cancelAsyncWrite(_:)``.
  @discardableResult
  public func writeAsync(
    isGroupingAllowed: Bool = false,
    isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping (WriteTransaction) throws -> Void,
    onComplete: (((any Error)?) -> Void)? = nil
  ) -> AsyncTransactionID {
    schedule(
      AsyncBlock(isGroupingAllowed: isGroupingAllowed, body: block, onComplete: onComplete),
      in: CallbackTarget(isolation)
    )
  }

  /// Schedules a block in a write transaction on a queue, and returns at once.
  ///
  /// - Parameters:
  ///   - queue: The callback queue of both blocks.
  ///   - isGroupingAllowed: True to share one wait for the disk with writes that are queued behind.
  ///   - block: Reads and writes.
  ///   - onComplete: Called once, when the changes are on disk, or with the error; with
  ///     `WriteCancellation` when the write was cancelled.
  /// - Returns: The ID of the write, for ``cancelAsyncWrite(_:)``.
  @discardableResult
  public func writeAsync(
    on queue: SerialQueue,
    isGroupingAllowed: Bool = false,
    _ block: @escaping @Sendable (WriteTransaction) throws -> Void,
    onComplete: (@Sendable ((any Error)?) -> Void)? = nil
  ) -> AsyncTransactionID {
    schedule(
      AsyncBlock(isGroupingAllowed: isGroupingAllowed, body: block, onComplete: onComplete),
      in: .queue(queue)
    )
  }

  /// Schedules a block that must commit its write transaction itself, in the caller's isolation,
  /// and returns at once.
  ///
  /// The block commits by `commitWrite` or `commitAsyncWrite`. A transaction that it leaves open is
  /// rolled back, and reported to `Configuration.onUnheardFailure` if it has changed anything.
  /// Errors of the block are reported there too.
  ///
  /// - Parameters:
  ///   - isolation: The isolation of the block; the caller's. Outside of actors the block is never
  ///     called, and `Configuration.onUnheardFailure` is; pass a `SerialQueue` there.
  ///   - block: Reads and writes, and commits.
  /// - Returns: The ID of the write, for ``cancelAsyncWrite(_:)``.
  @discardableResult
  public func beginAsyncWrite(
    isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping (WriteTransaction) throws -> Void
  ) -> AsyncTransactionID {
    schedule(AsyncBlock(commitsAtEnd: false, body: block), in: CallbackTarget(isolation))
  }

  /// Schedules a block that must commit its write transaction itself, on a queue, and returns at
  /// once.
  ///
  /// - Parameters:
  ///   - queue: The callback queue of the block.
  ///   - block: Reads and writes, and commits; a transaction that it leaves open is rolled back.
  /// - Returns: The ID of the write, for ``cancelAsyncWrite(_:)``.
  @discardableResult
  public func beginAsyncWrite(
    on queue: SerialQueue,
    _ block: @escaping @Sendable (WriteTransaction) throws -> Void
  ) -> AsyncTransactionID {
    schedule(AsyncBlock(commitsAtEnd: false, body: block), in: .queue(queue))
  }

  /// Cancels an asynchronous write.
  ///
  /// With an ID from `writeAsync` or `beginAsyncWrite`: a block that has not begun is not called,
  /// and its `onComplete` gets `WriteCancellation.beforeBegin`, later in its isolation. Called
  /// inside the block itself, this rolls the block back; the rest of the block throws
  /// `CancellationError`, which its `onComplete` gets. With an ID from `commitAsyncWrite`: the
  /// commit stays, and its `onComplete` is not called.
  ///
  /// - Parameter id: The ID of the write.
  /// - Returns: True when there was something to cancel.
  @discardableResult
  public func cancelAsyncWrite(_ id: AsyncTransactionID) -> Bool {
    if let own = transactions.openTransaction, openStore.writer.isRunning(id, with: own) {
      own.stop(by: CancellationError())
      return true
    }
    return openStore.writer.cancel(id)
  }

  /// True while an asynchronous write is pending, until the end of its `onComplete`.
  public var isPerformingAsynchronousWriteOperations: Bool { !openStore.writer.operations.isEmpty }

  // MARK: How

  /// Queues a block for the writer thread.
  ///
  /// - Parameters:
  ///   - block: The block.
  ///   - target: The isolation of the block; for nil its completion gets
  ///     `asyncWriteNotSchedulable`.
  /// - Returns: The ID of the write.
  func schedule(_ block: AsyncBlock, in target: CallbackTarget?) -> AsyncTransactionID {
    let id = openStore.writer.operations.nextID()
    do {
      try checkCanScheduleWrite()
      guard let target else {
        throw ObjectBoxError.asyncWriteNotSchedulable(
          message:
            "the block never runs: the caller runs in no actor, in which it could be called back; "
            + "call this in an actor, or pass a SerialQueue with 'on:'"
        )
      }
      // The body retains the store, so it stays open until the block has run.
      let body = Guarded<QueuedBlock.Body?> { start in block.run(start, self, in: target) }
      try openStore.writer.add(
        QueuedBlock(id: id, .isolation(target, body), onCancel: block.onEnded)
      )
    } catch {
      block.refuse(error, self)
    }
    return id
  }
}
