/// The user of a device, according to the credentials.
public struct SyncUser: Hashable, Sendable {
  /// The identity, such as the `sub` of a token; empty for devices without a user.
  public let id: String
  /// Further properties by name, such as the texts and numbers of a token's claims.
  ///
  /// A claim within another one has the names of both: `realm_access.client`.
  public let claims: [String: String]
  /// Further lists by name, such as the lists of texts and numbers among a token's claims.
  ///
  /// A claim within another one has the names of both: `realm_access.roles`.
  public let lists: [String: [String]]
  /// The filter variables of the user's device.
  var variables: [String: String] = [:]

  /// Creates a user.
  ///
  /// - Parameters:
  ///   - id: The identity.
  ///   - claims: Further properties by name.
  ///   - lists: Further lists by name.
  public init(id: String, claims: [String: String] = [:], lists: [String: [String]] = [:]) {
    self.id = id
    self.claims = claims
    self.lists = lists
  }

  /// Returns a filter variable of the user's device, by which a rule narrows the objects of the device.
  ///
  ///     rule(Errand.self) { user in
  ///       Errand.owner == user.id && Errand.team == user.variable("team")
  ///     }
  ///
  /// A device may set its variables to any text, so they prove nothing: connect them by `&&` with a condition on the
  /// user. Rules of writes get no variables.
  ///
  /// - Parameter name: The name of the variable.
  /// - Returns: The text; empty if the device has not set it.
  public func variable(_ name: String) -> String { variables[name] ?? "" }

  /// The user of devices without credentials.
  public static let anonymous = SyncUser(id: "")
}
