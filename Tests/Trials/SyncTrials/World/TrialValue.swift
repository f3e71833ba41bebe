import ObjectBoxSyncProtocol

/// The values of properties that a trial follows, each of which it makes once.
enum TrialValue {
  /// Returns the value of a number: in turns an integer, a floating-point number and a text, as columns have them.
  static func make(_ number: Int64) -> PropertyValue {
    switch number % 3 {
    case 0: .integer(number)
    case 1: .double(bits: Double(number).bitPattern)
    default: .bytes(Array("\(number)".utf8))
    }
  }

  /// Returns the number of a value; nil for null and other values.
  static func number(_ value: PropertyValue?) -> Int64? {
    switch value {
    case .integer(let number)?: number
    case .double(let bits)?: Int64(exactly: Double(bitPattern: bits))
    case .bytes(let bytes)?: Int64(String(decoding: bytes, as: UTF8.self))
    default: nil
    }
  }
}
