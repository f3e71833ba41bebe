internal import Foundation
internal import ObjectBoxSyncProtocol

/// The way in which a server identifies the user of a device.
///
///     let authentication = SyncAuthentication.password { name, password in
///       await accepts(name, password) ? SyncUser(id: name) : nil
///     }
public struct SyncAuthentication: Sendable {
  /// The least length of a secret in bytes.
  private static let leastSecret = 16

  /// A user, and the time until which the login is valid; nil for no end.
  struct Login: Sendable {
    let user: SyncUser
    var end: Date?
    /// True if the server checks the credentials again after ``SyncServer/Limits/loginAge``.
    var isAskedAgain = false
  }

  /// Receives errors that do not prevent a login.
  typealias Report = @Sendable (any Error) -> Void

  private let check: @Sendable (Credentials, Report) async throws -> Login?
  /// The reason for which no server can use this; nil for none.
  package let fault: SyncServerError?

  init(
    fault: SyncServerError? = nil,
    _ check: @escaping @Sendable (Credentials, Report) async throws -> Login?
  ) {
    self.fault = fault
    self.check = check
  }

  /// Accepts every device, as the anonymous user.
  ///
  /// Use it only in networks where everyone may see all objects.
  public static let none = SyncAuthentication { _, _ in Login(user: .anonymous) }

  /// Accepts devices that know a secret, as the anonymous user.
  ///
  /// - Parameter secret: The secret, of at least 16 bytes, since devices may try many. A server does not start with a
  ///   shorter one.
  /// - Returns: The check.
  public static func sharedSecret(_ secret: String) -> Self {
    let expected = Array(secret.utf8)
    let fault =
      expected.count >= leastSecret
      ? nil
      : SyncServerError.unusableSecret(
        message:
          "the shared secret has \(expected.count) bytes, and a device may try many; use \(leastSecret) bytes or more"
      )
    return Self(fault: fault) { credentials, _ in
      guard case .sharedSecret(let given) = credentials, isEqual(given, expected) else {
        return nil
      }
      return Login(user: .anonymous)
    }
  }

  /// Accepts names and passwords that a function knows.
  ///
  /// The server checks again at each connection, and after ``SyncServer/Limits/loginAge``, an hour by default.
  /// ``RunningSyncServer/disconnect(user:)`` ends the connections of a user.
  ///
  /// - Parameter check: Returns the user of a name and a password; nil refuses the device. If it throws, the connection
  ///   ends and the device tries again later.
  /// - Returns: The check.
  public static func password(
    _ check: @escaping @Sendable (_ name: String, _ password: String) async throws -> SyncUser?
  ) -> Self {
    Self { credentials, _ in
      guard case .user(let name, let password) = credentials else { return nil }
      return try await check(name, password).map { Login(user: $0, isAskedAgain: true) }
    }
  }

  /// Accepts JSON Web Tokens; the user's identity is the claim `sub`.
  ///
  /// A token needs an expiration time (`exp`). Then the connection ends, and the device needs new credentials. The
  /// clocks of issuer and server may differ by 30 seconds.
  ///
  /// - Parameter tokens: The keys, and the claims that tokens must have.
  /// - Returns: The check.
  public static func jwt(_ tokens: SyncTokens) -> Self {
    do {
      let keys = try TokenKeys(tokens)
      return Self { credentials, report in
        guard case .token(let token) = credentials,
          let (user, end) = try await keys.user(of: token, at: Date(), report: report)
        else { return nil }
        return Login(user: user, end: end)
      }
    } catch {
      return Self(fault: error as? SyncServerError) { _, _ in nil }
    }
  }

  /// Checks credentials.
  ///
  /// - Parameters:
  ///   - credentials: The credentials.
  ///   - report: Receives errors that do not prevent the login.
  /// - Returns: The login, or nil for wrong credentials.
  /// - Throws: The reason for which the credentials could not be checked.
  func login(_ credentials: Credentials, report: Report) async throws -> Login? {
    try await check(credentials, report)
  }

  /// Compares bytes in a time that does not depend on where they differ.
  private static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
