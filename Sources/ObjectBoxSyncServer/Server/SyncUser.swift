/// A user of a device, as the credentials tell.
public struct SyncUser: Hashable, Sendable {
  /// The identity, such as the `sub` of a token; empty for devices without a user.
  public let id: String
  /// Further properties by name, such as the texts and numbers of a token's claims.
  public let claims: [String: String]

  /// Creates a user.
  ///
  /// - Parameters:
  ///   - id: The identity.
  ///   - claims: Further properties by name.
  public init(id: String, claims: [String: String] = [:]) {
    self.id = id
    self.claims = claims
  }

  /// The user of devices without credentials.
  public static let anonymous = SyncUser(id: "")
}
