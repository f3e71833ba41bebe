public import Foundation

/// The credentials of a client; see ``Sync``.
///
/// A class for source compatibility; it never changes.
public final class SyncCredentials: Sendable {
  private init() {}

  /// Nothing is shown.
  public static func makeNone() -> SyncCredentials { SyncCredentials() }

  /// A secret that client and server know.
  public static func makeSharedSecret(_ secret: Data) -> SyncCredentials { SyncCredentials() }

  /// A secret that client and server know.
  public static func makeSharedSecret(_ secret: String) -> SyncCredentials { SyncCredentials() }

  /// A token of Google's.
  public static func makeGoogleAuth(_ token: Data) -> SyncCredentials { SyncCredentials() }

  /// A token of Google's.
  public static func makeGoogleAuth(_ token: String) -> SyncCredentials { SyncCredentials() }

  /// A name with a password.
  public static func makeUserPassword(_ user: String, _ password: String) -> SyncCredentials {
    SyncCredentials()
  }
}
