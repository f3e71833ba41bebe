extension ServerFailure {
  /// Codes for failed connections of libpq, for which PostgreSQL has no codes.
  enum ConnectingState {
    static let unknownHost = "OBX01"
    static let refused = "OBX02"
    static let timeout = "OBX03"
    static let readOnly = "OBX04"
  }

  /// Parts of messages of libpq and the server, with their codes.
  private static let connectingStates: [(part: String, state: String)] = [
    ("authentication failed", State.invalidPassword),
    ("no pg_hba.conf entry", State.invalidAuthorization),
    ("no such user", State.invalidPassword),
    ("too many clients", State.tooManyConnections),
    ("remaining connection slots", State.tooManyConnections),
    ("too many connections for", State.tooManyConnections),
    ("no more connections allowed", State.tooManyConnections),
    ("permission denied for database", State.insufficientPrivilege),
    ("starting up", State.cannotConnectNow),
    ("shutting down", State.cannotConnectNow),
    ("not yet accepting connections", State.cannotConnectNow),
    ("in recovery mode", State.cannotConnectNow),
    ("session is read-only", ConnectingState.readOnly),
    ("session is not read-only", ConnectingState.readOnly),
    ("hot standby mode", ConnectingState.readOnly),
    ("could not translate host name", ConnectingState.unknownHost),
    ("could not parse network address", ConnectingState.unknownHost),
    ("Connection refused", ConnectingState.refused),
    ("No such file or directory", ConnectingState.refused),
    ("timeout expired", ConnectingState.timeout),
  ]

  /// Returns the code of a failed connection attempt; empty for other failures.
  ///
  /// libpq before version 18 does not expose the server's code, so the message determines it. With several hosts, the
  /// last host that answered counts: another host may be down while this server refuses.
  static func state(ofConnecting message: String) -> String {
    if message.contains("role \""), message.contains("does not exist") {
      return State.invalidPassword
    }
    if message.contains("database \""), message.contains("does not exist") {
      return State.invalidCatalogName
    }
    return connectingStates.first { message.contains($0.part) }?.state ?? ""
  }
}
