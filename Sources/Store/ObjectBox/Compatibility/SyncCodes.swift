/// The state of a client.
public enum SyncState: UInt32, Sendable {
  /// The client was made.
  case created = 1
  /// The client was started.
  case started = 2
  /// The client has a connection.
  case connected = 3
  /// The server has accepted the client.
  case loggedIn = 4
  /// The connection was lost, or there was none at the last attempt.
  case disconnected = 5
  /// The client was stopped.
  case stopped = 6
  /// The client cannot be started again.
  case dead = 7
}

/// An answer of a server.
public enum SyncCode: UInt32, Sendable {
  /// The request was accepted.
  case ok = 20
  /// The request was rejected.
  case reqRejected = 40
  /// The credentials were rejected.
  case credentialsRejected = 43
  /// Another answer.
  case unknown = 50
  /// The authentication server does not answer.
  case authUnreachable = 53
  /// The versions of client and server are incompatible.
  case badVersion = 55
  /// Another client has the same ID.
  case clientIdTaken = 61
  /// A transaction would have violated a unique constraint.
  case txViolatedUnique = 71
}

/// The updates that a client requests at each login.
public enum RequestUpdatesMode: UInt32, Sendable {
  /// None; the program requests them.
  case manual = 0
  /// All, including later ones.
  case auto = 1
  /// All that exist at the login.
  case autoNoPushes = 2
}

/// The result of a wait with a time limit.
public enum SuccessTimeOut: Sendable {
  /// The state was reached.
  case success
  /// The state is unlikely to be reached.
  case failure
  /// The time is over.
  case timeout
}
