internal import Foundation
internal import ObjectBox
internal import ObjectBoxGrouping

/// The way in which the server divides groups into parts by a column of a key.
enum GroupColumn {
  /// By the value.
  case value(ColumnKind)
  /// By the units of time that contain a date; the least and the greatest date show whether the client's calendar
  /// agrees.
  case dates(ColumnKind, [(unit: CalendarUnit, zone: TimeZone)])
  /// By the first two characters of a text. They show where its first letter ends, unless both belong to one letter.
  case beginnings

  init(_ column: Column, _ functions: [KeySource.Function], isExact: Bool) {
    self = .value(column.kind)
    if isExact { return }
    if functions.allSatisfy({ $0 == .firstLetter }), column.kind == .text { self = .beginnings }
    let units = functions.compactMap(\.unit)
    let isDate = column.property.type == .date || column.property.type == .dateNano
    if isDate, units.count == functions.count { self = .dates(column.kind, units) }
  }

  /// Returns the seconds since 1970 of a date; nil for other columns.
  func seconds(_ name: String) -> String? {
    guard case .dates(let kind, _) = self else { return nil }
    return kind == .timestamp
      ? "floor(date_part('epoch', \(name)))::bigint" : "floor(\(name)::float8 / 1e9)::bigint"
  }

  /// Returns the terms of GROUP BY.
  func groups(
    _ value: String,
    _ seconds: String,
    _ rendering: inout ConditionRendering
  ) -> [String] {
    switch self {
    case .value: return [value]
    case .beginnings: return ["left(\(value), 2)"]
    case .dates(_, let units):
      var terms: [String] = []
      for (unit, zone) in units {
        let offset = ZoneOffsets(zone).sql(seconds, &rendering)
        terms.append(unit.sql("(\(seconds) + \(offset))"))
        // Distinguishes the hour that a clock change repeats.
        if unit == .hour { terms.append(offset) }
      }
      return terms
    }
  }

  /// Returns the columns that ``values(_:_:)`` reads.
  func selection(_ value: String) -> [String] {
    switch self {
    case .value: [value]
    case .beginnings: ["left(\(value), 2)", "max(char_length(\(value)))"]
    case .dates: ["min(\(value))", "max(\(value))"]
    }
  }

  /// Reads the two values of a part that differ most; nil if they do not determine the group.
  func values(
    _ reader: inout GroupRowReader,
    _ column: Column
  ) -> (BatchValue?, BatchValue?)? {
    switch self {
    case .value(let kind):
      let value = reader.value(kind)
      return (value, value)
    case .dates(let kind, _):
      let least = reader.value(kind)
      return (least, reader.value(kind))
    case .beginnings:
      let value = reader.value(.text)
      let isWhole = reader.integer() <= 2
      if !isWhole, case .text(let bytes)? = value,
        String(decoding: bytes, as: UTF8.self).count < 2
      {
        return nil
      }
      return (value, value)
    }
  }
}

extension KeySource.Function {
  /// The unit of time in which all dates have the same key, or nil.
  fileprivate var unit: (unit: CalendarUnit, zone: TimeZone)? {
    switch self {
    case .unit(let unit, let zone): (unit, zone)
    case .part(let part, let zone): (part.unit, zone)
    case .value, .folded, .firstLetter: nil
    }
  }
}

extension CalendarUnit {
  /// Returns a number or date that differs for different units of a calendar.
  ///
  /// - Parameter seconds: SQL of the seconds from 1970 on by the clocks of the time zone.
  /// - Returns: SQL.
  fileprivate func sql(_ seconds: String) -> String {
    // Adds many weeks, so that all dates of timestamptz are positive: division rounds towards zero.
    let positive = "(\(seconds) + 241920000000)"
    switch self {
    case .hour: return "\(positive) / 3600"
    case .day: return "\(positive) / 86400"
    // 1970 began on a Thursday.
    case .week: return "(\(positive) + 259200) / 604800"
    case .month, .quarter, .year:
      // PostgreSQL has neither the whole first year of its dates, nor years after the last.
      let held = "least(greatest(\(seconds), -210800000000), 9224318015999)"
      return "date_trunc('\(rawValue)', to_timestamp(\(held)) AT TIME ZONE 'UTC')"
    }
  }
}

/// The differences of a time zone from UTC, according to the client, from 1901 to 2099.
private struct ZoneOffsets {
  /// The seconds since 1970 at which the difference changes; ascending.
  private(set) var changes: [Int64] = []
  /// The differences in seconds: one more than changes.
  private(set) var offsets: [Int64]

  init(_ zone: TimeZone) {
    var date = Date(timeIntervalSince1970: Double(Int32.min))
    offsets = [Int64(zone.secondsFromGMT(for: date))]
    while let next = zone.nextDaylightSavingTimeTransition(after: date), next > date,
      next.timeIntervalSince1970 < 4_102_444_800
    {
      changes.append(Int64(next.timeIntervalSince1970))
      offsets.append(Int64(zone.secondsFromGMT(for: next)))
      date = next
    }
  }

  /// Returns the difference at a time.
  func sql(_ seconds: String, _ rendering: inout ConditionRendering) -> String {
    if changes.isEmpty { return rendering.parameter { $0.append(offsets[0]) } }
    let starts = rendering.parameter {
      $0.append(PostgresType.int8Array, of: PostgresType.int8, changes)
    }
    let values = rendering.parameter {
      $0.append(PostgresType.int8Array, of: PostgresType.int8, offsets)
    }
    return "(\(values)::bigint[])[width_bucket(\(seconds), \(starts)::bigint[]) + 1]"
  }
}
