/// A value in the format of the stored schema.
///
/// One description of its parts serves both directions, so that reading cannot differ from writing.
package protocol ByteCodable {
  /// The value that reading fills.
  static var blank: Self { get }

  /// Writes the parts of the value, or reads them into a blank value.
  mutating func code(by coder: inout ByteCoder)
}

/// Writes or reads values in the format of the stored schema.
package struct ByteCoder {
  /// Thrown when the bytes end too early or contain an invalid value.
  package struct Damage: Error {}

  private var bytes: [UInt8] = []
  /// Number of bytes that were read.
  private var place = 0
  let isReading: Bool
  /// True after an invalid value; the values that follow are meaningless.
  private(set) var isDamaged = false

  private init(isReading: Bool) { self.isReading = isReading }

  /// Returns the bytes of a value.
  package static func bytes(of value: some ByteCodable) -> [UInt8] {
    var (coder, value) = (ByteCoder(isReading: false), value)
    value.code(by: &coder)
    return coder.bytes
  }

  /// Reads a value from the beginning of bytes.
  package static func value<T: ByteCodable>(
    in bytes: [UInt8],
    as type: T.Type = T.self
  ) throws(Damage) -> T {
    var (coder, value) = (ByteCoder(isReading: true), T.blank)
    coder.bytes = bytes
    value.code(by: &coder)
    if coder.isDamaged { throw Damage() }
    return value
  }

  mutating func code(_ value: inout some ByteCodable) { value.code(by: &self) }

  /// Codes a flag whether there is a value, and the value.
  mutating func code<T: ByteCodable>(_ value: inout T?) {
    var isGiven = value != nil
    code(&isGiven)
    guard isGiven else { return }
    var given = value ?? T.blank
    given.code(by: &self)
    value = given
  }

  /// Codes a flag as a byte.
  mutating func code(_ flag: inout Bool) {
    var number: UInt8 = flag ? 1 : 0
    code(&number)
    flag = number != 0
  }

  /// Codes a case by its number.
  mutating func code<T: RawRepresentable>(_ value: inout T) where T.RawValue: ByteCodable {
    var number = value.rawValue
    code(&number)
    if let read = T(rawValue: number) { value = read } else { fail() }
  }

  /// Codes a number that is not negative.
  mutating func code(size: inout Int) {
    code(&size)
    if size < 0 { fail() }
  }

  /// Requires a condition of the values that were read.
  ///
  /// A damaged file may contain any bytes.
  mutating func require(_ condition: Bool) {
    if isReading, !condition { fail() }
  }

  private mutating func fail() {
    isDamaged = true
    place = bytes.count
  }

  /// Codes a number, little-endian.
  fileprivate mutating func code<T: FixedWidthInteger & BitwiseCopyable>(integer: inout T) {
    guard isReading else {
      return withUnsafeBytes(of: integer.littleEndian) { bytes.append(contentsOf: $0) }
    }
    let end = place + MemoryLayout<T>.size
    guard end <= bytes.count else { return fail() }
    let read = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: T.self) }
    integer = T(littleEndian: read)
    place = end
  }

  /// Codes the number of the bytes or elements that follow; each element has at least a byte.
  fileprivate mutating func code(count: Int) -> Int {
    var number = UInt32(count)
    code(&number)
    guard isReading, number > bytes.count - place else { return Int(number) }
    fail()
    return 0
  }

  /// Codes the length and the UTF-8 of a string.
  fileprivate mutating func code(text: inout String) {
    let count = code(count: text.utf8.count)
    guard isReading else { return bytes.append(contentsOf: text.utf8) }
    text = String(decoding: bytes[place..<place + count], as: UTF8.self)
    place += count
  }
}

extension ByteCodable where Self: FixedWidthInteger & BitwiseCopyable {
  package static var blank: Self { 0 }
  package mutating func code(by coder: inout ByteCoder) { coder.code(integer: &self) }
}

extension UInt8: ByteCodable {}
extension UInt16: ByteCodable {}
extension UInt32: ByteCodable {}
extension UInt64: ByteCodable {}
extension Int: ByteCodable {}

extension Float: ByteCodable {
  package static var blank: Float { 0 }
  package mutating func code(by coder: inout ByteCoder) {
    var bits = bitPattern
    coder.code(&bits)
    self = Float(bitPattern: bits)
  }
}

extension Double: ByteCodable {
  package static var blank: Double { 0 }
  package mutating func code(by coder: inout ByteCoder) {
    var bits = bitPattern
    coder.code(&bits)
    self = Double(bitPattern: bits)
  }
}

extension String: ByteCodable {
  package static var blank: String { "" }
  package mutating func code(by coder: inout ByteCoder) { coder.code(text: &self) }
}

extension Array: ByteCodable where Element: ByteCodable {
  package static var blank: [Element] { [] }
  package mutating func code(by coder: inout ByteCoder) {
    for index in 0..<coder.code(count: count) where !coder.isDamaged {
      if coder.isReading { append(.blank) }
      coder.code(&self[index])
    }
  }
}
