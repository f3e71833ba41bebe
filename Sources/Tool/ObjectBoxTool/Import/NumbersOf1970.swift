internal import ObjectBox
internal import ObjectBoxJSON

/// Numbers given for dates that are dates of 1970, as most numbers are that were meant otherwise.
///
/// A property counts milliseconds or nanoseconds. A number of seconds, and the digits of a day such
/// as 20240131, are numbers too.
struct NumbersOf1970 {
  private struct Found {
    var count: Int
    let digits: String
    let date: String
    let place: JSONPlace
  }

  private var found: [String: Found] = [:]

  /// Notes a number from 10,000,000 on for a date of 1970.
  ///
  /// - Parameters:
  ///   - value: The value of a date as the line has it.
  ///   - property: The property.
  ///   - isText: True for a form with dates as texts, where the digits of a day are refused.
  /// - Throws: ``LineFault`` for the digits of a day.
  mutating func check(_ value: JSONValue, _ property: PropertySchema, isText: Bool) throws {
    guard [.date, .dateNano].contains(property.type), case .number(let digits) = value.content,
      let ticks = value.integer(Int64.self), ticks >= 10_000_000
    else { return }
    guard let date = DateText.text(ticks: ticks, isNano: property.type == .dateNano),
      date.hasPrefix("1970-")
    else { return }
    if isText, let day = Self.day(digits) {
      let unit = property.type == .date ? "milliseconds" : "nanoseconds"
      throw LineFault(
        "'\(property.name)' is the number \(digits), which counts \(unit) and means \(date); write \(day) for "
          + "the day",
        at: value.place
      )
    }
    if found[property.name] == nil {
      found[property.name] = Found(count: 1, digits: digits, date: date, place: value.place)
    } else {
      found[property.name]?.count += 1
    }
  }

  /// The day of eight digits such as 20240131; nil for others.
  private static func day(_ digits: String) -> String? {
    guard digits.utf8.count == 8 else { return nil }
    let day = "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.suffix(2))"
    return DateText.ticks(day, isNano: false) == nil ? nil : day
  }

  /// Shows a warning for each property with such numbers.
  func tell() {
    for (name, found) in found.sorted(by: { $0.key < $1.key }) {
      let others = found.count > 1 ? " (and \(found.count - 1) more of 1970)" : ""
      Console.tell(
        "warning: \(found.place.description): '\(name)' is the number \(found.digits), which means "
          + "\(found.date)\(others); a number counts milliseconds, or nanoseconds for such a property, and "
          + "not seconds"
      )
    }
  }
}
