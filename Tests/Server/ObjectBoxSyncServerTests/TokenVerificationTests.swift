import Foundation
import Testing

@testable import ObjectBoxSyncServer

#if OBJECTBOX_TOKENS
  private let hasTokens = true
#else
  private let hasTokens = false
#endif

/// The signatures were made by Python's `hmac` and by the program `openssl`.
@Suite(.enabled(if: hasTokens, "libcrypto is missing"))
struct TokenVerificationTests {
  private static let secret = "a secret of tokens, of 37 bytes long."
  private static let claims =
    #"{"sub":"ada","exp":2000,"iss":"login","aud":["shop","other"],"team":7}"#
  private static let signature = "VFX51-aLEB1eaws9njpU86utGBNubGB7OMeu-IDE460"

  private func token(
    _ header: String = #"{"alg":"HS256"}"#,
    _ claims: String = claims,
    _ signature: String = signature
  ) -> String {
    let parts = [header, claims].map { part in
      Data(part.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        .replacing("=", with: "")
    }
    return parts.joined(separator: ".") + "." + signature
  }

  private func user(
    _ token: String,
    _ keys: [SyncTokens.Key] = [.secret(secret)],
    issuer: String? = nil,
    audience: String? = nil,
    at time: TimeInterval = 1000
  ) throws -> SyncUser? {
    let tokens = SyncTokens(keys: keys, issuer: issuer, audience: audience)
    return try TokenVerification(tokens).user(of: token, at: Date(timeIntervalSince1970: time))?
      .user
  }

  @Test func `a signed token tells the user, its claims and its end`() throws {
    let verification = try TokenVerification(SyncTokens(keys: [.secret(Self.secret)]))
    let login = try #require(
      verification.user(of: token(), at: Date(timeIntervalSince1970: 1000))
    )
    #expect(login.user.id == "ada")
    #expect(login.user.claims["team"] == "7")
    #expect(login.user.claims["iss"] == "login")
    #expect(login.end == Date(timeIntervalSince1970: 2030))
  }

  @Test func `lists of claims, and claims within others, are the user's`() throws {
    let token = token(
      #"{"alg":"HS256"}"#,
      #"{"sub":"ada","exp":2000,"teams":["red",7,{"a":1}],"realm":{"roles":["admin"],"n":2},"none":[]}"#,
      "WDUkekWFzQIq4XAC0-YIyebSPJTThQxkilRsuWAtcoo"
    )
    let user = try #require(try user(token))
    #expect(user.lists == ["teams": ["red", "7"], "realm.roles": ["admin"], "none": []])
    #expect(user.claims == ["sub": "ada", "exp": "2000", "realm.n": "2"])
  }

