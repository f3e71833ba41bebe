internal import ObjectBox

/// The block of an asynchronous write, with its completion.
struct AsyncBlock {
  let isGroupingAllowed: Bool
  /// False to roll back a transaction that the block leaves open.
  let commitsAtEnd: Bool
  var body: (WriteTransaction) throws -> Void
  var onComplete: (((any Error)?) -> Void)?
  /// True when the caller has passed a completion.
  let isHeard: Bool
  /// True when a handler of failures scheduled the block.
  let isOfHandler = UnheardFailures.isInHandler
  /// Called on any thread when the transaction has ended, before `onComplete`.
  var onEnded: (@Sendable () -> Void)?

  init(
    isGroupingAllowed: Bool = false,
    commitsAtEnd: Bool = true,
    body: @escaping (WriteTransaction) throws -> Void,
    onComplete: (((any Error)?) -> Void)? = nil
  ) {
    self.isGroupingAllowed = isGroupingAllowed
    self.commitsAtEnd = commitsAtEnd
    self.body = body
    self.onComplete = onComplete
    isHeard = onComplete != nil
  }

  /// Runs the block with its transaction, or completes it with the error; called in the block's
  /// isolation.
  func run(
    _ start: Result<WriterThreadTransaction, any Error>,
    _ store: Store,
    in target: CallbackTarget
  ) {
    do {
      let lent = try start.get()
      if isHeard { lent.noteHearing() }
      let ending = WriterThreadCommit(store.openStore, lent, home: target)
      let write = WriteTransaction(store, lent.transaction, ending: ending)
      var error: (any Error)?
      do { try body(write) } catch let thrown { error = thrown }
      // Before the transaction ends: `close` waits for its end, and the completion must be in its queue by then. Also
      // after an error of the block: its completion must not overtake completions of earlier writes.
      lent.whenEnded(in: target, onEnded: onEnded) { failure in
        // The completion of a `commitAsyncWrite` may have received the failure.
        let isUnheard = error != nil ? !isHeard : failure != nil && lent.noteHearing()
        complete(store, error ?? failure, isUnheard: isUnheard)
      }
      do {
        if let error { throw error }
        error = try end(write, of: lent, ending, store)
      } catch let thrown {
        write.cancelWrite()
        error = thrown
      }
    } catch {
      complete(store, error, isUnheard: !isHeard)
    }
  }

  /// Hands the transaction back after the block, unless the block has ended it.
  ///
  /// - Returns: The cancellation by the block; nil after success.
  /// - Throws: The reason why it cannot be committed.
  private func end(
    _ write: WriteTransaction,
    of lent: WriterThreadTransaction,
    _ ending: WriterThreadCommit,
    _ store: Store
  ) throws -> (any Error)? {
    guard !write.isEnded, commitsAtEnd else {
      if !write.isEnded, lent.transaction.hasChanges { tellOfOpenEnd(store) }
      write.cancelWrite()
      return write.isCancelled ? WriteCancellation.byCancelWrite : nil
    }
    try write.checkCanEnd()
    write.end()
    try ending.handBack(isGroupingAllowed: isGroupingAllowed)
    return nil
  }

  private func complete(_ store: Store, _ error: (any Error)?, isUnheard: Bool) {
    onEnded?()
    onComplete?(error)
    if let error, isUnheard { tell(error, store) }
    store.openStore.writer.operations.complete()
  }

  private func tellOfOpenEnd(_ store: Store) {
    let error = ObjectBoxError.transactionEnded(
      message:
        "the block of beginAsyncWrite has ended without commitWrite(), commitAsyncWrite() or "
        + "cancelWrite(); call one of them in it, or use writeAsync"
    )
    store.openStore.failures.tell(.openWrite, error, isOfHandler: isOfHandler)
  }

  /// Reports the error of a block that cannot be scheduled.
  func refuse(_ error: any Error, _ store: Store) {
    onComplete?(error)
    if !isHeard { tell(error, store) }
  }

  private func tell(_ error: any Error, _ store: Store) {
    // A cancellation is not a failure.
    if error is CancellationError || error is WriteCancellation { return }
    store.openStore.failures.tell(.asyncWrite, error, isOfHandler: isOfHandler)
  }
}
