internal import ObjectBox

/// The numbers that match a comparison, as values of a signed column.
private enum MatchingIntegers {
  case none
  case inside(Int64, Int64)
  /// Unsigned 64-bit numbers on both sides of 2^63, the greater half stored as negative numbers: at
  /// least `from`, or at most `to`.
  case around(from: Int64, to: Int64)

  /// - Parameters:
  ///   - keys: The matching keys.
  ///   - order: The order of the property.
  ///   - column: The column; its range may be narrower than the property's.
  init(_ keys: ClosedRange<UInt64>, _ order: IntegerOrder, _ column: Column) {
    guard order.flip == 0 else {
      var low = Int64(bitPattern: keys.lowerBound ^ order.flip)
      var high = Int64(bitPattern: keys.upperBound ^ order.flip)
      if column.kind == .timestamp {
        low = max(low, ColumnKind.timestamps.lowerBound)
        high = min(high, ColumnKind.timestamps.upperBound)
      }
      self = low <= high ? .inside(low, high) : .none
      return
    }
    let low = keys.lowerBound
    // No object of a cluster has an ID from 2^63 on.
    let greatest = column.isID ? IDCounters.maximumID : order.mask
    let high = min(keys.upperBound, greatest)
    let bounds = (Int64(bitPattern: low), Int64(bitPattern: high))
    if low > high {
      self = .none
    } else if low > Int64.max || high <= Int64.max {
      self = .inside(bounds.0, bounds.1)
    } else {
      self = .around(from: bounds.0, to: bounds.1)
    }
  }
}

extension ConditionRendering {
  /// Returns the comparison of integers, Booleans, dates or the elements of a vector.
  mutating func integers(
    _ comparison: PropertyCondition.Comparison,
    _ values: [Int64],
    _ column: Column,
    _ name: String
  ) -> String {
    let order = IntegerOrder(column.property)
    let keys = values.map(order.key)
    if column.kind == .bool { return booleans(comparison, keys, name) }
    if comparison.isOfList { return list(comparison, values, column, name) }
    let isNegated = comparison == .notEqual
    let range = IntegerOrder.range(comparison, keys).map { MatchingIntegers($0, order, column) }
    switch column.kind {
    case .integers, .bigints:
      return "EXISTS (SELECT FROM unnest(\(name)) e WHERE \(inside(range ?? .none, column, "e")))"
    default: break
    }
    switch range ?? .none {
    case .none: return isNegated ? "\(name) IS NOT NULL" : "false"
    // The server estimates fewer rows for an equality than for a range.
    case .inside(let low, let high)
    where low == high && (comparison == .equal || isNegated) && column.kind != .timestamp:
      return "\(name) \(isNegated ? "<>" : "=") \(parameter(low, of: column))"
    case let range:
      let sql = inside(range, column, name)
      return isNegated ? "NOT (\(sql))" : sql
    }
  }

  private mutating func inside(
    _ range: MatchingIntegers,
    _ column: Column,
    _ name: String
  ) -> String {
    switch range {
    case .none: return "false"
    case .inside(let low, let high):
      let low = parameter(low, of: column)
      return "\(name) BETWEEN \(low) AND \(parameter(high, of: column, isEnd: true))"
    case .around(let from, let to):
      let from = parameter(from, of: column)
      return "(\(name) >= \(from) OR \(name) <= \(parameter(to, of: column)))"
    }
  }

  // The end of a range includes all microseconds of its millisecond: other programs may store microseconds, and reading
  // drops them.
  private mutating func parameter(
    _ value: Int64,
    of column: Column,
    isEnd: Bool = false
  ) -> String {
    parameter { parameters in
      if column.kind == .timestamp {
        let timestamp = value.timestamp + (isEnd ? 999 : 0)
        parameters.append(PostgresType.timestamptz) { $0.append(bigEndian: timestamp) }
      } else {
        parameters.append(value)
      }
    }
  }

  private mutating func list(
    _ comparison: PropertyCondition.Comparison,
    _ values: [Int64],
    _ column: Column,
    _ name: String
  ) -> String {
    guard column.kind != .timestamp else { return dates(comparison, values, column, name) }
    let array = parameter {
      $0.append(PostgresType.int8Array, of: PostgresType.int8, values)
    }
    return isIn(comparison, name, array)
  }