  @Test func `public keys verify their own algorithm`() throws {
    let rsa = token(#"{"alg":"RS256"}"#, Self.claims, Self.rsaSignature)
    #expect(try user(rsa, [.publicKey(pem: Self.rsaKey)])?.id == "ada")
    #expect(try user(rsa, [.publicKey(pem: Self.curveKey)]) == nil)
    let curve = token(#"{"alg":"ES256","kid":"k1"}"#, Self.claims, Self.curveSignature)
    #expect(try user(curve, [.publicKey(pem: Self.curveKey)])?.id == "ada")
    let both = [SyncTokens.Key.publicKey(pem: Self.rsaKey), .publicKey(pem: Self.curveKey)]
    #expect(try user(curve, both)?.id == "ada")
    #expect(try user(curve, [.publicKey(pem: Self.curveKey, name: "k1")])?.id == "ada")
    #expect(try user(curve, [.publicKey(pem: Self.curveKey, name: "k2")]) == nil)
  }

  @Test func `a public key is no secret, and no algorithm is no signature`() throws {
    let confused = token(
      #"{"alg":"HS256"}"#,
      Self.claims,
      "l34LbmZBfnfacBxiwyOGwsmSqWfVymkPFCRSwEgntHE"
    )
    #expect(try user(confused, [.publicKey(pem: Self.rsaKey)]) == nil)
    for name in ["none", "None", "HS384", "RS256"] {
      for signature in ["", Self.signature] {
        #expect(try user(token(#"{"alg":"\#(name)"}"#, Self.claims, signature)) == nil)
      }
    }
  }

  @Test func `changed and broken tokens prove nothing`() throws {
    let other = Self.claims.replacing("ada", with: "eve")
    #expect(try user(token(#"{"alg":"HS256"}"#, other)) == nil)
    #expect(try user(token(), [.secret(String(Self.secret.reversed()))]) == nil)
    let whole = token()
    for broken in [
      "", ".", "..", "...", whole + ".", whole + "=", String(whole.dropLast()), "a.b.c",
      String(repeating: "a", count: 20_000),
    ] {
      #expect(try user(broken) == nil)
    }
    for count in 0..<whole.utf8.count { #expect(try user(String(whole.prefix(count))) == nil) }
  }

  @Test func `a token holds from its begin to its end, with 30 seconds of tolerance`() throws {
    #expect(try user(token(), at: 2029) != nil)
    #expect(try user(token(), at: 2031) == nil)
    let later = token(
      #"{"alg":"HS256"}"#,
      #"{"sub":"ada","exp":2000,"nbf":1500}"#,
      "44oX7SzJj27x5Kow-VDwIPELj6rHmd8D0nOPG2Z3eGE"
    )
    #expect(try user(later, at: 1469) == nil)
    #expect(try user(later, at: 1471) != nil)
  }

  @Test(arguments: [
    (#"{"sub":"ada"}"#, "nddE4fbBOh9REgGZ6QLJxX_efGAz9CNQ3JExQ0LAToc"),
    (#"{"exp":2000}"#, "z9qNiVuoIsVBl15HzniiTeWrHtNSXDxHOpwmfQemR08"),
    (#"{"sub":"ada","exp":true}"#, "MFvwLY9RQD2jp7R_I43IQNne6sHqjU5_BX0rWyfuvyU"),
  ])
  func `a token without a user or an end proves nothing`(claims: String, signature: String) throws {
    #expect(try user(token(#"{"alg":"HS256"}"#, claims, signature)) == nil)
  }

  @Test func `a token with a demand that the server does not know proves nothing`() throws {
    let critical = token(
      #"{"alg":"HS256","crit":["x"]}"#,
      Self.claims,
      "IFpyjJQlwGuqzHDDI5HTO0GATYm2UCMTVChFgEfm4Ug"
    )
    #expect(try user(critical) == nil)
  }

  @Test func `issuer and audience must be those that the server names`() throws {
    #expect(try user(token(), issuer: "login", audience: "shop") != nil)
    #expect(try user(token(), issuer: "other") == nil)
    #expect(try user(token(), audience: "login") == nil)
    let one = token(
      #"{"alg":"HS256"}"#,
      #"{"sub":"ada","exp":2000,"iss":"login","aud":"shop"}"#,
      "bi2lD1Vj9HjdJ7J0_g_S10eaJtq6nKqqoQyy2qYgD0U"
    )
    #expect(try user(one, audience: "shop") != nil)
    #expect(try user(one, audience: "other") == nil)
  }

  @Test func `weak and foreign keys are refused`() {
    let keys: [SyncTokens.Key] = [
      .secret("short"), .publicKey(pem: "no key"), .publicKey(pem: Self.smallKey),
      .publicKey(pem: Self.otherCurve),
    ]
    for key in keys {
      #expect(throws: SyncServerError.self) { try TokenVerification(SyncTokens(keys: [key])) }
    }
    #expect(throws: SyncServerError.self) { try TokenVerification(SyncTokens(keys: [])) }
  }

  // MARK: Keys

  private static let rsaSignature = """
    uSUNX1BrA2_PL-xcAmT5nxmrql20FwYer1bHZJ_L2ZJxVHfBx6q2Fsv_iIuVQ-kfMbIuUe\
    miapHmbHNcRRy1mYD2NYTD9R4iFKd69Hq87uXrObS_8D6brYBGka7nIwQ1-fPlBzegzI06\
    WFP6WpZAc0pICmbnRUXXFEUkSQ5PDidSVmiGjWkdsy5orbEW6n7aZw83Re0jRDyAEbBrkh\
    gIDbZ23XDIITnDcYiReuMVm9EshR1YL_pylIRbYa9qp8hSTmhwykrwCNAIVB7mwkY2aq9l\
    avktt7tH5LyXh0C6xLodAhEXTGgF_FHMrRH0GHtN2eXoS87WyMzdQeE1SDWu_A
    """
  private static let curveSignature = """
    Pg_rEMnmkC3eYYm4SNtH6BZA3QPLBh5q-rVXP_2QUi3uJcFZLRDXbnep7fu6Q0mRmWxeoM\
    0Zsz-1sC3XwjaEfQ
    """
  static let rsaKey = """
    -----BEGIN PUBLIC KEY-----
    MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAyGTDkXIFMsmdpSRMCPCF
    63afIuIwECGtWmfg1FgA1PNEmNX9bj939Hu1udvqJcM+4eNj4fWazuXK2ZxNn2B2
    eg4abRyk2j7+84Hg1Iw2sQMbkQh26HiU5nrFvaCjEOysqOMkVY6Y9ViLhRoI/8bA
    1v9mUghQ+VeKvp7F5ApNahQJvEQYZFrJr/1ggqc5EzW9y7gxa8NZsaHMqw7N0mbx
    z8/XyjmCD4ZatfACfb5zl+LNyHxJfgg8zBQsLIZLSCFB3w1Z+Ko/qByoWqAp/ERq
    NNxfOX2DfwjC4utD57N6xedNzAh7BM8h39LFG8pG9w9LpIa2x+M128bVQ92J8dxW
    twIDAQAB
    -----END PUBLIC KEY-----
    """
  static let curveKey = """
    -----BEGIN PUBLIC KEY-----
    MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEQPZ9ccJnndvn2+0JkMIQVTpslMaj
    7QXODzBj0871+7++MeKs1TyWFxkwhJbXOYuUYiZG+L2+4dfwp9Ej4HRjnA==
    -----END PUBLIC KEY-----
    """
  private static let smallKey = """
    -----BEGIN PUBLIC KEY-----
    MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDdHua5HOMuwgjAjrSaVB+liKyB
    2g+xucFPjPPNU/7Gtgx4Xp5mmeB9DXvba4ew/6xi5WVbxTIMyO0CpIc0vJK0d5Cp
    81zT2f8HOzbw9bKowTCTPPqjfbbPkCiK2G48zQqgEGDmwBwnXOjOR5Mxy2b6mvZA
    bowrqEoGYT7Zogb5FQIDAQAB
    -----END PUBLIC KEY-----
    """
  private static let otherCurve = """
    -----BEGIN PUBLIC KEY-----
    MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEPhnNU0auolwGCPP2wop2uMbG30toSPOZ
    i+mpnbRb6QOOD/uDBrsm0xygHDbPjzLpPi8TADyce/zP0GS7h5Xk/dulNyKpb+k/
    SG2ZNZa37bu9T2HbYRFn23i9BxCAfs7T
    -----END PUBLIC KEY-----
    """
}
