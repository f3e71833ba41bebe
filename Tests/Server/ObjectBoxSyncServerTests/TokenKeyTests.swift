import Foundation
import ObjectBox
import Testing

@testable import ObjectBoxSyncServer

#if OBJECTBOX_TOKENS
  private let hasTokens = true
#else
  private let hasTokens = false
#endif

/// Key sets, and keys that change while a server runs.
///
/// Python's `hmac` has signed the tokens.
@Suite(.enabled(if: hasTokens, "libcrypto is missing"))
struct TokenKeyTests {
  private static let secret = "a secret of tokens, of 37 bytes long."
  private static let one = token(
    #"{"alg":"HS256","kid":"one"}"#,
    "x54hxVcLRLDcFbKlts_StIc3EPwVdJlVXMTLXpNNMek"
  )
  private static let two = token(
    #"{"alg":"HS256","kid":"two"}"#,
    "vy1sKoGj74v5PIjXH2OwinIlW3crXgY0ZYVqC7h1kmg"
  )

  private static func token(_ header: String, _ signature: String) -> String {
    let parts = [header, #"{"sub":"ada","exp":2000}"#].map { part in
      Data(part.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        .replacing("=", with: "")
    }
    return parts.joined(separator: ".") + "." + signature
  }

  private struct Unreachable: Error {}

  /// The issuer, the clock, and what was reported.
  private struct World {
    var keys: [SyncTokens.Key]? = [.secret(secret, name: "one")]
    var loads = 0
    var reports = 0
    var now = ContinuousClock.now
  }

  private let world = Guarded(World())

  private func keys() throws -> TokenKeys {
    let world = world
    let tokens = SyncTokens {
      try world.withLock { world in
        world.loads += 1
        guard let keys = world.keys else { throw Unreachable() }
        return keys
      }
    }
    return try TokenKeys(tokens) { world.withLock { $0.now } }
  }

  private func user(_ token: String, _ keys: TokenKeys) async throws -> String? {
    let world = world
    let date = Date(timeIntervalSince1970: 1_000)
    return try await keys.user(of: token, at: date) { _ in world.withLock { $0.reports += 1 } }?
      .user.id
  }

  private func wait(_ seconds: Int) { world.withLock { $0.now += .seconds(seconds) } }

  private var loads: Int { world.withLock { $0.loads } }

  @Test
  func `a token with a new key's name lets the server load the keys, every ten seconds at most`()
    async throws
  {
    let keys = try keys()
    #expect(try await user(Self.one, keys) == "ada")
    #expect(try await user(Self.one, keys) == "ada")
    #expect(loads == 1)
    world.withLock { $0.keys = [.secret(Self.secret, name: "two")] }
    #expect(try await user(Self.two, keys) == nil)
    #expect(loads == 1)
    wait(10)
    #expect(try await user(Self.two, keys) == "ada")
    // The issuer has withdrawn the first key.
    #expect(try await user(Self.one, keys) == nil)
    #expect(loads == 2)
  }

  @Test func `keys are loaded again after five minutes, so that a withdrawn one verifies nothing`()
    async throws
  {
    let keys = try keys()
    #expect(try await user(Self.one, keys) == "ada")
    world.withLock { $0.keys = [.secret(Self.secret, name: "two")] }
    wait(299)
    #expect(try await user(Self.one, keys) == "ada")
    wait(1)
    #expect(try await user(Self.one, keys) == nil)
    #expect(loads == 2)
  }

  @Test func `keys of the last hour serve while the issuer does not answer, and that is told`()
    async throws
  {
    let keys = try keys()
    world.withLock { $0.keys = nil }
    await #expect(throws: Unreachable.self) { try await user(Self.one, keys) }
    world.withLock { $0.keys = [.secret(Self.secret, name: "one")] }
    wait(10)
    #expect(try await user(Self.one, keys) == "ada")
    world.withLock { $0.keys = nil }
    wait(3_599)
    #expect(try await user(Self.one, keys) == "ada")
    #expect(world.withLock { $0.reports } == 1)
    wait(1)
    await #expect(throws: Unreachable.self) { try await user(Self.one, keys) }
  }

  @Test func `logins at the same time wait for one load`() async throws {
    let keys = try keys()
    try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 0..<20 { group.addTask { try await user(Self.one, keys) } }
      for try await user in group { #expect(user == "ada") }
    }
    #expect(loads == 1)
  }

  // MARK: Key sets

  private static let modulus = """
    yGTDkXIFMsmdpSRMCPCF63afIuIwECGtWmfg1FgA1PNEmNX9bj939Hu1udvqJcM-4eNj4fWazuXK2ZxNn2B2eg4abRyk2j7-84Hg1Iw2sQMb\
    kQh26HiU5nrFvaCjEOysqOMkVY6Y9ViLhRoI_8bA1v9mUghQ-VeKvp7F5ApNahQJvEQYZFrJr_1ggqc5EzW9y7gxa8NZsaHMqw7N0mbxz8_X\
    yjmCD4ZatfACfb5zl-LNyHxJfgg8zBQsLIZLSCFB3w1Z-Ko_qByoWqAp_ERqNNxfOX2DfwjC4utD57N6xedNzAh7BM8h39LFG8pG9w9LpIa2\
    x-M128bVQ92J8dxWtw
    """
  private static let rsa = #"{"kty":"RSA","kid":"r","n":"\#(modulus)","e":"AQAB"}"#
  private static let curve = #"""
    {"kty":"EC","crv":"P-256","x":"QPZ9ccJnndvn2-0JkMIQVTpslMaj7QXODzBj0871-78",
    "y":"vjHirNU8lhcZMISW1zmLlGImRvi9vuHX8KfRI-B0Y5w","use":"sig","alg":"ES256"}
    """#
  private static let shared =
    #"{"kty":"oct","kid":"one","k":"YSBzZWNyZXQgb2YgdG9rZW5zLCBvZiAzNyBieXRlcyBsb25nLg"}"#

  @Test func `a key set has the keys that OpenSSL reads from PEM`() throws {
    let keys = try SyncTokens.Key.set(#"{"keys":[\#(Self.rsa),\#(Self.curve),\#(Self.shared)]}"#)
    #expect(keys.map(\.name) == ["r", nil, "one"])
    let texts = keys.map { key in
      switch key.content {
      case .publicKey(let pem): String(decoding: pem, as: UTF8.self)
      case .secret(let secret): String(decoding: secret, as: UTF8.self)
      }
    }
    #expect(texts[0] == TokenVerificationTests.rsaKey + "\n")
    #expect(texts[1] == TokenVerificationTests.curveKey + "\n")
    #expect(texts[2] == Self.secret)
  }

  @Test(arguments: [
    // Another use, another algorithm, another curve, a point that is not on the curve, an RSA key that is too small.
    rsa.replacing(#""e""#, with: #""use":"enc","e""#),
    rsa.replacing(#""e""#, with: #""alg":"RS512","e""#),
    rsa.replacing(#""e""#, with: #""key_ops":["encrypt"],"e""#),
    curve.replacing("P-256", with: "P-384"),
    curve.replacing("vjHirNU8", with: "vjHirNU9"),
    rsa.replacing("AQAB", with: ""), rsa.replacing("AQAB", with: "AQAA"),
    rsa.replacing(
      "yGTDkXIFMsmdpSRMCPCF63afIuIwECGtWmfg1FgA1PNEmNX9bj939Hu1udvqJcM",
      with: "yGTDkXIF"
    ),
    shared.replacing("YSBzZWNyZXQgb2YgdG9rZW5zLCBvZiAzNyBieXRlcyBsb25nLg", with: "YSBzZWNyZXQ"),
    #"{"kty":"OKP","crv":"Ed25519","x":"AA"}"#, "7", "{}",
  ])
  func `keys that cannot verify are left out`(key: String) throws {
    #expect(try SyncTokens.Key.set(#"{"keys":[\#(key),\#(Self.shared)]}"#).map(\.name) == ["one"])
    #expect(throws: SyncServerError.self) { try SyncTokens.Key.set(#"{"keys":[\#(key)]}"#) }
  }

  @Test(arguments: ["", "[]", "{}", #"{"keys":7}"#, #"{"keys":[]}"#])
  func `a text that is no key set is refused`(json: String) {
    #expect(throws: SyncServerError.self) { try SyncTokens.Key.set(json) }
  }
}
