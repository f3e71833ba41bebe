/// Iterates over the code points of a UTF-8 text, folded so that upper and lower case are equal.
///
/// Invalid bytes count as values above all code points, so damaged texts have an order too.
package struct FoldedText {
  private let bytes: UnsafeRawBufferPointer
  private(set) var offset = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { offset == bytes.count }

  /// Returns the next code point, folded; nil at the end.
  mutating func next() -> UInt32? {
    guard offset < bytes.count else { return nil }
    let first = bytes[offset]
    if first < 0x80 {
      offset += 1
      return CaseFolding.fold(UInt32(first))
    }
    return nextBeyondASCII(first)
  }

  private mutating func nextBeyondASCII(_ first: UInt8) -> UInt32 {
    let length = Self.length(first)
    guard length > 1, offset + length <= bytes.count else {
      offset += 1
      return 0x11_0000 + UInt32(first)
    }
    var scalar = UInt32(first) & (0x7F >> UInt32(length))
    for index in 1..<length { scalar = scalar << 6 | UInt32(bytes[offset + index]) & 0x3F }
    offset += length
    return CaseFolding.fold(scalar)
  }

  /// Number of bytes of a code point with this first byte; 1 for an invalid first byte.
  private static func length(_ first: UInt8) -> Int {
    first < 0xC2 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 1
  }

  /// Skips a code point.
  mutating func skip() { _ = next() }

  /// Appends the UTF-8 of a text with all code points folded to bytes.
  package static func append(_ text: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
    let start = bytes.count
    bytes.append(contentsOf: text)
    let isFolded = bytes.withUnsafeMutableBufferPointer { bytes in
      for index in start..<bytes.count {
        let byte = bytes[index]
        guard byte < 0x80 else { return false }
        bytes[index] = byte &- 0x41 < 26 ? byte | 0x20 : byte
      }
      return true
    }
    if isFolded { return }
    bytes.removeSubrange(start...)
    bytes += Self.bytes(of: text)
  }

  /// Returns the UTF-8 of a text with all code points folded.
  ///
  /// Texts that differ only in case have equal folded bytes. The byte order is the order of the
  /// folded code points.
  package static func bytes(of text: UnsafeRawBufferPointer) -> [UInt8] {
    var folded: [UInt8] = []
    folded.reserveCapacity(text.count)
    var walk = FoldedText(text)
    while let scalar = walk.next() {
      if scalar < 0x80 {
        folded.append(UInt8(scalar))
      } else if let scalar = Unicode.Scalar(scalar) {
        folded.append(contentsOf: UTF8.encode(scalar).unsafelyUnwrapped)
      } else {
        folded.append(UInt8(truncatingIfNeeded: scalar))
      }
    }
    return folded
  }
}
