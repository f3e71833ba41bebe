internal import ObjectBox
internal import ObjectBoxGrouping

/// An aggregate of a column in SQL.
struct GroupAggregate {
  private let function: AggregateSource.Function
  private let column: Column
  /// True for numbers of 64 bits whose column orders them as signed.
  private let isWideUnsigned: Bool

  init(_ function: AggregateSource.Function, _ column: Column) {
    self.function = function
    self.column = column
    let order = IntegerOrder(column.property)
    isWideUnsigned = column.kind == .bigint && order.flip == 0 && order.mask == .max
  }

  private var isDouble: Bool { column.kind == .real || column.kind == .double }

  /// Returns the columns that ``state(_:)`` reads.
  ///
  /// - Parameters:
  ///   - value: The column of the values.
  ///   - bits: The column of the bits of floating point numbers that are added.
  /// - Returns: SQL.
  func selection(_ value: String, bits: String) -> [String] {
    switch function {
    case .count: return ["count(\(value))"]
    case .sum, .average:
      return isDouble
        ? ExactDoubleSum.selection(value, bits)
        : ["sum(\(number(value)))::text", "count(\(value))"]
    case .min, .max:
      switch column.kind {
      case .bool: return ["\(function.rawValue)(\(value)::int)"]
      case .bigint where isWideUnsigned:
        return ["\(function.rawValue)(\(value) # '\(Int64.min)'::bigint)"]
      default: return ["\(function.rawValue)(\(value))"]
      }
    }
  }

  private func number(_ value: String) -> String {
    switch column.kind {
    case .bool: "\(value)::int"
    case .timestamp: "floor(extract(epoch FROM \(value)) * 1000)"
    case .bigint where isWideUnsigned:
      "(\(value)::numeric + CASE WHEN \(value) < 0 THEN 18446744073709551616 ELSE 0 END)"
    default: value
    }
  }

  /// Reads what the aggregate is for a part of a group.
  func state(_ reader: inout GroupRowReader) -> GroupPart.State {
    switch function {
    case .count: return .count(Int(reader.integer()))
    case .sum, .average:
      if isDouble { return ExactDoubleSum.state(&reader) }
      let sum = reader.wideInteger()
      return .integers(sum: sum, count: Int(reader.integer()))
    case .min, .max:
      let value = reader.value(column.kind == .bool ? .integer : column.kind)
      if isWideUnsigned, case .number(let number)? = value {
        return .extreme(.number(number ^ .min))
      }
      return .extreme(value)
    }
  }
}

/// The exact sum of floating point numbers.
///
/// A sum of the server is rounded at each step, in the order in which it reads, and an infinite one
/// is an error, which ends the transaction. The server therefore adds the significands, as integers,
/// of the numbers that have the same exponent.
enum ExactDoubleSum {
  /// Returns the bits of a number.
  static func bits(of value: String) -> String {
    "('x' || encode(float8send(\(value)::float8), 'hex'))::bit(64)::bigint"
  }

  /// Returns the exponent, by which parts of groups are told apart.
  static func exponent(_ bits: String) -> String { "((\(bits) >> 52) & 2047)" }

  /// Returns the columns that ``state(_:)`` reads.
  static func selection(_ value: String, _ bits: String) -> [String] {
    let exponent = exponent(bits)
    let significand =
      "((\(bits) & 4503599627370495) + CASE WHEN \(exponent) = 0 THEN 0 ELSE 4503599627370496 END)"
    return [
      "coalesce(\(exponent), 0)",
      "sum(\(significand) * CASE WHEN \(bits) < 0 THEN -1 ELSE 1 END)::text",
      "count(\(value))", "min(\(value))::float8", "max(\(value))::float8",
    ]
  }

  /// Reads the sum of a part of a group.
  static func state(_ reader: inout GroupRowReader) -> GroupPart.State {
    let exponent = Int(reader.integer())
    let sum = reader.wideInteger()
    let count = Int(reader.integer())
    let (least, greatest) = (reader.double(), reader.double())
    // Infinities and NaN, whose sum is that of the least and the greatest.
    if exponent == 2047 { return .doubles(least, greatest, count: count) }
    let high = Double(sum)
    let low = Double(sum - Int128(high))
    // Numbers below the normal ones have the exponent of the least normal ones.
    let scale = max(1, exponent) - 1075
    return .doubles(
      Double(sign: .plus, exponent: scale, significand: high),
      Double(sign: .plus, exponent: scale, significand: low),
      count: count
    )
  }
}
