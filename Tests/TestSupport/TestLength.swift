import Foundation

/// The length of tests that repeat a step.
package enum TestLength {
  /// Returns the number of repetitions: `long` if OBJECTBOX_LONG_TESTS is 1, as in `test.sh long`.
  package static func choose(short: Int, long: Int) -> Int {
    ProcessInfo.processInfo.environment["OBJECTBOX_LONG_TESTS"] == "1" ? long : short
  }
}
