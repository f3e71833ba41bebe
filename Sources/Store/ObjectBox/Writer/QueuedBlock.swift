/// Names an asynchronous write or commit, for `Store.cancelAsyncWrite(_:)`.
public struct AsyncTransactionID: Hashable, Sendable {
  let number: UInt64
}

/// An asynchronous block in the queue of the writer thread, or with its transaction.
///
/// The writer thread and the block's isolation share it.
///
/// Invariant of `@unchecked Sendable`: only ``WriterThread`` accesses `phase`, under its lock.
package final class QueuedBlock: @unchecked Sendable {
  enum Phase {
    case waiting
    /// The block may begin.
    ///
    /// The writer thread waits for the block to begin, or takes the offer back.
    case offered(WriterThreadTransaction)
    case running(WriterThreadTransaction)
    /// The block never runs: it was cancelled, or its transaction cannot begin.
    case failed(any Error)
    case ended
  }

  /// The code that receives the transaction, or the error if there is none.
  package typealias Body = (Result<WriterThreadTransaction, any Error>) -> Void

  /// The code that uses the transaction.
  package enum Caller {
    /// A suspended task; the signal wakes it.
    case task(isolation: ObjectIdentifier?, TaskSignal)
    /// A function that is called and released in its isolation.
    case isolation(CallbackTarget, Guarded<Body?>)
  }

  let id: AsyncTransactionID
  let caller: Caller
  /// True if observers are not notified.
  ///
  /// Observers must see the versions before and after the block, so it commits alone.
  let isSilent: Bool
  /// Called when the block is cancelled.
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

  /// The isolation of its code; nil if it is unknown.
  var isolation: ObjectIdentifier? {
    switch caller {
    case .task(let isolation, _): isolation
    case .isolation(let target, _): target.key
    }
  }

  /// The error that its code receives when the block is cancelled before it begins.
  var cancellation: any Error {
    switch caller {
    case .task: CancellationError()
    case .isolation: WriteCancellation.beforeBegin
    }
  }

  /// True if a call in the isolation can run the block; a suspended task must be woken instead.
  var isCallable: Bool {
    if case .isolation = caller { true } else { false }
  }
}
