internal import ObjectBox

/// A date in a property's stored form, as a value of a condition.
///
/// `Date` is too imprecise for nanoseconds, and for milliseconds that are far from 1970.
package struct StoredDate: Sendable {
  /// Milliseconds or nanoseconds since 1970, in the property's unit.
  package var ticks: Int64

  package init(ticks: Int64) { self.ticks = ticks }
}
