/// PostgreSQL's binary form of `numeric` for COPY; see `numeric_recv`.
enum NumericForm {
  private enum Sign: UInt16 {
    case plus = 0
    case minus = 0x4000
    case notANumber = 0xC000
  }

  /// Returns the binary form of a decimal number in digits.
  ///
  /// - Parameter text: ASCII, such as `-12.50`, `1.5E3` or `NaN`.
  /// - Returns: The bytes; nil for another text.
  static func bytes(of text: [UInt8]) -> [UInt8]? {
    var rest = text[...]
    if rest.elementsEqual("NaN".utf8) { return form(digits: [], weight: 0, .notANumber, scale: 0) }
    var sign = Sign.plus
    if let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
      if first == UInt8(ascii: "-") { sign = .minus }
      rest.removeFirst()
    }
    var digits: [UInt8] = []
    var fraction: Int?
    var exponent = 0
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        digits.append(byte - UInt8(ascii: "0"))
        fraction = fraction.map { $0 + 1 }
      case UInt8(ascii: ".") where fraction == nil: fraction = 0
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        guard !digits.isEmpty, let number = Int(String(decoding: rest, as: UTF8.self)) else {
          return nil
        }
        exponent = number
        rest = []
      default: return nil
      }
    }
    guard !digits.isEmpty, abs(exponent) < 10_000 else { return nil }
    // The number equals the digits, read as an integer, times ten to the power.
    let power = exponent - (fraction ?? 0)
    return form(digits, power: power, sign)
  }

  private static func form(_ decimal: [UInt8], power: Int, _ sign: Sign) -> [UInt8] {
    var decimal = decimal
    var power = power
    // Groups of four digits begin at the decimal point.
    let fill = ((power % 4) + 4) % 4
    decimal += [UInt8](repeating: 0, count: fill)
    let scale = max(0, -power)
    power -= fill
    decimal.insert(contentsOf: [UInt8](repeating: 0, count: (4 - decimal.count % 4) % 4), at: 0)
    var groups = stride(from: 0, to: decimal.count, by: 4).map { (start: Int) -> UInt16 in
      var group: UInt16 = 0
      for digit in decimal[start..<start + 4] { group = group * 10 + UInt16(digit) }
      return group
    }
    var weight = groups.count - 1 + power / 4
    while groups.first == 0 {
      groups.removeFirst()
      weight -= 1
    }
    while groups.last == 0 { groups.removeLast() }
    return groups.isEmpty
      ? form(digits: [], weight: 0, .plus, scale: scale)
      : form(digits: groups, weight: weight, sign, scale: scale)
  }

  private static func form(
    digits: [UInt16],
    weight: Int,
    _ sign: Sign,
    scale: Int
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: Int16(digits.count))
    bytes.append(bigEndian: Int16(truncatingIfNeeded: weight))
    bytes.append(bigEndian: sign.rawValue)
    bytes.append(bigEndian: UInt16(truncatingIfNeeded: scale))
    for digit in digits { bytes.append(bigEndian: digit) }
    return bytes
  }
}
