/// The hash function BLAKE2b of RFC 7693.
///
/// It processes whole words of eight bytes, so it is fast in unoptimised builds too.
package enum Blake2b {
  /// Number of bytes of the digests that ``digest(of:)`` returns.
  static let digestCount = 32

  /// Returns the digest of a text as hexadecimal digits.
  package static func digest(of text: String) -> String {
    var text = text
    return text.withUTF8 { digest(of: UnsafeRawBufferPointer($0)) }
  }

  /// Returns the digest of bytes as hexadecimal digits.
  static func digest(of bytes: UnsafeRawBufferPointer) -> String {
    let hash = state(of: bytes, digestCount: digestCount)
    return hash.prefix(digestCount / 8).map { word in
      // The least significant byte of a word comes first.
      let digits = String(word.byteSwapped, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// Returns the eight words of the final state; the digest is their first `digestCount` bytes.
  package static func state(of bytes: UnsafeRawBufferPointer, digestCount: Int) -> [UInt64] {
    var hash = initial
    // The parameters: the length of the digest, no key, one tree with one leaf.
    hash[0] ^= 0x0101_0000 ^ UInt64(digestCount)
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 32) { memory in
      permutations.withUnsafeBufferPointer { order in
        initial.withUnsafeBufferPointer { initial in
          hash.withUnsafeMutableBufferPointer { hash in
            guard let memory = memory.baseAddress, let order = order.baseAddress,
              let initial = initial.baseAddress, let hash = hash.baseAddress
            else { return }
            var offset = 0
            repeat {
              let count = min(128, bytes.count - offset)
              load(bytes, offset, count, to: memory + 16)
              offset += count
              var place = 0
              while place < 8 {
                memory[place] = hash[place]
                memory[place + 8] = initial[place]
                place += 1
              }
              memory[12] ^= UInt64(offset)
              if offset == bytes.count { memory[14] = ~memory[14] }
              mix(memory, memory + 16, order)
              place = 0
              while place < 8 {
                hash[place] ^= memory[place] ^ memory[place + 8]
                place += 1
              }
            } while offset < bytes.count
          }
        }
      }
    }
    return hash
  }

  /// Copies a block into sixteen words; a short block is filled up with zeros.
  private static func load(
    _ bytes: UnsafeRawBufferPointer,
    _ offset: Int,
    _ count: Int,
    to words: UnsafeMutablePointer<UInt64>
  ) {
    words.update(repeating: 0, count: 16)
    if count > 0, let start = bytes.baseAddress {
      UnsafeMutableRawPointer(words).copyMemory(from: start + offset, byteCount: count)
    }
    #if _endian(big)
      for place in 0..<16 { words[place] = words[place].byteSwapped }
    #endif
  }

  private static func mix(
    _ v: UnsafeMutablePointer<UInt64>,
    _ words: UnsafePointer<UInt64>,
    _ permutations: UnsafePointer<UInt8>
  ) {
    var round = 0
    while round < 12 {
      let order = permutations + round % 10 * 16
      mix(v, 0, 4, 8, 12, words[Int(order[0])], words[Int(order[1])])
      mix(v, 1, 5, 9, 13, words[Int(order[2])], words[Int(order[3])])
      mix(v, 2, 6, 10, 14, words[Int(order[4])], words[Int(order[5])])
      mix(v, 3, 7, 11, 15, words[Int(order[6])], words[Int(order[7])])
      mix(v, 0, 5, 10, 15, words[Int(order[8])], words[Int(order[9])])
      mix(v, 1, 6, 11, 12, words[Int(order[10])], words[Int(order[11])])
      mix(v, 2, 7, 8, 13, words[Int(order[12])], words[Int(order[13])])
      mix(v, 3, 4, 9, 14, words[Int(order[14])], words[Int(order[15])])
      round &+= 1
    }
  }

  @inline(__always)
  private static func mix(
    _ v: UnsafeMutablePointer<UInt64>,
    _ placeA: Int,
    _ placeB: Int,
    _ placeC: Int,
    _ placeD: Int,
    _ x: UInt64,
    _ y: UInt64
  ) {
    var a = v[placeA]
    var b = v[placeB]
    var c = v[placeC]
    var d = v[placeD]
    a = a &+ b &+ x
    d ^= a
    d = (d &>> 32) | (d &<< 32)
    c = c &+ d
    b ^= c
    b = (b &>> 24) | (b &<< 40)
    a = a &+ b &+ y
    d ^= a
    d = (d &>> 16) | (d &<< 48)
    c = c &+ d
    b ^= c
    b = (b &>> 63) | (b &<< 1)
    v[placeA] = a
    v[placeB] = b
    v[placeC] = c
    v[placeD] = d
  }

  private static let initial: [UInt64] = [
    0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1,
    0x510e_527f_ade6_82d1, 0x9b05_688c_2b3e_6c1f, 0x1f83_d9ab_fb41_bd6b, 0x5be0_cd19_137e_2179,
  ]

  /// Order of the words in each of ten rounds; rounds 11 and 12 repeat the first two.
  private static let permutations: [UInt8] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
    14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3,
    11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4,
    7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8,
    9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13,
    2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9,
    12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11,
    13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10,
    6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5,
    10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0,
  ]
}
