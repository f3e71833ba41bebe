public import ObjectBox

extension Store {
  // MARK: Called back

  /// Runs a block in a write transaction later, in the caller's isolation, and returns at once.
  ///
  /// Blocks run in the order of the calls, behind blocking writes. A block that ends commits, unless it has
  /// committed or cancelled itself; one that throws rolls back. It may use objects of its isolation.
  ///
  ///     store.writeAsync { transaction in
  ///       try transaction.put(person)
  ///     } onComplete: { error in
  ///       if let error, !(error is WriteCancellation) { show(error) }
  ///     }
  ///
  /// - Parameters:
  ///   - isGroupingAllowed: True to share one wait for the disk with the asynchronous writes that follow,
  ///     where those wait already. After a crash either all of the group are there or none.
  ///   - isolation: The isolation of both blocks; the caller's.
  ///   - block: Reads and writes.
  ///   - onComplete: Called once, when the changes are on disk, or with the error; with
  ///     `WriteCancellation` when the write was cancelled. Outside of every actor there is no isolation to
  ///     call back: then it is called at once, with `asyncWriteNotSchedulable`; pass a `SerialQueue` there.
  ///     Without it `Configuration.onUnheardFailure` is told of a failure.
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

  /// Runs a block in a write transaction later, on a queue, and returns at once.
  ///
  /// - Parameters:
  ///   - queue: The callback queue of both blocks.
  ///   - isGroupingAllowed: True to share one wait for the disk with writes that follow.
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

  /// Runs a block later that begins a write transaction, in the caller's isolation, and returns at once.
  ///
  /// The block has to commit, by `commitWrite` or `commitAsyncWrite`: an open transaction is rolled back at
  /// its end, and `Configuration.onUnheardFailure` is called if the transaction has changed anything. It is
  /// called with errors of the block as well.
  ///
  /// - Parameters:
  ///   - isolation: The isolation of the block; the caller's. Outside of every actor it is never called, and
  ///     `Configuration.onUnheardFailure` is told; pass a `SerialQueue` there.
  ///   - block: Reads and writes, and commits.
  /// - Returns: The ID of the write, for ``cancelAsyncWrite(_:)``.
  @discardableResult
  public func beginAsyncWrite(
    isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping (WriteTransaction) throws -> Void
  ) -> AsyncTransactionID {
    schedule(AsyncBlock(commitsAtEnd: false, body: block), in: CallbackTarget(isolation))
  }

  /// Runs a block later that begins a write transaction, on a queue, and returns at once.
  ///
  /// - Parameters:
  ///   - queue: The callback queue of the block.
  ///   - block: Reads and writes, and commits; an open transaction is rolled back at its end.
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
  /// With the ID of `writeAsync` or `beginAsyncWrite`, a block that has not begun is not called, and its
  /// `onComplete` gets `WriteCancellation.beforeBegin`, later in its isolation. In the block itself, the
  /// block is rolled back, all that follows in it throws `CancellationError`, and its `onComplete` gets that.
  /// With the ID of `commitAsyncWrite`, the commit stays and its `onComplete` is not called.
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

  /// True while an asynchronous write is pending, up to the end of its `onComplete`.
  public var isPerformingAsynchronousWriteOperations: Bool { !openStore.writer.operations.isEmpty }

  // MARK: How

  /// Adds a block to the queue of the writer thread.
  ///
  /// - Parameters:
  ///   - block: The block.
  ///   - target: The isolation of the block; for nil its completion gets `asyncWriteNotSchedulable`.
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
      // The body keeps the store, which stays open until the block has run.
      let body = IsolatedBox<QueuedBlock.Body> { start in block.run(start, self, in: target) }
      try openStore.writer.add(
        QueuedBlock(id: id, .isolation(target, body), onCancel: block.onEnded)
      )
    } catch {
      block.refuse(error, self)
    }
    return id
  }
}
