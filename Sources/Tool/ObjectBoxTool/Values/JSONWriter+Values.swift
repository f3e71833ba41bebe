internal import Foundation
package import ObjectBox
package import ObjectBoxJSON

extension JSONWriter {
  /// Appends a stored value, which must not be null.
  ///
  /// - Parameters:
  ///   - value: The value, of the form's kind.
  ///   - form: The form of the property.
  package mutating func value(_ value: ExactValue, as form: ValueForm) {
    switch value {
    case .null: raw("null")
    case .integer(let number):
      if case .integer(let size, true) = form {
        integer(UInt64(bitPattern: number) & .max >> UInt64(64 - 8 * size))
      } else if form == .boolean, number == 0 || number == 1 {
        raw(number == 1 ? "true" : "false")
      } else if form == .boolean {
        // Only a damaged record holds another number.
        withUnsafeBytes(of: Int8(truncatingIfNeeded: number)) { hex($0) }
      } else {
        integer(number)
      }
    case .float(let number): floatingPoint(number)
    case .double(let number): floatingPoint(number)
    case .bytes(let bytes): variable(bytes, as: form)
    }
  }

  private mutating func floatingPoint(_ number: Float) {
    if number.isFinite { return raw(number.description) }
    special(
      isInfinite: number.isInfinite,
      isNegative: number.sign == .minus,
      bits: number.bitPattern,
      usual: Float.nan.bitPattern
    )
  }

  private mutating func floatingPoint(_ number: Double) {
    if number.isFinite { return raw(number.description) }
    special(
      isInfinite: number.isInfinite,
      isNegative: number.sign == .minus,
      bits: number.bitPattern,
      usual: Double.nan.bitPattern
    )
  }

  private mutating func special<Bits: FixedWidthInteger>(
    isInfinite: Bool,
    isNegative: Bool,
    bits: Bits,
    usual: Bits
  ) {
    if isInfinite { return raw(isNegative ? #""-Infinity""# : #""Infinity""#) }
    raw(bits == usual ? #""NaN""# : "\"0x\(String(bits, radix: 16))\"")
  }

  private mutating func variable(_ bytes: UnsafeRawBufferPointer, as form: ValueForm) {
    switch form {
    case .text:
      // Only a damaged record holds invalid UTF-8.
      guard bytes.isUTF8 else { return hex(bytes) }
      string(utf8: bytes)
    case .decimal:
      guard Decimal.__decode(bytes) != nil else { return hex(bytes) }
      string(utf8: bytes)
    case .uuid where bytes.count == 16: uuid(bytes)
    // Only a program that knows plain bytes stores another number of them.
    case .uuid: hex(bytes)
    case .bytes:
      raw("\"")
      raw(Data(bytes).base64EncodedString())
      raw("\"")
    case .booleans:
      elements(bytes, of: Int8.self) { $0.value(.integer(Int64($1)), as: .boolean) }
    case .integers(2, false): elements(bytes, of: Int16.self) { $0.integer($1) }
    case .integers(2, true): elements(bytes, of: UInt16.self) { $0.integer($1) }
    case .integers(4, false): elements(bytes, of: Int32.self) { $0.integer($1) }
    case .integers(4, true): elements(bytes, of: UInt32.self) { $0.integer($1) }
    case .integers(_, false): elements(bytes, of: Int64.self) { $0.integer($1) }
    case .integers(_, true): elements(bytes, of: UInt64.self) { $0.integer($1) }
    case .floats:
      elements(bytes, of: UInt32.self) { $0.floatingPoint(Float(bitPattern: $1)) }
    case .doubles:
      elements(bytes, of: UInt64.self) { $0.floatingPoint(Double(bitPattern: $1)) }
    case .texts: texts(bytes)
    case .integer, .boolean, .float, .double: hex(bytes)
    }
  }

  private mutating func elements<T: FixedWidthInteger & BitwiseCopyable>(
    _ bytes: UnsafeRawBufferPointer,
    of type: T.Type,
    _ write: (inout JSONWriter, T) -> Void
  ) {
    let size = MemoryLayout<T>.size
    guard bytes.count.isMultiple(of: size) else { return hex(bytes) }
    raw("[")
    for offset in stride(from: 0, to: bytes.count, by: size) {
      if offset > 0 { raw(",") }
      write(&self, T(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: T.self)))
    }
    raw("]")
  }

  private mutating func texts(_ bytes: UnsafeRawBufferPointer) {
    guard let texts = StoredStrings(bytes) else { return hex(bytes) }
    raw("[")
    for index in 0..<texts.count {
      if index > 0 { raw(",") }
      string(utf8: texts[index])
    }
    raw("]")
  }

  private mutating func uuid(_ bytes: UnsafeRawBufferPointer) {
    let digits = bytes.hexadecimal
    raw("\"")
    var rest = digits[...]
    for (index, count) in [8, 4, 4, 4, 12].enumerated() {
      if index > 0 { raw("-") }
      raw(String(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    raw("\"")
  }

  private mutating func hex(_ bytes: UnsafeRawBufferPointer) {
    raw("{\"hex\":\"")
    raw(bytes.hexadecimal)
    raw("\"}")
  }
}

extension UnsafeRawBufferPointer {
  fileprivate var isUTF8: Bool { String(validating: self, as: UTF8.self) != nil }

  /// Two digits for each byte.
  fileprivate var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
      as: UTF8.self
    )
  }
}

/// The strings of a stored vector: their number, the end of each, and their UTF-8.
private struct StoredStrings {
  let count: Int
  private let bytes: UnsafeRawBufferPointer
  private var start: Int { 4 * (count + 1) }

  /// Checks the bytes; nil if they are no vector of strings.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 4 else { return nil }
    self.bytes = bytes
    count = Int(UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self)))
    guard 4 * (count + 1) <= bytes.count else { return nil }
    var last = 0
    for index in 0..<count {
      let end = end(index)
      guard end >= last, start + end <= bytes.count else { return nil }
      last = end
    }
    guard start + last == bytes.count else { return nil }
    for index in 0..<count where !self[index].isUTF8 { return nil }
  }

  private func end(_ index: Int) -> Int {
    Int(
      UInt32(
        littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * (index + 1), as: UInt32.self)
      )
    )
  }

  /// The UTF-8 of a string.
  subscript(index: Int) -> UnsafeRawBufferPointer {
    let first = index == 0 ? 0 : end(index - 1)
    return UnsafeRawBufferPointer(rebasing: bytes[(start + first)..<(start + end(index))])
  }
}
