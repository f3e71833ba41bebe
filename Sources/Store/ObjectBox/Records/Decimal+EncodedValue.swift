public import Foundation

/// Decimals are stored as the text of `description`: digits and a point, without an exponent.
extension Decimal: OrderedEncodedValue {
  /// The type in the database: a string.
  public static var entityPropertyType: PropertyType { .string }

  /// Tells the store that the texts are numbers.
  public static var __externalTypes: [ExternalPropertyType] { [.decimal128] }

  /// Ordered by number.
  public static var __collation: Collation { .decimal }

  /// Zero.
  public static var __null: Decimal { 0 }

  /// Returns nil for a text that is not a number, and for a number that a decimal cannot hold
  /// exactly.
  public static func __decode(_ bytes: UnsafeRawBufferPointer) -> Decimal? {
    DecimalNumber(bytes)?.decimal
  }

  /// Calls a body with the UTF-8 of the text; nil for not-a-number.
  public func __withEncoding<T>(_ body: (UnsafeRawBufferPointer) -> T) -> T? {
    guard !isNaN else { return nil }
    var text = description
    return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }

  /// Reads a value; not-a-number for a text that is not a number, because projections do not throw.
  public static func __value(in record: RecordReader, at slot: __Slot) -> Decimal? {
    let text: String? = record.read(at: slot.number)
    return text.map { value(in: $0) ?? .nan }
  }
}

/// A number that was read from a text, and that a `Decimal` holds exactly.
///
/// `Decimal` itself is no help: it parses a text only up to the first invalid byte, and its
/// comparisons fail for the largest numbers on some platforms.
struct DecimalNumber: Equatable {
  /// The range of exponents of a `Decimal`, whose mantissa has 128 bits.
  private static let exponents = -128...127
  /// Size of the longest key in bytes: 2 for the magnitude, 20 for pairs of digits, and 1 for the
  /// end.
  private static let keyCapacity = 23

  /// The digits without trailing zeros; 0 for zero.
  let mantissa: UInt128
  /// The power of ten of the last digit.
  let exponent: Int
  let isNegative: Bool

  /// Reads a text such as `-12.50` or `1E+3`; nil for a text that is not a number, or that a
  /// `Decimal` cannot hold exactly.
  init?(_ text: UnsafeRawBufferPointer) {
    var rest = text[...]
    isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    guard let number = Self.readDigits(&rest), let power = Self.readExponent(rest) else {
      return nil
    }
    mantissa = number.mantissa
    exponent = mantissa == 0 ? 0 : number.exponent + power
    guard exponent >= Self.exponents.lowerBound else { return nil }
    var scaled = mantissa
    for _ in Self.exponents.upperBound..<max(exponent, Self.exponents.upperBound) {
      let (product, overflows) = scaled.multipliedReportingOverflow(by: 10)
      if overflows { return nil }
      scaled = product
    }
  }

  /// Reads a text.
  init?(_ text: String) {
    var text = text
    guard let number = text.withUTF8({ Self(UnsafeRawBufferPointer($0)) }) else { return nil }
    self = number
  }

  /// Reads digits with at most one point.
  private static func readDigits(
    _ rest: inout Slice<UnsafeRawBufferPointer>
  ) -> (mantissa: UInt128, exponent: Int)? {
    var mantissa: UInt128 = 0
    var exponent = 0
    // Zeros are counted, and multiplied in only when another digit follows: the mantissa must not
    // end with zeros.
    var zeros = 0
    var hasDigit = false
    var hasPoint = false
    while let byte = rest.first {
      if byte == UInt8(ascii: "."), !hasPoint {
        hasPoint = true
      } else if case let digit = byte &- UInt8(ascii: "0"), digit < 10 {
        hasDigit = true
        if hasPoint { exponent -= 1 }
        if digit == 0 {
          if mantissa != 0 { zeros += 1 }
        } else {
          for _ in 0...zeros {
            let (product, overflows) = mantissa.multipliedReportingOverflow(by: 10)
            if overflows { return nil }
            mantissa = product
          }
          let (sum, overflows) = mantissa.addingReportingOverflow(UInt128(digit))
          if overflows { return nil }
          mantissa = sum
          zeros = 0
        }
      } else {
        break
      }
      rest.removeFirst()
    }
    return hasDigit ? (mantissa, exponent + zeros) : nil
  }

