internal import Foundation

#if OBJECTBOX_TOKENS
  internal import CObjectBoxTokens
#endif

/// Verifies JSON Web Tokens (RFC 7519) with signatures by HS256, RS256 and ES256 (RFC 7518).
///
/// The kind of the key determines the algorithm, never the token: a token with another algorithm is refused, including
/// `none`, and including a public key used as a secret.
struct TokenVerification: Sendable {
  /// The seconds by which the clocks of issuer and server may differ.
  private static let leeway = 30.0
  /// The greatest size of a token in bytes.
  private static let limit = 16_384
  /// The least length of a secret in bytes; RFC 7518 requires the length of the hash.
  static let leastSecret = 32

  private struct Key: Sendable {
    let algorithm: String
    let content: SyncTokens.Key.Content
    let name: String?
  }

  private let keys: [Key]
  private let issuer: String?
  private let audience: String?

  /// Checks keys.
  ///
  /// - Parameter tokens: The description of the tokens.
  /// - Throws: ``SyncServerError/unusableSecret(message:)``.
  init(_ tokens: SyncTokens) throws {
    guard !tokens.keys.isEmpty else {
      throw SyncServerError.unusableSecret(
        message: "there is no key to verify tokens with; give 'SyncTokens' the issuer's keys"
      )
    }
    keys = try tokens.keys.map { key in
      Key(algorithm: try Self.algorithm(of: key), content: key.content, name: key.name)
    }
    issuer = tokens.issuer
    audience = tokens.audience
  }

  /// Returns the user of a token, and the time until which the token is valid; nil for an invalid token.
  ///
  /// - Parameters:
  ///   - token: The token.
  ///   - now: The present time.
  /// - Returns: The user and the end; tokens without `sub` or `exp` are invalid.
  func user(of token: String, at now: Date) -> (user: SyncUser, end: Date)? {
    let parts =
      token.utf8.count <= Self.limit
      ? token.split(separator: ".", omittingEmptySubsequences: false) : []
    guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
      let signature = Self.bytes(parts[2]), header["crit"] == nil,
      let algorithm = header["alg"] as? String
    else { return nil }
    let signed = Array("\(parts[0]).\(parts[1])".utf8)
    let name = header["kid"] as? String
    let isSigned = keys.contains { key in
      key.algorithm == algorithm && (key.name == nil || key.name == name)
        && Self.verify(key.content, signed, signature)
    }
    guard isSigned, let id = claims["sub"] as? String, !id.isEmpty,
      let end = Self.date(claims["exp"]), end.addingTimeInterval(Self.leeway) > now
    else { return nil }
    if claims["nbf"] != nil {
      guard let begin = Self.date(claims["nbf"]), begin.addingTimeInterval(-Self.leeway) <= now
      else { return nil }
    }
    if let issuer, claims["iss"] as? String != issuer { return nil }
    if let audience {
      let named = claims["aud"] as? [String] ?? [claims["aud"] as? String].compactMap { $0 }
      guard named.contains(audience) else { return nil }
    }
    let read = TokenClaims(claims)
    let user = SyncUser(id: id, claims: read.texts, lists: read.lists)
    return (user, end.addingTimeInterval(Self.leeway))
  }

  /// Returns true if the key that a token names may be among these keys.
  func mayKnowKey(of token: String) -> Bool {
    let parts = token.split(separator: ".", maxSplits: 1)
    guard token.utf8.count <= Self.limit, let first = parts.first, let header = Self.object(first)
    else { return true }
    let name = header["kid"] as? String
    let algorithm = header["alg"] as? String
    return keys.contains { $0.algorithm == algorithm && ($0.name == nil || $0.name == name) }
  }

  // MARK: Forms

