/// The state of a client.
public enum SyncState: UInt32, Sendable {
  case created = 1
  case started = 2
  case connected = 3
  case loggedIn = 4
  case disconnected = 5
  case stopped = 6
  case dead = 7
}

/// An answer of a server.
public enum SyncCode: UInt32, Sendable {
  case okay = 20
  case requestRejected = 40
  case credentialsRejected = 43
  case unknown = 50
  case authUnreachable = 53
  case badVersion = 55
  case clientIdTaken = 61
  case txViolatedUnique = 71
}

/// The changes that a client requests.
public enum RequestUpdatesMode: UInt32, Sendable {
  /// None by itself.
  case manual = 0
  /// All, also later ones.
  case auto = 1
  /// All that are there when it logs in.
  case autoNoPushes = 2
}

/// Settings of a client.
public enum SyncFlags: UInt32, Sendable {
  case debugLogIdMapping = 1
  case clientKeepDataOnSyncError = 2
  case debugLogFilterVariables = 4
  case removeWithObjectData = 8
  case debugLogTxLogs = 16
  case skipInvalidTxOps = 32
}
