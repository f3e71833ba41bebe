/// Failures in a write transaction, which keep it from committing.
struct TransactionFailure {
  /// True if only a failed operation is undone, and the transaction continues; false if a failure dooms the
  /// transaction.
  var undoesOperations = false
  /// The reason to roll back at the end.
  ///
  /// The outermost block continues until then.
  private(set) var doom: String?
  /// The error that later operations and the commit throw.
  ///
  /// Set when a part of an operation could not be undone, or when the transaction was stopped.
  private(set) var error: (any Error)?
  /// True when undoing a savepoint does not clear `error`.
  private var isStopped = false

  /// True for a transaction that may commit and undoes nothing.
  var isInitial: Bool { !undoesOperations && doom == nil && error == nil }

  /// Makes the end of the transaction roll back.
  mutating func doom(by reason: String) {
    if doom == nil { doom = reason }
  }

  /// Lets the transaction commit although a failure doomed it.
  mutating func forgetDoom() { doom = nil }

  /// Makes later operations fail, until an open savepoint is undone.
  mutating func fail(by error: any Error) {
    if self.error == nil { self.error = error }
  }

  /// Restores the error from before a savepoint that was undone.
  mutating func restore(_ earlier: (any Error)?) {
    if !isStopped { error = earlier }
  }

  /// Makes all later operations and the commit fail.
  mutating func stop(by error: any Error) {
    self.error = error
    isStopped = true
  }

  /// The error if the transaction must not commit; nil if it may.
  var refusal: (any Error)? {
    if error == nil, doom == nil { return nil }
    return error
      ?? doom.map { reason in
        ObjectBoxError.illegalState(
          message: "the transaction was rolled back, since one inside it did not succeed: \(reason)"
        )
      }
  }
}