  /// The number of dates in a list from which an index is read from the first to the last of them.
  private static let manyDates = 32

  /// Returns the comparison with a list of dates, each of which includes the microseconds of its millisecond.
  private mutating func dates(
    _ comparison: PropertyCondition.Comparison,
    _ values: [Int64],
    _ column: Column,
    _ name: String
  ) -> String {
    let values = values.filter(ColumnKind.timestamps.contains)
    func within(_ low: Int64, _ high: Int64, _ rendering: inout Self) -> String {
      rendering.inside(.inside(low, high), column, name)
    }
    if comparison == .isIn, !values.isEmpty, values.count < Self.manyDates {
      return "(\(values.map { within($0, $0, &self) }.joined(separator: " OR ")))"
    }
    let array = parameter {
      $0.append(
        PostgresType.timestamptzArray,
        of: PostgresType.timestamptz,
        values.map(\.timestamp)
      )
    }
    let isListed = isIn(comparison, "date_trunc('milliseconds', \(name))", array)
    guard comparison == .isIn, let low = values.min(), let high = values.max() else {
      return isListed
    }
    return "(\(isListed) AND \(within(low, high, &self)))"
  }

  /// Returns the comparison with the values of an array; null matches neither `isIn` nor `isNotIn`.
  func isIn(
    _ comparison: PropertyCondition.Comparison,
    _ name: String,
    _ array: String
  ) -> String {
    // NULL <> ALL of an empty array is true.
    comparison == .isIn
      ? "\(name) = ANY(\(array))" : "(\(name) <> ALL(\(array)) AND \(name) IS NOT NULL)"
  }

  private func booleans(
    _ comparison: PropertyCondition.Comparison,
    _ keys: [UInt64],
    _ name: String
  ) -> String {
    let isNegated = comparison == .notEqual || comparison == .isNotIn
    func matches(_ key: UInt64) -> Bool {
      if comparison.isOfList { return keys.contains(key) != isNegated }
      return (IntegerOrder.range(comparison, keys)?.contains(key) ?? false) != isNegated
    }
    return switch (matches(0), matches(1)) {
    case (true, true): "\(name) IS NOT NULL"
    case (true, false): "NOT \(name)"
    case (false, true): name
    case (false, false): "false"
    }
  }

  /// Returns the comparison of floating point numbers or the elements of a vector.
  mutating func doubles(
    _ comparison: PropertyCondition.Comparison,
    _ values: [Double],
    _ column: Column,
    _ name: String
  ) -> String {
    // In PostgreSQL, NaN equals itself and is greater than infinity.
    if comparison.isOfList {
      let numbers = values.filter { !$0.isNaN }.map(\.bitPattern)
      let array = parameter {
        $0.append(PostgresType.float8Array, of: PostgresType.float8, numbers)
      }
      let isListed = isIn(comparison, name, array)
      return comparison == .isIn ? isListed : "(\(isListed) AND \(name) <= 'infinity')"
    }
    let range = DoubleOrder.range(comparison, values)
    if range.low.isNaN || range.high.isNaN { return "false" }
    let low = parameter { $0.append(range.low) }
    if comparison == .notEqual { return "(\(name) <> \(low) AND \(name) <= 'infinity')" }
    let high = parameter { $0.append(range.high) }
    return column.kind == .reals
      ? "EXISTS (SELECT FROM unnest(\(name)) e WHERE e BETWEEN \(low) AND \(high))"
      : "\(name) BETWEEN \(low) AND \(high)"
  }
}

extension Int64 {
  /// A date as a timestamptz in microseconds since 2000, from milliseconds since 1970.
  ///
  /// A date beyond all becomes `infinity` or `-infinity`, as other programs may have stored it.
  var timestamp: Int64 {
    let (milliseconds, isBeyond) = subtractingReportingOverflow(ColumnKind.epoch)
    let (timestamp, isBeyondToo) = milliseconds.multipliedReportingOverflow(by: 1_000)
    if isBeyond || isBeyondToo { return self < 0 ? .min : .max }
    return timestamp
  }
}
