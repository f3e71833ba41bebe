internal import ObjectBox

/// Converts the literals of a condition to dates.
struct LiteralDates {
  /// The text of the condition, for messages.
  let source: String

  /// Parses a date, or milliseconds or nanoseconds since 1970 as in dumps.
  func instant(
    _ digits: String,
    _ property: PropertySchema,
    _ range: Range<String.Index>
  ) throws(ConditionFault) -> DateText.Bounds {
    guard let ticks = Int64(digits) else { return try date(digits, property, range) }
    return DateText.Bounds(floor: ticks, ceiling: ticks)
  }

  /// Parses a date.
  func date(
    _ text: String,
    _ property: PropertySchema,
    _ range: Range<String.Index>
  ) throws(ConditionFault) -> DateText.Bounds {
    let isNano = [.dateNano, .dateNanoVector].contains(property.type)
    guard let date = DateText.bounds(text, isNano: isNano) else {
      throw ConditionFault(
        "'\(text)' is no date; write 1990-01-31, 1990-01-31T12:30, 1990-01-31T12:30:15.5Z or "
          + "1990-01-31T12:30:15+02:00; without a zone it is UTC",
        source,
        range
      )
    }
    return date
  }
}
