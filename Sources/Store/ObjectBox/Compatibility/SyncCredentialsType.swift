/// The kind of credentials, by ObjectBox's numbers.
public enum SyncCredentialsType: UInt32, Sendable {
  /// No credentials.
  case none = 1
  /// A shared secret of an older form.
  case sharedSecretDeprecated = 2
  /// A Google token.
  case googleAuth = 3
  /// A secret that client and server share.
  case sharedSecret = 4
  /// A user of ObjectBox's administration page, with a password.
  case obxAdminUser = 5
  /// A user name with a password.
  case userPassword = 6
  /// A JSON Web Token that identifies the user.
  case jwtIdToken = 7
  /// A JSON Web Token that gives access.
  case jwtAccessToken = 8
  /// A JSON Web Token that renews others.
  case jwtRefreshToken = 9
  /// A JSON Web Token of another kind.
  case jwtCustomToken = 10
}
