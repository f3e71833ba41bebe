internal import Foundation

/// A write transaction that the writer thread begins and ends, and that another thread uses meanwhile.
///
/// LMDB asks that a write transaction begins and ends on one thread, which its lock belongs to, and that one
/// thread at a time uses it. So the *owner* begins it, touches nothing of it until the *borrower* hands it
/// back, and then ends it. `condition` orders the two.
///
/// Invariant of `@unchecked Sendable`: the borrower alone touches `transaction` until it is handed back, the
/// owner alone its storage afterwards; the other variables are touched while the condition is locked.
package final class LentTransaction: @unchecked Sendable {
  /// The end that the borrower wants.
  enum Ending {
    /// `isGroupingAllowed` says that others may be committed with it.
    case commit(CommitSummary, isGroupingAllowed: Bool)
    /// Everything is undone already, but for the storage transaction.
    case rollback
  }

  typealias Outcome = Result<Void, any Error>

  package let transaction: Transaction
  private let condition = NSCondition()
  private var ending: Ending?
  private var outcome: Outcome?
  private var isHeard = false
  private var onOutcome: [@Sendable (Outcome) -> Void] = []

  init(_ transaction: Transaction) {
    self.transaction = transaction
  }

  private func locked<T>(_ body: () throws -> T) rethrows -> T {
    condition.lock()
    defer { condition.unlock() }
    return try body()
  }

  private func wait<Value>(for value: KeyPath<LentTransaction, Value?>) -> Value {
    locked {
      while true {
        if let value = self[keyPath: value] { return value }
        condition.wait()
      }
    }
  }

  // MARK: The borrower

  /// Hands the transaction back, to be committed.
  ///
  /// - Throws: Why it cannot commit; it is then handed back to be rolled back.
  func commit(isGroupingAllowed: Bool) throws {
    do {
      if let refusal = transaction.refusal { throw refusal }
      let summary = try transaction.file.translating { try transaction.flushForCommit() }
      handBack(.commit(summary, isGroupingAllowed: isGroupingAllowed))
    } catch {
      rollBack()
      throw error
    }
  }

  /// Hands the transaction back, to be rolled back, unless it was handed back before.
  func rollBack() {
    guard locked({ ending == nil }) else { return }
    transaction.undoInMemory()
    handBack(.rollback)
  }

  /// Hands the transaction back on another thread than the borrower's, which has let it go.
  ///
  /// Objects in memory stay as they are: they belong to the borrower's thread.
  func abandon() {
    guard locked({ ending == nil }) else { return }
    transaction.abandon()
    transaction.closeCursors()
    handBack(.rollback)
  }

  private func handBack(_ ending: Ending) {
    locked {
      self.ending = ending
      condition.broadcast()
    }
  }

  /// Waits until the owner has ended it, and sets objects back that it put unless it was committed.
  ///
  /// - Throws: Why it was not committed.
  func waitForOutcome() throws {
    let outcome = wait(for: \.outcome)
    transaction.outcome(isCommitted: outcome.failure == nil)
    try outcome.get()
  }

  /// Calls a function once the owner has ended it, on the owner's thread or at once, in the order of the
  /// calls.
  func whenEnded(_ body: @escaping @Sendable (Outcome) -> Void) {
    let outcome = locked {
      if self.outcome == nil { onOutcome.append(body) }
      return self.outcome
    }
    if let outcome { body(outcome) }
  }

  /// Calls a function in the borrower's isolation, which releases it, once the owner has ended it and
  /// objects are set back.
  ///
  /// - Parameters:
  ///   - target: The isolation.
  ///   - onEnded: Called before, on any thread.
  ///   - body: Gets the reason why it was not committed.
  package func whenEnded(
    in target: CallbackTarget,
    onEnded: (@Sendable () -> Void)? = nil,
    _ body: @escaping ((any Error)?) -> Void
  ) {
    let body = IsolatedBox(body)
    whenEnded { outcome in
      onEnded?()
      target.send {
        self.transaction.outcome(isCommitted: outcome.failure == nil)
        body.take()?(outcome.failure)
      }
    }
  }

  /// Notes that the caller hears of a failure; true when that was not noted before.
  @discardableResult
  package func noteHearing() -> Bool {
    locked {
      defer { isHeard = true }
      return !isHeard
    }
  }

  // MARK: The owner

  /// Waits until it is handed back.
  func waitForEnding() -> Ending { wait(for: \.ending) }

  /// Tells the borrower that it has ended.
  func resolve(_ outcome: Outcome) {
    let bodies = locked {
      self.outcome = outcome
      condition.broadcast()
      defer { onOutcome = [] }
      return onOutcome
    }
    for body in bodies { body(outcome) }
  }
}
