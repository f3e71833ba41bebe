/// A day of the proleptic Gregorian calendar, which ISO 8601, Python and PostgreSQL use for all
/// years.
///
/// Foundation uses the Julian calendar before 1582-10-15.
struct CivilDate: Equatable {
  var year: Int
  /// From 1 to 12.
  var month: Int
  /// From 1 to 31.
  var day: Int

  /// Number of days in 400 years, after which the calendar repeats.
  private static let daysOfCycle = 146_097
  /// Number of days from 0000-03-01 to 1970-01-01.
  private static let epoch = 719_468

  /// Makes a date; nil for a day that does not exist.
  init?(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
    guard (1...12).contains(month), (1...31).contains(day), Self(dayNumber: dayNumber) == self
    else { return nil }
  }

  /// Makes a date from the number of days since 1970-01-01.
  init(dayNumber: Int) {
    let cycle = (dayNumber + Self.epoch).flooredQuotient(by: Self.daysOfCycle)
    // Years begin in March here, so a leap day is the last day of its year.
    let day = dayNumber + Self.epoch - cycle * Self.daysOfCycle
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
    let dayOfYear = day - Self.daysBefore(year: year)
    // From March on, every five months have 153 days.
    let month = (5 * dayOfYear + 2) / 153
    self.day = dayOfYear - Self.daysBefore(month: month) + 1
    self.month = month < 10 ? month + 3 : month - 9
    self.year = cycle * 400 + year + (month < 10 ? 0 : 1)
  }

  /// Number of days since 1970-01-01.
  var dayNumber: Int {
    let years = month > 2 ? year : year - 1
    let cycle = years.flooredQuotient(by: 400)
    let month = month > 2 ? month - 3 : month + 9
    return cycle * Self.daysOfCycle + Self.daysBefore(year: years - cycle * 400)
      + Self.daysBefore(month: month) + day - 1 - Self.epoch
  }

  /// Number of days of a cycle before a year, from 0 to 399.
  private static func daysBefore(year: Int) -> Int { 365 * year + year / 4 - year / 100 }

  /// Number of days of a year before a month, from 0 for March to 11.
  private static func daysBefore(month: Int) -> Int { (153 * month + 2) / 5 }
}

extension Int {
  fileprivate func flooredQuotient(by divisor: Int) -> Int {
    self / divisor - (self % divisor < 0 ? 1 : 0)
  }
}
