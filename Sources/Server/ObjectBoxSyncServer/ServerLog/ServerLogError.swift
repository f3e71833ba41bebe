/// An error of the server log's tables, changes or deltas.
package enum ServerLogError: Error, Hashable, Sendable {
  /// The model or the rules contain something that cannot be synchronized.
  case unsupported(message: String)
  /// The server is a replica, whose snapshots do not list transactions in progress.
  case replica(message: String)
  /// The server log's tables are missing, or belong to another database or model.
  case notPrepared(message: String)
  /// A stored value has another form than this version writes.
  case corrupt(message: String)
  /// Another upload of the same device was stored first.
  case outdated(message: String)
}

extension ServerLogError: CustomStringConvertible {
  /// The text of the error.
  package var message: String {
    switch self {
    case .unsupported(let message), .replica(let message), .notPrepared(let message),
      .corrupt(let message), .outdated(let message):
      message
    }
  }

  /// The message.
  package var description: String { message }
}
