import Foundation

/// The length of tests that repeat a thing many times.
package enum TestLength {
  /// Returns the number of repetitions: the long one with OBJECTBOX_LONG_TESTS=1, as `test.sh long` has it.
  package static func choose(short: Int, long: Int) -> Int {
    ProcessInfo.processInfo.environment["OBJECTBOX_LONG_TESTS"] == "1" ? long : short
  }
}
