public import Foundation

/// The credentials of a client; see ``Sync``.
///
/// A class for source compatibility; it is immutable.
public final class SyncCredentials: Sendable {
  /// The proof of who the user is.
  package enum Content: Sendable {
    case none
    case sharedSecret([UInt8])
    case user(name: String, password: String)
    case token(String)
  }

  package let content: Content

  private init(_ content: Content) { self.content = content }

  /// No credentials.
  public static func makeNone() -> SyncCredentials { SyncCredentials(.none) }

  /// A secret that client and server share.
  public static func makeSharedSecret(_ secret: Data) -> SyncCredentials {
    SyncCredentials(.sharedSecret(Array(secret)))
  }

  /// A secret that client and server share.
  public static func makeSharedSecret(_ secret: String) -> SyncCredentials {
    SyncCredentials(.sharedSecret(Array(secret.utf8)))
  }

  /// A Google token, which is a JSON Web Token.
  public static func makeGoogleAuth(_ token: Data) -> SyncCredentials {
    makeGoogleAuth(String(decoding: token, as: UTF8.self))
  }

  /// A Google token, which is a JSON Web Token.
  public static func makeGoogleAuth(_ token: String) -> SyncCredentials {
    SyncCredentials(.token(token))
  }

  /// A user name with a password.
  public static func makeUserPassword(_ user: String, _ password: String) -> SyncCredentials {
    SyncCredentials(.user(name: user, password: password))
  }
}
