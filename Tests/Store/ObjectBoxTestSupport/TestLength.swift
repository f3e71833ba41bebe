import Foundation

/// The length of tests that repeat a step.
package enum TestLength {
  /// Returns what a test works through, such as a number of repetitions: `long` if
  /// OBJECTBOX_LONG_TESTS is 1.
  package static func choose<Length>(short: Length, long: Length) -> Length {
    ProcessInfo.processInfo.environment["OBJECTBOX_LONG_TESTS"] == "1" ? long : short
  }
}
