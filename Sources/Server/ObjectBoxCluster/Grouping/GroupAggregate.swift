internal import ObjectBox
internal import ObjectBoxGrouping

/// An aggregate of a column in SQL.
struct GroupAggregate {
  private let function: AggregateSource.Function
  private let column: Column

  init(_ function: AggregateSource.Function, _ column: Column) {
    self.function = function
    self.column = column
  }

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
      return column.isFloatingPoint
        ? ExactDoubleSum.selection(value, bits)
        : ["sum(\(column.number(value)))::text", "count(\(value))"]
    case .min, .max:
      switch column.kind {
      case .bool: return ["\(function.rawValue)(\(value)::int)"]
      case .bigint where column.isWideUnsigned:
        return ["\(function.rawValue)(\(value) # '\(Int64.min)'::bigint)"]
      default: return [column.extreme(function.rawValue, of: value)]
      }
    }
  }

  /// Reads the aggregate of a part of a group.
  func state(_ reader: inout GroupRowReader) -> GroupPart.State {
    switch function {
    case .count: return .count(Int(reader.integer()))
    case .sum, .average:
      if column.isFloatingPoint { return ExactDoubleSum.state(&reader) }
      let sum = reader.wideInteger()
      return .integers(sum: sum, count: Int(reader.integer()))
    case .min, .max:
      let value = reader.value(column.kind == .bool ? .integer : column.kind)
      if column.isWideUnsigned, case .number(let number)? = value {
        return .extreme(.number(number ^ .min))
      }
      return .extreme(value)
    }
  }
}
