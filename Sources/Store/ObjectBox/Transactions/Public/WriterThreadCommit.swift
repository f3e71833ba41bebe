/// Ends a transaction that the writer thread has begun and will commit.
///
/// While open, it is the open transaction of the thread that made this object.
package final class WriterThreadCommit: TransactionEnd {
  private let openStore: OpenStore
  private let lent: WriterThreadTransaction
  private let thread = ThreadContext.current
  private let replaced: StoreThreadState.ReplacedTransaction
  /// The executor of completions; nil outside of actors and serial queues.
  private let home: CallbackTarget?

  package init(_ openStore: OpenStore, _ lent: WriterThreadTransaction, home: CallbackTarget?) {
    self.openStore = openStore
    self.lent = lent
    self.home = home
    replaced = thread.state(for: openStore.transactions).install(lent.transaction)
  }

  /// Restores the thread's own transaction.
  private func restore() {
    thread.state(for: openStore.transactions).restore(replaced)
  }

  package func commit() throws {
    restore()
    defer { closeStoreIfAsked() }
    try lent.commit(isGroupingAllowed: false)
    try lent.waitForOutcome()
  }

  /// Requests the commit; the caller waits for its outcome.
  package func handBack(isGroupingAllowed: Bool) throws {
    restore()
    defer { closeStoreIfAsked() }
    try lent.commit(isGroupingAllowed: isGroupingAllowed)
  }

  package func cancel() {
    if ThreadContext.current === thread {
      lent.transaction.cancel(thread.state(for: openStore.transactions).current) {
        self.restore()
        self.lent.rollBack()
        self.closeStoreIfAsked()
      }
    } else {
      lent.abandon()
    }
  }

  package func commitLater(
    isGroupingAllowed: Bool,
    isHeard: Bool,
    onComplete: (((any Error)?) -> Void)?
  ) -> AsyncTransactionID {
    restore()
    defer { closeStoreIfAsked() }
    let operations = openStore.writer.operations
    let id = operations.beginCommit()
    let isOfHandler = UnheardFailures.isInHandler
    let tell = { @Sendable [lent, openStore] (error: any Error) in
      guard lent.noteHearing() else { return }
      openStore.failures.tell(.asyncCommit, error, isOfHandler: isOfHandler)
    }
    let finish = { [lent] (error: (any Error)?) in
      let isCalled = operations.takeCompletion(of: id)
      if isCalled { onComplete?(error) }
      if isCalled && isHeard { lent.noteHearing() } else if let error { tell(error) }
      operations.complete()
    }
    do {
      try lent.commit(isGroupingAllowed: isGroupingAllowed)
    } catch {
      finish(error)
      return id
    }
    if let home {
      lent.whenEnded(in: home, finish)
    } else {
      // The objects keep their IDs even if the commit fails: the thread may have ended by then.
      lent.transaction.outcome(isCommitted: true)
      lent.whenEnded { result in
        if let error = result.failure { tell(error) }
        _ = operations.takeCompletion(of: id)
        operations.complete()
      }
    }
    return id
  }

  package var canCallBack: Bool { home != nil }

  package func abandon() {
    let hasChanges = lent.transaction.hasChanges
    cancel()
    if hasChanges { openStore.failures.tell(.openWrite, Self.letGo) }
  }

  private static let letGo = ObjectBoxError.transactionEnded(
    message:
      "the transaction was let go while it was open; call commitWrite() or cancelWrite() on it"
  )

  /// Closes the store when `close` was called inside the transaction.
  private func closeStoreIfAsked() {
    let state = thread.state(for: openStore.transactions)
    guard state.current == nil, let close = state.closing.take() else { return }
    let own = home?.key
    close { $0 == own }
  }
}
