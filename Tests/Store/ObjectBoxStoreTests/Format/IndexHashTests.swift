import ObjectBoxRuntimeTestSupport
import Testing

/// The hash of hash indexes, byte for byte.
///
/// A different hash would find nothing in existing stores.
struct IndexHashTests {
  @Test(
    arguments: [
      ("", 0xf78e_c378_30a5_e548), ("a", 0x00db_3f82_be62_a1a9), ("a\u{0}", 0xadaf_1be0_e613_821e),
      ("1234567", 0xf7ca_d40a_b474_db46), ("12345678", 0xb3ca_216b_dabf_1b5e),
      ("123456789", 0xbf9d_423c_6c77_7655), ("objectbox", 0x412a_94d8_6fa1_7f4b),
      ("ObjectBox", 0x3a87_47dd_200d_5fb6), ("Grüße, 世界", 0x8a92_a4b8_f5bc_de67),
      (String(repeating: "0123456789", count: 60), 0xfced_4d92_d460_59d7),
    ] as [(String, UInt64)]
  )
  func `texts have the hashes that they had`(text: String, hash: UInt64) {
    #expect(FormatBytes.hash64(Array(text.utf8)) == hash)
    #expect(FormatBytes.hash32(Array(text.utf8)) == UInt32(hash >> 32))
  }

  @Test(
    arguments: [
      ("0000000000000000", 0xd05e_de89_a02a_7774), ("90eefeffffffffff", 0x2cbe_4b3d_97e2_b327),
      ("9a9999999999b93f", 0x1b1e_4e1f_e816_2a6d), ("000000000000f87f", 0x9182_f654_f2e5_f642),
    ] as [(String, UInt64)]
  )
  func `numbers have the hashes that they had`(bytes: String, hash: UInt64) throws {
    #expect(FormatBytes.hash64(try #require(Hex.bytes(bytes))) == hash)
  }

  @Test func `all 256 bytes have the hash that they had`() {
    #expect(FormatBytes.hash64(Array(0...255)) == 0x1924_d858_e235_1fc6)
  }

  @Test func `every code point folds as in Unicode 14`() {
    var pairs: [UInt8] = []
    var count = 0
    for scalar in UInt32(0)..<0x11_0000 where FormatBytes.fold(scalar) != scalar {
      count += 1
      for number in [scalar, FormatBytes.fold(scalar)] {
        pairs += (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
      }
    }
    #expect(count == 1454)
    // 8 bytes a pair: the code point and its folded form, little-endian.
    #expect(FormatBytes.hash64(pairs) == 0x7fa7_25f8_d555_23b5)
  }
}
