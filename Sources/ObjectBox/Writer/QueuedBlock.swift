/// Names an asynchronous write or commit, for `Store.cancelAsyncWrite(_:)`.
public struct AsyncTransactionID: Hashable, Sendable {
  let number: UInt64
}

/// A block that waits for its write transaction in the queue of the writer thread, or has it.
///
/// A class, since the writer thread and the block's isolation share it. Invariant of `@unchecked Sendable`:
/// `phase` is touched by ``WriterThread`` only, under its lock.
package final class QueuedBlock: @unchecked Sendable {
  enum Phase {
    case waiting
    /// It may begin; the writer thread waits for that, or takes the offer back.
    case offered(LentTransaction)
    case running(LentTransaction)
    /// It never runs: it was cancelled, or no transaction can begin for it.
    case failed(any Error)
    case ended
  }

  /// The code that uses the transaction, or learns why there is none.
  package typealias Body = (Result<LentTransaction, any Error>) -> Void

  /// The owner of the code.
  package enum Caller {
    /// A suspended task, which goes on when it is woken.
    case task(isolation: ObjectIdentifier?, TaskSignal)
    /// The body is called, and released, in its isolation.
    case isolation(CallbackTarget, IsolatedBox<Body>)
  }

  let id: AsyncTransactionID
  let caller: Caller
  /// True when observers are left out, who must see the versions before and after it: it shares its commit
  /// with none.
  let isSilent: Bool
  /// Called when it is cancelled.
  let onCancel: (@Sendable () -> Void)?
  var phase = Phase.waiting

  package init(
    id: AsyncTransactionID,
    _ caller: Caller,
    isSilent: Bool = false,
    onCancel: (@Sendable () -> Void)? = nil
  ) {
    self.id = id
    self.caller = caller
    self.isSilent = isSilent
    self.onCancel = onCancel
  }

  /// The isolation of its code, where that is known.
  var isolation: ObjectIdentifier? {
    switch caller {
    case .task(let isolation, _): isolation
    case .isolation(let target, _): target.key
    }
  }

  /// The error that its code gets when the block is cancelled before it begins.
  var cancellation: any Error {
    switch caller {
    case .task: CancellationError()
    case .isolation: WriteCancellation.beforeBegin
    }
  }

  /// True when any code of the isolation can run it.
  var isCallable: Bool {
    if case .isolation = caller { true } else { false }
  }
}
