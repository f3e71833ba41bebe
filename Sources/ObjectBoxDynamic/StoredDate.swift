internal import ObjectBox

/// A date in the form in which a property stores it, as a value of a condition.
///
/// A `Date` has too few digits for nanoseconds.
package struct StoredDate: Sendable {
  /// The milliseconds or nanoseconds since 1970, as the property has them.
  package var ticks: Int64

  package init(ticks: Int64) { self.ticks = ticks }
}
