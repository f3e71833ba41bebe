/// A day of the proleptic Gregorian calendar, which ISO 8601, Python and PostgreSQL have for all years.
///
/// Foundation's calendar is the Julian one before 1582-10-15.
struct CivilDate: Equatable {
  var year: Int
  /// From 1 to 12.
  var month: Int
  /// From 1 to 31.
  var day: Int

  /// The days of 400 years, after which the calendar repeats.
  private static let daysOfCycle = 146_097
  /// The days from 0000-03-01 to 1970-01-01.
  private static let epoch = 719_468

  /// Makes a date; nil for a day that there is not.
  init?(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
    guard (1...12).contains(month), (1...31).contains(day), Self(dayNumber: dayNumber) == self
    else { return nil }
  }

  /// Makes the date of a number of days since 1970-01-01.
  init(dayNumber: Int) {
    let cycle = (dayNumber + Self.epoch).flooredQuotient(by: Self.daysOfCycle)
    // Years begin in March, so that a leap day is the last of its year.
    let day = dayNumber + Self.epoch - cycle * Self.daysOfCycle
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
    let dayOfYear = day - Self.daysBefore(year: year)
    // From March on, five months have 153 days.
    let month = (5 * dayOfYear + 2) / 153
    self.day = dayOfYear - Self.daysBefore(month: month) + 1
    self.month = month < 10 ? month + 3 : month - 9
    self.year = cycle * 400 + year + (month < 10 ? 0 : 1)
  }

  /// The days since 1970-01-01.
  var dayNumber: Int {
    let years = month > 2 ? year : year - 1
    let cycle = years.flooredQuotient(by: 400)
    let month = month > 2 ? month - 3 : month + 9
    return cycle * Self.daysOfCycle + Self.daysBefore(year: years - cycle * 400)
      + Self.daysBefore(month: month) + day - 1 - Self.epoch
  }

  /// The days of a cycle before a year of it, from 0 to 399.
  private static func daysBefore(year: Int) -> Int { 365 * year + year / 4 - year / 100 }

  /// The days of a year before a month of it, from 0 for March to 11.
  private static func daysBefore(month: Int) -> Int { (153 * month + 2) / 5 }
}

extension Int {
  fileprivate func flooredQuotient(by divisor: Int) -> Int {
    self / divisor - (self % divisor < 0 ? 1 : 0)
  }
}
