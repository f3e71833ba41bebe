public import Foundation

/// The credentials of a client; see ``Sync``.
///
/// A class for source compatibility; it is immutable. A server of this project verifies all JSON Web
/// Tokens alike, and users with passwords as well.
public final class SyncCredentials: Sendable {
  /// The proof of the user's identity.
  package enum Content: Sendable {
    case none
    case sharedSecret([UInt8])
    case user(name: String, password: String)
    case token(String)
  }

  /// The kind of credentials.
  public let type: SyncCredentialsType
  package let content: Content

  private init(_ type: SyncCredentialsType, _ content: Content) {
    self.type = type
    self.content = content
  }

  /// No credentials.
  public static func makeNone() -> SyncCredentials { SyncCredentials(.none, .none) }

  /// A secret that client and server share.
  public static func makeSharedSecret(_ secret: Data) -> SyncCredentials {
    SyncCredentials(.sharedSecret, .sharedSecret(Array(secret)))
  }

  /// A secret that client and server share.
  public static func makeSharedSecret(_ secret: String) -> SyncCredentials {
    SyncCredentials(.sharedSecret, .sharedSecret(Array(secret.utf8)))
  }

  /// A user of ObjectBox's administration page, whom a server checks by name and password.
  public static func makeObxAdminUser(_ user: String, _ password: String) -> SyncCredentials {
    SyncCredentials(.obxAdminUser, .user(name: user, password: password))
  }

  /// A user name with a password.
  public static func makeUsernamePassword(_ user: String, _ password: String) -> SyncCredentials {
    SyncCredentials(.userPassword, .user(name: user, password: password))
  }

  /// A JSON Web Token that identifies the user.
  public static func makeJwtIdToken(_ token: String) -> SyncCredentials {
    SyncCredentials(.jwtIdToken, .token(token))
  }

  /// A JSON Web Token that gives access.
  public static func makeJwtAccessToken(_ token: String) -> SyncCredentials {
    SyncCredentials(.jwtAccessToken, .token(token))
  }

  /// A JSON Web Token that renews others.
  public static func makeJwtRefreshToken(_ token: String) -> SyncCredentials {
    SyncCredentials(.jwtRefreshToken, .token(token))
  }

  /// A JSON Web Token of another kind.
  public static func makeJwtCustomToken(_ token: String) -> SyncCredentials {
    SyncCredentials(.jwtCustomToken, .token(token))
  }
}
