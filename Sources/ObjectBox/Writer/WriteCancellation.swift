public import Foundation

/// The error that the completion of an asynchronous write gets when the write was cancelled on purpose.
///
/// Nothing was stored, and nothing has failed: `Store.Configuration.onUnheardFailure` is not called.
///
/// A block that cancels its own operation by `Store.cancelAsyncWrite(_:)` is told apart: all that follows in
/// it throws `CancellationError`, and so its completion gets that.
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
