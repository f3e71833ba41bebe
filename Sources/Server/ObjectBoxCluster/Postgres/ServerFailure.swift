/// A failure that the server or its connection reported.
package struct ServerFailure: Error, Sendable {
  /// PostgreSQL's error code, five characters; empty when the server reported none.
  package var state: String
  /// The server's message, on one line.
  var message: String
  var hint: String?
  var schemaName: String?
  var tableName: String?
  var columnName: String?
  var constraintName: String?
  /// The index of the failed statement in its batch; nil when no statement failed.
  var statement: Int?
  /// True when the connection is lost: whether the server did the work is unknown.
  var isConnectionLost = false
  /// True when the waiting task was cancelled.
  var isCancellation = false
  /// Number of the batch's results that arrived before the failure.
  var completedStatements = 0
}

extension ServerFailure {
  /// PostgreSQL's error codes, named as in appendix A of its manual.
  enum State {
    static let uniqueViolation = "23505"
    static let foreignKeyViolation = "23503"
    static let serializationFailure = "40001"
    static let deadlockDetected = "40P01"
    static let queryCanceled = "57014"
    static let diskFull = "53100"
    static let tooManyConnections = "53300"
    static let invalidPassword = "28P01"
    static let invalidAuthorization = "28000"
    static let invalidCatalogName = "3D000"
    static let insufficientPrivilege = "42501"
    static let undefinedTable = "42P01"
    static let readOnlyTransaction = "25006"
    static let adminShutdown = "57P01"
    static let crashShutdown = "57P02"
    static let cannotConnectNow = "57P03"
    static let unknownPreparedStatement = "26000"
    static let duplicatePreparedStatement = "42P05"
  }

  /// True if the same transaction may succeed when it runs again.
  var isConflict: Bool {
    state == State.serializationFailure || state == State.deadlockDetected
  }
}
