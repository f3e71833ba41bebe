extension ServerFailure {
  /// Runs a body, and converts failures of the server to the library's public errors.
  static func told<T>(_ body: () async throws -> T) async throws -> T {
    do { return try await body() } catch let failure as ServerFailure { throw failure.error }
  }

  /// The failure as one of the library's public errors.
  var error: any Error {
    if isCancellation { return CancellationError() }
    if isOfMissingWords { return Self.wordsAreMissing }
    if isOfOtherRules { return Self.rulesDiffer }
    let said = hint.map { "\(message); \($0)" } ?? message
    switch state {
    case State.invalidPassword, State.invalidAuthorization:
      return ClusterError.authenticationFailed(
        message: "the server does not accept the name or the password: \(said)"
      )
    case State.invalidCatalogName:
      return ClusterError.databaseMissing(
        message: "the server has no such database: \(said); make it with 'createdb'"
      )
    case State.insufficientPrivilege:
      return ClusterError.notPermitted(
        message: "the role may not do this: \(said); grant it the right, or connect as another role"
      )
    case State.diskFull:
      return ClusterError.diskFull(
        message: "the disk of the server is full: \(said); nothing was written; make room there"
      )
    case State.tooManyConnections:
      return ClusterError.tooManyConnections(
        message:
          "the server has no connection left: \(said); lower 'connectionLimit' of the programs, or raise "
          + "'max_connections' of the server"
      )
    case State.queryCanceled:
      return ClusterError.statementTimeout(
        message:
          "a statement took longer than it may: \(said); nothing was written; raise 'statementTimeout' of the "
          + "configuration, or make the statement smaller"
      )
    case State.serializationFailure, State.deadlockDetected:
      return ClusterError.conflict(
        attempts: 1,
        message: "the transaction met another one: \(said); nothing was written; try again"
      )
    case State.readOnlyTransaction, ConnectingState.readOnly:
      return ClusterError.serverReadOnly(
        message:
          "the server does not accept writes: \(said); name all servers in the address, with "
          + "'target_session_attrs=read-write', and look whether 'default_transaction_read_only' is set for the role"
      )
    case ConnectingState.unknownHost:
      return ClusterError.unknownHost(message: "no such host: \(said); check the address")
    case ConnectingState.refused:
      return ClusterError.connectionRefused(
        message: "no server listens at the address: \(said); start it, or check host and port"
      )
    case State.unknownPreparedStatement, State.duplicatePreparedStatement:
      return Self.connectionNotKept(said)
    default: break
    }
    if state.isEmpty || isConnectionLost {
      return ClusterError.connectionLost(message: "the connection to the server broke: \(said)")
    }
    return ClusterError.server(state: state, message: "the server refused: \(said) (\(state))")
  }

  /// The error of a pooler that gives each transaction another connection.
  static func connectionNotKept(_ reason: String) -> ClusterError {
    .connectionNotKept(
      message:
        "the servers are behind a pooler, such as PgBouncer in transaction mode, that changes connections between "
        + "transactions (\(reason)); set 'pool_mode = session' there, or connect to the server itself"
    )
  }

  /// The error of a connection that could not be made.
  var connectingError: any Error {
    guard state.isEmpty || state == ConnectingState.timeout || state == State.cannotConnectNow,
      !isCancellation
    else { return error }
    return ClusterError.cannotConnect(message: "cannot connect to the cluster: \(message)")
  }

  /// True if a later attempt may find a server: it is down, starting, or being replaced.
  var maySucceedLater: Bool {
    switch state {
    case "", State.cannotConnectNow, State.adminShutdown, State.crashShutdown,
      State.tooManyConnections, State.readOnlyTransaction, ConnectingState.readOnly,
      ConnectingState.refused, ConnectingState.timeout, ConnectingState.unknownHost:
      true
    default: isConnectionLost && state.hasPrefix("08")
    }
  }
}
