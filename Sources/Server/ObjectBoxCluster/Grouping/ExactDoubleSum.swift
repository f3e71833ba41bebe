internal import ObjectBoxGrouping

/// The exact sum of floating point numbers.
///
/// The server rounds its sums at each step, in the order in which it reads. An infinite sum is an error, which ends the
/// transaction. Therefore the server adds the significands, as integers, of the numbers with the same exponent.
enum ExactDoubleSum {
  /// Returns the bits of a number.
  static func bits(of value: String) -> String {
    "('x' || encode(float8send(\(value)::float8), 'hex'))::bit(64)::bigint"
  }

  /// Returns the exponent, which distinguishes the parts of groups.
  static func exponent(_ bits: String) -> String { "((\(bits) >> 52) & 2047)" }

  /// Returns the significand with the sign, an integer.
  private static func significand(_ bits: String) -> String {
    "((\(bits) & 4503599627370495) + CASE WHEN \(exponent(bits)) = 0 THEN 0 ELSE 4503599627370496 END)"
      + " * CASE WHEN \(bits) < 0 THEN -1 ELSE 1 END"
  }

  /// Returns the columns that ``state(_:)`` reads.
  static func selection(_ value: String, _ bits: String) -> [String] {
    [
      "coalesce(\(exponent(bits)), 0)", "sum(\(significand(bits)))::text",
      "count(\(value))", "min(\(value))::float8", "max(\(value))::float8",
    ]
  }

  /// Reads the sum of a part of a group.
  static func state(_ reader: inout GroupRowReader) -> GroupPart.State {
    let exponent = Int(reader.integer())
    let sum = reader.wideInteger()
    let count = Int(reader.integer())
    let (least, greatest) = (reader.double(), reader.double())
    // Infinities and NaN: their sum is the sum of the least and the greatest.
    if exponent == 2047 { return .doubles(least, greatest, count: count) }
    let high = Double(sum)
    let low = Double(sum - Int128(high))
    // Subnormal numbers have the exponent of the least normal ones.
    let scale = max(1, exponent) - 1075
    return .doubles(
      Double(sign: .plus, exponent: scale, significand: high),
      Double(sign: .plus, exponent: scale, significand: low),
      count: count
    )
  }

  /// Returns a statement for the rounded sum of all values, or for their mean; the mean is null without values.
  ///
  /// - Parameters:
  ///   - value: A column of the rows.
  ///   - rows: FROM and WHERE.
  ///   - isMean: True for the mean.
  /// - Returns: SQL.
  static func statement(_ value: String, of rows: String, isMean: Bool) -> String {
    let parts =
      "SELECT \(exponent("b")) AS e, sum(\(significand("b"))) AS s, count(v) AS n,"
      + " min(v) AS low, max(v) AS high"
      + " FROM (SELECT \(value)::float8 AS v, \(bits(of: value)) AS b\(rows)) d GROUP BY 1"
    // In units of the least number, 2 to the power of -1074, all parts are integers.
    let units = "sum(CASE WHEN e < 2047 THEN s * power(2::numeric, greatest(e, 1) - 1) END)"
    // Half a unit in the last place above the greatest number; the server refuses to round it.
    let limit = "(power(2::numeric, 2098) - power(2::numeric, 2044))"
    // The server refuses a quotient that rounds to 0.
    let none = isMean ? " WHEN abs(\(units)) * 2 <= sum(n) THEN 0" : ""
    let sum =
      "CASE WHEN bool_or(e = 2047) THEN sum(CASE WHEN e = 2047 THEN low + high END)\(none)"
      + " WHEN \(units) >= \(limit) THEN 'Infinity'::float8"
      + " WHEN \(units) <= -\(limit) THEN '-Infinity'::float8"
      + " ELSE coalesce((\(units) * power(5::numeric, 1074) * '1e-1074'::numeric)::float8, 0) END"
    return "SELECT \(sum)\(isMean ? " / nullif(sum(n), 0)::float8" : "") FROM (\(parts)) p"
  }
}
