public import Foundation

/// An error that only clusters have; other errors are cases of `ObjectBoxError`.
///
/// No message contains a password or a value of an object.
public enum ClusterError: Error, Sendable {
  /// This build has no libpq.
  case libpqMissing
  /// The address is invalid; the message names the place.
  case invalidAddress(message: String)
  /// No server could be reached in time.
  case cannotConnect(message: String)
  /// A host of the address does not exist.
  case unknownHost(message: String)
  /// No server listens at the address.
  case connectionRefused(message: String)
  /// The server does not accept the name or the password.
  case authenticationFailed(message: String)
  /// The server has no such database.
  case databaseMissing(message: String)
  /// The role lacks a permission.
  case notPermitted(message: String)
  /// The server is older than PostgreSQL 15.
  case serverTooOld(message: String)
  /// The server is a replica, or does not accept writes for another reason.
  case serverReadOnly(message: String)
  /// The server accepts no more connections.
  case tooManyConnections(message: String)
  /// A pooler changes a transaction's connection state, as PgBouncer does in transaction mode.
  case connectionNotKept(message: String)
  /// The database has the schema of a newer model.
  case schemaNewer(message: String)
  /// The schema cannot be changed to the model without losing data.
  case schemaConflict(message: String)
  /// The disk of the server is full.
  case diskFull(message: String)
  /// A statement exceeded its time limit.
  case statementTimeout(message: String)
  /// All connections were in use for longer than the caller may wait.
  case noConnection(message: String)
  /// The connection broke; nothing was written.
  case connectionLost(message: String)
  /// The connection broke during a commit, and no server could be asked for the outcome.
  case commitOutcomeUnknown(token: CommitToken, message: String)
  /// The transaction conflicted with others in every attempt; nothing was written.
  case conflict(attempts: Int, message: String)
  /// The cluster is closed.
  case closed(message: String)
  /// Another error of the server, with PostgreSQL's error code.
  case server(state: String, message: String)
}

/// The identity of a commit, for asking for its outcome later.
public struct CommitToken: Hashable, Sendable, CustomStringConvertible {
  /// The UUID of the commit's row on the server.
  public let uuid: UUID

  /// Creates a token from a stored UUID.
  public init(uuid: UUID) {
    self.uuid = uuid
  }

  /// The UUID.
  public var description: String { uuid.uuidString }
}

extension ClusterError: CustomStringConvertible, LocalizedError {
  /// The text of the error.
  public var message: String {
    switch self {
    case .libpqMissing:
      "this build has no libpq, the client library of PostgreSQL; install it ('apt-get install libpq-dev', "
        + "'brew install libpq') and build the package again"
    case .invalidAddress(let message), .cannotConnect(let message), .unknownHost(let message),
      .connectionRefused(let message), .serverReadOnly(let message),
      .tooManyConnections(let message),
      .authenticationFailed(let message),
      .databaseMissing(let message), .notPermitted(let message), .serverTooOld(let message),
      .connectionNotKept(let message), .schemaNewer(let message), .schemaConflict(let message),
      .diskFull(let message), .statementTimeout(let message), .noConnection(let message),
      .connectionLost(let message), .commitOutcomeUnknown(_, let message),
      .conflict(_, let message), .closed(let message), .server(_, let message):
      message
    }
  }

  /// The name of the case and the message, such as `cannotConnect: …`.
  public var description: String {
    let name = Mirror(reflecting: self).children.first?.label ?? "libpqMissing"
    return "\(name): \(message)"
  }

  /// The message.
  public var errorDescription: String? { message }
}
