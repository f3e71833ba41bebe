internal import Foundation

/// A write transaction that one thread has begun and will end, and that another one uses meanwhile.
///
/// LMDB asks that a write transaction is begun and ended on one thread, since its lock belongs to that, and
/// that one thread at a time uses it. So the *owner* begins it, hands it over, touches nothing of it until
/// the *borrower* says how it is to end, and then ends it. `condition` orders the two.
///
/// Invariant of `@unchecked Sendable`: the borrower alone touches `transaction` until `finish`, the owner
/// alone afterwards; the other variables are touched while the condition is locked.
final class LentTransaction: @unchecked Sendable {
  /// How the borrower wants it to end.
  enum Ending {
    /// `isGroupingAllowed` says that others may be committed with it.
    case commit(CommitSummary, isGroupingAllowed: Bool)
    /// Everything was undone already, but for the storage transaction.
    case rollback
  }

  let transaction: Transaction
  private let condition = NSCondition()
  private var ending: Ending?
  private var result: Result<Void, any Error>?
  private var isHeard = false
  private var onResult: [@Sendable (Result<Void, any Error>) -> Void] = []

  init(_ transaction: Transaction) {
    self.transaction = transaction
  }

  private func locked<T>(_ body: () throws -> T) rethrows -> T {
    condition.lock()
    defer { condition.unlock() }
    return try body()
  }

  // MARK: The borrower

  /// Hands the transaction back, to be committed.
  ///
  /// - Throws: Why it cannot commit; it is then handed back to be rolled back.
  func commit(isGroupingAllowed: Bool) throws {
    do {
      if let refusal = transaction.refusal { throw refusal }
      let summary = try transaction.file.translating { try transaction.flushForCommit() }
      finish(.commit(summary, isGroupingAllowed: isGroupingAllowed))
    } catch {
      rollBack()
      throw error
    }
  }

  /// Hands the transaction back, to be rolled back; nothing happens when it was handed back before.
  func rollBack() {
    guard locked({ ending == nil }) else { return }
    transaction.undoInMemory()
    finish(.rollback)
  }

  /// Hands the transaction back on another thread than the borrower's, who is gone.
  ///
  /// Objects in memory stay as they are: they belong to the borrower's thread.
  func abandon() {
    guard locked({ ending == nil }) else { return }
    transaction.abandon()
    transaction.closeCursors()
    finish(.rollback)
  }

  private func finish(_ ending: Ending) {
    locked {
      self.ending = ending
      condition.broadcast()
    }
  }

  private func waitForResult() throws {
    try locked {
      while true {
        if let result { return try result.get() }
        condition.wait()
      }
    }
  }

  /// Waits until the owner has ended it, and sets objects back that it put when that was no commit.
  ///
  /// - Throws: Why it was not committed.
  func settle() throws {
    do {
      try waitForResult()
      transaction.outcome(isCommitted: true)
    } catch {
      transaction.outcome(isCommitted: false)
      throw error
    }
  }

  /// Calls a function once the owner has ended it, on the owner's thread or at once; in the order in which
  /// they were given.
  func whenEnded(_ body: @escaping @Sendable (Result<Void, any Error>) -> Void) {
    let result = locked {
      if self.result == nil { onResult.append(body) }
      return self.result
    }
    if let result { body(result) }
  }

  /// Takes note that the caller hears of a failure; true when that was not noted before.
  @discardableResult
  func noteHearing() -> Bool {
    locked {
      defer { isHeard = true }
      return !isHeard
    }
  }

  // MARK: The owner

  /// Waits until it is handed back.
  func waitForEnding() -> Ending {
    locked {
      while true {
        if let ending { return ending }
        condition.wait()
      }
    }
  }

  /// Says what became of it.
  func resolve(_ result: Result<Void, any Error>) {
    let bodies = locked {
      self.result = result
      condition.broadcast()
      defer { onResult = [] }
      return onResult
    }
    for body in bodies { body(result) }
  }
}
