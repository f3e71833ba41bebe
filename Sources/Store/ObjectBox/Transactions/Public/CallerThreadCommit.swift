/// Ends the transaction of a block that runs on the thread that began the transaction.
final class CallerThreadCommit: TransactionEnd {
  private let openStore: OpenStore
  private let state: StoreThreadState
  private let transaction: Transaction

  init(_ openStore: OpenStore, _ state: StoreThreadState, _ transaction: Transaction) {
    self.openStore = openStore
    self.state = state
    self.transaction = transaction
  }

  func commit() throws {
    try openStore.transactions.end(state)
  }

  func cancel() {
    transaction.cancel(state.current) { [openStore, state] in
      try? openStore.transactions.end(state, failure: WriteCancellation.byCancelWrite)
    }
  }

  /// Commits at once: the thread that began the transaction must commit it.
  func commitLater(
    isGroupingAllowed: Bool,
    isHeard: Bool,
    onComplete: (((any Error)?) -> Void)?
  ) -> AsyncTransactionID {
    let id = openStore.writer.operations.nextID()
    do {
      try commit()
      onComplete?(nil)
    } catch {
      onComplete?(error)
      if !isHeard { openStore.failures.tell(.asyncCommit, error) }
    }
    return id
  }

  var canCallBack: Bool { true }

  /// Does nothing: the function that runs the block ends the transaction.
  func abandon() {}
}
