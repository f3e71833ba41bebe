public import Foundation

/// The credentials of a client; see ``Sync``.
///
/// A class for source compatibility; it is immutable.
public final class SyncCredentials: Sendable {
  private init() {}

  /// No credentials.
  public static func makeNone() -> SyncCredentials { SyncCredentials() }

  /// A secret that client and server share.
  public static func makeSharedSecret(_ secret: Data) -> SyncCredentials { SyncCredentials() }

  /// A secret that client and server share.
  public static func makeSharedSecret(_ secret: String) -> SyncCredentials { SyncCredentials() }

  /// A Google token.
  public static func makeGoogleAuth(_ token: Data) -> SyncCredentials { SyncCredentials() }

  /// A Google token.
  public static func makeGoogleAuth(_ token: String) -> SyncCredentials { SyncCredentials() }

  /// A user name with a password.
  public static func makeUserPassword(_ user: String, _ password: String) -> SyncCredentials {
    SyncCredentials()
  }
}
