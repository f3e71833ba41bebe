/// Builds JSON as bytes.
///
/// It does not check that braces and commas fit. After `removeAll`, the memory is used again.
package struct JSONWriter: Sendable {
  private static let digits = Array("0123456789abcdef".utf8)

  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Removes all bytes and keeps their memory.
  package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Appends a text that is JSON already, such as the digits of a number.
  package mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Appends an integer.
  package mutating func integer(_ number: some FixedWidthInteger) {
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    var rest = UInt64(number.magnitude)
    // The greatest 64-bit number has 20 digits.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { room in
      var start = 20
      repeat {
        start -= 1
        room[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest != 0
      bytes.append(contentsOf: room[start...])
    }
  }

  /// Appends a text with its quotes.
  package mutating func string(_ text: String) {
    var text = text
    text.withUTF8 { string(utf8: UnsafeRawBufferPointer($0)) }
  }

  /// Appends a text with its quotes; the bytes must be UTF-8.
  package mutating func string(utf8 text: UnsafeRawBufferPointer) {
    bytes.append(UInt8(ascii: "\""))
    var start = 0
    for (index, byte) in text.enumerated()
    where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
      bytes.append(contentsOf: text[start..<index])
      escape(byte)
      start = index + 1
    }
    bytes.append(contentsOf: text[start...])
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\n"): raw("\\n")
    case UInt8(ascii: "\r"): raw("\\r")
    case UInt8(ascii: "\t"): raw("\\t")
    case 0..<0x20:
      raw("\\u00")
      bytes.append(Self.digits[Int(byte >> 4)])
      bytes.append(Self.digits[Int(byte & 15)])
    default:
      bytes.append(UInt8(ascii: "\\"))
      bytes.append(byte)
    }
  }

  /// Appends an array.
  package mutating func list<T>(_ elements: [T], _ write: (inout JSONWriter, T) -> Void) {
    raw("[")
    for (index, element) in elements.enumerated() {
      if index > 0 { raw(",") }
      write(&self, element)
    }
    raw("]")
  }

  /// Appends a member's key and the colon.
  package mutating func key(_ name: String) {
    string(name)
    bytes.append(UInt8(ascii: ":"))
  }
}
