/// The time of a hybrid logical clock.
///
/// It follows the wall clock and never goes back: a counter orders times while the wall clock stands still or is
/// behind.
package struct HybridTime: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970.
  package let milliseconds: Int64
  /// The order of times within a millisecond.
  package let counter: UInt32

  /// Creates a time.
  package init(milliseconds: Int64, counter: UInt32 = 0) {
    self.milliseconds = milliseconds
    self.counter = counter
  }

  /// The time before all others.
  package static let distantPast = Self(milliseconds: .min)

  /// The smallest later time.
  package var next: Self {
    counter == .max
      ? Self(milliseconds: milliseconds &+ 1)
      : Self(milliseconds: milliseconds, counter: counter + 1)
  }

  /// Returns the time of an event after this time.
  ///
  /// - Parameter wall: The wall clock, in milliseconds since 1970.
  /// - Returns: The wall clock's time if it is later, else the smallest later time.
  package func advanced(to wall: Int64) -> Self {
    wall > milliseconds ? Self(milliseconds: wall) : next
  }

  /// Orders times by milliseconds, then by counter.
  package static func < (left: Self, right: Self) -> Bool {
    left.milliseconds != right.milliseconds
      ? left.milliseconds < right.milliseconds : left.counter < right.counter
  }
}
