/// Names an asynchronous write or commit, for ``Store/cancelAsyncWrite(_:)``.
public struct AsyncTransactionID: Hashable, Sendable {
  let number: UInt64
}

/// An asynchronous write that waits for its turn, or has it.
///
/// A class, since the writer thread and its block share it. Invariant of `@unchecked Sendable`: `phase` and
/// `job` are touched by ``AsyncTransactions`` only, under its lock.
final class AsyncOperation: @unchecked Sendable {
  enum Phase {
    case waiting
    /// It may begin; the writer thread waits for that, or takes the offer back.
    case offered(LentTransaction)
    case running(LentTransaction)
    /// It will not run any more.
    case cancelled
    /// No transaction can begin for it.
    case failed(any Error)
    case ended
  }

  let id: AsyncTransactionID
  /// What its block is isolated to, where that is known.
  let home: ObjectIdentifier?
  /// Asks for a call of ``AsyncTransactions/begin(_:)`` in the block's isolation; returns at once.
  let summon: @Sendable (AsyncOperation) -> Void
  /// Runs the block of the operation, if it can begin; nil when the block waits in a suspended task.
  let job: (@Sendable (AsyncOperation) -> Void)?
  /// True when observers are left out, who must see the versions before and after it: it shares its commit
  /// with none.
  let isSilent: Bool
  var phase = Phase.waiting

  init(
    id: AsyncTransactionID,
    home: ObjectIdentifier?,
    summon: @escaping @Sendable (AsyncOperation) -> Void,
    job: (@Sendable (AsyncOperation) -> Void)?,
    isSilent: Bool = false
  ) {
    self.id = id
    self.home = home
    self.summon = summon
    self.job = job
    self.isSilent = isSilent
  }
}
