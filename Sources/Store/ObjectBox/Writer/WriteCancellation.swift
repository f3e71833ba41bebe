public import Foundation

/// The error that the completion of an asynchronous write receives when the program has cancelled
/// the write.
///
/// Nothing was stored. A cancellation is not a failure: `Store.Configuration.onUnheardFailure` is
/// not called.
///
/// If a block cancels its own operation with `Store.cancelAsyncWrite(_:)`, its later calls throw
/// `CancellationError`, and the completion receives that error instead.
public enum WriteCancellation: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
  /// `Store.cancelAsyncWrite(_:)` was called before the block began; the block never runs.
  case beforeBegin
  /// The block has called ``WriteTransaction/cancelWrite()``, which rolled its changes back.
  case byCancelWrite

  /// The reason why nothing was stored.
  public var description: String {
    switch self {
    case .beforeBegin:
      "the asynchronous write was cancelled by 'cancelAsyncWrite' before its block began, which never runs"
    case .byCancelWrite:
      "the asynchronous write was cancelled by 'cancelWrite' in its block, and its changes were rolled back"
    }
  }

  /// The reason why nothing was stored.
  public var errorDescription: String? { description }
}