  /// Returns the bytes of Base64 with the alphabet of URLs and without padding; nil for other text.
  static func bytes(_ text: Substring) -> [UInt8]? {
    guard
      text.utf8.allSatisfy({
        $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "/")
      })
    else { return nil }
    let plain = text.replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
    return Data(base64Encoded: plain + padding).map(Array.init)
  }

  private static func object(_ text: Substring) -> [String: Any]? {
    guard let bytes = bytes(text) else { return nil }
    return (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any]
  }

  private static func date(_ value: Any?) -> Date? {
    guard let number = value as? NSNumber, !(value is Bool), number.doubleValue.isFinite else {
      return nil
    }
    return Date(timeIntervalSince1970: number.doubleValue)
  }

  // MARK: Signatures

  private static func algorithm(of key: SyncTokens.Key) throws -> String {
    switch key.content {
    case .secret(let secret):
      guard secret.count >= leastSecret else {
        throw SyncServerError.unusableSecret(
          message:
            "a secret of tokens has \(secret.count) bytes, and a device may try many; use \(leastSecret) bytes or more"
        )
      }
      try checkLibrary()
      return "HS256"
    case .publicKey(let pem):
      try checkLibrary()
      switch kind(of: pem) {
      case .rsa: return "RS256"
      case .curve: return "ES256"
      case nil:
        throw SyncServerError.unusableSecret(
          message:
            "a key of tokens is no public key in PEM of RSA with 2,048 bits or more, or of P-256; export it with "
            + "'openssl pkey -pubout'"
        )
      }
    }
  }

  /// Returns true for a public key in PEM that can verify tokens.
  static func canVerify(pem: [UInt8]) -> Bool { kind(of: pem) != nil }

  private enum Kind {
    case rsa
    case curve
  }

  #if OBJECTBOX_TOKENS
    private static func checkLibrary() throws {}

    /// Returns the PEM of an RSA key by its numbers, most significant bytes first; nil for no key.
    static func pem(modulus: [UInt8], exponent: [UInt8]) -> String? {
      text { obx_token_write_rsa(modulus, modulus.count, exponent, exponent.count, $0, $1) }
    }

    /// Returns the PEM of a key on P-256 by the coordinates of its point; nil for no key.
    static func pem(x: [UInt8], y: [UInt8]) -> String? {
      guard x.count == 32, y.count == 32 else { return nil }
      return text { obx_token_write_curve(x, y, $0, $1) }
    }

    private static func text(_ write: (UnsafeMutablePointer<CChar>?, Int) -> Int32) -> String? {
      var text = [CChar](repeating: 0, count: 8192)
      let isWritten = text.withUnsafeMutableBufferPointer { write($0.baseAddress, $0.count) } == 1
      let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      return isWritten ? String(decoding: bytes, as: UTF8.self) : nil
    }

    private static func kind(of pem: [UInt8]) -> Kind? {
      switch obx_token_key(pem, pem.count) {
      case OBX_TOKEN_RSA: .rsa
      case OBX_TOKEN_EC: .curve
      default: nil
      }
    }

    /// Returns true if a signature by the algorithm of the key's kind is valid.
    static func verify(
      _ key: SyncTokens.Key.Content,
      _ content: [UInt8],
      _ signature: [UInt8]
    ) -> Bool {
      switch key {
      case .secret(let secret):
        obx_token_verify_hmac(
          secret,
          secret.count,
          content,
          content.count,
          signature,
          signature.count
        ) == 1
      case .publicKey(let pem):
        obx_token_verify_public(
          pem,
          pem.count,
          content,
          content.count,
          signature,
          signature.count
        ) == 1
      }
    }
  #else
    private static func checkLibrary() throws {
      throw SyncServerError.unusableSecret(
        message:
          "this package was built without libcrypto, which verifies tokens; install it ('apt-get install libssl-dev' or "
          + "'brew install openssl') and build again"
      )
    }

    static func pem(modulus: [UInt8], exponent: [UInt8]) -> String? { nil }
    static func pem(x: [UInt8], y: [UInt8]) -> String? { nil }
    private static func kind(of pem: [UInt8]) -> Kind? { nil }
    static func verify(
      _ key: SyncTokens.Key.Content,
      _ content: [UInt8],
      _ signature: [UInt8]
    ) -> Bool { false }
  #endif
}
