/// 16 bytes: a seed, a tag, or the ID of a store.
struct Bytes16: Hashable {
  var first: UInt64 = 0
  var second: UInt64 = 0

  /// Random bytes of a source.
  static func random(_ random: RandomSource) -> Bytes16 {
    var bytes = Bytes16()
    withUnsafeMutableBytes(of: &bytes) { random($0) }
    return bytes
  }
}

/// Fills a buffer with random bytes; tests replace it to get the same bytes again.
typealias RandomSource = @Sendable (UnsafeMutableRawBufferPointer) -> Void

/// Appends and reads the little-endian fields of sealed files.
extension [UInt8] {
  mutating func append(number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }

  mutating func append(_ bytes: Bytes16) {
    Swift.withUnsafeBytes(of: bytes) { append(contentsOf: $0) }
  }

  /// Appends zeros up to a size, or up to a multiple of it.
  mutating func pad(to size: Int) {
    // An array, since a sequence is copied byte by byte without optimisation.
    self += [UInt8](repeating: 0, count: size - count)
  }

  mutating func pad(toMultipleOf size: Int) { pad(to: (count + size - 1) / size * size) }

  func number<T: FixedWidthInteger>(_ type: T.Type = T.self, at offset: Int) -> T {
    withUnsafeBytes { T(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: T.self)) }
  }

  func bytes16(at offset: Int) -> Bytes16 {
    withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Bytes16.self) }
  }
}
