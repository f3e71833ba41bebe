internal import ObjectBoxSyncProtocol

/// How a server finds out who the user of a device is.
///
///     authenticate: .password { name, password in
///       await accounts.accepts(name, password) ? SyncUser(id: name) : nil
///     }
public struct SyncAuthentication: Sendable {
  private let check: @Sendable (Credentials) async throws -> SyncUser?

  private init(_ check: @escaping @Sendable (Credentials) async throws -> SyncUser?) {
    self.check = check
  }

  /// Accepts every device, as the anonymous user.
  ///
  /// Only for networks in which all may see all.
  public static let none = SyncAuthentication { _ in .anonymous }

  /// Accepts devices that know a secret, as ``SyncUser/anonymous``.
  ///
  /// - Parameter secret: The secret; at least 16 bytes, since devices may try many.
  /// - Returns: The check.
  public static func sharedSecret(_ secret: String) -> Self {
    let expected = Array(secret.utf8)
    return Self { credentials in
      guard case .sharedSecret(let given) = credentials, isEqual(given, expected) else {
        return nil
      }
      return .anonymous
    }
  }

  /// Accepts names and passwords that a function knows.
  ///
  /// - Parameter check: Returns the user of a name and a password; nil refuses the device. What it
  ///   throws ends the connection, and the device tries again later.
  /// - Returns: The check.
  public static func password(
    _ check: @escaping @Sendable (_ name: String, _ password: String) async throws -> SyncUser?
  ) -> Self {
    Self { credentials in
      guard case .user(let name, let password) = credentials else { return nil }
      return try await check(name, password)
    }
  }

  /// Returns the user, or nil for wrong credentials.
  func user(of credentials: Credentials) async throws -> SyncUser? { try await check(credentials) }

  /// Compares bytes in a time that does not tell where they differ.
  private static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
