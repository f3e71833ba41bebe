internal import ObjectBox

/// A column of related objects whose aggregates conditions compare.
struct RelatedColumn {
  let column: Column

  /// Returns a statement for an aggregate, which has one value.
  ///
  /// - Parameters:
  ///   - function: The aggregate.
  ///   - alias: The table of the related objects.
  ///   - rows: FROM and WHERE.
  /// - Returns: SQL.
  func statement(
    _ function: LinkAggregate.Function,
    _ alias: String,
    of rows: String
  ) -> String {
    let value = "\(alias).\(column.name)"
    let number = column.number(value)
    switch function {
    case .count: return "SELECT count(\(value))\(rows)"
    case .sum, .average:
      let isMean = function == .average
      if column.isFloatingPoint {
        return ExactDoubleSum.statement(value, of: rows, isMean: isMean)
      }
      // A hundred decimal digits determine the rounding of a quotient of a 64-bit number and a count.
      return isMean
        ? "SELECT ((sum(\(number)) + '0e-100'::numeric) / nullif(count(\(value)), 0))::float8\(rows)"
        : "SELECT coalesce(sum(\(number)), 0)::numeric\(rows)"
    case .min, .max:
      let type = column.kind == .text ? "" : column.isFloatingPoint ? "::float8" : "::numeric"
      return "SELECT (\(column.extreme(function.rawValue, of: number)))\(type)\(rows)"
    }
  }
}
