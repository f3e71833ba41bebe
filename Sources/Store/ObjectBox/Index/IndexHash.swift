/// The hash of hash indexes.
///
/// The hash is part of the file format: the same bytes have the same hash in every version and on
/// every machine.
enum IndexHash {
  private static let seed: UInt64 = 0x9E37_79B9_7F4A_7C15
  private static let factor: UInt64 = 0xD6E8_FEB8_6659_FD93

  /// Returns 64 bits that depend on every byte and on the length.
  ///
  /// It takes 8 bytes at a time, little-endian, the last bytes padded with zeros. Each step
  /// multiplies to 128 bits and folds the halves together.
  static func hash64(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var state = seed ^ UInt64(bytes.count)
    var offset = 0
    while offset + 8 <= bytes.count {
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      state = mix(state ^ word)
      offset += 8
    }
    if offset < bytes.count {
      var word: UInt64 = 0
      var shift: UInt64 = 0
      while offset < bytes.count {
        word |= UInt64(bytes[offset]) << shift
        shift += 8
        offset += 1
      }
      state = mix(state ^ word)
    }
    return mix(state ^ (state >> 32))
  }

  /// Returns the upper half of the 64-bit hash.
  static func hash32(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    UInt32(truncatingIfNeeded: hash64(bytes) >> 32)
  }

  private static func mix(_ value: UInt64) -> UInt64 {
    let product = (value ^ seed).multipliedFullWidth(by: factor)
    return product.high ^ product.low
  }
}
