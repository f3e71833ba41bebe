internal import ObjectBoxStorage

/// The block of an asynchronous write, and how it ends.
struct AsyncBlock {
  var isGroupingAllowed = false
  /// False when what the block leaves open is rolled back.
  var commitsAtEnd = true
  var body: (WriteTransaction) throws -> Void
  var onComplete: (((any Error)?) -> Void)?
  /// Called before `onComplete`, on any thread, once the transaction has ended.
  var onEnded: (@Sendable () -> Void)?

  /// Runs in the isolation of the block, if the operation can begin.
  func run(_ operation: AsyncOperation, _ store: Store, in place: Place) {
    switch store.core.asyncTransactions.begin(operation) {
    case .later: break
    // Whoever cancelled it has taken note of its end.
    case .cancelled: break
    case .failed(let error): complete(store, error)
    case .granted(let lent): run(lent, store, place)
    }
  }

  private func run(_ lent: LentTransaction, _ store: Store, _ place: Place) {
    do {
      let ending = try LentWrite(store.core, lent, home: place)
      let write = WriteTransaction(store, lent.transaction, ending: ending)
      do {
        try body(write)
        guard !write.isEnded, commitsAtEnd else {
          write.cancelWrite()
          return completeAfter(lent, store, place)
        }
        try write.checkCanEnd()
        write.end()
        try ending.handBack(isGroupingAllowed: isGroupingAllowed)
        completeAfter(lent, store, place)
      } catch {
        write.cancelWrite()
        throw error
      }
    } catch {
      complete(store, error)
    }
  }

  /// Calls back once the transaction has ended, in whatever way the block has asked for.
  private func completeAfter(_ lent: LentTransaction, _ store: Store, _ place: Place) {
    let homing = Homing((block: self, store: store))
    lent.whenEnded { [onEnded] result in
      onEnded?()
      place.send {
        lent.transaction.outcome(isCommitted: result.failure == nil)
        homing.value.block.complete(homing.value.store, result.failure)
      }
    }
  }

  private func complete(_ store: Store, _ error: (any Error)?) {
    onEnded?()
    onComplete?(error)
    store.core.asyncTransactions.complete()
  }
}
