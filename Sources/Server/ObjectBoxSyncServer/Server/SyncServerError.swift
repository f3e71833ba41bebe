/// An error of a ``SyncServer``.
public enum SyncServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A rule does not fit the model, or has a form that the server does not support.
  case unusableRule(message: String)
  /// The shared secret is too short.
  case unusableSecret(message: String)
  /// The server cannot listen, or use its certificate.
  case cannotListen(message: String)
  /// The database cannot be synchronized with devices.
  case unusableDatabase(message: String)
  /// The check of credentials takes too long; sent to `report`.
  case slowAuthentication(message: String)
  /// A table was changed without the log, so that devices compare it; sent to `report`.
  case unloggedChanges(message: String)

  /// The fault and its remedy.
  public var description: String {
    switch self {
    case .unusableRule(let message), .unusableSecret(let message), .cannotListen(let message),
      .unusableDatabase(let message), .slowAuthentication(let message),
      .unloggedChanges(let message):
      message
    }
  }
}
