internal import Foundation
internal import ObjectBox
internal import ObjectBoxDynamic

/// Counts of the matching objects by the values of one property, counted in one pass.
struct ObjectGroups {
  /// The greatest number of objects that are counted.
  static let objectLimit = 200_000
  /// The greatest number of values that are told apart.
  static let valueLimit = 10_000
  /// The greatest number of groups that are shown.
  static let shownLimit = 500

  /// The greatest number of characters of a text in the condition of a group.
  private static let conditionCharacters = 1_000

  /// A part of a date by which dates are grouped, in UTC.
  enum Interval: String {
    case value, day, month, year

    /// The number of characters of a date that the groups have in common; nil for all.
    fileprivate var length: Int? {
      switch self {
      case .value: nil
      case .day: 10
      case .month: 7
      case .year: 4
      }
    }
  }

  struct Group {
    /// The value; nil for null.
    var text: String?
    var count: Int
    /// Matches the objects of the group; nil if no condition can.
    var condition: String?
  }

  /// A value, equal to values with the same bytes, as in conditions; `String` takes other characters for equal.
  private struct Key: Hashable {
    var text: String?

    static func == (left: Self, right: Self) -> Bool {
      guard let one = left.text, let other = right.text else {
        return left.text == nil && right.text == nil
      }
      return one.utf8.elementsEqual(other.utf8)
    }

    func hash(into hasher: inout Hasher) {
      for byte in (text ?? "").utf8 { hasher.combine(byte) }
    }
  }

  private(set) var groups: [Group] = []
  /// The number of counted objects.
  private(set) var objectCount = 0
  /// True if more objects match than were counted.
  private(set) var isCut = false
  /// The number of objects with values beyond ``valueLimit``.
  private(set) var otherCount = 0

  /// The first millisecond of the year 10000.
  private static let year10000 = 253_402_300_800_000

  private let property: PropertySchema
  private let interval: Interval

  /// Counts the objects that a query finds.
  init(
    of query: DynamicQuery,
    by property: PropertySchema,
    _ interval: Interval,
    in version: any ContentVersion
  ) throws {
    self.property = property
    self.interval = Self.isDate(property) ? interval : .value
    let cell = CellText(property)
    var counts: [Key: Int] = [:]
    try version.forEachRecord(of: query, after: nil, limit: Self.objectLimit + 1) { record in
      guard objectCount < Self.objectLimit else { return isCut = true }
      objectCount += 1
      let key = Key(text: key(cell.whole(in: record)))
      if counts.count < Self.valueLimit || counts[key] != nil {
        counts[key, default: 0] += 1
      } else {
        otherCount += 1
      }
    }
    groups = counts.map { key, count in
      Group(text: key.text, count: count, condition: condition(key.text))
    }
    groups.sort {
      $0.count == $1.count ? ($0.text ?? "") < ($1.text ?? "") : $0.count > $1.count
    }
  }

  /// The groups with the greatest counts.
  var shown: [Group] { Array(groups.prefix(Self.shownLimit)) }

  /// Returns whether objects can be grouped by a property.
  static func isGroupable(_ property: PropertySchema) -> Bool {
    guard !property.has(.id) else { return false }
    return switch ValueForm(property) {
    case .integer, .boolean, .float, .double, .text, .decimal, .uuid: true
    default: false
    }
  }

  static func isDate(_ property: PropertySchema) -> Bool {
    [.date, .dateNano].contains(property.type)
  }

  /// The common part of a group's values; dates outside the years 1 to 9999 are numbers, and stay whole.
  ///
  /// Numbers that conditions take for equal have one text, such as 1.0 and 1.00 as decimals, and both zeros.
  private func key(_ text: String?) -> String? {
    guard let text else { return nil }
    switch ValueForm(property) {
    case .float, .double: return text == "-0.0" ? "0.0" : text
    case .decimal: return Decimal.value(in: text)?.description ?? text
    default: break
    }
    guard let length = interval.length, text.hasSuffix("Z") else { return text }
    return String(text.prefix(length))
  }

  private func condition(_ key: String?) -> String? {
    let name = ConditionText.name(property.name)
    guard let key else { return "\(name) is null" }
    switch ValueForm(property) {
    case .text, .uuid, .decimal:
      guard key.count <= Self.conditionCharacters else { return nil }
      return "\(name) == \(ConditionText.text(key))"
    // Numbers that are not finite have no equality.
    case .float, .double: return Double(key)?.isFinite ?? false ? "\(name) == \(key)" : nil
    default: break
    }
    guard let length = interval.length, key.count == length else { return "\(name) == \(key)" }
    let first = Self.firstDay(of: key)
    // Dates after the year 9999 have no text.
    guard let next = next(first) else {
      return "\(name) >= \(first) && \(name) < \(Self.year10000)"
    }
    return "\(name) >= \(first) && \(name) < \(next)"
  }

  /// The first day of a year, a month or a day.
  private static func firstDay(of key: String) -> String {
    key + String("0000-01-01".dropFirst(key.count))
  }

  /// The first day of the next group; nil after the year 9999.
  private func next(_ day: String) -> String? {
    let numbers = day.split(separator: "-").compactMap { Int($0) }
    guard numbers.count == 3 else { return nil }
    var (year, month) = (numbers[0], numbers[1])
    switch interval {
    case .value: return nil
    case .day:
      guard let ticks = DateText.ticks(day, isNano: false),
        let text = DateText.text(ticks: ticks + 86_400_000, isNano: false)
      else { return nil }
      return String(text.prefix(10))
    case .month: (year, month) = month == 12 ? (year + 1, 1) : (year, month + 1)
    case .year: year += 1
    }
    guard year < 10_000 else { return nil }
    func digits(_ number: Int, _ count: Int) -> String {
      let text = "\(number)"
      return String(repeating: "0", count: count - text.count) + text
    }
    return "\(digits(year, 4))-\(digits(month, 2))-01"
  }
}
