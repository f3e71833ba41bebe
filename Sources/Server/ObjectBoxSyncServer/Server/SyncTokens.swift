/// The way in which a server verifies JSON Web Tokens; see ``SyncAuthentication/jwt(_:)``.
///
///     let tokens = SyncTokens(
///       keys: [.publicKey(pem: pem)],
///       issuer: "https://login.example.org",
///       audience: "shopping"
///     )
public struct SyncTokens: Sendable {
  /// A key that signs tokens.
  public struct Key: Sendable {
    enum Content: Sendable {
      case secret([UInt8])
      case publicKey([UInt8])
    }

    let content: Content
    /// The name of the key in tokens (`kid`); nil for a key that verifies tokens of any name.
    let name: String?

    /// A secret that the issuer of tokens shares with the server, for HS256.
    ///
    /// - Parameters:
    ///   - text: The secret, of at least 32 bytes; a server does not start with a shorter one.
    ///   - name: The name of the key in tokens (`kid`); nil for any.
    /// - Returns: The key.
    public static func secret(_ text: String, name: String? = nil) -> Key {
      Key(content: .secret(Array(text.utf8)), name: name)
    }

    /// The public key of an issuer: RSA with 2,048 bits or more for RS256, or P-256 for ES256.
    ///
    /// - Parameters:
    ///   - pem: The key in PEM, which begins with `-----BEGIN PUBLIC KEY-----`; a server does not start with another
    ///     text.
    ///   - name: The name of the key in tokens (`kid`); nil for any.
    /// - Returns: The key.
    public static func publicKey(pem: String, name: String? = nil) -> Key {
      Key(content: .publicKey(Array(pem.utf8)), name: name)
    }
  }

  /// The keys, one of which must have signed a token; empty if a function loads them.
  public var keys: [Key]
  /// Loads the keys; nil if ``keys`` has them.
  let loadKeys: (@Sendable () async throws -> [Key])?
  /// The issuer (`iss`) that tokens must have; nil for any.
  public var issuer: String?
  /// The audience (`aud`) that tokens must have, alone or among others; nil for any.
  public var audience: String?

  /// Creates the verification of tokens by fixed keys.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - issuer: The issuer that tokens must have; nil for any.
  ///   - audience: The audience that tokens must have; nil for any.
  public init(keys: [Key], issuer: String? = nil, audience: String? = nil) {
    self.keys = keys
    loadKeys = nil
    self.issuer = issuer
    self.audience = audience
  }

  /// Creates the verification of tokens whose keys change while the server runs.
  ///
  ///     let tokens = SyncTokens(issuer: "https://login.example.org") {
  ///       try SyncTokens.Key.set(String(contentsOf: keySet, encoding: .utf8))
  ///     }
  ///
  /// The server loads the keys before the first login, again after five minutes, and when a token names an unknown key,
  /// but at most every ten seconds. A key that is missing in the last load verifies no further tokens; existing
  /// connections stay until their tokens expire.
  ///
  /// - Parameters:
  ///   - issuer: The issuer that tokens must have; nil for any.
  ///   - audience: The audience that tokens must have; nil for any.
  ///   - loadKeys: Returns the present keys. While it throws, the keys of the last hour remain, and the server's
  ///     `report` gets the error; without such keys, devices must connect again later.
  public init(
    issuer: String? = nil,
    audience: String? = nil,
    loadKeys: @escaping @Sendable () async throws -> [Key]
  ) {
    keys = []
    self.loadKeys = loadKeys
    self.issuer = issuer
    self.audience = audience
  }
}