  /// Reads the exponent after the digits: nothing, or `E` and a number of at most 4 digits.
  private static func readExponent(_ rest: Slice<UnsafeRawBufferPointer>) -> Int? {
    guard let first = rest.first else { return 0 }
    let number = rest.dropFirst()
    let hasSign = number.first == UInt8(ascii: "-") || number.first == UInt8(ascii: "+")
    guard first | 0x20 == UInt8(ascii: "e"), number.count <= (hasSign ? 5 : 4),
      let exponent = Int(String(decoding: number, as: UTF8.self))
    else { return nil }
    return exponent
  }

  /// The number as a `Decimal`; an exponent beyond a `Decimal`'s range becomes zeros of the
  /// mantissa.
  var decimal: Decimal? {
    let zeros = max(0, exponent - Self.exponents.upperBound)
    let digits = "\(mantissa)" + String(repeating: "0", count: zeros)
    return Decimal(string: "\(isNegative ? "-" : "")\(digits)E\(exponent - zeros)")
  }

  // MARK: Keys

  /// The key of zero.
  static let zeroKey: [UInt8] = [0x80, 0]

  /// Calls a body with the key: its byte order is the order of the numbers, and equal numbers have
  /// equal keys.
  ///
  /// The key consists of two bytes of magnitude, a byte for each pair of digits, and a 0. For a
  /// negative number all bits are inverted.
  func withKey<T>(_ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
    try withUnsafeTemporaryAllocation(byteCount: Self.keyCapacity, alignment: 1) { room in
      let count = writeKey(to: room)
      return try body(UnsafeRawBufferPointer(rebasing: room[..<count]))
    }
  }

  /// Writes the key and returns its length.
  private func writeKey(to room: UnsafeMutableRawBufferPointer) -> Int {
    guard mantissa != 0 else {
      room.copyBytes(from: Self.zeroKey)
      return Self.zeroKey.count
    }
    // Most numbers fit into 64 bits, whose divisions are much faster.
    let digits =
      UInt64(exactly: mantissa).map { Self.writePairs($0, to: room) }
      ?? Self.writePairs(mantissa, to: room)
    let count = 2 + (digits + 1) / 2 + 1
    let magnitude = 0x8100 + exponent + digits
    room[0] = UInt8(magnitude >> 8)
    room[1] = UInt8(magnitude & 0xFF)
    room[count - 1] = 0
    if isNegative { for index in 0..<count { room[index] = ~room[index] } }
    return count
  }

  /// Writes a byte for each pair of digits after the magnitude, and returns the number of digits.
  private static func writePairs<M: FixedWidthInteger>(
    _ mantissa: M,
    to room: UnsafeMutableRawBufferPointer
  ) -> Int {
    var count = 0
    var bound = mantissa
    while bound != 0 {
      bound /= 10
      count += 1
    }
    var rest = mantissa
    var place = 2 + (count + 1) / 2
    func write(_ pair: M) {
      place -= 1
      // Plus one: 0 marks the end.
      room[place] = UInt8(truncatingIfNeeded: pair) + 1
    }
    if count % 2 == 1 {
      write(rest % 10 * 10)
      rest /= 10
    }
    while rest != 0 {
      write(rest % 100)
      rest /= 100
    }
    return count
  }

  /// The key.
  var key: [UInt8] { withKey { [UInt8]($0) } }
}

extension DecimalNumber: Comparable {
  static func < (a: Self, b: Self) -> Bool { a.key.lexicographicallyPrecedes(b.key) }
}
