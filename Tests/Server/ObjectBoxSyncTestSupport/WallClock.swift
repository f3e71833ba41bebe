import Foundation

/// Waits for the clock's next millisecond: of two first writes of devices in one millisecond, their random
/// tokens decide which is the later one.
package func passMillisecond() {
  func now() -> Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }
  let start = now()
  while now() == start {}
}
