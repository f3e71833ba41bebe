/// A 64-bit hash that is the same in every process and on every platform.
///
/// It compares rows of devices and the server. It does not resist attackers; an attacker could harm only the own
/// device.
package struct StableHash: Sendable {
  private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Creates the hash of no input.
  package init() {}

  /// The hash of the input so far.
  package var value: UInt64 {
    Self.mix(state)
  }

  /// Adds a number.
  package mutating func add(_ number: UInt64) {
    state = (state ^ Self.mix(number &+ 0x9E37_79B9_7F4A_7C15)) &* 0xD6E8_FEB8_6659_FD93
    state ^= state >> 32
  }

  /// Adds bytes and their count.
  package mutating func add(_ bytes: [UInt8]) {
    add(UInt64(bytes.count))
    bytes.withUnsafeBytes { buffer in
      var place = 0
      while place + 8 <= buffer.count {
        add(UInt64(bigEndian: buffer.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
        place += 8
      }
      guard place < buffer.count else { return }
      add(buffer[place...].reduce(0) { $0 << 8 | UInt64($1) })
    }
  }

  /// Adds 128 bits.
  package mutating func add(_ bits: Identifier128) {
    add(bits.high)
    add(bits.low)
  }

  private static func mix(_ number: UInt64) -> UInt64 {
    var mixed = number
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
