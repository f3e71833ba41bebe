internal import Foundation

/// A write transaction that the writer thread begins and ends, and another thread uses.
///
/// LMDB's lock belongs to a thread, so a write transaction must begin and end on the same thread, and one thread at a
/// time may use it. The *owner* begins it and does not use it. The *borrower* uses it and hands it back. Then the owner
/// ends it. `condition` orders the two.
///
/// Invariant of `@unchecked Sendable`: only the borrower accesses `transaction` until it is handed back, and only the
/// owner accesses its storage afterwards. The other variables are accessed while `condition` is locked.
package final class WriterThreadTransaction: @unchecked Sendable {
  /// The end that the borrower wants.
  enum Ending {
    /// With `isGroupingAllowed`, other transactions may share its commit.
    case commit(CommitSummary, isGroupingAllowed: Bool)
    /// Everything except the storage transaction is already undone.
    case rollback
  }

  typealias Outcome = Result<Void, any Error>

  package let transaction: Transaction
  private let condition = NSCondition()
  private var ending: Ending?
  private var outcome: Outcome?
  private var isHeard = false
  /// The functions that have not been called yet, in the order of their calls.
  private var onOutcome: [@Sendable (Outcome) -> Void] = []
  /// True while a thread calls the functions of `onOutcome`.
  private var isTelling = false

  init(_ transaction: Transaction) {
    self.transaction = transaction
  }

  private func wait<Value>(for value: KeyPath<WriterThreadTransaction, Value?>) -> Value {
    condition.withLock {
      while true {
        if let value = self[keyPath: value] { return value }
        condition.wait()
      }
    }
  }

  // MARK: The borrower

  /// Hands the transaction back to be committed.
  ///
  /// - Throws: The reason why it cannot commit. Then it is handed back to be rolled back.
  func commit(isGroupingAllowed: Bool) throws {
    do {
      if let refusal = transaction.failure.refusal { throw refusal }
      let summary = try transaction.file.translating { try transaction.flushForCommit() }
      handBack(.commit(summary, isGroupingAllowed: isGroupingAllowed))
    } catch {
      rollBack()
      throw error
    }
  }

  /// Hands the transaction back to be rolled back, unless it was handed back before.
  func rollBack() {
    guard condition.withLock({ ending == nil }) else { return }
    transaction.undoInMemory()
    handBack(.rollback)
  }

  /// Hands back a transaction that its borrower has released; called on any thread.
  ///
  /// Objects in memory stay as they are: they belong to the borrower's thread.
  func abandon() {
    guard condition.withLock({ ending == nil }) else { return }
    transaction.abandon()
    transaction.closeCursors()
    handBack(.rollback)
  }

  private func handBack(_ ending: Ending) {
    condition.withLock {
      self.ending = ending
      condition.broadcast()
    }
  }

  /// Waits until the owner has ended it; restores the objects in memory unless it was committed.
  ///
  /// - Throws: The reason why it was not committed.
  func waitForOutcome() throws {
    let outcome = wait(for: \.outcome)
    transaction.outcome(isCommitted: outcome.failure == nil)
    try outcome.get()
  }

  /// Calls a function once the owner has ended the transaction.
  ///
  /// Functions are called one after another, in the order in which they were added: on the owner's
  /// thread, or at once if it has ended. A function that is added while another is being called is
  /// called later, by the thread of that call.
  func whenEnded(_ body: @escaping @Sendable (Outcome) -> Void) {
    condition.withLock { onOutcome.append(body) }
    tellOutcome()
  }

  /// Calls the waiting functions if there is an outcome, unless another call is doing so; holds no lock meanwhile.
  private func tellOutcome() {
    let begun: Outcome? = condition.withLock {
      guard !isTelling, let outcome else { return nil }
      isTelling = true
      return outcome
    }
    guard let begun else { return }
    func next() -> (@Sendable (Outcome) -> Void)? {
      condition.withLock {
        isTelling = !onOutcome.isEmpty
        return isTelling ? onOutcome.removeFirst() : nil
      }
    }
    while let body = next() { body(begun) }
  }

  /// Calls a function in the borrower's isolation, once the owner has ended the transaction and
  /// objects in memory are restored.
  ///
  /// The function is also released in that isolation.
  ///
  /// - Parameters:
  ///   - target: The borrower's isolation.
  ///   - onEnded: Called before `body`, on any thread.
  ///   - body: Receives the reason why it was not committed; nil if it was.
  package func whenEnded(
    in target: CallbackTarget,
    onEnded: (@Sendable () -> Void)? = nil,
    _ body: @escaping ((any Error)?) -> Void
  ) {
    let body = Guarded<(((any Error)?) -> Void)?>(body)
    whenEnded { outcome in
      onEnded?()
      target.send {
        self.transaction.outcome(isCommitted: outcome.failure == nil)
        body.take()?(outcome.failure)
      }
    }
  }

  /// Notes that a failure is reported to the caller; true if this was not noted before.
  @discardableResult
  package func noteHearing() -> Bool {
    condition.withLock {
      defer { isHeard = true }
      return !isHeard
    }
  }

  // MARK: The owner

  /// Waits until the borrower hands it back.
  func waitForEnding() -> Ending { wait(for: \.ending) }

  /// Reports the outcome to the borrower.
  func resolve(_ outcome: Outcome) {
    condition.withLock {
      self.outcome = outcome
      condition.broadcast()
    }
    tellOutcome()
  }
}
