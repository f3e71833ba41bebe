internal import Foundation

extension SyncTokens.Key {
  /// Reads a JSON Web Key Set (RFC 7517), as issuers of tokens publish it.
  ///
  /// RSA keys verify RS256, keys on P-256 verify ES256, and secrets verify HS256. Keys for other algorithms or for
  /// encryption are left out, and so are weak keys.
  ///
  /// - Parameter json: The set, such as `{"keys": [{"kty": "EC", "crv": "P-256", …}]}`.
  /// - Returns: The keys with their names; at least one.
  /// - Throws: ``SyncServerError/unusableSecret(message:)`` for another text, and without a usable key.
  public static func set(_ json: String) throws -> [Self] {
    let root = try? JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    guard let members = root?["keys"] as? [Any] else {
      throw SyncServerError.unusableSecret(
        message: "a key set is no JSON object with a list 'keys'; use the issuer's 'jwks_uri'"
      )
    }
    let keys = members.compactMap { ($0 as? [String: Any]).flatMap(Self.init(member:)) }
    guard !keys.isEmpty else {
      throw SyncServerError.unusableSecret(
        message:
          "none of the \(members.count) keys of a key set can verify RS256, ES256 or HS256; let the issuer sign by one "
          + "of them"
      )
    }
    return keys
  }

  /// Reads a key; nil for one that verifies no token here.
  private init?(member: [String: Any]) {
    func bytes(_ name: String) -> [UInt8]? {
      (member[name] as? String).flatMap { TokenVerification.bytes($0[...]) }
    }
    func isFor(_ algorithm: String) -> Bool { member["alg"] as? String ?? algorithm == algorithm }
    if let use = member["use"], use as? String != "sig" { return nil }
    if let operations = member["key_ops"] as? [String], !operations.contains("verify") {
      return nil
    }
    let pem: String?
    switch member["kty"] as? String {
    case "RSA":
      guard isFor("RS256"), let modulus = bytes("n"), let exponent = bytes("e") else { return nil }
      pem = TokenVerification.pem(modulus: modulus, exponent: exponent)
    case "EC":
      guard isFor("ES256"), member["crv"] as? String == "P-256", let x = bytes("x"),
        let y = bytes("y")
      else { return nil }
      pem = TokenVerification.pem(x: x, y: y)
    case "oct":
      guard isFor("HS256"), let secret = bytes("k"), secret.count >= TokenVerification.leastSecret
      else { return nil }
      self.init(content: .secret(secret), name: member["kid"] as? String)
      return
    default: return nil
    }
    guard let pem = pem.map({ Array($0.utf8) }), TokenVerification.canVerify(pem: pem) else {
      return nil
    }
    self.init(content: .publicKey(pem), name: member["kid"] as? String)
  }
}
