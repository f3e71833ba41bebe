import Foundation

/// Values of a column in forms that do not depend on the library.
struct Portable {
  /// The kind of the values, which says how `read_values.py` reads them; nil without a value.
  let kind: String?
  /// The value of each row as JSON; nil for null.
  let values: [Any?]

  /// - Parameters:
  ///   - rows: The values of the rows.
  ///   - isPrecise: True if dates are stored in nanoseconds.
  init<Value>(_ rows: [Value?], isPrecise: Bool) {
    let forms = rows.map { $0.map { Self.form($0, isPrecise: isPrecise) } }
    kind = forms.lazy.compactMap { $0?.kind }.first
    values = forms.map { $0?.json }
  }

  /// Returns a value as records store it: raw values of enumerations, texts of URLs.
  static func stored(_ value: Any) -> Any {
    switch value {
    case let url as URL: url.absoluteString
    case let value as any RawRepresentable: value.rawValue
    default: value
    }
  }

  private static func form<Value>(_ value: Value, isPrecise: Bool) -> (kind: String, json: Any) {
    // An empty array is one of any type.
    switch stored(value) {
    case let value as Bool: ("boolean", value)
    case let value as any FixedWidthInteger: ("integer", "\(value)")
    case let value as Float: ("float", "\(value.bitPattern)")
    case let value as Double: ("double", "\(value.bitPattern)")
    case let value as String: ("text", hex(value.utf8))
    case let value as Data: ("bytes", hex(value))
    case let value as [UInt8] where Value.self == [UInt8].self: ("bytes", hex(value))
    case let value as UUID: ("uuid", value.uuidString)
    case let value as Decimal: ("decimal", "\(value)")
    case let value as Date:
      (isPrecise ? "nanoseconds" : "date", "\(ticks(value, isPrecise: isPrecise))")
    case let value as [Int32] where Value.self == [Int32].self: ("integers", value.map { "\($0)" })
    case let value as [Int64] where Value.self == [Int64].self: ("integers", value.map { "\($0)" })
    case let value as [Float] where Value.self == [Float].self:
      ("floats", value.map { "\($0.bitPattern)" })
    case let value as [String] where Value.self == [String].self:
      ("texts", value.map { hex($0.utf8) })
    default: preconditionFailure("\(value) has no portable form")
    }
  }

  /// Returns the nanoseconds or milliseconds from 1970 to a date; all digits count.
  static func ticks(_ date: Date, isPrecise: Bool) -> Int {
    let ticksPerSecond = isPrecise ? 1_000_000_000 : 1000
    let seconds = date.timeIntervalSinceReferenceDate.rounded(.down)
    let fraction = date.timeIntervalSinceReferenceDate - seconds
    let whole = Int(seconds) + Int(Date.timeIntervalBetween1970AndReferenceDate)
    return whole * ticksPerSecond + Int((fraction * Double(ticksPerSecond)).rounded())
  }

  private static func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
  }
}
